"""Tables as blocks of standardised rows z = ((x - center) / scale, 1), for the solvers that go through them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, csr_array

from assay import _core
from assay.types import Array

BLOCK = 1024  # rows at a time: their scores and residuals stay in the second-level cache
CHUNK = 8 * BLOCK  # rows, at most, whose sums are added up by one thread


class RowBlock(Protocol):
    """Some rows z = (standardised features, 1)."""

    def scores(self, B: Array) -> Array:
        """B Zᵀ, (M, rows)."""

    def products(self, R: Array) -> Array:
        """R Z, (M, P+1)."""

    def square_products(self, R: Array) -> Array:
        """R Z², entry by entry squared, (M, P+1)."""

    def gram(self, r: Array) -> Array:
        """Zᵀ diag(r) Z, (P+1, P+1)."""

    def dense(self) -> Array:
        """Z, (rows, P+1)."""


class SolverRows(Protocol):
    """A table that gives out blocks."""

    @property
    def rows_a_block(self) -> int:
        """Rows that are visited together."""

    @property
    def rows_a_chunk(self) -> int:
        """Rows whose sums are added up by one thread."""

    @property
    def width(self) -> int:
        """P: features, without the constant."""

    def block(self, which: NDArray[np.int64]) -> RowBlock:
        """The rows of these numbers."""


@dataclass(frozen=True)
class DenseBlock:
    """Rows in memory."""

    Z: Array

    def scores(self, B: Array) -> Array:
        return np.asarray(B @ self.Z.T)

    def products(self, R: Array) -> Array:
        return np.asarray(R @ self.Z)

    def square_products(self, R: Array) -> Array:
        return np.asarray(R @ self.Z**2)

    def gram(self, r: Array) -> Array:
        scaled = self.Z * np.sqrt(r)[:, None]
        return np.asarray(scaled.T @ scaled)

    def dense(self) -> Array:
        return self.Z


@dataclass(frozen=True)
class DenseRows:
    """An array whose rows are standardised as they are read; gaps may be filled and flagged."""

    X: NDArray[np.floating]
    center: Array
    unit: Array  # 1 / scale; 0 leaves a column out
    fill: Array | None = None
    indicators: NDArray[np.int32] | None = None
    rows_a_block: ClassVar[int] = BLOCK

    @property
    def rows_a_chunk(self) -> int:
        # Small tables are cut finer, for all threads to have some; how many threads there are plays no part.
        return min(CHUNK, max(BLOCK // 2, -(-len(self.X) // 16)))

    @property
    def width(self) -> int:
        return len(self.center)

    def block(self, which: NDArray[np.int64]) -> DenseBlock:
        Z = np.empty((len(which), self.width + 1))
        _core.logistic.standardized_rows(
            self.X, which, 0, self.fill, self.indicators, self.center, self.unit, Z
        )
        return DenseBlock(Z)


class SparseBlock:
    """Rows of a sparse matrix; columns are scaled through the models, so that no zero is filled in."""

    def __init__(self, X: csr_array, unit: Array, threads: int = 1) -> None:
        self.X, self.unit, self.threads = X, unit, threads

    @cached_property
    def _by_row(self) -> _core.base.SparseMatrix:
        return _matrix(self.X, self.X.shape[1])

    @cached_property
    def _by_column(self) -> _core.base.SparseMatrix:
        return _matrix(self.X.tocsc(), self.X.shape[0])

    def scores(self, B: Array) -> Array:
        out = np.empty((len(B), self.X.shape[0]))
        self._by_row.products(np.ascontiguousarray(B[:, :-1] * self.unit), False, self.threads, out)
        out += B[:, -1:]
        return out

    def products(self, R: Array) -> Array:
        return self._summed(R, self.unit, squared=False)

    def square_products(self, R: Array) -> Array:
        return self._summed(R, self.unit**2, squared=True)

    def _summed(self, R: Array, unit: Array, *, squared: bool) -> Array:
        out = np.empty((len(R), len(unit)))
        self._by_column.products(np.ascontiguousarray(R), squared, self.threads, out)
        return np.hstack([out * unit, R.sum(axis=1, keepdims=True)])

    def gram(self, r: Array) -> Array:
        weighted = self.X.multiply(r[:, None]).tocsr()
        out = np.empty((len(self.unit) + 1, len(self.unit) + 1))
        out[:-1, :-1] = (self.X.T @ weighted).toarray() * self.unit * self.unit[:, None]
        out[-1, :-1] = out[:-1, -1] = np.asarray(weighted.sum(axis=0)).ravel() * self.unit
        out[-1, -1] = r.sum()
        return out

    def dense(self) -> Array:
        return np.hstack([self.X.toarray() * self.unit, np.ones((self.X.shape[0], 1))])


def _matrix(compressed: csr_array | csc_array, columns: int) -> _core.base.SparseMatrix:
    value = np.ascontiguousarray(compressed.data, dtype=np.float64)
    return _core.base.SparseMatrix(compressed.indptr, compressed.indices, value, columns)


@dataclass(frozen=True)
class SparseRows:
    """A sparse matrix by rows; its blocks are cut once and kept. Threads share the work of a block."""

    X: csr_array
    unit: Array
    threads: int = 1
    cut: dict[tuple[int, int], SparseBlock] = field(default_factory=dict)
    rows_a_block: ClassVar[int] = 64 * BLOCK

    @property
    def width(self) -> int:
        return len(self.unit)

    @property
    def rows_a_chunk(self) -> int:
        return self.rows_a_block

    def block(self, which: NDArray[np.int64]) -> SparseBlock:
        key = (int(which[0]), len(which))
        if key not in self.cut:
            self.cut[key] = SparseBlock(self.X[which], self.unit, self.threads)
        return self.cut[key]
