"""Rows whose losses by models that were trained without two folds are kept: a sample where there are very many."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay import _core
from assay.decision import LossMatrix
from assay.sharing.row_figures import RowsInTests
from assay.sharing.splits import FoldPairs
from assay.sharing.study import Study
from assay.types import Array, Codes, Index

SAMPLE = 20_000  # rows at most: the mean variance of their losses is then known to one or two per cent
BYTES = 24  # of the losses of a row in a test


@dataclass(frozen=True, eq=False)
class RowsInPairs:
    """Tests by models that were trained without two folds, and rows of these.

    Attributes
    ----------
    folds : FoldPairs
    wanted : RowsInTests
        The reduction that keeps their losses.
    rows, fold : (n,)
        The rows, and the fold of each.
    """

    folds: FoldPairs
    wanted: RowsInTests
    rows: Index
    fold: Codes

    @classmethod
    def of(cls, deep: Study, loss: LossMatrix | None, priors: Array | None) -> RowsInPairs | None:
        """Those of splits whose inner folds are the other folds; None of others."""
        splits, data = deep.splits, deep.dataset
        folds = FoldPairs.of(splits)
        if folds is None:
            return None
        of_cell = np.where(
            splits.tested[splits.outer].any(axis=0), splits.tested[splits.outer].argmax(axis=0), -1
        )
        cell = splits.cell[0]
        fold = np.where(cell >= 0, of_cell[cell], -1).astype(np.int32)
        rows = np.flatnonzero(fold >= 0)
        rows = rows[sampled(len(rows), None if data.groups is None else data.groups[rows])]
        place = np.full(data.n_rows, -1, dtype=np.int32)
        place[rows] = np.arange(len(rows), dtype=np.int32)
        return cls(folds, RowsInTests(place, folds.slot, folds.n_folds - 1, loss, priors), rows, fold[rows])

    @property
    def nbytes(self) -> int:
        """Bytes of their losses, of one setting."""
        return BYTES * len(self.rows) * (self.folds.n_folds - 1)


def sampled(n_rows: int, groups: Codes | None, most: int = SAMPLE) -> Index:
    """At most so many rows, whole groups by the hash of their number; all where there are no more.

    Examples
    --------
    >>> sampled(5, None), len(sampled(100, None, 7))
    (array([0, 1, 2, 3, 4]), 7)
    """
    if n_rows <= most:
        return np.arange(n_rows)
    unit = np.arange(n_rows) if groups is None else np.unique(groups, return_inverse=True)[1]
    size = np.bincount(unit)
    hashes = np.empty(len(size), dtype=np.uint64)
    _core.folds.row_hashes(0, hashes)
    order = np.argsort(hashes)
    count = max(1, int((np.cumsum(size[order]) <= most).sum()))
    taken = np.zeros(len(size), dtype=bool)
    taken[order[:count]] = True
    return np.flatnonzero(taken[unit])
