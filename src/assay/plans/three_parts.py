"""Training, validation and test part: settings are fitted to the first, chosen on the second, tested on the third."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from assay.notes import Note
from assay.numerics.random_state import RandomState, as_seed
from assay.numerics.row_hash import fold_key
from assay.plans.base import ALWAYS_TRAIN, UNUSED, Cells, Partition, Plan, check_flag
from assay.plans.given import GivenPartitions
from assay.plans.holdout import draw_test
from assay.types import Codes, MatrixLike

PARTS = ("training", "validation", "test")
TRAINING, VALIDATION, TEST = 0, 1, 2


@dataclass(frozen=True)
class TrainValidationTest(Plan):
    """Training, validation and test set, drawn once: `tune` and `nested` select on the second and test on the third.

    In `evaluate`, or as ``cv=``, it trains on the training set and tests on the test set.

    Parameters
    ----------
    shares : three floats that sum to 1
        Proportions of the training, validation and test set, rounded to whole rows.
    refit : bool
        Whether the selected model is fitted again, to the training and the validation set, before it is tested.
    stratified : bool
        Whether every class has the same proportion in each set, to within one row.
    random_state : int, None, RandomState or Generator
        Seed, stored as a whole number, so that a scheme gives the same rows every time; None draws one.

    Examples
    --------
    >>> plan = TrainValidationTest((0.5, 0.25, 0.25))
    >>> plan.parts([0, 0, 0, 0, 1, 1, 1, 1]).tolist()
    [0, 2, 1, 0, 2, 1, 0, 0]
    >>> [(train.tolist(), test.tolist()) for train, test in plan.split(None, [0, 0, 0, 0, 1, 1, 1, 1])]
    [([0, 3, 6, 7], [1, 4])]
    """

    shares: tuple[float, float, float] = (0.6, 0.2, 0.2)
    _: KW_ONLY
    refit: bool = False
    stratified: bool = True
    random_state: RandomState = 0
    drawn: ClassVar[bool] = True
    in_parts: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "shares", check_shares(self.shares))
        object.__setattr__(self, "refit", check_flag("refit", self.refit))
        object.__setattr__(self, "stratified", check_flag("stratified", self.stratified))
        object.__setattr__(self, "random_state", as_seed(self.random_state))

    def parts(self, codes: ArrayLike, groups: ArrayLike | None = None) -> Codes:
        """Part of every row: 0 training, 1 validation, 2 test."""
        cells = Cells.of(codes, groups, self.stratified)
        n = cells.codes.size
        if n < len(PARTS):
            raise ValueError(Note("S068", n_rows=n))
        n_test = min(max(int(self.shares[TEST] * n + 0.5), 1), n - 2)
        part = np.zeros(n, dtype=np.int32)
        part[draw_test(cells, n_test, fold_key(self.random_state, 0)).test_rows(0)] = TEST
        rest = np.flatnonzero(part != TEST)
        n_validation = min(max(int(self.shares[VALIDATION] * n + 0.5), 1), rest.size - 1)
        inside = Cells.of(cells.codes[rest], None if cells.groups is None else cells.groups[rest], True)
        drawn = draw_test(inside, n_validation, fold_key(self.random_state, 1))
        part[rest[drawn.test_rows(0)]] = VALIDATION
        if self.stratified:
            _check_classes(cells, part)
        return part

    @property
    def option(self) -> str:
        """Such as ``split:60/20/20``."""
        return "split:" + "/".join(f"{100 * share:g}" for share in self.shares)

    @property
    def fewest_groups(self) -> tuple[int, str]:
        return 3, "sets"

    def partitions(self, codes: ArrayLike, groups: ArrayLike | None = None) -> list[Partition]:
        """One `Partition` with one fold, the test part; the validation part is trained on with `refit` only."""
        other = ALWAYS_TRAIN if self.refit else UNUSED
        return [Partition(np.array([ALWAYS_TRAIN, other, 0])[self.parts(codes, groups)], 1)]

    def choosing(self, codes: ArrayLike, groups: ArrayLike | None = None) -> GivenPartitions:
        """The plan to choose by: trained on the training part, tested on the validation part, the test part unused."""
        return GivenPartitions([Partition(np.array([ALWAYS_TRAIN, 0, UNUSED])[self.parts(codes, groups)], 1)])

    def get_n_splits(
        self, X: MatrixLike | None = None, y: ArrayLike | None = None, groups: ArrayLike | None = None
    ) -> int:
        """Always 1."""
        return 1


def check_shares(shares: Iterable[float]) -> tuple[float, float, float]:
    """Three positive shares that sum to one."""
    try:
        values = [float(share) for share in shares]
    except (TypeError, ValueError):
        values = []
    if len(values) != len(PARTS) or not all(math.isfinite(value) and value > 0 for value in values):
        raise ValueError(Note("S065", shares=shares))
    if not math.isclose(sum(values), 1.0, abs_tol=1e-9):
        raise ValueError(Note("S066", shares=shares, total=sum(values)))
    return values[0], values[1], values[2]


def _check_classes(cells: Cells, part: Codes) -> None:
    """Refuses parts that lack a class."""
    counts = np.bincount(part * cells.n_classes + cells.codes, minlength=len(PARTS) * cells.n_classes)
    counts = counts.reshape(len(PARTS), cells.n_classes)
    present = counts.sum(axis=0) > 0
    lacking = np.argwhere((counts == 0) & present)
    if len(lacking):
        which, label = lacking[np.argmin(counts.sum(axis=0)[lacking[:, 1]])]
        row, size = int(np.flatnonzero(cells.codes == label)[0]), int(counts[:, label].sum())
        raise ValueError(Note("S067", part=PARTS[which], row=row, size=size))
