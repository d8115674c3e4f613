"""Kernels of levels against plain NumPy: ranges, codes, counts, scores, and arguments that do not fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assay import _core

TYPES = [np.float64, np.float32, np.int64, np.int32, np.uint8]


def ranges(X: Any, threads: int = 1) -> tuple[Any, Any, Any]:
    width = X.shape[1]
    low, high, whole = np.empty(width), np.empty(width), np.empty(width, dtype=np.uint8)
    _core.counts.level_ranges(X, threads, low, high, whole)
    return low, high, whole


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("order", ["C", "F"])
def test_ranges_and_codes(dtype: Any, order: str) -> None:
    rng = np.random.default_rng(0)
    values = rng.integers(3, 9, (70_001, 3))
    X = np.asarray(values, dtype=dtype, order=order)  # type: ignore[call-overload]
    low, high, whole = ranges(X, 3)
    assert low.tolist() == [3.0] * 3 and high.tolist() == [8.0] * 3 and whole.all()
    table = np.array([5, -2, 7, 1, 0, 9] * 3, dtype=np.int32)
    codes = np.empty((3, len(X)), dtype=np.int32)
    _core.counts.table_codes(X, low, np.array([0, 6, 12, 18]), table, 2, codes)
    np.testing.assert_array_equal(codes, table[:6][values - 3].T)


def test_gaps_fractions_and_infinities() -> None:
    X = np.array([[1.0, 0.5, np.nan], [np.nan, 2.0, np.nan], [2.0, np.inf, np.nan]])
    low, high, whole = ranges(X)
    assert low.tolist() == [1.0, 0.5, np.inf] and high.tolist() == [2.0, np.inf, -np.inf]
    assert whole.tolist() == [1, 0, 1]
    codes = np.empty((3, 3), dtype=np.int32)
    first, table = np.array([0, 2, 5, 5]), np.arange(5, dtype=np.int32)
    _core.counts.table_codes(X, np.array([1.0, 0.0, 0.0]), first, table, 1, codes)
    assert codes.tolist() == [[0, -1, 1], [-2, 4, -2], [-1, -1, -1]]


@pytest.mark.parametrize("classes", [1, 2, 3, 5, 7, 8, 11])
def test_scores_are_sums_of_lines(classes: int) -> None:
    rng = np.random.default_rng(classes)
    sizes, rows, models = [4, 1, 3], 700, 3
    codes = np.stack([rng.integers(-2, size, rows) for size in sizes]).astype(np.int32)
    first = np.array([0, 4, 5, 8])
    table, bias = rng.normal(size=(models, 11, classes)), rng.normal(size=(models, classes))
    model = rng.integers(0, models, rows).astype(np.int32)
    expected = bias[model]
    for j, size in enumerate(sizes):
        line = first[j] + j + np.where(codes[j] == -2, size, codes[j])
        expected = expected + np.where((codes[j] == -1)[:, None], 0.0, table[model, np.maximum(line, 0)])
    for threads in (1, 3):
        out = np.empty((rows, classes))
        _core.counts.level_scores(codes, first, model, table, bias, threads, out)
        np.testing.assert_allclose(out, expected, rtol=1e-12, atol=1e-12)


def test_arguments_that_do_not_fit() -> None:
    codes, first, out = np.zeros((1, 2), dtype=np.int32), np.array([0, 1]), np.zeros((1, 1), dtype=np.int64)
    cell = np.zeros(2, dtype=np.int32)
    cases: list[tuple[Any, str]] = [
        (lambda: _core.counts.count_levels(codes, np.array([0, 1, 2]), cell, 1, out), "do not fit together"),
        (lambda: _core.counts.count_levels(codes, np.array([1, 1]), cell, 1, out), "starts at 0"),
        (lambda: _core.counts.count_levels(codes, first, cell + 1, 1, out), "beyond the number of them"),
        (lambda: _core.counts.count_levels(codes + 1, first, cell, 1, out), "beyond the levels"),
        (lambda: _core.counts.count_levels(codes, first, cell[:1], 1, out), "do not fit together"),
        (
            lambda: _core.counts.level_scores(
                codes, first, cell + 1, np.zeros((1, 2, 2)), np.zeros((1, 2)), 1, np.zeros((2, 2))
            ),
            "no such model",
        ),
        (
            lambda: _core.counts.level_scores(
                codes - 3, first, None, np.zeros((1, 2, 2)), np.zeros((1, 2)), 1, np.zeros((2, 2))
            ),
            "beyond the levels",
        ),
        (lambda: ranges(np.zeros((2, 1), dtype=np.int16)), "float64, float32, int64, int32 or uint8"),
    ]
    for call, sentence in cases:
        with pytest.raises(ValueError, match=sentence):
            call()
