"""Random subsampling: hold-out, drawn again and again."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

from numpy.typing import ArrayLike

from assay.numerics.random_state import RandomState, as_seed
from assay.numerics.row_hash import fold_key
from assay.plans.base import Cells, Partition, Plan, check_count, check_flag
from assay.plans.holdout import check_test_size, draw_test
from assay.types import MatrixLike


@dataclass(frozen=True)
class RandomSubsampling(Plan):
    """Repeated hold-out: a row may be tested in several repeats or in none.

    The error under this scheme is the mean of the errors of its repeats: a row counts as often as it was tested.

    Parameters
    ----------
    test_size : float or int
        Proportion (between 0 and 1, rounded to whole rows) or number of the rows that are tested.
    repeats : int
        Number of test sets.
    stratified : bool
        Whether every class has the same proportion of test rows, to within one row.
    random_state : int, None, RandomState or Generator
        Seed, stored as a whole number, so that a scheme gives the same rows every time; None draws one.
        The first repeat has the test set of `HoldOut` with the same seed.

    Examples
    --------
    >>> plan = RandomSubsampling(0.5, repeats=2)
    >>> [part.test_rows(0).tolist() for part in plan.partitions([0, 0, 1, 1])]
    [[1, 2], [1, 3]]
    """

    test_size: float | int = 0.1
    _: KW_ONLY
    repeats: int = 10
    stratified: bool = True
    random_state: RandomState = 0
    drawn: ClassVar[bool] = True
    averages_splits: ClassVar[bool] = True

    @property
    def option(self) -> str:
        """Such as ``subsample:10x0.1``; a number of rows has none."""
        return f"subsample:{self.repeats}x{self.test_size!r}" if 0.0 < self.test_size < 1.0 else ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "test_size", check_test_size(self.test_size))
        object.__setattr__(self, "repeats", check_count("repeats", self.repeats, 1))
        object.__setattr__(self, "stratified", check_flag("stratified", self.stratified))
        object.__setattr__(self, "random_state", as_seed(self.random_state))

    def partitions(self, codes: ArrayLike, groups: ArrayLike | None = None) -> list[Partition]:
        """One `Partition` a repeat, each with one fold: 0 is tested, -1 trained on."""
        cells = Cells.of(codes, groups, self.stratified)
        keys = (fold_key(self.random_state, repeat) for repeat in range(self.repeats))
        return [draw_test(cells, self.test_size, key) for key in keys]

    def get_n_splits(
        self, X: MatrixLike | None = None, y: ArrayLike | None = None, groups: ArrayLike | None = None
    ) -> int:
        """`repeats`."""
        return self.repeats
