"""Splits made narrower: some of their models, or training rows of some classes alone; the tested rows stay."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

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


def trained_on_classes(splits: Splits, codes: Codes, trained: Mask, cell: CellCodes | None = None) -> Splits:
    """Models that see rows of these classes (K,) alone; all rows are tested as before.

    Cells tell classes apart: cell c is divided into c K to c K + K - 1. They are made, or given.
    """
    K, deeper = len(trained), splits.deeper
    by_class = cells_by_class(splits, codes, K) if cell is None else cell

    def next_deeper() -> Splits:
        assert deeper is not None
        next_splits = deeper()
        return trained_on_classes(
            next_splits, codes, trained, by_class if next_splits.cell is splits.cell else None
        )

    return replace(
        splits,
        cell=by_class,
        copies=np.repeat(splits.copies, K, axis=1) * np.tile(trained, splits.n_cells),
        tested=np.repeat(splits.tested, K, axis=1),
        deeper=None if deeper is None else next_deeper,
    )


def cells_by_class(splits: Splits, codes: Codes, n_classes: int) -> NDArray[Any]:
    """Cells (L, N) of rows of one class each."""
    return np.where(splits.cell < 0, -1, splits.cell.astype(np.int32) * n_classes + codes)


def test_sizes(splits: Splits) -> Index:
    """How many rows each test has, (T,)."""
    if splits.row_by_row:
        return np.ones(splits.n_tests, dtype=np.int64)
    return np.asarray((splits.tested * splits.rows_of_cells[splits.layer[splits.model]]).sum(axis=1))
