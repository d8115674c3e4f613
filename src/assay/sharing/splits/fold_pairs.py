"""Pairs of folds: where the inner folds of every split are the other folds, two tests share each inner model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from assay.sharing.splits.splits import ROOT, Splits
from assay.types import Codes, Index, Mask


@dataclass(frozen=True, eq=False)
class FoldPairs:
    """The tests of F folds by models that were trained without the fold and one more.

    Attributes
    ----------
    test : (F, F)
        The test of fold a, on behalf of split b, by the model trained without both; -1 where a = b.
    n_tests : int
        Of the splits, those of the plan included.
    """

    test: Codes
    n_tests: int

    @classmethod
    def of(cls, deep: Splits) -> FoldPairs | None:
        """The pairs of splits with tests inside; None where inner folds are not the other folds of one repeat."""
        count = len(deep.outer)
        if deep.n_layers > 1 or deep.row_by_row or deep.n_sizes > 1 or count < 3:
            return None
        outer = {deep.tested[t].tobytes(): f for f, t in enumerate(deep.outer.tolist())}
        split = {int(deep.model[t]): f for f, t in enumerate(deep.outer.tolist())}
        inside = np.flatnonzero(deep.parent != ROOT)
        if len(outer) < count or len(inside) != count * (count - 1):
            return None
        test = np.full((count, count), -1, dtype=np.int32)
        for t in inside.tolist():
            fold, behalf = outer.get(deep.tested[t].tobytes()), split.get(int(deep.parent[t]))
            if fold is None or behalf is None:
                return None
            test[fold, behalf] = t
        apart = ~np.eye(count, dtype=bool)
        if (test[apart] < 0).any():
            return None
        models = np.where(apart, deep.model[test], -1)
        return cls(test, deep.n_tests) if np.array_equal(models, models.T) else None

    @property
    def n_folds(self) -> int:
        return len(self.test)

    @cached_property
    def folds(self) -> tuple[Codes, Codes]:
        """Of each test the fold that is tested and the split on whose behalf, (T,) each; -1: a test of the plan."""
        fold, behalf = (np.full(self.n_tests, -1, dtype=np.int32) for _ in range(2))
        a, b = np.nonzero(self.test >= 0)
        fold[self.test[a, b]], behalf[self.test[a, b]] = a, b
        return fold, behalf

    @cached_property
    def slot(self) -> Codes:
        """Which of the F - 1 tests of its fold each test is, (T,): split b without the fold itself; -1: of the plan."""
        fold, behalf = self.folds
        return np.asarray(behalf - (behalf > fold), dtype=np.int32)

    @cached_property
    def pairs(self) -> tuple[Index, Index]:
        """All pairs a < b of folds."""
        a, b = np.triu_indices(self.n_folds, 1)
        return a.astype(np.int64), b.astype(np.int64)

    @cached_property
    def choosing(self) -> Mask:
        """Tests by which is chosen without folds a and b, (pairs, T): of the others, on behalf of either."""
        fold, behalf = self.folds
        a, b = (place[:, None] for place in self.pairs)
        return np.asarray(((behalf == a) | (behalf == b)) & (fold != a) & (fold != b) & (fold >= 0))
