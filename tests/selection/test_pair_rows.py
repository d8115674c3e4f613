"""The rows whose losses are kept: all of a small table, a sample of whole groups of a large one."""

from __future__ import annotations

import numpy as np

from assay.selection.pair_rows import sampled


def test_a_small_table_is_kept_whole() -> None:
    assert sampled(10, None, 10).tolist() == list(range(10))


def test_a_sample_is_spread_over_the_rows() -> None:
    rows = sampled(10_000, None, 1000)
    assert len(rows) == 1000 and (np.diff(rows) > 0).all()
    assert abs(rows.mean() - 5000) < 500


def test_groups_are_taken_whole() -> None:
    groups = (np.arange(10_000) // 7).astype(np.int32)
    rows = sampled(10_000, groups, 1000)
    assert 990 < len(rows) <= 1000
    assert all((groups[rows] == g).sum() == (groups == g).sum() for g in np.unique(groups[rows]))
