"""Bins of equal counts and their classes: the kernel against the same in plain NumPy, to the last count."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assay import _core
from assay.numerics.information import count_bins

ROWS = 5_003


def equal_bins(values: Any, bins: int) -> Any:
    """Number of the bin of each value: edges are the values of certain ranks, and an edge opens its bin."""
    cuts = np.unique(np.arange(1, bins) * len(values) // bins)
    cuts = cuts[cuts > 0]
    edges = np.unique(np.partition(values, cuts)[cuts]) if len(cuts) else np.zeros(0)
    return np.searchsorted(edges, values, side="right")


def counted(values: Any, codes: Any, classes: int, bins: int) -> Any:
    number = equal_bins(np.asarray(values, dtype=np.float64), bins)
    return np.bincount(number * classes + codes, minlength=(number.max() + 1) * classes).reshape(-1, classes)


def columns() -> dict[str, Any]:
    rng = np.random.default_rng(0)
    normal = rng.normal(size=ROWS)
    return {
        "normal": normal,
        "ties": rng.integers(0, 9, ROWS).astype(float),
        "constant": np.full(ROWS, 3.5),
        "two values": (normal > 1.5).astype(float),
        "zeros of both signs": np.where(rng.random(ROWS) < 0.3, -0.0, np.maximum(normal, 0.0)),
        "mostly one value": np.where(rng.random(ROWS) < 0.9, 7.0, normal),
        "one far away": np.append(normal[:-1], 1e140),
        "many far away": np.exp(30.0 * normal),
        "hardly different": 1.0 + np.spacing(1.0) * rng.integers(0, 50, ROWS),
        "too close to divide": np.nextafter(0.0, 1.0) * rng.integers(0, 50, ROWS),
        "the whole range": np.where(normal > 0, 1.7e308, -1.7e308) * rng.random(ROWS),
        "ascending": np.arange(ROWS, dtype=float),
        "descending": -np.arange(ROWS, dtype=float),
    }


@pytest.mark.parametrize("bins", [2, 3, 17, 64, 6_000])
def test_every_kind_of_column_is_binned_as_numpy_bins_it(bins: int) -> None:
    given = columns()
    X = np.stack(list(given.values()), axis=1)
    codes = np.random.default_rng(1).integers(0, 3, ROWS).astype(np.int32)
    tables = count_bins(X, codes, 3, bins, 2)
    for j, name in enumerate(given):
        np.testing.assert_array_equal(
            tables.counts[tables.column == j], counted(X[:, j], codes, 3, bins), err_msg=name
        )


@pytest.mark.parametrize("rows", [1, 2, 3, 37, 511, 513])
def test_few_rows(rows: int) -> None:
    rng = np.random.default_rng(rows)
    X, codes = rng.normal(size=(rows, 5)), rng.integers(0, 2, rows).astype(np.int32)
    for bins in (2, 5, 40):
        tables = count_bins(X, codes, 2, bins, 1)
        for j in range(5):
            np.testing.assert_array_equal(tables.counts[tables.column == j], counted(X[:, j], codes, 2, bins))


def test_layout_width_and_threads_change_nothing() -> None:
    rng = np.random.default_rng(2)
    X, codes = rng.normal(size=(2_000, 11)).astype(np.float32), rng.integers(0, 4, 2_000).astype(np.int32)
    expected = count_bins(X, codes, 4, 13, 1)
    wide = np.zeros((4_000, 22), dtype=np.float32)
    wide[::2, ::2] = X
    for given in (X, np.asfortranarray(X), X.astype(np.float64), wide[::2, ::2]):
        for threads in (1, 2, 5):
            found = count_bins(given, codes, 4, 13, threads)
            np.testing.assert_array_equal(found.counts, expected.counts)
            np.testing.assert_array_equal(found.column, expected.column)


def test_no_rows_and_no_columns_count_nothing() -> None:
    empty = np.empty(0, dtype=np.int32)
    assert count_bins(np.empty((0, 2)), empty, 3, 4, 1).counts.tolist() == [[0, 0, 0]] * 2
    assert count_bins(np.empty((5, 0)), np.zeros(5, dtype=np.int32), 3, 4, 1).counts.shape == (0, 3)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("row", [0, 1, 49])
def test_what_is_not_finite_is_refused(value: float, row: int) -> None:
    X = np.ones((50, 6))
    X[row, 4] = value
    with pytest.raises(ValueError, match="not finite"):
        count_bins(X, np.zeros(50, dtype=np.int32), 1, 3, 2)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"x": np.zeros((4, 2), dtype=np.int64)}, "float64 or float32"),
        ({"cut": np.array([2, 1])}, "ascend"),
        ({"cut": np.array([1, 4])}, "beyond the rows"),
        ({"cut": np.array([-1, 2])}, "beyond the rows"),
        ({"codes": np.array([0, 1, 0, 2], dtype=np.int32)}, "number of them"),
        ({"codes": np.zeros(3, dtype=np.int32)}, "fit together"),
        ({"edges": np.empty(3, dtype=np.int64)}, "fit together"),
        ({"out": np.empty((2, 2, 2), dtype=np.int64)}, "fit together"),
        ({"out": np.empty((2, 6), dtype=np.int64)}, "columns x bins x classes"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(change: dict[str, Any], sentence: str) -> None:
    given: dict[str, Any] = {
        "x": np.zeros((4, 2)),
        "cut": np.array([1, 2]),
        "codes": np.zeros(4, dtype=np.int32),
        "threads": 1,
        "edges": np.empty(2, dtype=np.int64),
        "out": np.empty((2, 3, 2), dtype=np.int64),
    }
    with pytest.raises(ValueError, match=sentence):
        _core.counts.count_bins(**{**given, **change})
