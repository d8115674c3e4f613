"""Rows as a split's model measures them: all columns, or bits and a few numbers.

Steps that multiply columns and leave some out change the two values of a column of levels, not which of them a row has.
In tables that mostly consist of such columns the bits are found once for all splits; a split adds what the two values
of each column differ by, and the other columns under its own scale. Distances are those of whole rows to the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.models.features.reference import DropReference
from assay.models.features.scale import Standardize
from assay.numerics.distances import Space
from assay.numerics.neighbors import Near, nearest

Array = NDArray[np.float64]
Rows = NDArray[np.intp]
MOSTLY = 0.75  # share of columns that take two values
LEAST_COLUMNS = 16
LEFT_OUT, TWO_VALUES, NUMBER = range(3)


@dataclass(frozen=True)
class Lists:
    """Candidates of every row in the order of a bound, and within what distances count as equal."""

    near: Near
    place: NDArray[np.int32]  # (N,), the list of each row
    factor: float
    slack: float

    def room(self, test: Rows, k: int) -> tuple[Near, NDArray[np.uint8]]:
        return Near(np.empty((len(test), k), np.int32), np.empty((len(test), k))), np.empty(
            len(test), np.uint8
        )


@dataclass(frozen=True)
class WholeRows:
    """All columns, transformed."""

    Z: Array

    @classmethod
    def of(cls, X: NDArray[np.floating], fitted: list[Any]) -> WholeRows:
        for step in fitted:
            X = step.transform(X)
        return cls(np.ascontiguousarray(X, dtype=np.float64))

    @property
    def largest(self) -> float:
        return float(np.abs(self.Z).max(initial=0.0))

    def listed(
        self, lists: Lists, test: Rows, allowed: NDArray[np.uint8], k: int, threads: int
    ) -> tuple[Near, NDArray[np.uint8]]:
        """The k nearest allowed rows of the tested ones among their candidates, and whether that is sure."""
        near, sure = lists.room(test, k)
        _core.nearest_listed(
            self.Z, test.astype(np.int32), lists.place[test], lists.near.rows, lists.near.distances, allowed,
            lists.factor, lists.slack, threads, near.rows, near.distances, sure,
        )  # fmt: skip
        return near, sure

    def nearest(self, train: Rows, test: Rows, k: int, threads: int) -> Near:
        """The k nearest training rows of the tested ones."""
        own = nearest(Space("euclidean"), self.Z[train], self.Z[test], k, threads=threads)
        return Near(train[own.rows].astype(np.int32), own.distances)


@dataclass(frozen=True)
class Patterns:
    """What all splits have in common: which of its two values each column of a row has, and the other columns."""

    bits: NDArray[np.uint64]  # (N, words)
    ends: NDArray[np.floating]  # (2, D), least and greatest value
    two: NDArray[np.bool_]  # (D,)
    numbers: NDArray[np.floating]  # (N, others)

    @classmethod
    def of(cls, X: NDArray[np.floating]) -> Patterns | None:
        """None where too few columns take two values."""
        if X.shape[1] < LEAST_COLUMNS:
            return None
        ends = np.stack([X.min(axis=0), X.max(axis=0)])
        high = X == ends[1]
        two = (high | (X == ends[0])).all(axis=0)
        if two.mean() < MOSTLY:
            return None
        packed = np.packbits(high, axis=1, bitorder="little")
        bits = np.zeros((len(X), -(-X.shape[1] // 64) * 8), np.uint8)
        bits[:, : packed.shape[1]] = packed
        return cls(bits.view(np.dtype("<u8")).astype(np.uint64), ends, two, X[:, ~two])


@dataclass(frozen=True)
class PatternRows:
    """Bits and numbers, and what the two values of each column differ by."""

    bits: NDArray[np.uint64]
    numbers: Array
    kind: NDArray[np.uint8]  # (D,)
    step: Array  # (D,)
    largest: float

    @classmethod
    def of(cls, patterns: Patterns, fitted: list[Any]) -> PatternRows:
        ends = np.asarray(patterns.ends, dtype=np.float64)
        columns, at = np.arange(len(patterns.two)), np.flatnonzero(~patterns.two)
        numbers = np.asarray(patterns.numbers, dtype=np.float64)
        for step in fitted:
            if isinstance(step, DropReference):
                mine = np.isin(columns[at], columns[step.kept_])
                numbers = numbers[:, mine]
                at = np.searchsorted(step.kept_, at[mine])
                columns, ends = columns[step.kept_], ends[:, step.kept_]
            elif isinstance(step, Standardize):
                numbers = (numbers - step.center_[at]) / step.scale_[at]
                ends = (ends - step.center_) / step.scale_
        kind = np.full(len(patterns.two), LEFT_OUT, np.uint8)
        kind[columns] = np.where(patterns.two[columns], TWO_VALUES, NUMBER)
        difference = np.zeros(len(kind))
        difference[columns] = ends[1] - ends[0]
        largest = float(np.abs(ends).max(initial=0.0))
        return cls(patterns.bits, np.ascontiguousarray(numbers), kind, difference, largest)

    def listed(
        self, lists: Lists, test: Rows, allowed: NDArray[np.uint8], k: int, threads: int
    ) -> tuple[Near, NDArray[np.uint8]]:
        """As `WholeRows.listed`."""
        near, sure = lists.room(test, k)
        _core.patterns_listed(
            self.bits, self.numbers, self.kind, self.step, test.astype(np.int32), lists.place[test],
            lists.near.rows, lists.near.distances, allowed, lists.factor, lists.slack, threads,
            near.rows, near.distances, sure,
        )  # fmt: skip
        return near, sure

    def nearest(self, train: Rows, test: Rows, k: int, threads: int) -> Near:
        """As `WholeRows.nearest`."""
        near = Near(np.empty((len(test), k), np.int32), np.empty((len(test), k)))
        _core.nearest_patterns(
            self.bits, self.numbers, self.kind, self.step, train.astype(np.int32), test.astype(np.int32),
            threads, near.rows, near.distances,
        )  # fmt: skip
        return near
