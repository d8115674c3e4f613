"""Splits made narrower: some of their models, or training rows of some kinds alone; the tested rows stay."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from assay.sharing.splits import ROOT, Splits
from assay.types import CellCodes, Codes, Index, Mask


def with_models(splits: Splits, mask: Mask) -> tuple[Splits, Index]:
    """The models (M,) of a mask and their tests, and which tests these are among all.

    Tests for a parent that is left out lose it: they count as the plan's own.
    """
    if mask.all():
        return splits, np.arange(splits.n_tests)
    assert not splits.row_by_row
    tests = np.flatnonzero(mask[splits.model])
    number = np.where(mask, np.cumsum(mask) - 1, ROOT).astype(np.int32)
    parent = splits.parent[tests]
    fewer = replace(
        splits,
        layer=splits.layer[mask],
        copies=splits.copies[mask],
        model=number[splits.model[tests]],
        parent=np.where(parent == ROOT, ROOT, number[parent]).astype(np.int32),
        series=splits.series[tests],
        tested=splits.tested[tests],
        deeper=None,
    )
    return fewer, tests


def trained_on(splits: Splits, kind: Codes, trained: Mask, cell: CellCodes | None = None) -> Splits:
    """Models that see rows of these kinds (K,) alone; all rows are tested as before.

    Cells tell kinds apart: cell c is divided into c K to c K + K - 1. They are made, or given.

    kind : (N,) of each row: its class, or whether a sample holds it
    """
    K, deeper = len(trained), splits.deeper
    divided = cells_by_kind(splits, kind, K) if cell is None else cell

    def next_deeper() -> Splits:
        assert deeper is not None
        next_splits = deeper()
        return trained_on(next_splits, kind, trained, divided if next_splits.cell is splits.cell else None)

    return replace(
        splits,
        cell=divided,
        copies=np.repeat(splits.copies, K, axis=1) * np.tile(trained, splits.n_cells),
        tested=np.repeat(splits.tested, K, axis=1),
        deeper=None if deeper is None else next_deeper,
    )


def cells_by_kind(splits: Splits, kind: Codes, n_kinds: int) -> CellCodes:
    """Cells (L, N) of rows of one kind each."""
    return np.where(splits.cell < 0, -1, splits.cell.astype(np.int32) * n_kinds + kind)


def test_sizes(splits: Splits) -> Index:
    """How many rows each test has, (T,)."""
    if splits.row_by_row:
        return np.ones(splits.n_tests, dtype=np.int64)
    return np.asarray((splits.tested * splits.rows_of_cells[splits.layer[splits.model]]).sum(axis=1))
