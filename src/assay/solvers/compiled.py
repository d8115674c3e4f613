"""The passes over dense rows that solvers make most, compiled: threads that never wait for Python.

Rows are put in the order of their folds once, standardised, where there is room for that; otherwise block by block,
every time they are read. A pass that need not be exact reads them in single precision, in about half the time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.solvers.rows import DenseRows
from assay.types import Array, Index, Mask

KEPT_NUMBERS = 2**28  # entries of the standardised rows that are kept
MANY_NUMBERS = 2**18  # entries from which single precision is worth a copy of its own


class Sums(Protocol):
    """What compiled solvers ask for sums over the rows of each fold."""

    def gradients(
        self, models: Array, first: Index, exact: bool, threads: int, gradient: Array, loss: Array, /
    ) -> None: ...
    def grams(self, model: Array, wanted: Mask, exact: bool, threads: int, out: Array, /) -> None: ...


@dataclass(frozen=True)
class CompiledPasses:
    """Sums over the rows of each fold.

    Attributes
    ----------
    sums : what compiled solvers ask for them
    threads : int
    coarse : bool
        Whether rows can be read in single precision.
    """

    sums: Sums
    threads: int
    coarse: bool = False

    @classmethod
    def of(
        cls,
        rows: DenseRows,
        order: NDArray[np.int64],
        start: NDArray[np.int64],
        fold: NDArray[np.int32],
        codes: NDArray[np.int32],
        weight: Array | None,
        threads: int,
    ) -> CompiledPasses:
        """Dense rows in the order of their folds.

        order : (N,)
            Row of the table at each place.
        start : (chunks + 1,)
            Places at which the chunks begin; their sums are added in this order.
        fold : (chunks,)
            Fold of each chunk.
        codes, weight
            In the order of the table.
        """
        size = int(_core.logistic.kept_size(rows.width, start))
        coarse = MANY_NUMBERS <= size <= KEPT_NUMBERS
        sums = _core.logistic.FoldRows(
            rows.X, rows.fill, rows.indicators, order, rows.center, rows.unit,
            np.ascontiguousarray(codes[order]), None if weight is None else np.ascontiguousarray(weight[order]),
            start, fold, coarse, size <= KEPT_NUMBERS,
        )  # fmt: skip
        return cls(sums, threads, coarse)

    def gradients(self, models: list[Array], exact: bool) -> list[tuple[Array, Array]]:
        """Of the models (G_f, C, P+1) of each fold: sums of gradients and of losses over its rows."""
        B = np.concatenate(models)
        first = np.cumsum([0, *(len(fold_models) for fold_models in models)]).astype(np.int64)
        gradient, loss = np.empty(B.shape), np.empty(len(B))
        self.sums.gradients(B, first, exact, self.threads, gradient, loss)
        return [(gradient[a:b], loss[a:b]) for a, b in zip(first, first[1:], strict=False)]

    def grams(self, B: Array, folds: NDArray[np.bool_], n_pairs: int, exact: bool) -> Array:
        """Second derivatives of one model (C, P+1) in each of these folds, (F, pairs, P+1, P+1)."""
        width = B.shape[1]
        out = np.zeros((len(folds), n_pairs, width, width))
        self.sums.grams(np.ascontiguousarray(B), folds, exact, self.threads, out)
        return out
