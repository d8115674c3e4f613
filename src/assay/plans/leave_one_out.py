"""Leave-one-out: every row is tested by a model of all the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from assay.plans.base import Partition, Plan, check_codes, count_rows


@dataclass(frozen=True)
class LeaveOneOut(Plan):
    """As many folds as rows; nothing is drawn.

    Examples
    --------
    >>> LeaveOneOut().partitions([0, 1, 1])[0].fold
    array([0, 1, 2], dtype=int32)
    """

    def partitions(self, codes: ArrayLike, groups: ArrayLike | None = None) -> list[Partition]:
        """One `Partition` in which row i is fold i."""
        if groups is not None:
            raise ValueError(
                "LeaveOneOut would separate the rows of a group: "
                "use KFold(number of groups) to leave out whole groups."
            )
        n = check_codes(codes).size
        if n < 2:
            raise ValueError(f"Leave-one-out needs at least 2 rows, but there are {n}.")
        return [Partition(np.arange(n, dtype=np.int32), n)]

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """The number of rows, so X or y must be given."""
        return count_rows(X, y)
