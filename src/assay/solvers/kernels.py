r"""Kernels of pairs of rows, computed in blocks by compiled code (core/svm/kernel_functions.hpp).

linear x·z    polynomial (γ x·z + c)^d    rbf exp(-γ |x - z|²)    sigmoid tanh(γ x·z + c)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import DTypeLike

from assay import _core
from assay.solvers.backprop import matrix_product, usable
from assay.types import Array, Floats


@dataclass(frozen=True)
class KernelFunction:
    """A kernel with its parameters; those that its formula lacks are ignored."""

    kind: str
    gamma: float = 1.0
    coef0: float = 0.0
    degree: int = 3

    def compiled(self, dtype: DTypeLike) -> _core.svm.Kernel:
        """The same for compiled code, with products of matrices of this type."""
        return _core.svm.Kernel(matrix_product(dtype), self.kind, self.gamma, self.coef0, self.degree)

    def block(self, left: Floats, right: Floats, threads: int) -> Floats:
        """Kernel of each row of `left` (N, D) with each of `right` (M, D), of their type, (N, M)."""
        out = np.empty((len(left), len(right)), dtype=left.dtype)
        _core.svm.kernel_block(self.compiled(left.dtype), left, right, usable(threads), out)
        return out

    def sums(self, points: Floats, vectors: Floats, factor: Array, threads: int) -> Array:
        """Σ_m factor[p, m] k(x, vectors[m]) for each point, (N, P); no more than a tile of kernels is held."""
        out = np.empty((len(points), len(factor)))
        _core.svm.kernel_sums(self.compiled(points.dtype), points, vectors, factor, usable(threads), out)
        return out

    def positive(self) -> bool:
        """Whether every Gram matrix is positive semidefinite, whatever the rows."""
        return self.kind in ("linear", "rbf") or (self.kind == "polynomial" and self.coef0 >= 0.0)
