"""Leave-one-out: every row is tested by a model of all the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from assay.notes import Note
from assay.plans.base import Partition, Plan, check_codes, count_rows, encode
from assay.types import MatrixLike


@dataclass(frozen=True)
class LeaveOneOut(Plan):
    """Leave-one-out: as many folds as rows, or as groups with `groups`; nothing is drawn.

    Examples
    --------
    >>> LeaveOneOut().partitions([0, 1, 1])[0].fold
    array([0, 1, 2], dtype=int32)
    >>> LeaveOneOut().partitions([0, 1, 1], groups=["ann", "bob", "ann"])[0].fold
    array([0, 1, 0], dtype=int32)
    """

    single_rows: ClassVar[bool] = True

    @property
    def option(self) -> str:
        """``loo``."""
        return "loo"

    def partitions(self, codes: ArrayLike, groups: ArrayLike | None = None) -> list[Partition]:
        """One `Partition` in which row i is fold i, or the rows of a group are a fold."""
        n = check_codes(codes).size
        fold = np.arange(n, dtype=np.int32) if groups is None else encode(groups, "groups", n)
        count = int(fold.max(initial=-1)) + 1
        if count < 2:
            kind = "rows" if groups is None else "groups"
            raise ValueError(Note("S064", kind=kind, count=count))
        return [Partition(fold, count)]

    def get_n_splits(
        self, X: MatrixLike | None = None, y: ArrayLike | None = None, groups: ArrayLike | None = None
    ) -> int:
        """The number of groups, or of rows, so that X or y must be given."""
        if groups is not None:
            return len(np.unique(np.asarray(groups)))
        return count_rows(X, y)
