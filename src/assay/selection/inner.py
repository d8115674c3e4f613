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

from assay.models.sharing import check_classes
from assay.models.validation import Encoded
from assay.plans import (
    ALWAYS_TRAIN,
    UNUSED,
    Bootstrap,
    KFold,
    LeaveOneOut,
    Partition,
    Plan,
    TrainValidationTest,
    draw_partitions,
)
from assay.plans.base import check_count
from assay.plans.base import encode as group_codes

Codes = NDArray[np.int32]
FEWEST, MOST = 3, 10  # folds of a plan that are each other's inner folds
DRAWN = 5  # inner folds of any other plan


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

    def trains(self, codes: Codes) -> bool:
        """Whether every split has inner tests, all by models that were trained on two classes."""
        served = {int(test.split[0]) for test in self.tests}
        return len(served) == self.outer.n_folds and all(
            can_train(test.partition, codes) for test in self.tests
        )


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

    def trains(self, codes: Codes) -> bool:
        counts = _counts(self.outer, None, codes)[0][: self.outer.n_folds]
        left = (
            counts.sum(axis=0) - counts[:, None] - counts
        )  # rows of each class without folds f and g, (F, F, K)
        apart = ~np.eye(len(counts), dtype=bool)
        return bool(((left > 0).sum(axis=2) >= 2)[apart].all())


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

    def trains(self, codes: Codes) -> bool:
        counts = _counts(self.outer, self.drawn, codes).swapaxes(0, 1)
        inside = counts.sum(axis=0) - counts[:-1]  # training rows of each split by inner fold and class
        filled = inside.any(axis=2)
        left = inside.sum(axis=1, keepdims=True) - inside
        enough = ((left > 0).sum(axis=2) >= 2) | ~filled
        return bool((filled.sum(axis=1) >= 2).all() and enough.all())


@dataclass(frozen=True, eq=False)
class Windows(InnerFolds):
    """Expanding windows: each tests the rows that follow those it is trained on."""

    count: int
    groups: NDArray[Any] | None

    @property
    def rule(self) -> str:
        return f"{self.count} expanding windows"

    @cached_property
    def tests(self) -> list[Tests]:
        windows = [(self._window(f, w), f) for f in range(self.outer.n_folds) for w in range(self.count)]
        return [_of_split(window, f) for window, f in windows if (window.fold >= 0).any()]

    def _window(self, f: int, w: int) -> Partition:
        """Window w of the training rows of split f, in their order; each tests as many of them."""
        rows = self.outer.train_rows(f)
        size = len(rows) // (self.count + 1)
        start = len(rows) - (self.count - w) * size
        train, test = rows[:start], rows[start : start + size]
        if self.groups is not None:
            test = test[~np.isin(self.groups[test], self.groups[train])]
        fold = np.full(len(self.outer.fold), UNUSED, dtype=np.int32)
        fold[train], fold[test] = ALWAYS_TRAIN, 0
        return Partition(fold, 1)


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
    """The inner folds of every repeat of a plan: the one place where they are decided.

    a. Where every row is in exactly one of 3 to 10 folds, they are the other folds. The model that saw neither f nor g
       tests g inside f and f inside g: ten folds need 45 inner models. Each repeat is divided by itself.
    b. Any other plan (two folds, more than ten, a hold-out, subsampling, given splits) has five, fewer where a
       training set has fewer groups or rows, drawn once for all splits of a repeat. Every outer fold and every class
       is spread evenly over them, and groups stay together. Where all training rows precede the tested rows, as in
       time series, they are expanding windows of the training rows instead.
    c. Under `TrainValidationTest` the validation part takes their place.

    `inner` asks for another number of them in place of (a) and (b). Plans that take single rows, leave-one-out and the
    bootstrap, have none, and a plan whose inner training sets would hold a single class is refused.

    Parameters
    ----------
    plan : Plan
    labels : Encoded
        Class of each row.
    groups : array (N,), optional
        Rows with the same value stay together.
    inner : int, optional
    copies : bool
        Whether the groups are sets of equal rows: they follow the first of them into its fold (`draw_partitions`).

    Examples
    --------
    >>> labels = Encoded(np.tile([0, 1], 50).astype(np.int32), np.array(["no", "yes"]))
    >>> inner_folds(KFold(10), labels)[0].rule, inner_folds(KFold(2), labels)[0].rule
    ('the other 9 folds, by pairs', '5 drawn folds')
    """
    if isinstance(plan, LeaveOneOut | Bootstrap):
        raise ValueError(
            f"A choice cannot be nested in {type(plan).__name__}; use folds, such as KFold(10), or a hold-out."
        )
    codes = labels.codes
    partitions = draw_partitions(plan, codes, groups, copies)
    if isinstance(plan, TrainValidationTest):
        if inner is not None:
            raise ValueError(
                "A plan of three parts has no inner folds: leave inner out, or use folds, such as KFold(10)."
            )
        choosing = plan.choosing(codes, None if copies else groups)
        return [ValidationPart(partitions[0], draw_partitions(choosing, codes, groups, copies)[0])]
    together = None if groups is None else np.asarray(groups)
    ordered = all(map(_in_order, partitions))

    def inside(partition: Partition) -> InnerFolds:
        if inner is None and _has_other_folds(partition):
            return OtherFolds(partition)
        count, units = _count(partition, together, inner)
        if ordered:
            return Windows(partition, min(count, units - 1), together)
        return DrawnFolds(partition, drawn_division(partition, codes, together, count, copies))

    found = [inside(partition) for partition in partitions]
    if not all(each.trains(codes) for each in found):
        if groups is None:
            _check_trained(partitions, labels)
        raise _too_few(plan, labels, together)
    return found


