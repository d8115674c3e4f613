"""Tested rows in the order in which the kernels of a search read them: by split, then by class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.engines.local import thread_count
from assay.models.validation import TrainingData
from assay.plans import Partition

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Pairs:
    """Tested (row, split) pairs of all partitions of a plan."""

    rows: NDArray[np.int64]
    split: NDArray[np.int32]
    n_splits: int

    @classmethod
    def of(cls, partitions: Sequence[Partition]) -> Pairs:
        first = np.cumsum([0, *(part.n_folds for part in partitions)])
        rows = [np.flatnonzero(part.fold >= 0) for part in partitions]
        split = [part.fold[at] + first[p] for p, (part, at) in enumerate(zip(partitions, rows, strict=True))]
        return cls(
            np.concatenate(rows).astype(np.int64), np.concatenate(split).astype(np.int32), int(first[-1])
        )

    @property
    def once(self) -> bool:
        """Whether no row is tested twice."""
        return self._times == 1

    @property
    def evenly(self) -> bool:
        """Whether all rows that are tested are tested equally often."""
        return self._times > 0

    @cached_property
    def _times(self) -> int:
        """How often each of the rows is tested; 0 if that differs."""
        times = np.bincount(self.rows)
        times = times[times > 0]
        return int(times[0]) if len(times) and (times == times[0]).all() else 0


@dataclass(frozen=True)
class SortedRows:
    """Pairs sorted into cells of one split and one class, each filled up to whole groups of rows."""

    source: NDArray[np.int64]  # row at each place, -1 where a place only fills up
    first: NDArray[np.int64]  # (cells + 1,)
    split: NDArray[np.int32]
    own: NDArray[np.int32]
    given: tuple[Any, ...]  # as the kernels take it

    @classmethod
    def of(cls, pairs: Pairs, data: TrainingData) -> SortedRows:
        group, width, classes = int(_core.search_rows), data.X.shape[1], data.n_classes
        cell = pairs.split.astype(np.int64) * classes + data.codes[pairs.rows]
        order = np.argsort(cell, kind="stable")
        present, count = np.unique(cell, return_counts=True)
        first = np.concatenate([[0], np.cumsum(-(-count // group) * group)]).astype(np.int64)
        source = np.full(first[-1], -1, dtype=np.int64)
        within = np.arange(len(order)) - np.repeat(np.cumsum(count) - count, count)
        source[np.repeat(first[:-1], count) + within] = pairs.rows[order]
        weight = None
        if data.weight is not None:
            weight = np.where(source >= 0, data.weight[source], 0.0)
        split, own = (present // classes).astype(np.int32), (present % classes).astype(np.int32)
        given = (first, split, own, pairs.n_splits, width, classes, weight)
        return cls(source, first, split, own, given)

    def margins(self, scores: Array) -> Array:
        """Scores (splits, K) that do not depend on the row as margins (K - 1, places); NaN where places fill up."""
        with np.errstate(invalid="ignore"):
            each = scores[self.split, self.own][:, None] - scores[self.split]
        each = self.rivals(each)
        out = np.repeat(each, np.diff(self.first), axis=0).T.copy()
        out[:, self.source < 0] = np.nan
        return out

    def rivals(self, values: Array) -> Array:
        """Values (cells, K, ...) of the classes other than the own one, (cells, K - 1, ...)."""
        classes = values.shape[1]
        others = np.arange(classes - 1) + (np.arange(classes - 1) >= self.own[:, None])
        return np.asarray(values[np.arange(len(self.own))[:, None], others])

    def columns(self, X: NDArray[np.floating], center: Array, n_jobs: int | None) -> Array:
        """The rows column by column, (D, places), less the center of their split (splits, D)."""
        out = np.empty((X.shape[1], len(self.source)))
        _core.sort_rows(X, self.given, self.source, center, thread_count(n_jobs), out)
        return out

    @staticmethod
    def bytes(pairs: Pairs, data: TrainingData) -> int:
        """Memory that the columns and the margins take, at most."""
        cells = pairs.n_splits * data.n_classes
        places = len(pairs.rows) + min(cells, len(pairs.rows)) * int(_core.search_rows)
        return int(8 * places * (data.X.shape[1] + data.n_classes))


def listed(units: Sequence[NDArray[np.int32]]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Units as the kernels take them: where each begins, and their columns one after the other."""
    start = np.concatenate([[0], np.cumsum([len(unit) for unit in units])]).astype(np.int64)
    parts = list(units) or [np.empty(0, dtype=np.int32)]
    return start, np.concatenate(parts).astype(np.int32)
