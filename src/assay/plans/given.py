"""Partitions that somebody else drew."""

from __future__ import annotations

from dataclasses import dataclass

from numpy.typing import ArrayLike

from assay.plans.base import Partition, Plan
from assay.types import MatrixLike


@dataclass(frozen=True, eq=False, repr=False)
class GivenPartitions(Plan):
    """A plan that is a list of partitions; the folds inside the folds of another plan, say.

    Examples
    --------
    >>> import numpy as np
    >>> plan = GivenPartitions([Partition(np.array([0, 1, -2]), 2)])
    >>> plan.get_n_splits(), [test.tolist() for _, test in plan.split(np.zeros((3, 1)))]
    (2, [[0], [1]])
    """

    given: list[Partition]

    def __repr__(self) -> str:
        return f"GivenPartitions({len(self.given)} partitions)"

    def partitions(self, codes: ArrayLike, groups: ArrayLike | None = None) -> list[Partition]:
        """The partitions; they are fixed, whatever the classes and groups."""
        return self.given

    def get_n_splits(
        self, X: MatrixLike | None = None, y: ArrayLike | None = None, groups: ArrayLike | None = None
    ) -> int:
        """Folds of all partitions."""
        return sum(partition.n_folds for partition in self.given)
