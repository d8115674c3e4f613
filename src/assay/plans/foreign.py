"""Splitters of scikit-learn, and plain lists of index pairs, as plans."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.notes import Note
from assay.numerics.scalars import is_whole
from assay.plans.base import ALWAYS_TRAIN, UNUSED, Partition, Plan, Rows, check_codes, count_rows
from assay.plans.kfold import KFold
from assay.types import MatrixLike

Pair: TypeAlias = tuple[ArrayLike, ArrayLike]  # training and tested rows: row numbers, or a mask


@runtime_checkable
class Splitter(Protocol):
    """What scikit-learn asks of a splitter; one without `get_n_splits` is counted by its splits."""

    def split(
        self, X: MatrixLike | None, y: ArrayLike | None = None, groups: ArrayLike | None = None
    ) -> Iterable[tuple[Rows, Rows]]: ...


PlanLike: TypeAlias = Plan | int | Splitter | Iterable[Pair]  # what serves as a plan


@dataclass(frozen=True)
class ForeignPlan(Plan):
    """A plan that asks an object with scikit-learn's `split` for its index pairs."""

    splitter: Splitter

    def partitions(self, codes: ArrayLike, groups: ArrayLike | None = None) -> list[Partition]:
        """The splitter's index pairs as partitions; it sees the class codes and an X of zeros."""
        checked = check_codes(codes)
        pairs = self.splitter.split(np.zeros((checked.size, 1)), checked, groups)
        return gather(pairs, checked.size)

    def split(
        self, X: MatrixLike | None, y: ArrayLike | None = None, groups: ArrayLike | None = None
    ) -> Iterator[tuple[Rows, Rows]]:
        """What the splitter itself yields."""
        yield from self.splitter.split(X, y, groups)

    def get_n_splits(
        self, X: MatrixLike | None = None, y: ArrayLike | None = None, groups: ArrayLike | None = None
    ) -> int:
        """What the splitter itself says; one that cannot say is asked for all its splits."""
        if hasattr(self.splitter, "get_n_splits"):
            return int(self.splitter.get_n_splits(X, y, groups))
        return sum(1 for _ in self.splitter.split(X, y, groups))


@dataclass(frozen=True, eq=False, repr=False)
class FixedSplits(Plan):
    """A plan that is a list of (training rows, test rows)."""

    pairs: tuple[Pair, ...]

    def __repr__(self) -> str:
        return f"FixedSplits({len(self.pairs)} splits)"

    def partitions(self, codes: ArrayLike, groups: ArrayLike | None = None) -> list[Partition]:
        """The listed index pairs as partitions; they are fixed, so `groups` is refused."""
        if groups is not None:
            raise ValueError(Note("S056"))
        return gather(self.pairs, check_codes(codes).size)

    def split(
        self, X: MatrixLike | None, y: ArrayLike | None = None, groups: ArrayLike | None = None
    ) -> Iterator[tuple[Rows, Rows]]:
        """The listed pairs, as row numbers."""
        n = count_rows(X, y)
        for s, (train, test) in enumerate(self.pairs):
            yield _rows(train, n, s, "training"), _rows(test, n, s, "test")

    def get_n_splits(
        self, X: MatrixLike | None = None, y: ArrayLike | None = None, groups: ArrayLike | None = None
    ) -> int:
        """The number of listed pairs."""
        return len(self.pairs)


def as_plan(cv: PlanLike) -> Plan:
    """Turn what scikit-learn accepts as ``cv=`` into a plan.

    Parameters
    ----------
    cv : Plan, int, splitter or iterable
        A plan is returned as it is; an integer k becomes ``KFold(k)``; an object with `split` is wrapped; an
        iterable of (training rows, test rows) is stored.

    Examples
    --------
    >>> as_plan(5)
    KFold(n_splits=5, repeats=1, stratified=True, random_state=0)
    >>> as_plan([([0, 1], [2]), ([1, 2], [0])]).partitions([0, 1, 1])[0].fold
    array([ 1, -1,  0], dtype=int32)
    """
    if isinstance(cv, Plan):
        return cv
    if isinstance(cv, type):
        raise TypeError(Note("S048", kind=cv.__name__))
    if is_whole(cv):
        return KFold(int(cv))
    if not isinstance(cv, str | bytes):
        if isinstance(cv, Splitter):
            return ForeignPlan(cv)
        if isinstance(cv, Iterable):
            return FixedSplits(_pairs(cv))
    raise TypeError(Note("S047", plan=cv))


