"""The passes over dense rows that solvers make most, compiled: threads that never wait for Python.

Rows are put in the order of their folds once, standardised, where there is room for that; otherwise block by block,
every time they are read. A pass that need not be exact reads them in single precision, in about half the time.
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
MANY_NUMBERS = 2**18  # entries from which single precision is worth a copy of its own


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
        self.exact_passes = 0
        self.codes = np.ascontiguousarray(codes[order])
        self.weight = None if weight is None else np.ascontiguousarray(weight[order])

    @cached_property
    def _source(self) -> dict[str, Any]:
        """What every pass is given: the table, and the order of its rows."""
        rows = self.rows
        return {
            "x": rows.X, "fill": rows.fill, "indicators": rows.indicators, "order": self.order,
            "center": rows.center, "unit": rows.unit, "codes": self.codes, "weight": self.weight,
            "start": self.start, "fold": self.fold, "threads": self.threads,
        }  # fmt: skip

    @cached_property
    def _size(self) -> int:
        return int(_core.kept_size(self.rows.width, self.start))

    @property
    def coarse(self) -> bool:
        """Whether rows can be read in single precision."""
        return MANY_NUMBERS <= self._size <= KEPT_NUMBERS

    @cached_property
    def _narrow(self) -> Any:
        return self._kept(np.float32)

    @cached_property
    def _wide(self) -> Any:
        return self._kept(np.float64) if self._size <= KEPT_NUMBERS else None

    def _kept(self, dtype: Any) -> Any:
        """The rows in order, standardised."""
        kept = np.empty(self._size, dtype=dtype)
        _core.keep_rows(**self._source, out=kept)
        return kept

    def _read(self, exact: bool) -> dict[str, Any]:
        if not exact and self.coarse:
            return {**self._source, "kept": self._narrow}
        self.exact_passes += 1
        # A single pass is not worth a copy.
        return {**self._source, "kept": self._wide if self.exact_passes > 1 else None}

    def gradients(self, models: list[Array], exact: bool) -> list[tuple[Array, Array]]:
        """Of the models (G_f, C, P+1) of each fold: sums of gradients and of losses over its rows."""
        B = np.concatenate(models)
        first = np.cumsum([0, *(len(some) for some in models)]).astype(np.int64)
        gradient, loss = np.empty(B.shape), np.empty(len(B))
        _core.stacked_gradients(**self._read(exact), models=B, first=first, gradient=gradient, loss=loss)
        return [(gradient[a:b], loss[a:b]) for a, b in zip(first, first[1:], strict=False)]

    def grams(self, B: Array, folds: NDArray[np.bool_], n_pairs: int, exact: bool) -> Array:
        """Second derivatives of one model (C, P+1) in each of these folds, (F, pairs, P+1, P+1)."""
        width = B.shape[1]
        out = np.zeros((len(folds), n_pairs, width, width))
        _core.fold_grams(**self._read(exact), model=np.ascontiguousarray(B), wanted=folds, out=out)
        return out
