"""Tallies of blocks against the plain formula on all rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.commands.describe.column_summary import CategoryTally, NumericTally, TextTally, tally_for
from assay.data import Column
from tests.commands.tables import text


@given(st.lists(st.integers(0, 20), min_size=1, max_size=8), st.integers(0, 2**32 - 1), st.floats(-1e9, 1e9))
def test_blocks_merge_to_the_figures_of_all_rows(sizes: list[int], seed: int, shift: float) -> None:
    rng = np.random.default_rng(seed)
    n = sum(sizes)
    x, codes = rng.normal(size=n) + shift, rng.integers(-1, 3, n)
    x[rng.random(n) < 0.2] = np.nan
    tally, first = NumericTally(3), 0
    for size in sizes:
        tally.add(x[first : first + size], codes[first : first + size])
        first += size
    known = ~np.isnan(x)
    assert (tally.count, tally.missing) == (known.sum(), (~known).sum())
    if not known.any():
        return
    assert float(tally.mean) == pytest.approx(np.mean(x[known]), rel=1e-12)
    assert tally.deviation == pytest.approx(np.std(x[known]), rel=1e-6, abs=1e-6)
    assert (tally.low, tally.high) == (x[known].min(), x[known].max())
    for k in range(3):
        inside = x[known & (codes == k)]
        assert tally.class_counts[k] == len(inside)
        if len(inside):
            assert tally.class_means[k] == pytest.approx(np.mean(inside), rel=1e-12, abs=1e-12)


def test_digits_far_from_zero_are_kept() -> None:
    tally = NumericTally(0)
    for first in (0, 3):
        tally.add(1e9 + np.array([4.0, 7.0, 13.0, 16.0, 4.0, 16.0])[first : first + 3], None)
    assert tally.deviation == pytest.approx(np.std([4, 7, 13, 16, 4, 16]), rel=1e-12)


@pytest.mark.skipif(np.finfo(np.longdouble).maxexp < 2000, reason="no wider type than float64 here")
def test_huge_values_do_not_overflow() -> None:
    tally = NumericTally(1)
    tally.add(np.array([1e308, -1e308, np.inf]), np.zeros(3, dtype=np.int64))
    assert float(tally.mean) == 0.0
    assert tally.deviation == pytest.approx(1e308)


def test_levels_are_counted_by_class() -> None:
    tally = CategoryTally(3, 2)
    for values, codes in (([0, 1, 1, -1], [0, 0, 1, 1]), ([2, 2, -2, 0], [1, -1, 0, 0])):
        tally.add(np.array(values, dtype=np.int32), np.array(codes))
    assert (tally.counts.tolist(), tally.missing) == ([2, 2, 2], 2)
    assert tally.by_class.tolist() == [[2, 1, 0], [0, 1, 1]]


def test_too_many_levels_are_counted_without_classes() -> None:
    assert CategoryTally(60_000, 2).by_class is None
    assert CategoryTally(3, 0).by_class is None


def test_texts_count_missing_values() -> None:
    tally = tally_for(Column("t", "text"), 2)
    assert isinstance(tally, TextTally)
    tally.add(text("t", ["a", None])[1], None)
    assert tally.missing == 1
