"""A split that a column of the table says: rows to train on, and rows to test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from assay.notes import Note
from assay.plans.base import ALWAYS_TRAIN, Partition, Plan, check_codes
from assay.types import Codes, Mask, MatrixLike

TEST_WORDS = ("test", "testing", "valid", "validation", "val", "holdout", "eval")


@dataclass(frozen=True)
class ColumnSplit(Plan):
    """A train/test column: the rows with one of its values are tested by a model of all others.

    Parameters
    ----------
    column : str
        Name of the column; it is not used as a feature.
    test : str, optional
        The value of the rows that are tested; not needed for two values of which one is "test", "valid" or the like.

    Examples
    --------
    >>> plan = ColumnSplit("split").of_rows(["train", "test"], [0, 0, 1, 0])
    >>> [test.tolist() for _, test in plan.split(None, [0, 1, 1, 0])]
    [[2]]
    """

    column: str
    test: str | None = None
    tested: Mask | None = field(default=None, repr=False, compare=False)

    @property
    def option(self) -> str:
        """Such as ``column:split`` or ``column:year=2024``."""
        return f"column:{self.column}" + ("" if self.test is None else f"={self.test}")

    @property
    def split_column(self) -> str | None:
        return self.column

    def of_rows(self, values: Sequence[object], codes: ArrayLike) -> ColumnSplit:
        """The split of rows: values of the column, and the number of each row's, -1 where there is none."""
        numbers = np.asarray(codes)
        for row in np.flatnonzero(numbers < 0)[:1]:
            raise ValueError(
                Note("S305", column=self.column, row=int(row) + 1, rows=int((numbers < 0).sum()))
            )
        present = [str(values[k]) for k in np.unique(numbers)]
        if len(present) < 2:
            raise ValueError(Note("S306", column=self.column, value=present[0] if present else ""))
        tested = [self.test] if self.test is not None else [v for v in present if v.lower() in TEST_WORDS]
        if len(tested) != 1 or tested[0] not in present or (self.test is None and len(present) > 2):
            raise ValueError(Note("S307", column=self.column, values_found=present, example=present[-1]))
        names = np.array([str(value) for value in values])
        return replace(self, tested=np.asarray(names[numbers] == tested[0]))

    def partitions(self, codes: ArrayLike, groups: ArrayLike | None = None) -> list[Partition]:
        """One `Partition` with one fold, the tested rows."""
        if self.tested is None or len(self.tested) != check_codes(codes).size:
            raise ValueError(Note("S308", column=self.column))
        fold: Codes = np.where(self.tested, 0, ALWAYS_TRAIN).astype(np.int32)
        return [Partition(fold, 1)]

    def get_n_splits(
        self, X: MatrixLike | None = None, y: ArrayLike | None = None, groups: ArrayLike | None = None
    ) -> int:
        """Always 1."""
        return 1
