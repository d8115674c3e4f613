r"""Networks of layers: where their weights lie, what they are trained on, and the scores of rows.

    A_0 = Z,    A_l = g(A_{l-1} W_l + b_l),    scores = A_{L-1} W_L + b_L

    δ_L = slope of the loss by the scores / N,    δ_l = (δ_{l+1} W_{l+1}ᵀ) ∘ g'
    ∂W_l = A_{l-1}ᵀ δ_l,    ∂b_l = Σ_rows δ_l

All weights lie in one vector, biases behind them. The passes forward and backward are compiled
(core/network/network.hpp): they call the matrix product of SciPy's BLAS, and give the same bits with any number of
threads.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray
from scipy.linalg import cython_blas

from assay import _core
from assay.numerics.blas import bounds_every_thread
from assay.solvers.outputs import SLOPES
from assay.solvers.standard_rows import StandardRows

Floats = NDArray[Any]  # float32 or float64: compiled code takes all of them in one of the two
ACTIVATIONS = ("tanh", "relu", "sigmoid")
BLOCK = 2048  # rows scored at a time


def matrix_product(dtype: DTypeLike) -> object:
    """The matrix product of this precision, as SciPy hands it to compiled code."""
    return cython_blas.__pyx_capi__["dgemm" if np.dtype(dtype) == np.float64 else "sgemm"]


def usable(threads: int) -> int:
    """Threads among which compiled code may share matrix products: one, if BLAS would start its own in each."""
    return threads if bounds_every_thread() else 1


@dataclass(frozen=True)
class NetworkLayout:
    """Where the layers of a network lie in one vector: all weights first, then all biases."""

    widths: tuple[int, ...]  # inputs, hidden layers, classes

    def compiled(self, activation: str, dtype: DTypeLike) -> _core.network.Layers:
        """The layers for compiled code, with products of matrices of this type."""
        return _core.network.Layers(matrix_product(dtype), np.array(self.widths, dtype=np.int64), activation)

    @property
    def n_weights(self) -> int:
        return sum(a * b for a, b in zip(self.widths, self.widths[1:], strict=False))

    @property
    def size(self) -> int:
        return self.n_weights + sum(self.widths[1:])

    def weights(self, vector: Floats) -> list[Floats]:
        """Views (inputs, units) of each layer's weights."""
        views, start = [], 0
        for a, b in zip(self.widths, self.widths[1:], strict=False):
            views.append(vector[start : start + a * b].reshape(a, b))
            start += a * b
        return views

    def biases(self, vector: Floats) -> list[Floats]:
        """Views (units,) of each layer's biases."""
        ends = np.cumsum((self.n_weights, *self.widths[1:])).tolist()
        return [vector[start:stop] for start, stop in zip(ends, ends[1:], strict=False)]

    def drawn(self, rng: np.random.Generator, activation: str, dtype: DTypeLike) -> Floats:
        """Weights to start from: uniform within ±√(6 / (inputs + units)), a third of the square for sigmoids."""
        vector = np.zeros(self.size)
        for W in self.weights(vector):
            bound = np.sqrt((2.0 if activation == "sigmoid" else 6.0) / max(1, sum(W.shape)))
            W[...] = rng.uniform(-bound, bound, W.shape)
        return vector.astype(dtype)


@dataclass(frozen=True)
class Task:
    """What a network is trained on: standardised rows, their classes, weights of mean 1 (None: all one)."""

    rows: StandardRows
    codes: NDArray[np.int32]
    weight: Floats | None
    surrogate: str

    def losses(self, scores: Floats, codes: NDArray[np.int32]) -> Floats:
        """Loss of each row; the scores become its slopes."""
        targets = np.zeros_like(scores)
        targets[np.arange(len(codes)), codes] = 1.0
        return SLOPES["softmax", self.surrogate](scores, targets)


def block_scores(
    Z: Floats, layout: NetworkLayout, activation: str, parameters: Floats, threads: int
) -> Floats:
    """Scores (B, K) of standardised rows in the precision of the parameters."""
    out = np.empty((len(Z), layout.widths[-1]), dtype=parameters.dtype)
    layers = layout.compiled(activation, parameters.dtype)
    _core.network.network_scores(layers, Z, parameters, usable(threads), out)
    return out


def filled_scores(
    filled: _core.base.FilledRows | _core.base.NarrowFilledRows,
    which: NDArray[np.int64],
    layout: NetworkLayout,
    activation: str,
    parameters: Floats,
    threads: int,
) -> Floats:
    """The same of rows that are given by their filled entries, in the precision of these."""
    out = np.empty((len(which), layout.widths[-1]), dtype=parameters.dtype)
    layers = layout.compiled(activation, parameters.dtype)
    _core.network.filled_network_scores(layers, filled, which, parameters, usable(threads), out)
    return out


def network_scores(
    rows: StandardRows, layout: NetworkLayout, activation: str, parameters: Floats, threads: int = 1
) -> NDArray[np.float64]:
    """Scores (N, K) of all rows, a block at a time; NaN for rows that are not finite, which tanh would hide."""
    out = np.empty((len(rows), layout.widths[-1]))
    for start in range(0, len(rows), BLOCK):
        Z = rows.span(start, min(start + BLOCK, len(rows)))
        out[start : start + len(Z)] = block_scores(Z, layout, activation, parameters, threads)
        if not np.isfinite(Z.sum()):
            out[start + np.flatnonzero(~np.isfinite(Z).all(axis=1))] = np.nan
    return out
