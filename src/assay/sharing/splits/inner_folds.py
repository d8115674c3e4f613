"""The rule of the inner folds: by which tests a setting, or a candidate, is chosen inside every outer split.

It follows from the plan and the data alone, never from the model, so that everything that is compared is chosen by the
same tests, and the nested estimate is that of the procedure in use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.notes import Note
from assay.plans import (
    ALWAYS_TRAIN,
    UNUSED,
    ColumnSplit,
    KFold,
    Partition,
    Plan,
    TimeSeries,
    TrainValidationTest,
    draw_partitions,
)
from assay.plans.base import check_count
from assay.plans.base import encode as group_codes
from assay.statistics.solve_diagnostics import check_classes
from assay.types import Codes, Index, Labels, Mask

FEWEST, MOST = 3, 10  # folds of a plan that are each other's inner folds
DRAWN = 5  # inner folds of any other plan
Groups = NDArray[Any] | None


@dataclass(frozen=True, eq=False)
class InnerFolds:
    """How the training rows of the splits of one repeat are divided again.

    Attributes
    ----------
    outer : Partition
    rule : str
        The part of the rule that was followed, in words.
    division : Partition, optional
        Folds that serve every split alike; windows in their order; the validation part. None: the other outer folds.
    tested : (N,), optional
        Of windows, rows that are tested in theirs: no earlier window has a row of their group.
    usable : (N,), optional
        Of windows with a gap before them, the first window whose model may be trained on the row.
    validation : bool
        Whether the division is a validation part, of the training part that it belongs to.
    """

    outer: Partition
    rule: str
    division: Partition | None = None
    tested: Mask | None = None
    usable: Codes | None = None
    validation: bool = False

    def trains(self, codes: Codes) -> bool:
        """Whether every split has inner tests, all by models that were trained on two classes."""
        if self.division is None:
            return _pairs_train(self.outer, codes)
        if self.validation:
            return can_train(self.division, codes)
        if self.tested is not None:
            return _windows_train(self.division, self.tested, self.usable, codes)
        return _drawn_train(self.outer, self.division, codes)


def inner_folds(
    plan: Plan,
    partitions: Sequence[Partition],
    codes: Codes,
    classes: Labels | None = None,
    groups: Any = None,
    inner: int | None = None,
    copies: bool = False,
) -> list[InnerFolds]:
    """The inner folds of every repeat of a plan: the one place where they are decided.

    a. Where every row is in exactly one of 3 to 10 folds, they are the other folds. The model that saw neither f nor g
       tests g inside f and f inside g: ten folds need 45 inner models. Each repeat is divided by itself.
    b. Any other plan (two folds, more than ten, a hold-out, subsampling, given splits) has five, fewer where a
       training set has fewer groups or rows, drawn once for all splits of a repeat. Every outer fold and every class
       is spread evenly over them, and groups stay together. Where all training rows precede the tested rows, as in
       time series, they are expanding windows of the training rows instead.
    c. Under `TrainValidationTest` the validation part takes their place.

    `inner` asks for another number of them in place of (a) and (b). A plan whose inner training sets would hold a
    single class is refused.

    Parameters
    ----------
    plan : Plan
    partitions : sequence of Partition
        Those of the plan.
    codes : (N,)
        Class of each row.
    classes : (K,), optional
        Labels, for sentences.
    groups : array (N,), optional
        Rows with the same value stay together.
    inner : int, optional
    copies : bool
        Whether the groups are sets of equal rows: they follow the first of them into its fold (`draw_partitions`).

    Examples
    --------
    >>> codes = np.tile([0, 1], 50).astype(np.int32)
    >>> [inner_folds(plan, plan.partitions(codes), codes)[0].rule for plan in (KFold(10), KFold(2))]
    ['the other 9 folds, by pairs', '5 drawn folds']
    """
    labels = np.arange(int(codes.max(initial=0)) + 1) if classes is None else classes
    together = None if groups is None else np.asarray(groups)
    if isinstance(plan, TrainValidationTest):
        if inner is not None:
            raise ValueError(Note("S139"))
        choosing = draw_partitions(plan.choosing(codes, None if copies else groups), codes, together, copies)
        inside = [InnerFolds(partitions[0], "the validation part", choosing[0], validation=True)]
    else:
        ordered = plan.in_order or (not isinstance(plan, ColumnSplit) and all(map(_in_order, partitions)))
        gap = plan.gap if isinstance(plan, TimeSeries) else 0
        inside = [
            _inside(partition, codes, together, inner, copies, ordered, gap) for partition in partitions
        ]
    if not all(partition.trains(codes) for partition in inside):
        if groups is None:
            _check_trained(partitions, codes, labels)
        raise _too_few(plan, codes, labels, together)
    return inside


def _inside(
    partition: Partition,
    codes: Codes,
    groups: Groups,
    inner: int | None,
    copies: bool,
    ordered: bool,
    gap: int = 0,
) -> InnerFolds:
    if inner is None and has_other_folds(partition):
        return InnerFolds(partition, f"the other {partition.n_folds - 1} folds, by pairs")
    count, units = _count(partition, groups, inner)
    if ordered:
        count = max(min(count, units - 1 - gap), 1)
        return InnerFolds(partition, f"{count} expanding windows", *_windows(partition, count, groups, gap))
    drawn = drawn_division(partition, codes, groups, count, copies)
    return InnerFolds(partition, f"{drawn.n_folds} drawn folds", drawn)


def _count(partition: Partition, groups: Groups, inner: int | None) -> tuple[int, int]:
    """As many folds as are asked for, or as the training sets allow, and the units of the smallest of these."""
    units = _units(partition, groups)
    if inner is None:
        return min(DRAWN, units), units
    if check_count("inner", inner, 2) > units:
        kind = "rows" if groups is None else "groups"
        raise ValueError(Note("S138", inner=inner, units=units, kind=kind))
    return inner, units


def drawn_division(
    partition: Partition, codes: Codes, groups: Groups, folds: int, copies: bool = False
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


def _windows(
    partition: Partition, count: int, groups: Groups, gap: int
) -> tuple[Partition, Mask, Codes | None]:
    """Training rows in their order: a first window, then `count` of equal size, each tested by a model of those before.

    Rows whose group has a row in an earlier window are trained on, but not tested. With a gap, so many rows before a
    window are not trained on by its model.
    """
    rows = partition.train_rows(0)
    size = max(len(rows) - gap, 0) // (count + 1)
    first = len(rows) - count * size
    number = np.maximum((np.arange(len(rows)) - first) // max(size, 1) + 1, 0)
    window = np.full(len(partition.fold), UNUSED, dtype=np.int32)
    window[rows] = number
    tested = window > 0
    if groups is not None:
        member = group_codes(groups, "groups", len(window))
        earliest = np.full(int(member.max()) + 1, count + 1)
        np.minimum.at(earliest, member[rows], number)
        tested &= earliest[member] == window
    if not gap:
        return Partition(window, count + 1), tested, None
    starts = first + size * np.arange(count)  # of the tested windows
    usable = np.full(len(window), UNUSED, dtype=np.int32)
    usable[rows] = 1 + np.searchsorted(starts - gap, np.arange(len(rows)), side="right")
    return Partition(window, count + 1), tested, usable


def has_other_folds(partition: Partition) -> bool:
    """Whether the folds of a partition may be each other's inner folds."""
    return FEWEST <= partition.n_folds <= MOST and not (partition.fold == ALWAYS_TRAIN).any()


