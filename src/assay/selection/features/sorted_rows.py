"""SplitScores rows in the order in which the kernels of a search read them: by split, then by class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.selection.features.feature_columns import FeatureColumns
from assay.statistics import Moments
from assay.types import Array, Codes, Index


@dataclass(frozen=True)
class SortedRows:
    """Pairs of a row and a split in cells of one split and one class, each filled up to whole groups of rows."""

    source: Index  # row at each place, -1 where a place only fills up
    first: Index  # (cells + 1,)
    split: Codes
    true: Codes  # class of each cell
    given: _core.search.SortedRows  # as the kernels take it

    @classmethod
    def of(
        cls, rows: Index, split: Codes, shape: tuple[int, int, int], codes: Codes, weight: Array | None
    ) -> SortedRows:
        """shape: how many splits, columns and classes there are."""
        n_splits, width, classes = shape
        group = int(_core.search.search_rows)
        cell = split.astype(np.int64) * classes + codes[rows]
        order = np.argsort(cell, kind="stable")
        present, count = np.unique(cell, return_counts=True)
        first = np.concatenate([[0], np.cumsum(-(-count // group) * group)]).astype(np.int64)
        source = np.full(first[-1], -1, dtype=np.int64)
        within = np.arange(len(order)) - np.repeat(np.cumsum(count) - count, count)
        source[np.repeat(first[:-1], count) + within] = rows[order]
        row_weight = None if weight is None else np.where(source >= 0, weight[source], 0.0)
        of_split, true = (present // classes).astype(np.int32), (present % classes).astype(np.int32)
        given = _core.search.SortedRows(first, of_split, true, n_splits, width, classes, row_weight)
        return cls(source, first, of_split, true, given)

    def margins(self, scores: Array) -> Array:
        """Scores (splits, K) that do not depend on the row as margins (K - 1, places); NaN where places fill up."""
        with np.errstate(invalid="ignore"):
            margins = scores[self.split, self.true][:, None] - scores[self.split]
        out = np.repeat(self.rivals(margins), np.diff(self.first), axis=0).T.copy()
        out[:, self.source < 0] = np.nan
        return out

    def rivals(self, values: Array) -> Array:
        """Values (cells, K, ...) of the classes other than the true one, (cells, K - 1, ...)."""
        others = np.arange(values.shape[1] - 1)
        others = others + (others >= self.true[:, None])
        return np.asarray(values[np.arange(len(self.true))[:, None], others])

    def columns(self, X: NDArray[np.floating], center: Array, threads: int) -> Array:
        """The rows column by column, (D, places), less the center of their split (splits, D)."""
        out = np.empty((X.shape[1], len(self.source)))
        _core.search.sort_rows(X, self.given, self.source, center, threads, out)
        return out


@dataclass(frozen=True)
class SearchData:
    """Rows in the order of a search, the moments of every training set, and what moves."""

    X: NDArray[np.floating]
    rows: SortedRows
    moments: Moments
    features: FeatureColumns
    both_ways: bool  # whether features may enter and leave
    threads: int

    def columns_of(self, features: Sequence[int]) -> Codes:
        """Columns of these features, one after the other."""
        parts = [self.features.columns[feature] for feature in features]
        return np.concatenate([np.empty(0, dtype=np.int32), *parts])

    def listed(self, features: Sequence[int]) -> tuple[Index, Codes]:
        """Features as the kernels take them: where each begins, and their columns."""
        start = np.cumsum([0, *(len(self.features.columns[feature]) for feature in features)]).astype(
            np.int64
        )
        return start, self.columns_of(features)
