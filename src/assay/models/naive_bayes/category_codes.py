"""Rows of levels: how they are read and counted, and how models of many training sets score them in one call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol, Unpack

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.models.base.category_codes import Levels
from assay.models.base.validation import feature_name, feature_names
from assay.models.naive_bayes.base import merge_levels, or_priors
from assay.sharing.protocols import RowError
from assay.statistics import Counts, count_levels
from assay.statistics.counting import Grouping
from assay.types import Array, Codes, ColumnNames, MatrixLike, Which


@dataclass(frozen=True, eq=False)
class LevelRows:
    """Codes (D, N) of levels; indexed by rows. Names of the columns are for messages."""

    codes: Codes
    names: ColumnNames = None

    def __getitem__(self, rows: Which) -> LevelRows:
        return LevelRows(np.ascontiguousarray(self.codes[:, rows]), self.names)


class LevelModel(Protocol):
    """What reads levels: all rows at once, or some whose levels are known."""

    def _find(self, X: MatrixLike) -> tuple[Codes, Levels]: ...
    def _known(self, X: MatrixLike, levels: Levels) -> Codes: ...


@dataclass(frozen=True, eq=False)
class LevelReader:
    """Reads rows for a model, which is its own."""

    model: LevelModel
    key: str
    words = False

    def read(self, X: MatrixLike) -> tuple[LevelRows, Levels]:
        """All rows, and the levels of every column."""
        codes, levels = self.model._find(X)
        return LevelRows(codes, feature_names(self.model)), levels

    def keys(self, X: MatrixLike) -> Levels:
        """The levels of some rows."""
        return self.model._find(X)[1]

    def union(self, a: Levels, b: Levels) -> Levels:
        """Levels of two sets of rows."""
        return tuple(merge_levels(one, other) for one, other in zip(a, b, strict=True))

    def look_up(self, X: MatrixLike, levels: Levels) -> LevelRows:
        """Rows whose levels are known."""
        return LevelRows(self.model._known(X, levels), feature_names(self.model))

    def count(
        self,
        rows: LevelRows,
        levels: Levels,
        codes: Codes,
        n_classes: int,
        threads: int,
        **groups: Unpack[Grouping],
    ) -> Counts:
        """Counts of every class, or of every (group, class)."""
        return count_levels(
            rows.codes.T,
            codes,
            n_classes,
            [len(column_levels) for column_levels in levels],
            threads=threads,
            **groups,
        )

    def count_bytes(self, levels: Levels, n_classes: int) -> int:
        """Counts, sums of them, and the table made of these."""
        return 24 * n_classes * sum(len(column_levels) for column_levels in levels)

    def compressed(self, levels: Levels) -> bool:
        """Codes of levels are not."""
        return False

    def prepared(self, rows: LevelRows) -> LevelRows:
        """Levels are not words."""
        return rows


@dataclass(frozen=True, eq=False)
class LevelForm:
    """Models of levels. Shapes: first (D + 1,), table (M, L + D, K), log_prior (M, K).

    absent (M, L) tells levels that training never showed, of columns where they are refused.
    """

    first: NDArray[np.int64]
    table: Array
    log_prior: Array
    levels: Levels
    absent: NDArray[np.bool_] | None = None

    def scores(self, rows: LevelRows, model: Codes | None, threads: int) -> Array:
        """Joint log likelihoods of rows, row r under model[r], (N, K)."""
        if self.absent is not None:
            self._refuse(rows, model)
        return level_scores(rows.codes, self.first, self.table, self.log_prior, model, threads)

    def _refuse(self, rows: LevelRows, model: Codes | None) -> None:
        """No row has a level that its training set never showed."""
        assert self.absent is not None
        codes = rows.codes
        for j, column_levels in enumerate(self.levels):
            row = np.flatnonzero(codes[j] >= 0)
            under = np.zeros(len(row), dtype=np.intp) if model is None else model[row]
            new = row[self.absent[under, self.first[j] + codes[j, row]]]
            if len(new):
                category = column_levels.tolist()[codes[j, new[0]]]
                values = {"category": category, "column": feature_name(rows.names, j)}
                raise RowError("M702", values, int(new[0]), 0 if model is None else int(model[new[0]]))


def level_table(
    counts: Counts, first: NDArray[np.int64], smoothing: float, unseen: Sequence[str], closed: bool = False
) -> Array:
    """ln p of every level, and behind those of each column that of a level training never showed, (..., L + D, K).

    A level without a count in any class (it belongs to another fold) is one that this training never showed, unless
    the levels are known beforehand (`closed`). `unseen` says for each column what such a level is.
    """
    lines = []
    for (a, b), new_level in zip(pairwise(first), unseen, strict=True):
        block = np.moveaxis(counts.counts[..., a:b], -1, -2).astype(np.float64)  # (..., L_j, K)
        present = (block.sum(axis=-1) > 0)[..., None] | closed
        size = present.sum(axis=-2, keepdims=True) + (new_level == "other")
        total = block.sum(axis=-2, keepdims=True) + smoothing * size
        with np.errstate(divide="ignore", invalid="ignore"):
            even = -np.log(np.maximum(size, 1))  # nothing counted: the limit of little smoothing
            log_p = np.where(total > 0, np.log(block + smoothing) - np.log(total), even)
            new = np.where(total > 0, np.log(smoothing) - np.log(total), even)
        if new_level != "other" or smoothing == 0.0:
            new = np.zeros_like(new)  # left out; without smoothing no class allows it, which tells nothing
        lines += [np.where(present, log_p, new), new]
    return np.ascontiguousarray(np.concatenate(lines, axis=-2))


def level_scores(
    codes: Codes,
    first: NDArray[np.int64],
    table: Array,
    log_prior: Array,
    model: Codes | None,
    threads: int,
) -> Array:
    """Joint log likelihoods of rows of codes (D, N) under tables (G, L + D, K), row r under model[r], (N, K)."""
    out = np.empty((codes.shape[1], table.shape[-1]))
    bias = np.ascontiguousarray(log_prior)
    _core.counts.level_scores(codes, first, model, table, bias, threads, out)
    if not np.isneginf(table).any():
        return out
    prior = log_prior[0] if model is None else log_prior[model]
    return or_priors(out, prior, np.isneginf(out))