def _in_order(partition: Partition) -> bool:
    """Whether the only split trains on rows that all precede those it tests."""
    return partition.n_folds == 1 and bool(
        partition.train_rows(0).max(initial=-1) < partition.test_rows(0).min(initial=len(partition.fold))
    )


def _units(partition: Partition, groups: Groups) -> int:
    """Rows, or groups of rows, in the smallest training set."""
    return min(
        len(rows) if groups is None else len(np.unique(groups[rows])) for rows in _trained([partition])
    )


def _trained(partitions: Sequence[Partition]) -> list[Index]:
    return [partition.train_rows(f) for partition in partitions for f in range(partition.n_folds)]


# -- whether all inner models train on two classes -----------------------------------------------------------


def _pairs_train(outer: Partition, codes: Codes) -> bool:
    counts = _counts(outer, None, codes)[0][: outer.n_folds]
    left = (
        counts.sum(axis=0) - counts[:, None] - counts
    )  # rows of each class without folds f and g, (F, F, K)
    apart = ~np.eye(len(counts), dtype=bool)
    return bool(((left > 0).sum(axis=2) >= 2)[apart].all())


def _drawn_train(outer: Partition, division: Partition, codes: Codes) -> bool:
    counts = _counts(outer, division, codes).swapaxes(0, 1)
    inside = counts.sum(axis=0) - counts[:-1]  # training rows of each split by inner fold and class
    filled = inside.any(axis=2)
    left = inside.sum(axis=1, keepdims=True) - inside
    enough = ((left > 0).sum(axis=2) >= 2) | ~filled
    return bool((filled.sum(axis=1) >= 2).all() and enough.all())