def choosing_plan(plan: PlanLike | None) -> Plan:
    """The plan of a choice: by default, or for a number of folds, those that spread rare classes alone.

    Examples
    --------
    >>> choosing_plan(None)
    KFold(n_splits=10, repeats=1, stratified='rare', random_state=0)
    """
    if plan is None or is_whole(plan):
        return KFold(10 if plan is None else int(plan), stratified="rare")
    return as_plan(plan)


def _pairs(cv: Iterable[object]) -> tuple[Pair, ...]:
    pairs = []
    for s, pair in enumerate(cv):
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise ValueError(Note("S057", split=s, kind=type(pair).__name__))
        pairs.append((pair[0], pair[1]))
    if not pairs:
        raise ValueError(Note("S049"))
    return tuple(pairs)


def gather(pairs: Iterable[Pair] | Iterable[tuple[Rows, Rows]], n: int) -> list[Partition]:
    """Join consecutive splits of n rows into partitions.

    Splits share a partition while their tests are disjoint and each trains on exactly the rows it does not
    test. Every other split is a partition of its own, whose remaining rows are unused.
    """
    partitions: list[Partition] = []
    open_fold: NDArray[np.int32] | None = None
    n_open = 0
    for s, (train, test) in enumerate(pairs):
        train_rows, test_rows = _check_split(train, test, n, s)
        complete = train_rows.size + test_rows.size == n
        if open_fold is not None and (not complete or (open_fold[test_rows] >= 0).any()):
            partitions.append(Partition(open_fold, n_open))
            open_fold = None
        if not complete:
            partitions.append(_alone(train_rows, test_rows, n))
            continue
        if open_fold is None:
            open_fold, n_open = np.full(n, ALWAYS_TRAIN, dtype=np.int32), 0
        open_fold[test_rows] = n_open
        n_open += 1
    if open_fold is not None:
        partitions.append(Partition(open_fold, n_open))
    if not partitions:
        raise ValueError(Note("S050"))
    return partitions


def _alone(train: Rows, test: Rows, n: int) -> Partition:
    fold = np.full(n, UNUSED, dtype=np.int32)
    fold[train] = ALWAYS_TRAIN
    fold[test] = 0
    return Partition(fold, 1)


def _check_split(train: ArrayLike, test: ArrayLike, n: int, s: int) -> tuple[Rows, Rows]:
    train_rows, test_rows = _rows(train, n, s, "training"), _rows(test, n, s, "test")
    used = np.zeros(n, dtype=np.bool_)
    used[train_rows] = True
    if used[test_rows].any():
        row = int(test_rows[used[test_rows]][0])
        raise ValueError(Note("S051", split=s, row=row))
    return train_rows, test_rows


def _rows(index: ArrayLike, n: int, s: int, part: str) -> Rows:
    """One part of split s as distinct row numbers; a mask of n booleans is allowed."""
    rows = np.asarray(index)
    if rows.dtype.kind == "b" and rows.shape == (n,):
        rows = np.flatnonzero(rows)
    if rows.ndim != 1 or rows.size == 0:
        raise ValueError(Note("S052", part=part, split=s))
    if rows.dtype.kind not in "iu":
        raise TypeError(Note("S053", part=part, split=s, dtype=rows.dtype))
    if rows.min() < 0 or rows.max() >= n:
        row = int(rows[(rows < 0) | (rows >= n)][0])
        raise ValueError(Note("S054", part=part, split=s, row=row, last=n - 1))
    times = np.bincount(rows, minlength=n)
    if times.max() > 1:
        row = int(times.argmax())
        raise ValueError(Note("S055", part=part, split=s, row=row))
    return rows.astype(np.intp, copy=False)
