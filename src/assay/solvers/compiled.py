"""The passes over dense rows that solvers make most, compiled: threads that never wait for Python.

Rows are put in the order of their folds once, standardised, where there is room for that; otherwise block by block,
every time they are read.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.solvers.rows import DenseRows

Array = NDArray[np.float64]
KEPT_NUMBERS = 2**28  # entries of the standardised rows that are kept


class CompiledPasses:
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

    def __init__(
        self,
        rows: DenseRows,
        order: NDArray[np.int64],
        start: NDArray[np.int64],
        fold: NDArray[np.int32],
        codes: NDArray[np.int32],
        weight: Array | None,
        threads: int,
    ) -> None:
        self.rows, self.order, self.start, self.fold, self.threads = rows, order, start, fold, threads
        self.codes = np.ascontiguousarray(codes[order])
        self.weight = None if weight is None else np.ascontiguousarray(weight[order])

    @cached_property
    def _read(self) -> dict[str, Any]:
        """What every pass is given: the table, and its rows in order, kept if there is room."""
        rows = self.rows
        source: dict[str, Any] = {
            "x": rows.X, "fill": rows.fill, "indicators": rows.indicators, "order": self.order,
            "center": rows.center, "unit": rows.unit, "codes": self.codes, "weight": self.weight,
            "start": self.start, "fold": self.fold, "threads": self.threads,
        }  # fmt: skip
        size = _core.kept_size(rows.width, self.start)
        if size > KEPT_NUMBERS:
            return {**source, "kept": None}
        kept = np.empty(size)
        _core.keep_rows(**source, out=kept)
        return {**source, "kept": kept}

    def gradients(self, models: list[Array]) -> list[tuple[Array, Array]]:
        """Of the models (G_f, C, P+1) of each fold: sums of gradients and of losses over its rows."""
        B = np.concatenate(models)
        first = np.cumsum([0, *(len(some) for some in models)]).astype(np.int64)
        gradient, loss = np.empty(B.shape), np.empty(len(B))
        _core.stacked_gradients(**self._read, models=B, first=first, gradient=gradient, loss=loss)
        return [(gradient[a:b], loss[a:b]) for a, b in zip(first, first[1:], strict=False)]

    def grams(self, B: Array, folds: NDArray[np.bool_], n_pairs: int) -> Array:
        """Second derivatives of one model (C, P+1) in each of these folds, (F, pairs, P+1, P+1)."""
        width = B.shape[1]
        out = np.zeros((len(folds), n_pairs, width, width))
        _core.fold_grams(**self._read, model=np.ascontiguousarray(B), wanted=folds, out=out)
        return out
