r"""Back-propagation through layers of any number: the mean loss of some rows, and its gradient.

    A_0 = Z,    A_l = g(A_{l-1} W_l + b_l),    scores = A_{L-1} W_L + b_L

    δ_L = slope of the loss by the scores / N,    δ_l = (δ_{l+1} W_{l+1}ᵀ) ∘ g'
    ∂W_l = A_{l-1}ᵀ δ_l,    ∂b_l = Σ_rows δ_l

All weights lie in one vector, biases behind them; gradients are written straight into a vector of the same layout, and
every array a pass needs is made once. Large products are made by two threads, see `assay.solvers.halves`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.solvers.halves import Halves
from assay.solvers.outputs import SLOPES, sigmoid_of
from assay.solvers.standard_rows import Places, StandardRows

Floats = NDArray[Any]
BLOCK = 2048  # rows scored at a time


class Activation(NamedTuple):
    """A function of hidden units, in place; and its slope, from its value A, multiplied into δ (A is used up)."""

    apply: Callable[[Floats], Any]
    slope: Callable[[Floats, Floats], Any]


def _tanh_slope(A: Floats, delta: Floats) -> None:
    A *= A
    np.subtract(1.0, A, out=A)
    delta *= A


def _relu_slope(A: Floats, delta: Floats) -> None:
    delta *= A > 0


def _sigmoid_slope(A: Floats, delta: Floats) -> None:
    delta *= A
    np.subtract(1.0, A, out=A)
    delta *= A


ACTIVATIONS = {
    "tanh": Activation(lambda A: np.tanh(A, out=A), _tanh_slope),
    "relu": Activation(lambda A: np.maximum(A, 0.0, out=A), _relu_slope),
    "sigmoid": Activation(sigmoid_of, _sigmoid_slope),
}


@dataclass(frozen=True)
class Layout:
    """Where the layers of a network lie in one vector: all weights first, then all biases."""

    widths: tuple[int, ...]  # inputs, hidden layers, classes

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

    def drawn(self, rng: np.random.Generator, activation: str, dtype: Any) -> Floats:
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


class Pass:
    """Forward and backward through the layers, for at most `most` rows at a time."""

    def __init__(
        self, layout: Layout, activation: str, parameters: Floats, most: int, halves: Halves
    ) -> None:
        self._halves = halves
        self.activation = ACTIVATIONS[activation]
        self.gradient = np.zeros_like(parameters)
        self._weights, self._biases = layout.weights(parameters), layout.biases(parameters)
        self._weight_slopes, self._bias_slopes = layout.weights(self.gradient), layout.biases(self.gradient)
        dtype = parameters.dtype
        self.inputs = np.empty((most, layout.widths[0]), dtype=dtype)
        self._values = [np.empty((most, width), dtype=dtype) for width in layout.widths[1:]]
        self._deltas = [np.empty((most, width), dtype=dtype) for width in layout.widths[1:-1]]

    def scores(self, Z: Floats) -> Floats:
        """Scores (B, K) of rows, in a buffer that the next pass writes to."""
        A, last = Z, len(self._weights) - 1
        for place, (W, b, buffer) in enumerate(zip(self._weights, self._biases, self._values, strict=True)):
            out = buffer[: len(Z)]
            self._halves.product(A, W, out)
            out += b
            if place < last:
                self.activation.apply(out)
            A = out
        return A

    def run(self, task: Task, which: Places) -> float:
        """Leave the gradient of the mean weighted loss of these rows in `gradient`, and return that loss."""
        Z, codes = self.inputs[: len(which)], task.codes[which]
        task.rows.take(which, Z)
        delta = self.scores(Z)
        losses = task.losses(delta, codes)
        if task.weight is None:
            delta *= delta.dtype.type(1.0 / len(which))
            loss = float(losses.sum(dtype=np.float64)) / len(which)
        else:
            w = task.weight[which] / len(which)
            delta *= w.astype(delta.dtype)[:, None]
            loss = float((losses * w).sum())
        self._backward(Z, delta)
        return loss

    def _backward(self, Z: Floats, delta: Floats) -> None:
        for place in range(len(self._weights) - 1, -1, -1):
            A = self._values[place - 1][: len(Z)] if place else Z
            self._halves.product(A.T, delta, self._weight_slopes[place])
            delta.sum(axis=0, out=self._bias_slopes[place])
            if place:
                below = self._deltas[place - 1][: len(Z)]
                self._halves.product(delta, self._weights[place].T, below)
                self.activation.slope(A, below)
                delta = below


def network_scores(
    rows: StandardRows, layout: Layout, activation: str, parameters: Floats, threads: int = 1
) -> NDArray[np.float64]:
    """Scores (N, K) of all rows, a block at a time; NaN for rows that are not finite, which tanh would hide."""
    out = np.empty((len(rows), layout.widths[-1]))
    with Halves(threads) as halves:
        reader = Pass(layout, activation, parameters, min(BLOCK, max(1, len(rows))), halves)
        for start in range(0, len(rows), BLOCK):
            Z = rows.span(start, min(start + BLOCK, len(rows)))
            out[start : start + len(Z)] = reader.scores(Z)
            if not np.isfinite(Z.sum()):
                out[start + np.flatnonzero(~np.isfinite(Z).all(axis=1))] = np.nan
    return out
