"""Kernels of a feature search against plain NumPy."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from assay import _core
from assay.selection.features.sorted_rows import SortedRows

Array = np.ndarray


def listed(units: list[Array]) -> tuple[Array, Array]:
    """Units as the kernels take them: where each begins, and their columns one after the other."""
    start = np.cumsum([0, *map(len, units)]).astype(np.int64)
    return start, np.concatenate(units).astype(np.int32)


def sorted_rows(
    seed: int, n: int = 301, width: int = 5, classes: int = 3, splits: int = 4, weighted: bool = False
) -> tuple[SortedRows, Array | None, Array]:
    rng = np.random.default_rng(seed)
    X, codes = rng.normal(size=(n, width)), rng.integers(0, classes, n).astype(np.int32)
    split = rng.integers(0, splits, n).astype(np.int32)
    weight = rng.uniform(0.0, 2.0, n) if weighted else None
    rows = SortedRows.of(np.arange(n), split, (splits, width, classes), codes, weight)
    center = rng.normal(size=(splits, width))
    placed = None if weight is None else np.where(rows.source >= 0, weight[rows.source], 0.0)
    return rows, placed, rows.columns(X, center, 2)


def places(rows: SortedRows) -> tuple[Array, Array]:
    """Split and class of every place."""
    length = np.diff(rows.first)
    return np.repeat(rows.split, length), np.repeat(rows.true, length)


def hits(rows: SortedRows, margin: Array, weight: Array | None = None) -> float:
    """Rows, or their weights, whose class has the largest score, the first among equals."""
    _, own = places(rows)
    before = np.arange(len(margin))[:, None] < own
    right = np.where(before, margin > 0, margin >= 0).all(axis=0)
    return float(right.sum() if weight is None else weight[right].sum())


def test_rows_are_sorted_by_split_and_class() -> None:
    rng = np.random.default_rng(0)
    X = np.asfortranarray(rng.normal(size=(90, 3)).astype(np.float32))
    codes, split = rng.integers(0, 2, 90).astype(np.int32), rng.integers(0, 3, 90).astype(np.int32)
    rows = SortedRows.of(np.arange(90), split, (3, 3, 2), codes, None)
    center = rng.normal(size=(3, 3))
    found = rows.columns(X, center, 1)
    there = rows.source >= 0
    assert sorted(rows.source[there]) == list(range(90))
    of_split, of_class = places(rows)
    assert np.array_equal(split[rows.source[there]], of_split[there])
    assert np.array_equal(codes[rows.source[there]], of_class[there])
    expected = X[rows.source[there]].astype(np.float64) - center[of_split[there]]
    assert np.array_equal(found[:, there].T, expected)
    assert (rows.first % _core.search.search_rows == 0).all()


def normal_models(rows: SortedRows, width: int, seed: int) -> tuple[Array, Array, Array]:
    rng = np.random.default_rng(seed)
    shape = (rows.split.max() + 1, width, rows.true.max() + 1)
    return rng.normal(size=shape), rng.uniform(0.2, 2.0, shape), rng.normal(size=shape)


def normal_margin(rows: SortedRows, x: Array, models: tuple[Array, Array, Array], feature: int) -> Array:
    """What a feature adds to the margins; a missing value nothing."""
    split, own = places(rows)
    mean, half, constant = (each[:, feature][split] for each in models)
    scores = constant - half * (x[feature][:, None] - mean) ** 2
    gain = scores[np.arange(len(own)), own][:, None] - scores
    others = np.arange(scores.shape[1] - 1) + (np.arange(scores.shape[1] - 1) >= own[:, None])
    return np.where(np.isnan(x[feature]), 0.0, np.take_along_axis(gain, others, axis=1).T)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("classes", [2, 4])
def test_normal_features_are_added_and_left_out(classes: int, weighted: bool) -> None:
    rows, weight, x = sorted_rows(1, classes=classes, weighted=weighted)
    x[2, ::7] = np.nan
    models, start = normal_models(rows, 5, 2), rows.margins(np.zeros((4, classes)))
    margin = start.copy()
    _core.search.add_normals(rows.given, x, *models, np.array([3, 0], dtype=np.int32), 2, margin)
    expected = start + normal_margin(rows, x, models, 3) + normal_margin(rows, x, models, 0)
    np.testing.assert_allclose(margin, expected, rtol=1e-12)
    units = [np.array([1]), np.array([2, 4]), np.array([3])]
    begins, columns = listed([unit.astype(np.int32) for unit in units])
    added, left = np.empty(3), np.empty(3)
    _core.search.try_normals(rows.given, x, *models, begins, columns, False, margin, 2, added)
    _core.search.try_normals(rows.given, x, *models, begins, columns, True, margin, 2, left)
    gains = [sum(normal_margin(rows, x, models, int(j)) for j in unit) for unit in units]
    assert added == pytest.approx([hits(rows, margin + gain, weight) for gain in gains], rel=1e-12)
    without = [sum(gains[v] for v in range(3) if v != u) for u in range(3)]
    assert left == pytest.approx([hits(rows, margin + gain, weight) for gain in without], rel=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
def test_moves_change_columns_and_margins_and_try_every_unit(weighted: bool) -> None:
    rows, weight, x = sorted_rows(3, weighted=weighted)
    rng, (split, _) = np.random.default_rng(4), places(rows)
    cell = np.repeat(np.arange(len(rows.true)), np.diff(rows.first))
    margin = rows.margins(rng.normal(size=(4, 3)))
    move_slope, move_center = rng.normal(size=(2, len(rows.true), 2))
    factor = rng.normal(size=(4, 5))
    begins, columns = listed([np.array([0], dtype=np.int32), np.array([2, 4], dtype=np.int32)])
    slope, center = rng.normal(size=(2, len(rows.true), 3, 2))
    old, before = x.copy(), margin.copy()
    found = np.empty(2)
    others = np.array([3], dtype=np.int32)
    _core.search.try_moves(
        rows.given, 1, move_slope, move_center, factor, begins, columns, slope, center, others, 2, x, margin, found
    )  # fmt: skip
    expected = old + factor[split].T * old[1]
    expected[1] = old[1] * factor[split, 1]
    np.testing.assert_allclose(x, expected, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(
        margin, before + move_slope[cell].T * (old[1] - move_center[cell].T), rtol=1e-12, atol=1e-14
    )
    gains = [slope[cell, p].T * (expected[j] - center[cell, p].T) for p, j in enumerate(columns)]
    assert found == pytest.approx(
        [hits(rows, margin + gains[0], weight), hits(rows, margin + gains[1] + gains[2], weight)]
    )
    again = np.empty(2)
    nothing = np.empty(0, dtype=np.int32)
    _core.search.try_moves(
        rows.given, -1, None, None, None, begins, columns, slope, center, nothing, 1, x, margin, again
    )
    assert np.array_equal(again, found)


def test_arguments_that_do_not_fit_are_refused() -> None:
    rows, _, x = sorted_rows(6)
    models, margin = normal_models(rows, 5, 7), rows.margins(np.zeros((4, 3)))
    begins, columns = listed([np.array([5], dtype=np.int32)])
    with pytest.raises(ValueError, match="no such feature"):
        _core.search.try_normals(rows.given, x, *models, begins, columns, False, margin, 1, np.empty(1))
    with pytest.raises(ValueError, match="do not fit"):
        _core.search.add_normals(rows.given, x[:4].copy(), *models, columns, 1, margin)
    with pytest.raises(ValueError, match="whole groups"):
        first = rows.first + np.arange(len(rows.first))
        _core.search.SortedRows(first, rows.split, rows.true, 4, 5, 3, None)


PROGRAM = """
import numpy as np
from assay import GaussianClassifier, GaussianNB, LeastSquaresClassifier, select_features
rng = np.random.default_rng(8)
y = rng.integers(0, 3, 400)
X = rng.normal(size=(400, 8)) + 0.5 * y[:, None] * (np.arange(8) % 3 == 0)
for model in (GaussianNB(), GaussianClassifier("shared"), LeastSquaresClassifier()):
    for search in ("forward", "backward"):
        found = select_features(model, X, y, search=search)
        print([(step.features, round(step.error, 9)) for step in found.path])
"""


def test_every_kind_of_processor_finds_the_same() -> None:
    told = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "ASSAY_ISA": isa},
            capture_output=True,
            check=True,
        ).stdout
        for isa in ("", "portable")
    ]
    assert told[0] == told[1] and told[0].count(b"\n") == 6
