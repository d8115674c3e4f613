"""Rows as a model behind scalers measures them: all columns, or bits and a few numbers.

Steps that multiply columns and leave some out change the two values of a column of levels, not which of them a row has.
In tables that mostly consist of such columns the bits are found once for all models; a model adds what the two values
of each column differ by, and the other columns under its own scale. Distances are those of whole rows to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.numerics.distances import Space
from assay.numerics.neighbors import Near, nearest
from assay.sharing.protocols import ColumnScales
from assay.types import Array, Codes, Floats, Index, Mask

MOSTLY = 0.75  # share of columns that take two values
LEAST_COLUMNS = 16
LEFT_OUT, TWO_VALUES, NUMBER = range(3)


def behind(X: Floats, learned: Iterable[ColumnScales]) -> Floats:
    """Rows behind the steps."""
    for scales in learned:
        X = scales.apply(X)
    return X


@dataclass(frozen=True)
class Candidates:
    """Candidates of every row in the order of a bound, and within what distances count as equal."""

    near: Near
    place: Codes  # (N,), the list of each row
    factor: float
    slack: float

    def room(self, test: Index, k: int) -> tuple[Near, NDArray[np.uint8]]:
        return Near(np.empty((len(test), k), np.int32), np.empty((len(test), k))), np.empty(
            len(test), np.uint8
        )

    def among(self, test: Index, allowed: NDArray[np.uint8]) -> _core.neighbors.Candidates:
        """Those of the tested rows that are allowed, for compiled code."""
        return _core.neighbors.Candidates(
            test.astype(np.int32), self.place[test], self.near.rows, self.near.distances, allowed,
            self.factor, self.slack,
        )  # fmt: skip


class MeasuredRows(Protocol):
    """Rows under the scale of one model."""

    def listed(
        self, lists: Candidates, test: Index, allowed: NDArray[np.uint8], k: int, threads: int
    ) -> tuple[Near, NDArray[np.uint8]]:
        """The k nearest allowed rows of the tested ones among their candidates, and whether that is sure."""

    def nearest(self, train: Index, test: Index, k: int, threads: int) -> Near:
        """The k nearest training rows of the tested ones."""


@dataclass(frozen=True)
class WholeRows:
    """All columns, transformed."""

    Z: Array

    def listed(
        self, lists: Candidates, test: Index, allowed: NDArray[np.uint8], k: int, threads: int
    ) -> tuple[Near, NDArray[np.uint8]]:
        near, sure = lists.room(test, k)
        among = lists.among(test, allowed)
        _core.neighbors.nearest_listed(self.Z, among, threads, near.rows, near.distances, sure)
        return near, sure

    def nearest(self, train: Index, test: Index, k: int, threads: int) -> Near:
        near = nearest(Space("euclidean"), self.Z[train], self.Z[test], k, threads=threads)
        return Near(train[near.rows].astype(np.int32), near.distances)


@dataclass(frozen=True)
class Patterns:
    """What all models have in common: which of its two values each column of a row has, and the other columns."""

    bits: NDArray[np.uint64]  # (N, words)
    ends: NDArray[np.floating]  # (2, D), least and greatest value
    two: Mask  # (D,)
    X: NDArray[np.floating]

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

    @classmethod
    def of(cls, patterns: Patterns, learned: list[ColumnScales]) -> PatternRows:
        two = patterns.two
        columns, ends = np.arange(len(two)), patterns.ends.astype(np.float64)
        at, numbers = np.flatnonzero(~two), np.asarray(patterns.X, dtype=np.float64)
        for scales in learned:
            left = np.isin(at, scales.columns)
            at, numbers = np.searchsorted(scales.columns, at[left]), numbers[:, left]
            columns, ends = columns[scales.columns], scales.apply(ends).astype(np.float64, copy=False)
            if scales.scale is not None and scales.center is not None:
                numbers = (numbers - scales.center[at]) / scales.scale[at]
        kind = np.full(len(two), LEFT_OUT, np.uint8)
        kind[columns] = np.where(two[columns], TWO_VALUES, NUMBER)
        step = np.zeros(len(two))
        step[columns] = ends[1] - ends[0]
        return cls(patterns.bits, np.ascontiguousarray(numbers), kind, step)

    def listed(
        self, lists: Candidates, test: Index, allowed: NDArray[np.uint8], k: int, threads: int
    ) -> tuple[Near, NDArray[np.uint8]]:
        near, sure = lists.room(test, k)
        among = lists.among(test, allowed)
        _core.neighbors.patterns_listed(self._compiled(), among, threads, near.rows, near.distances, sure)
        return near, sure

    def nearest(self, train: Index, test: Index, k: int, threads: int) -> Near:
        near = Near(np.empty((len(test), k), np.int32), np.empty((len(test), k)))
        _core.neighbors.nearest_patterns(
            self._compiled(),
            train.astype(np.int32),
            test.astype(np.int32),
            threads,
            near.rows,
            near.distances,
        )
        return near

    def _compiled(self) -> _core.neighbors.Patterns:
        return _core.neighbors.Patterns(self.bits, self.numbers, self.kind, self.step)
