"""Maps of tables: the directions are those of the models, the error is that of folds, and any table gets an answer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from assay import FisherDiscriminant, GaussianClassifier, KFold, Standardize
from assay.commands.project.job import project
from assay.commands.project.result import ProjectResult, coordinate_blocks
from assay.models.projection.pca import PCA
from tests.raised import Expected, codes, raises

MEAN = GaussianClassifier("shared_spherical")


def rows_of(found: ProjectResult) -> dict[str, list[Any]]:
    (block,) = coordinate_blocks(found, None)
    return {name: list(values) for name, values in block.items()}


def scaled(X: np.ndarray) -> np.ndarray:
    return (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)


def test_components_are_the_singular_vectors_of_standardised_columns() -> None:
    X, y = load_wine(return_X_y=True)
    found = project((X, y), method="pca", to=3)
    U, s, V = np.linalg.svd(scaled(X), full_matrices=False)
    assert [each.share for each in found.directions] == pytest.approx((s**2 / (s**2).sum())[:3])
    assert np.abs(found.coordinates) == pytest.approx(np.abs(U[:, :3] * s[:3]), abs=1e-8)
    first = {each.column: each.weight for each in found.directions[0].loadings}
    assert np.abs([first[f"x{j}"] for j in range(13)]) == pytest.approx(np.abs(V[0]))


def test_fishers_directions_do_not_depend_on_scale() -> None:
    X, y = load_iris(return_X_y=True)
    found = project((X, y))
    expected = FisherDiscriminant().fit(X, y)
    assert [each.share for each in found.directions] == pytest.approx([0.9912126, 0.0087874], abs=1e-6)
    assert np.abs(found.coordinates) == pytest.approx(np.abs(expected.transform(X)), abs=1e-4)
    away = X - X.mean(axis=0)
    means = np.stack([away[y == k].mean(axis=0) for k in range(3)])
    between = 50 * (means @ expected.scalings_) ** 2
    within = ((away - means[y]) @ expected.scalings_) ** 2
    ratios = between.sum(axis=0) / within.sum(axis=0)
    assert [each.ratio for each in found.directions] == pytest.approx(ratios, rel=1e-4)


@pytest.mark.parametrize("method", ["pca", "fisher"])
def test_the_error_is_that_of_the_whole_pipeline_in_folds(method: str) -> None:
    X, y = load_wine(return_X_y=True)
    step = PCA(2) if method == "pca" else FisherDiscriminant(2)
    plan = KFold(10, random_state=3)
    wrong = 0
    for train, test in plan.split(X, y):
        model = make(step).fit(X[train], y[train])
        wrong += int((model.predict(X[test]) != y[test]).sum())
    found = project((X, y), method=method, random_state=3)
    assert found.evaluation is not None and round(found.evaluation.error * len(y)) == wrong
    direct = make(step).fit(X, y)
    assert found.seen_error == pytest.approx((direct.predict(X) != y).mean())


def make(step: Any) -> Any:
    from sklearn.pipeline import make_pipeline

    return make_pipeline(Standardize(), step, MEAN)


def test_two_classes_have_one_direction_and_a_spread() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    found = project((X, y))
    assert [each.key for each in found.directions] == ["fisher1", "spread1"]
    assert found.judged == 1 and found.directions[1].share is None
    weights = [{one.column: one.weight for one in each.loadings} for each in found.directions]
    assert sum(weights[0][name] * weights[1][name] for name in weights[0]) == pytest.approx(0.0, abs=1e-6)
    alone = project((X, y), to=1)
    assert [each.key for each in alone.directions] == ["fisher1"]
    assert alone.evaluation is not None and found.evaluation is not None
    assert alone.evaluation.error == found.evaluation.error  # the spread has no part in it
    with raises("C059", method="fisher", directions=1):
        project((X, y), to=3)


def test_labels_of_noise_are_chance_though_the_map_separates_them() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 60)), rng.integers(0, 2, 80)
    found = project((X, y), method="fisher")
    assert found.seen_error is not None and found.seen_error < 0.1
    assert found.evaluation is not None and found.evaluation.error > 0.3
    assert "C313" in codes(found.notes)


def test_a_wide_table_shows_components_unless_told_otherwise() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 200)), np.arange(30) % 3
    usual, asked = project((X, y)), project((X, y), method="fisher")
    assert usual.method == "pca" and "C310" in codes(usual.notes)
    assert asked.method == "fisher" and "C311" in codes(asked.notes)
    assert not any("refitted" in note for found in (usual, asked) for note in found.notes)
    assert asked.seen_error == 0.0


def test_levels_gaps_and_flags_are_columns() -> None:
    rng = np.random.default_rng(1)
    size = rng.normal(size=60)
    table = {
        "size": [None if i % 7 == 0 else float(v) for i, v in enumerate(size)],
        "colour": rng.choice(["red", "green", "blue"], 60).tolist(),
        "class": np.where(size > 0, "big", "small").tolist(),
    }
    found = project(table)
    assert found.target == "class" and found.width == 4
    names = {one.column for one in found.directions[0].loadings}
    assert (
        "size" in names
        and "missing_size" in names
        and len([n for n in names if n.startswith("colour=")]) == 2
    )
    assert found.evaluation is not None and found.evaluation.error < 0.3


def test_rows_without_a_label_keep_the_numbers_of_the_others() -> None:
    table: dict[str, Any] = {
        "a": [1.0, 2.0, 9.0, 8.0, 7.0, 1.5],
        "b": [3.0, 1.0, 4.0, 1.0, 5.0, 9.0],
        "class": ["x", "x", None, "y", "y", "x"],
    }
    found = project(table, method="pca")
    assert found.numbers.tolist() == [1, 2, 4, 5, 6]
    assert rows_of(found)["class"] == ["x", "x", "y", "y", "x"]
    assert any("no value of the target" in note for note in found.notes)


def test_without_classes_there_are_components_and_no_error() -> None:
    found = project({"a": [1.0, 2.0, 3.0, 4.0], "b": [2.0, 1.0, 4.0, 3.0]})
    assert (found.method, found.target, found.evaluation, found.seen_error) == ("pca", None, None, None)
    assert found.to_json()["error"] is None and list(rows_of(found)) == ["row", "pc1", "pc2"]
    with raises("C056"):
        project({"a": [1.0, 2.0], "b": [2.0, 1.0]}, method="fisher")


def test_a_target_called_like_a_direction_keeps_a_column() -> None:
    found = project({"a": [1.0, 2.0, 3.0, 4.0, 9.0], "pc1": ["x", "y", "x", "y", "y"]}, "pc1", method="pca")
    assert list(rows_of(found)) == ["row", "pc1", "pc1_"]


def test_texts_are_placed_by_their_words() -> None:
    rain = ["rain and cold wind again", "cold rain in the wind", "the wind and the rain are cold"] * 4
    sun = ["warm sun on the beach", "the beach in the warm sun", "sun and sand and a warm beach"] * 4
    found = project({"text": rain + sun, "class": ["bad"] * 12 + ["good"] * 12}, types={"text": "text"})
    assert found.evaluation is not None and found.evaluation.error == 0.0
    assert "C305" in codes(found.notes)


@pytest.mark.parametrize(
    ("table", "options", "expected"),
    [
        ({"a": [1.0], "b": [2.0]}, {}, Expected("P016", rows=1)),
        ({"a": [1.0, 1.0], "b": [2.0, 2.0]}, {}, Expected("P018", columns=['a', 'b'])),
        ({"a": [1e300, 2.0, 3.0], "b": [1.0, 2.0, 3.0]}, {}, Expected("P005")),
        ({"a": [1.0, float("inf")], "b": [2.0, 2.5]}, {}, Expected("P015", row=2)),
        ({"a": [1.0, 2.0], "b": [2.0, 1.0]}, {"method": "tsne"}, Expected("C054", method="tsne")),
        ({"a": [1.0, 2.0], "b": [2.0, 1.0]}, {"to": 0}, Expected("C055", to=0)),
        ({"a": [1.0, 2.0], "b": [2.0, 1.0]}, {"to": True}, Expected("C055", to=True)),
        ({"a": [1.0, 2.0], "b": [2.0, 1.0]}, {"to": 2}, Expected("C059", method="pca", directions=1)),
        ({"a": [1.0, 2.0, 4.0], "class": ["x", "x", "x"]}, {}, Expected("P011", label="x")),
        ({"t": ["one two three", "four five six"]}, {"types": {"t": "text"}}, Expected("P017")),
    ],
)  # fmt: skip
def test_bad_input_is_a_sentence(table: dict[str, Any], options: dict[str, Any], expected: Expected) -> None:
    with raises(expected):
        project(table, **options)


@given(st.integers(2, 30), st.integers(1, 6), st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_any_table_gets_a_map_or_a_sentence(n: int, d: int, k: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    table: dict[str, Any] = {}
    for j in range(d):
        kind = rng.integers(0, 4)
        values = [
            rng.normal(size=n),
            rng.integers(0, 3, n) * 1e6,
            np.full(n, 7.0),
            rng.choice([0.0, 1e-9, -1e12], n),
        ]
        column = values[kind].tolist()
        table[f"c{j}"] = [None if rng.random() < 0.15 else value for value in column]
    table["level"] = rng.choice(["u", "v", "w", ""], n).tolist()
    table["class"] = [f"k{v}" for v in rng.integers(0, k, n)]
    for method in (None, "pca", "fisher"):
        try:
            found = project(table, method=method)
        except ValueError as error:
            assert str(error).endswith(".") and "\n" not in str(error)
            continue
        assert np.isfinite(found.coordinates).all() and found.coordinates.shape == (n, len(found.directions))
        assert found.baseline is not None and found.seen_error is not None
        assert all(np.isfinite(one.weight) for each in found.directions for one in each.loadings)