def _count(partition: Partition, groups: NDArray[Any] | None, inner: int | None) -> tuple[int, int]:
    """As many folds as are asked for, or as the training sets allow, and the units of the smallest of these."""
    units = _units(partition, groups)
    if inner is None:
        return min(DRAWN, units), units
    if check_count("inner", inner, 2) > units:
        kind = "rows" if groups is None else "groups"
        raise ValueError(
            f"inner={inner} is more than a training set of the plan can be divided into: one has {units} {kind}; give "
            f"at most {units}, or leave inner out."
        )
    return inner, units


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


def drawn_division(
    partition: Partition, codes: Codes, groups: NDArray[Any] | None, folds: int, copies: bool = False
) -> Partition:
    """So many folds of the rows that any split trains on, every outer fold and class spread evenly over them.

    A row is in the same inner fold inside every outer one. A single unit cannot be divided: it is one fold.
    """
    fold, size = partition.fold, int(codes.max()) + 1
    trained = fold != UNUSED if partition.n_folds > 1 else fold == ALWAYS_TRAIN
    rows = np.flatnonzero(trained)
    if folds < 2:
        return Partition(np.where(trained, np.int32(0), np.int32(UNUSED)), 1)
    stratum = (fold[rows] - UNUSED) * size + codes[rows]
    together = None if groups is None else groups[rows]
    (drawn,) = draw_partitions(KFold(folds), stratum, together, copies)
    place = np.full(len(fold), UNUSED, dtype=np.int32)
    place[rows] = drawn.fold
    return Partition(place, drawn.n_folds)


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


def _has_other_folds(partition: Partition) -> bool:
    return FEWEST <= partition.n_folds <= MOST and not (partition.fold == ALWAYS_TRAIN).any()


def _in_order(partition: Partition) -> bool:
    """Whether every split trains on rows that all precede those it tests."""
    return all(
        partition.train_rows(f).max(initial=-1) < partition.test_rows(f).min(initial=len(partition.fold))
        for f in range(partition.n_folds)
    )


def _units(partition: Partition, groups: NDArray[Any] | None) -> int:
    """Rows, or groups of rows, in the smallest training set."""
    trained = [partition.train_rows(f) for f in range(partition.n_folds)]
    return min(len(rows) if groups is None else len(np.unique(groups[rows])) for rows in trained)


def _counts(outer: Partition, division: Partition | None, codes: Codes) -> NDArray[np.intp]:
    """Rows by inner fold (one of them without a division), outer fold (the last: always trained on) and class."""
    folds, size = outer.n_folds + 1, int(codes.max()) + 1
    fold = np.where(outer.fold == ALWAYS_TRAIN, outer.n_folds, outer.fold)
    place = fold if division is None else division.fold * folds + fold
    used = (fold >= 0) if division is None else (fold >= 0) & (division.fold >= 0)
    inner = 1 if division is None else division.n_folds
    counts = np.bincount(place[used] * size + codes[used], minlength=inner * folds * size)
    return counts.reshape(inner, folds, size)


def can_train(partition: Partition, codes: Codes) -> bool:
    """Whether every training set has at least two classes."""
    counts = _counts(partition, None, codes)[0]
    return bool((((counts.sum(axis=0) - counts[:-1]) > 0).sum(axis=1) >= 2).all())


def _check_trained(partitions: list[Partition], labels: Encoded) -> None:
    """Every outer split trains on two classes, before its training rows are divided again."""
    trained = [part.train_rows(f) for part in partitions for f in range(part.n_folds)]
    width = len(labels.classes)
    check_classes(
        np.array([np.bincount(labels.codes[rows], minlength=width) for rows in trained]), labels.classes
    )


def _too_few(plan: Plan, labels: Encoded, groups: NDArray[Any] | None) -> ValueError:
    """What was asked for, and the class that has too few rows or groups for it."""
    codes, unit = labels.codes, "rows"
    asked = f"{plan.n_splits} folds were" if isinstance(plan, KFold) else f"{plan!r} was"
    total, counts = len(codes), np.bincount(codes)
    if groups is not None:  # a group counts once for every class that it has rows of
        numbers = group_codes(groups, "groups", len(codes))
        unit, total = "groups", len(np.unique(numbers))
        counts = np.bincount(np.unique(np.stack([numbers, codes]), axis=1)[1])
    rare = int(counts.argmin())
    return ValueError(
        f"{asked} asked for, and the training {unit} of each split are divided again to choose a setting: "
        f"{total} {unit}, {counts[rare]} of them of class {labels.classes.tolist()[rare]!r}, are too few "
        "for that; give more, or leave fewer of them out."
    )
