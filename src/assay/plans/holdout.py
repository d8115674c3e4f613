"""Hold-out: one part of the rows is set aside for the test."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from assay import _core
from assay.notes import Note
from assay.numerics.random_state import RandomState, as_seed
from assay.numerics.row_hash import fold_key
from assay.numerics.scalars import is_number, is_whole
from assay.plans.base import Cells, Partition, Plan, check_flag
from assay.types import MatrixLike


@dataclass(frozen=True)
class HoldOut(Plan):
    """Hold-out: one training set and one test set, drawn once.

    Parameters
    ----------
    test_size : float or int
        Proportion (between 0 and 1, rounded to whole rows) or number of the rows that are tested.
    stratified : bool
        Whether every class has the same proportion of test rows, to within one row.
    random_state : int, None, RandomState or Generator
        Seed, stored as a whole number, so that a scheme gives the same rows every time; None draws one.

    Examples
    --------
    >>> plan = HoldOut(0.25, random_state=3)
    >>> plan.partitions([0, 0, 0, 0, 1, 1, 1, 1])[0].fold
    array([-1, -1, -1,  0,  0, -1, -1, -1], dtype=int32)
    """

    test_size: float | int = 0.2
    _: KW_ONLY
    stratified: bool = True
    random_state: RandomState = 0
    drawn: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "test_size", check_test_size(self.test_size))
        object.__setattr__(self, "stratified", check_flag("stratified", self.stratified))
        object.__setattr__(self, "random_state", as_seed(self.random_state))

    @property
    def option(self) -> str:
        """Such as ``holdout:0.3``; a number of rows has none."""
        return f"holdout:{self.test_size!r}" if 0.0 < self.test_size < 1.0 else ""

    def partitions(self, codes: ArrayLike, groups: ArrayLike | None = None) -> list[Partition]:
        """One `Partition` with one fold: 0 is tested, -1 trained on."""
        cells = Cells.of(codes, groups, self.stratified)
        return [draw_test(cells, self.test_size, fold_key(self.random_state, 0))]

    def get_n_splits(
        self, X: MatrixLike | None = None, y: ArrayLike | None = None, groups: ArrayLike | None = None
    ) -> int:
        """Always 1."""
        return 1


def check_test_size(value: object) -> float | int:
    """`value` as a share between 0 and 1 or as a positive number of rows."""
    if is_whole(value, 1):
        return int(value)
    if is_number(value) and 0.0 < value < 1.0:
        return float(value)
    raise ValueError(Note("S058", value=value))


def count_test(test_size: float | int, n: int) -> int:
    """Number of tested rows among n; a share leaves at least one row on either side."""
    if n < 2:
        raise ValueError(Note("S059", n_rows=n))
    if isinstance(test_size, float):
        return min(max(int(test_size * n + 0.5), 1), n - 1)
    if test_size >= n:
        raise ValueError(Note("S060", test_size=test_size, n_rows=n))
    return test_size


def draw_test(cells: Cells, test_size: float | int, key: int) -> Partition:
    """The test part that `key` draws, of whole groups where there are groups."""
    n_test = count_test(test_size, cells.codes.size)
    fold = np.empty(cells.codes.size, dtype=np.int32)
    if cells.groups is None:
        _core.folds.assign_test(cells.codes, cells.n_classes, key, n_test, fold)
    elif cells.n_groups < 2:
        raise ValueError(Note("S061"))
    else:
        _core.folds.assign_group_test(
            cells.codes, cells.groups, cells.n_classes, cells.n_groups, key, n_test, fold
        )
    return Partition(fold, 1)
