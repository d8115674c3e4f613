"""Expanding windows: rows in the order of time, tested by models of the rows before them."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from assay.notes import Note
from assay.numerics.scalars import is_whole
from assay.plans.base import ALWAYS_TRAIN, UNUSED, Partition, Plan, Rows, check_codes, check_count, encode
from assay.types import Codes, MatrixLike


@dataclass(frozen=True)
class TimeSeries(Plan):
    """Expanding windows: each of `n_splits` equal blocks of rows is tested by a model of all rows before it.

    Rows are in the order of time. The first block is trained on only, and a row is never tested by a model of later
    rows. With `groups`, rows of a group that was trained on are not tested. Settings are chosen by expanding windows of
    the training rows, with the same gap.

    Parameters
    ----------
    n_splits : int
        Number of tested blocks.
    gap : int
        Rows between the training rows and the tested ones that are not used: as many as it takes until a label is
        known.

    Examples
    --------
    >>> import numpy as np
    >>> [(train.tolist(), test.tolist()) for train, test in TimeSeries(2, gap=1).split(np.zeros((6, 1)))]
    [([0], [2, 3]), ([0, 1, 2], [4, 5])]
    """

    n_splits: int = 5
    _: KW_ONLY
    gap: int = 0
    in_order: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "n_splits", check_count("n_splits", self.n_splits, 1))
        if not is_whole(self.gap, 0):
            raise ValueError(Note("S039", name="gap", least=0, value=self.gap))
        object.__setattr__(self, "gap", int(self.gap))

    @property
    def option(self) -> str:
        """Such as ``time:5``, or ``time:5:10`` with a gap of ten rows."""
        return f"time:{self.n_splits}" + (f":{self.gap}" if self.gap else "")

    def partitions(self, codes: ArrayLike, groups: ArrayLike | None = None) -> list[Partition]:
        """A `Partition` with one fold per block."""
        n = check_codes(codes).size
        size = n // (self.n_splits + 1)
        first = n - self.n_splits * size
        if size < 1 or first <= self.gap:
            raise ValueError(Note("S303", n_splits=self.n_splits, gap=self.gap, n_rows=n))
        members = None if groups is None else encode(groups, "groups", n)
        return [
            self._window(np.arange(n), first + block * size, size, members) for block in range(self.n_splits)
        ]

    def _window(self, row: Rows, start: int, size: int, members: Codes | None) -> Partition:
        fold = np.full(len(row), UNUSED, dtype=np.int32)
        trained = row < start - self.gap
        fold[trained] = ALWAYS_TRAIN
        tested = (row >= start) & (row < start + size)
        if members is not None:
            tested &= ~np.isin(members, members[trained])
            if not tested.any():
                raise ValueError(Note("S304", n_splits=self.n_splits))
        fold[tested] = 0
        return Partition(fold, 1)

    def get_n_splits(
        self, X: MatrixLike | None = None, y: ArrayLike | None = None, groups: ArrayLike | None = None
    ) -> int:
        """`n_splits`."""
        return self.n_splits
