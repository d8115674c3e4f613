r"""Kernels of pairs of rows, computed in blocks by compiled code (core/svm/kernel_functions.hpp).

linear x·z    polynomial (γ x·z + c)^d    rbf exp(-γ |x - z|²)    sigmoid tanh(γ x·z + c)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.solvers.backprop import matrix_product, usable

Floats = NDArray[Any]
Array = NDArray[np.float64]


@dataclass(frozen=True)
class KernelFunction:
    """A kernel with its parameters; those that its formula lacks are ignored."""

    kind: str
    gamma: float = 1.0
    coef0: float = 0.0
    degree: int = 3

    def options(self, dtype: Any) -> dict[str, Any]:
        """What compiled code is told."""
        return {
            "gemm": matrix_product(dtype), "kernel": self.kind, "gamma": self.gamma, "coef0": self.coef0,
            "degree": self.degree,
        }  # fmt: skip

    def block(self, left: Floats, right: Floats, threads: int) -> Floats:
        """Kernel of each row of `left` (N, D) with each of `right` (M, D), of their type, (N, M)."""
        out = np.empty((len(left), len(right)), dtype=left.dtype)
        options = self.options(left.dtype)
        _core.kernel_block(**options, left=left, right=right, threads=usable(threads), out=out)
        return out

    def sums(self, points: Floats, vectors: Floats, factor: Array, threads: int) -> Array:
        """Σ_m factor[p, m] k(x, vectors[m]) for each point, (N, P); no more than a tile of kernels is held."""
        out = np.empty((len(points), len(factor)))
        _core.kernel_sums(
            **self.options(points.dtype),
            points=points,
            vectors=vectors,
            factor=factor,
            threads=usable(threads),
            out=out,
        )
        return out

    def positive(self) -> bool:
        """Whether every Gram matrix is positive semidefinite, whatever the rows."""
        return self.kind in ("linear", "rbf") or (self.kind == "polynomial" and self.coef0 >= 0.0)
