"""Tested rows as contests: the score of a row's own class less that of each other class, and who wins."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.selection.features.layout import Pairs
from assay.selection.features.task import Array

NEAR = 1e-9  # of the size of two scores: nearer to each other, rounding could decide between them


@dataclass(frozen=True)
class Contests:
    """M tested (row, split) pairs of K classes; margins are (K - 1, M)."""

    pairs: Pairs
    own: NDArray[np.intp]
    rivals: NDArray[np.intp]  # (K - 1, M)
    weight: Array | None  # (M,)

    @classmethod
    def of(cls, pairs: Pairs, codes: NDArray[np.int32], n_classes: int, weight: Array | None) -> Contests:
        own = codes[pairs.rows].astype(np.intp)
        place = np.arange(n_classes - 1)[:, None]
        return cls(pairs, own, place + (place >= own), None if weight is None else weight[pairs.rows])

    def of_scores(self, scores: Array) -> Array:
        """Margins of scores (M, K)."""
        at = np.arange(len(self.own))
        with np.errstate(invalid="ignore"):  # of classes that training never saw
            return np.asarray(scores[at, self.own] - scores[at, self.rivals])

    def of_splits(self, values: Array) -> Array:
        """Margins of values (splits, K) that are the same for all rows of a split."""
        split = self.pairs.split
        with np.errstate(invalid="ignore"):
            return np.asarray(values[split, self.own] - values[split, self.rivals])

    def hits(self, margin: Array) -> float:
        """Weight of the rows whose own class wins; the first class among equals."""
        right = ((margin > 0) | ((margin == 0) & (self.rivals > self.own))).all(axis=0)
        return float(right.sum() if self.weight is None else self.weight[right].sum())

    def close(self, margin: Array, scale: Array, touched: NDArray[np.bool_]) -> bool:
        """Whether rounding could decide a contest: margins next to nothing of rows that features have touched."""
        tight = np.abs(margin) <= NEAR * (scale + np.abs(margin))
        return bool(tight.any() and (tight & touched).any())
