"""K-fold cross-validation: every row is tested once a repeat."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from assay import _core
from assay.notes import Note
from assay.numerics.random_state import RandomState, as_seed
from assay.numerics.row_hash import fold_key
from assay.plans.base import Cells, Partition, Plan, check_count
from assay.types import Codes, MatrixLike

RARE = "rare"


@dataclass(frozen=True)
class KFold(Plan):
    """k-fold cross-validation: folds of equal size, each tested once by a model trained on the others.

    The rows of a class are ranked by a hash of (seed, repeat, row) and the ranks cut into `n_splits` parts.
    Extra rows are dealt round robin over the classes, so that fold sizes differ by at most one, and so do the
    counts of every class. With `groups`, whole groups go to folds instead, as evenly as they allow.

    Stratified folds show every training set the class proportions of its test fold, which a new row does not: where
    columns say nothing about the class, their error is too low. With ``stratified="rare"`` only classes of fewer rows
    than folds are spread evenly, and all other rows are ranked together, at random. `compare`, `tune` and `nested`
    draw such folds; stratified ones are right where a table was sampled by class.

    Parameters
    ----------
    n_splits : int
        Number of folds, at least 2.
    repeats : int
        How often the rows are divided into folds again.
    stratified : bool or "rare"
        Whether every class is spread evenly over the folds, or only those of fewer than `n_splits` rows.
    random_state : int, None, RandomState or Generator
        Seed, stored as a whole number, so that a scheme gives the same rows every time; None draws one.

    Examples
    --------
    >>> plan = KFold(3, random_state=1)
    >>> plan.partitions([0, 0, 0, 1, 1, 1])[0].fold
    array([1, 0, 2, 1, 2, 0], dtype=int32)
    >>> KFold(3, stratified="rare", random_state=1).partitions([0, 0, 0, 0, 1, 1])[0].fold
    array([0, 2, 1, 2, 1, 0], dtype=int32)
    """

    n_splits: int = 10
    _: KW_ONLY
    repeats: int = 1
    stratified: bool | str = True
    random_state: RandomState = 0
    drawn: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "n_splits", check_count("n_splits", self.n_splits, 2))
        object.__setattr__(self, "repeats", check_count("repeats", self.repeats, 1))
        if self.stratified != RARE:
            object.__setattr__(self, "stratified", _check_stratified(self.stratified))
        object.__setattr__(self, "random_state", as_seed(self.random_state))

    @property
    def option(self) -> str:
        """Such as ``kfold:5x3``, or ``kfold:5x3:stratified``; without any spread there is none."""
        if not self.stratified:
            return ""
        folds = f"kfold:{self.n_splits}" + (f"x{self.repeats}" if self.repeats > 1 else "")
        return folds if self.stratified == RARE else f"{folds}:stratified"

    @property
    def fewest_groups(self) -> tuple[int, str]:
        return self.n_splits, "folds"

    def partitions(self, codes: ArrayLike, groups: ArrayLike | None = None) -> list[Partition]:
        """One `Partition` a repeat."""
        cells = Cells.of(codes, groups, bool(self.stratified))
        self._check_size(cells)
        if self.stratified == RARE:
            cells = replace(cells, codes=_rare_apart(cells.codes, self.n_splits))
        return [self._draw(cells, fold_key(self.random_state, repeat)) for repeat in range(self.repeats)]

    def get_n_splits(
        self, X: MatrixLike | None = None, y: ArrayLike | None = None, groups: ArrayLike | None = None
    ) -> int:
        """`n_splits` times `repeats`."""
        return self.n_splits * self.repeats

    def _check_size(self, cells: Cells) -> None:
        n = cells.codes.size
        if n < self.n_splits:
            raise ValueError(Note("S062", n_splits=self.n_splits, n_rows=n))
        if cells.groups is not None and cells.n_groups < self.n_splits:
            raise ValueError(Note("S063", n_splits=self.n_splits, n_groups=cells.n_groups))

    def _draw(self, cells: Cells, key: int) -> Partition:
        fold = np.empty(cells.codes.size, dtype=np.int32)
        if cells.groups is None:
            _core.folds.assign_folds(cells.codes, cells.n_classes, key, self.n_splits, fold)
        else:
            _core.folds.assign_group_folds(
                cells.codes, cells.groups, cells.n_classes, cells.n_groups, key, self.n_splits, fold
            )
        return Partition(fold, self.n_splits)


def _check_stratified(value: object) -> bool:
    """`value` as a bool; "rare" is allowed beside them."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(Note("S151", value=value))
    return bool(value)


def _rare_apart(codes: Codes, n_splits: int) -> Codes:
    """Strata: classes of fewer rows than folds by themselves, the rows of all others together."""
    rare = np.bincount(codes) < n_splits
    first = int(rare.argmin())  # a class of the others, whose number they share
    return np.where(rare[codes], codes, np.int32(first)).astype(np.int32)
