"""How many groups: planted ones are found, and none where there are none."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.datasets import load_iris, load_wine

from assay import KMeans, choose_clusters
from assay.notes import Note
from assay.selection.cluster_density import ClusterDensity, ClusterRows
from assay.selection.clusters import CRITERIA
from tests.raised import Expected, raises

Array = np.ndarray[Any, Any]


def planted(groups: int, rows: int = 400, width: int = 2, seed: int = 0, apart: float = 9.0) -> Array:
    rng = np.random.default_rng(seed)
    centers = apart * np.stack([np.arange(groups), np.arange(groups) ** 2 % 5], axis=1)
    return np.pad(centers, [(0, 0), (0, width - 2)])[rng.integers(0, groups, rows)] + rng.normal(
        size=(rows, width)
    )


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("groups", [1, 3, 6])
def test_planted_blobs_are_found(groups: int, criterion: str) -> None:
    choice = choose_clusters(planted(groups), range(1, 9), criterion=criterion, n_starts=4)
    assert choice.chosen == groups == choice.best.n_clusters
    assert (np.diff(choice.error) < 0).all() and choice.n_clusters == tuple(range(1, 9))
    assert (choice.held_out is None) == (criterion == "bic")


def test_three_blobs_in_many_columns() -> None:
    assert choose_clusters(planted(3, width=20), n_starts=3).chosen == 3


def test_the_figures_are_those_of_the_density() -> None:
    X = planted(3)
    labels = KMeans(3).fit(X).labels_
    found = ClusterDensity.of(ClusterRows.of(X), labels)
    means = np.array([X[labels == k].mean(axis=0) for k in range(3)])
    np.testing.assert_allclose(found.centers, means, rtol=1e-12)
    away = X - means[labels]
    within = away.T @ away / len(X)
    density = sum(
        share * multivariate_normal(mean, within).pdf(X)
        for share, mean in zip(found.shares, found.centers, strict=True)
    )
    np.testing.assert_allclose(found.log_density(ClusterRows.of(X)), np.log(density), rtol=1e-9)
    assert found.n_parameters == 2 + 6 + 3 and not found.round
    assert found.bic(ClusterRows.of(X)) == pytest.approx(
        11 * math.log(400) - 2 * np.log(density).sum(), rel=1e-12
    )


def test_too_few_rows_for_a_shape_are_taken_for_round_blobs() -> None:
    X = planted(2, 30, 20)
    labels = KMeans(2).fit(X).labels_
    found = ClusterDensity.of(ClusterRows.of(X), labels)
    means = np.array([X[labels == k].mean(axis=0) for k in range(2)])
    variance = ((X - means[labels]) ** 2).mean()
    density = sum(
        share * multivariate_normal(mean, variance).pdf(X)
        for share, mean in zip(found.shares, found.centers, strict=True)
    )
    assert found.round and found.n_parameters == 1 + 40 + 1
    np.testing.assert_allclose(found.log_density(ClusterRows.of(X)), np.log(density), rtol=1e-9)


def test_one_long_group_is_one_group() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 4)) @ rng.normal(size=(4, 4))
    assert choose_clusters(X, n_starts=3).chosen == 1


def test_three_kinds_of_iris_and_of_wine() -> None:
    for load in (load_iris, load_wine):
        X = load(return_X_y=True)[0]
        assert choose_clusters((X - X.mean(axis=0)) / X.std(axis=0), n_starts=5).chosen == 3


def test_columns_that_follow_from_others_change_nothing() -> None:
    X = planted(3)
    one, two = (
        ClusterDensity.of(ClusterRows.of(Z), KMeans(3).fit(X).labels_)
        for Z in (X, np.hstack([X, X.sum(axis=1, keepdims=True)]))
    )
    assert one.n_parameters == two.n_parameters


def test_weights_are_repeated_rows() -> None:
    X, weight = planted(3, 100), np.random.default_rng(1).integers(0, 3, 100)
    labels = KMeans(3).fit(X, sample_weight=weight).labels_
    one = ClusterDensity.of(ClusterRows.of(X), labels, weight.astype(float))
    twice = np.repeat(X, weight, axis=0)
    many = ClusterDensity.of(ClusterRows.of(twice), np.repeat(labels, weight))
    np.testing.assert_allclose(one.centers, many.centers, rtol=1e-12)
    assert one.bic(ClusterRows.of(X), weight.astype(float)) == pytest.approx(
        many.bic(ClusterRows.of(twice)), rel=1e-12
    )
    assert choose_clusters(X, range(1, 6), sample_weight=weight, n_starts=3).chosen == 3


def test_held_out_rows_have_no_part_in_their_own_groups() -> None:
    """With as many groups as training rows a density learned from the rows themselves would be endless."""
    X = planted(1, 40)
    choice = choose_clusters(X, [1, 2, 30], criterion="held-out", folds=5, n_starts=2)
    assert choice.held_out is not None and choice.chosen == 1
    assert choice.held_out[2] < choice.held_out[0] - 1.0


def test_equal_rows_have_a_density_all_the_same() -> None:
    choice = choose_clusters(np.repeat([[0.0, 1.0], [4.0, 2.0]], 10, axis=0), [1, 2], n_starts=1)
    assert choice.chosen == 2 and np.isfinite(choice.bic).all()
    assert np.isfinite(choose_clusters(np.ones((5, 2)), [1], n_starts=1).bic).all()


def test_progress_is_told_from_start_to_end() -> None:
    told: list[tuple[str, float]] = []
    choose_clusters(planted(2, 60), [1, 2], folds=2, n_starts=1, progress=lambda *each: told.append(each))
    assert [text for text, _ in told] == [
        "1 groups", "2 groups", "1 groups, rows held out", "2 groups, rows held out",
    ]  # fmt: skip
    assert [share for _, share in told] == sorted(share for _, share in told) and told[0][1] == 0.0


@pytest.mark.parametrize("rows", [2, 5, 7, 9, 12])
@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_number_that_leaves_no_rows_a_group_is_never_chosen(rows: int, criterion: str) -> None:
    for seed in range(3):
        X = np.random.default_rng(seed).normal(size=(rows, 2))
        if criterion == "held-out" and rows < 5:
            continue
        choice = choose_clusters(X, range(1, rows + 1), criterion=criterion, n_starts=2)
        assert choice.chosen == 1 or 5 * choice.chosen <= rows
        first = max(rows // 5, 1) + 1
        code = "C700" if first == rows else "C701"
        assert choice.notes == (Note(code, clusters=first, rows=rows, least=5),)
        assert len(choice.bic) == rows and np.isfinite(choice.bic).all()
    assert choose_clusters(X, [rows], n_starts=1).chosen == rows  # what is asked for is given


@pytest.mark.parametrize("groups", [1, 2, 3, 4, 5, 6])
def test_planted_blobs_of_few_rows_are_found(groups: int) -> None:
    rng = np.random.default_rng(groups)
    centers = 30.0 * np.stack([np.arange(groups), np.arange(groups) ** 2 % 5], axis=1)
    X = np.repeat(centers, 10, axis=0) + rng.normal(size=(10 * groups, 2))
    assert choose_clusters(X, range(1, min(10, len(X)) + 1), n_starts=5).chosen == groups


@pytest.mark.parametrize("groups", [1, 3, 5])
def test_rows_that_stand_there_twice_are_no_groups(groups: int) -> None:
    assert (
        choose_clusters(np.repeat(planted(groups, 300), 2, axis=0), range(1, 9), n_starts=4).chosen == groups
    )


def one_hot(codes: Array, sizes: list[int]) -> tuple[Array, list[list[int]]]:
    """Columns of 0 and 1 for the levels of each category, and which belong together."""
    ends = np.concatenate([[0], np.cumsum(sizes)])
    X = np.hstack([codes[:, [j]] == np.arange(size) for j, size in enumerate(sizes)]).astype(float)
    return X, [list(range(a, b)) for a, b in zip(ends[:-1], ends[1:], strict=True)]


@pytest.mark.parametrize("groups", [1, 2, 3, 4])
def test_planted_groups_of_levels_are_found(groups: int) -> None:
    """Eight categories of four levels, each group with favourites of its own; levels alone are no groups."""
    rng = np.random.default_rng(groups)
    favourite = rng.permuted(np.tile(np.arange(4), (8, 1)), axis=1).T[:groups]
    group = rng.integers(0, groups, 400)
    true = rng.random((400, 8)) < (0.85 if groups > 1 else 0.0)
    codes = np.where(true, favourite[group], rng.integers(0, 4, (400, 8)))
    X, levels = one_hot(codes, [4] * 8)
    assert choose_clusters(X, range(1, 9), levels=levels, n_starts=5).chosen == groups


def test_levels_of_one_category_are_no_groups_of_a_table_of_noise() -> None:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, (300, 2))
    hot, levels = one_hot(codes, [3, 3])
    X = np.hstack([hot, rng.normal(size=(300, 2))])
    assert choose_clusters(X, levels=levels, n_starts=3).chosen == 1
    group = np.arange(300) % 3
    codes[:, 0] = np.where(rng.random(300) < 0.9, group, codes[:, 0])
    X = np.hstack([one_hot(codes, [3, 3])[0], rng.normal(size=(300, 2)) + 6.0 * group[:, None]])
    assert choose_clusters(X, levels=levels, n_starts=3).chosen == 3


def test_whole_numbers_of_few_values_are_no_groups_of_their_own() -> None:
    """Within a group that holds one value alone a column does not vary: rounding keeps the density finite."""
    X = np.random.default_rng(0).integers(0, 3, size=(300, 4)).astype(float)
    assert choose_clusters(X, n_starts=3).chosen == 1
    assert choose_clusters(np.round(planted(3)), n_starts=3).chosen == 3


@pytest.mark.parametrize("width", [0, 2])
def test_the_density_of_levels_is_that_of_the_formula(width: int) -> None:
    rng = np.random.default_rng(3)
    hot, levels = one_hot(rng.integers(0, 3, (60, 2)), [3, 3])
    labels = rng.integers(0, 2, 60)
    numbers = rng.normal(size=(60, width)) + labels[:, None]
    seen = ClusterRows.of(np.hstack([hot, numbers]), levels)
    found = ClusterDensity.of(seen, labels)
    plain = ClusterDensity.of(ClusterRows.of(numbers), labels) if width else None
    density = np.zeros(60)
    for k in range(2):
        own, share = hot[labels == k], (labels == k).mean()
        q = [(own[:, b].sum(axis=0) + hot[:, b].mean(axis=0)) / (len(own) + 1) for b in levels]
        term = share * np.prod([hot[:, b] @ q[j] for j, b in enumerate(levels)], axis=0)
        if plain is not None:
            away = (numbers - plain.centers[k]) @ plain.whitener
            term *= np.exp(-0.5 * (away**2).sum(axis=1) - plain.log_volume) / (2 * math.pi)
        density += term
    np.testing.assert_allclose(found.log_density(seen), np.log(density), rtol=1e-9)
    assert found.n_parameters == 1 + 2 * (2 + 2 + width) + width * (width + 1) // 2


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"n_clusters": []}, Expected("S071")),
        ({"n_clusters": [0, 2]}, Expected("S071")),
        ({"n_clusters": [61]}, Expected("M103", n_clusters=61, n_rows=60)),
        ({"criterion": "elbow"}, Expected("S072", criterion="elbow", choices=["bic", "held-out"])),
        ({"folds": 1}, Expected("S074", folds=1)),
        ({"levels": [[0, 2]]}, Expected("S070", last=1)),
        ({"levels": [[0], [0]]}, Expected("S070")),
        ({"n_clusters": [60], "criterion": "held-out"}, Expected("S069", n_rows=60)),
    ],
)
def test_bad_input_is_refused_in_one_sentence(arguments: dict[str, Any], expected: Expected) -> None:
    with raises(expected):
        choose_clusters(planted(2, 60), **arguments, n_starts=1)