def _windows_train(division: Partition, tested: Mask, usable: Codes | None, codes: Codes) -> bool:
    counts = _counts(division, None, codes)[0][: division.n_folds]
    before = counts.cumsum(axis=0) - counts
    if usable is not None:
        size, width = division.n_folds + 1, int(codes.max()) + 1
        used = usable >= 0
        first = np.bincount(usable[used] * width + codes[used], minlength=size * width).reshape(-1, width)
        before = first.cumsum(axis=0)[: division.n_folds]
    has_tests = np.bincount(division.fold[tested], minlength=division.n_folds) > 0
    return bool(has_tests.any() and ((before > 0).sum(axis=1) >= 2)[has_tests].all())


def can_train(partition: Partition, codes: Codes) -> bool:
    """Whether every training set has at least two classes."""
    counts = _counts(partition, None, codes)[0]
    return bool((((counts.sum(axis=0) - counts[:-1]) > 0).sum(axis=1) >= 2).all())


def _counts(outer: Partition, division: Partition | None, codes: Codes) -> NDArray[np.intp]:
    """Rows by inner fold (one of them without a division), outer fold (the last: always trained on) and class."""
    folds, size = outer.n_folds + 1, int(codes.max()) + 1
    fold = np.where(outer.fold == ALWAYS_TRAIN, outer.n_folds, outer.fold)
    place = fold if division is None else division.fold * folds + fold
    used = (fold >= 0) if division is None else (fold >= 0) & (division.fold >= 0)
    inner = 1 if division is None else division.n_folds
    counts = np.bincount(place[used] * size + codes[used], minlength=inner * folds * size)
    return counts.reshape(inner, folds, size)


def _check_trained(partitions: Sequence[Partition], codes: Codes, classes: Labels) -> None:
    """Every outer split trains on two classes, before its training rows are divided again."""
    counts = [np.bincount(codes[rows], minlength=len(classes)) for rows in _trained(partitions)]
    check_classes(np.array(counts), classes)


def _too_few(plan: Plan, codes: Codes, classes: Labels, groups: Groups) -> ValueError:
    """What was asked for, and the class that has too few rows or groups for it."""
    unit = "rows"
    total, counts = len(codes), np.bincount(codes)
    if groups is not None:  # a group counts once for every class that it has rows of
        numbers = group_codes(groups, "groups", len(codes))
        unit, total = "groups", len(np.unique(numbers))
        counts = np.bincount(np.unique(np.stack([numbers, codes]), axis=1)[1])
    rare = int(counts.argmin())
    return ValueError(
        Note(
            "S137",
            plan=f"{plan.n_splits} folds" if isinstance(plan, KFold) else repr(plan),
            unit=unit,
            total=total,
            count=counts[rare],
            label=classes.tolist()[rare],
        )
    )
