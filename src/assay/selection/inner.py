"""The rule of the inner folds: by which tests a setting, or a candidate, is chosen inside every outer split.

It follows from the plan and the data alone, never from the model, so that everything that is compared is chosen by the
same tests, and the nested estimate is that of the procedure in use.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.models.validation import Encoded
from assay.plans import ALWAYS_TRAIN, UNUSED, Bootstrap, LeaveOneOut, Partition, Plan, draw_partitions
from assay.sharing.splits import Splits
from assay.sharing.splits.inner_folds import inner_folds as decided

Codes = NDArray[np.int32]


class Tests(NamedTuple):
    """Models trained inside outer splits, one for each fold, and for every row the split that its test is for, (N,)."""

    partition: Partition
    split: Codes


@dataclass(frozen=True, eq=False)
class InnerFolds(ABC):
    """The inner folds of all splits of one repeat."""

    outer: Partition

    @property
    def division(self) -> Partition | None:
        """The division of the rows that serves all splits alike, if it is not the outer folds themselves."""
        return None

    @property
    def pairs(self) -> bool:
        """Whether the inner folds are the other outer folds."""
        return False

    @property
    @abstractmethod
    def rule(self) -> str:
        """The part of the rule that was followed, in words."""

    @property
    @abstractmethod
    def tests(self) -> list[Tests]:
        """Every inner test of every split."""

    @property
    def n_models(self) -> int:
        """How many models are trained inside the splits."""
        return sum(test.partition.n_folds for test in self.tests)

    def splits(self, f: int) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """Rows trained on and rows tested, of every inner fold of split f."""
        found = [
            (part.train_rows(g), rows[split[rows] == f])
            for part, split in self.tests
            for g in range(part.n_folds)
            if len(rows := part.test_rows(g))
        ]
        return [(train, test) for train, test in found if len(test)]


class OtherFolds(InnerFolds):
    """The other outer folds; the model that saw neither f nor g tests g inside f, and f inside g."""

    @property
    def pairs(self) -> bool:
        return True

    @property
    def rule(self) -> str:
        return f"the other {self.outer.n_folds - 1} folds, by pairs"

    @property
    def n_models(self) -> int:
        return self.outer.n_folds * (self.outer.n_folds - 1) // 2

    @cached_property
    def tests(self) -> list[Tests]:
        """All pairs as in a tournament: in each round every fold meets another one, or is always trained on."""
        fold = self.outer.fold
        found = []
        for number, partner in tournament(self.outer.n_folds):
            place = np.where(fold >= 0, number[fold], fold)
            found.append(Tests(Partition(place, int(number.max()) + 1), partner[fold]))
        return found


@dataclass(frozen=True, eq=False)
class DrawnFolds(InnerFolds):
    """Folds drawn once for all splits of the repeat."""

    drawn: Partition

    @property
    def division(self) -> Partition:
        return self.drawn

    @property
    def rule(self) -> str:
        return f"{self.drawn.n_folds} drawn folds"

    @cached_property
    def tests(self) -> list[Tests]:
        return [_of_split(divided(self.outer, f, self.drawn), f) for f in range(self.outer.n_folds)]


@dataclass(frozen=True, eq=False)
class Windows(InnerFolds):
    """Expanding windows: each tests the rows that follow those it is trained on."""

    windows: Partition
    tested: NDArray[np.bool_]

    @property
    def rule(self) -> str:
        return f"{self.windows.n_folds - 1} expanding windows"

    @cached_property
    def tests(self) -> list[Tests]:
        found = []
        for w in range(1, self.windows.n_folds):
            window, fold = self.windows.fold, np.full(len(self.tested), UNUSED, dtype=np.int32)
            fold[(window >= 0) & (window < w)] = ALWAYS_TRAIN
            fold[self.tested & (window == w)] = 0
            if (fold == 0).any():
                found.append(_of_split(Partition(fold, 1), 0))
        return found


@dataclass(frozen=True, eq=False)
class ValidationPart(InnerFolds):
    """The validation part, tested by models of the training part."""

    choosing: Partition

    @property
    def rule(self) -> str:
        return "the validation part"

    @cached_property
    def tests(self) -> list[Tests]:
        return [_of_split(self.choosing, 0)]


def inner_folds(
    plan: Plan, labels: Encoded, groups: Any = None, inner: int | None = None, copies: bool = False
) -> list[InnerFolds]:
    """The inner folds of every repeat of a plan, by the rule of `assay.sharing.splits.inner_folds`."""
    if isinstance(plan, LeaveOneOut | Bootstrap):
        Splits.of(plan, labels.codes, nested=True)  # refuses them
    partitions = draw_partitions(plan, labels.codes, groups, copies)
    found: list[InnerFolds] = []
    for each in decided(plan, partitions, labels.codes, labels.classes, groups, inner, copies):
        if each.division is None:
            found.append(OtherFolds(each.outer))
        elif each.validation:
            found.append(ValidationPart(each.outer, each.division))
        elif each.tested is not None:
            found.append(Windows(each.outer, each.division, each.tested))
        else:
            found.append(DrawnFolds(each.outer, each.division))
    return found


def tournament(n_folds: int) -> list[tuple[Codes, Codes]]:
    """Rounds in which every two folds meet once: of each fold the number of its pair, and its partner.

    With an odd number of folds one of them rests in each round: its pair is -1 (`ALWAYS_TRAIN`).
    """
    size = n_folds - 1 + n_folds % 2  # the last of an even number stays in place, the others turn around it
    turn = np.arange(size)
    rounds = []
    for r in range(size):
        partner = np.append(np.where(turn == r, size, (2 * r - turn) % size), r)[:n_folds]
        met = partner < n_folds
        number = np.full(n_folds, ALWAYS_TRAIN, dtype=np.int32)
        number[met] = np.unique(np.minimum(partner, np.arange(n_folds))[met], return_inverse=True)[1]
        rounds.append((number, partner.astype(np.int32)))
    return rounds


def divided(partition: Partition, f: int, division: Partition) -> Partition:
    """The training rows of fold f by such a division; inner folds without any of them are left out."""
    rows = partition.train_rows(f)
    own = division.fold[rows]
    filled = np.bincount(own, minlength=division.n_folds) > 0
    place = np.full(len(partition.fold), UNUSED, dtype=np.int32)
    place[rows] = (np.cumsum(filled) - 1)[own]
    return Partition(place, int(filled.sum()))


def _of_split(partition: Partition, f: int) -> Tests:
    return Tests(partition, np.full(len(partition.fold), f, dtype=np.int32))
