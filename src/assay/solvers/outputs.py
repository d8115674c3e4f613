r"""What output units make of their activations, what their mistakes cost, and the slope of that cost.

    linear    y = a                      step     y = 1 if a > 0, else 0 (sign: else -1)
    sigmoid   y = 1 / (1 + exp(-a))      softmax  y_k = exp(a_k) / Σ_j exp(a_j)

    squared error   ½ Σ_k (y_k - t_k)²        absolute error   Σ_k |y_k - t_k|
    cross-entropy   softmax: -Σ_k t_k ln y_k;    sigmoid: -Σ_k [t_k ln y_k + (1 - t_k) ln(1 - y_k)]

The slopes by a_k: of cross-entropy y_k - t_k; of the others, with m_k = y_k - t_k or its sign,

    m_k                         linear
    m_k y_k (1 - y_k)           sigmoid
    y_k [m_k - Σ_j m_j y_j]     softmax

A step has no slope; y - t, the perceptron rule, is the slope of Σ (y - t) a, which counts mistakes by how far they lie
on the wrong side.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from assay.types import Floats, Real

# Activations (B, K) and targets (B, K) in; activations become slopes, and the loss of each row (B,) is returned.
Slope = Callable[[Floats, Floats], Floats]


def sigmoid_of(A: Floats) -> Floats:
    """1 / (1 + exp(-a)), in place; by tanh, which neither overflows nor divides."""
    A *= 0.5
    np.tanh(A, out=A)
    A *= 0.5
    A += 0.5
    return A


def softmax_of(A: NDArray[Real]) -> NDArray[Real]:
    """exp(a_k) / Σ exp(a_j), in place."""
    A -= A.max(axis=1, keepdims=True)
    np.exp(A, out=A)
    A /= A.sum(axis=1, keepdims=True)
    return A


def _squared(A: Floats, T: Floats) -> Floats:
    A -= T
    return np.asarray(0.5 * np.einsum("nk,nk->n", A, A))


def _absolute(A: Floats, T: Floats) -> Floats:
    A -= T
    losses = np.abs(A).sum(axis=1)
    np.sign(A, out=A)
    return np.asarray(losses)


def _step(error: Slope, low: float) -> Slope:
    def slope(A: Floats, T: Floats) -> Floats:
        A[...] = np.where(A > 0, 1.0, low)
        return error(A, T)

    return slope


def _sigmoid(error: Slope) -> Slope:
    def slope(A: Floats, T: Floats) -> Floats:
        y = sigmoid_of(A).copy()
        losses = error(A, T)
        A *= y
        A *= 1.0 - y
        return losses

    return slope


def _softmax(error: Slope) -> Slope:
    def slope(A: Floats, T: Floats) -> Floats:
        y = softmax_of(A).copy()
        losses = error(A, T)
        A -= np.einsum("nk,nk->n", A, y)[:, None]
        A *= y
        return losses

    return slope


def _sigmoid_entropy(A: Floats, T: Floats) -> Floats:
    # -t ln y - (1 - t) ln(1 - y) = ln(1 + e^a) - t a
    losses = (np.logaddexp(0.0, A) - T * A).sum(axis=1)
    sigmoid_of(A)
    A -= T
    return np.asarray(losses)


def _softmax_entropy(A: Floats, T: Floats) -> Floats:
    A -= A.max(axis=1, keepdims=True)
    losses = -np.einsum("nk,nk->n", A, T)
    np.exp(A, out=A)
    total = A.sum(axis=1)
    losses += np.log(total)
    A /= total[:, None]
    A -= T
    return np.asarray(losses)


SLOPES: dict[tuple[str, str], Slope] = {
    ("sigmoid", "cross_entropy"): _sigmoid_entropy,
    ("softmax", "cross_entropy"): _softmax_entropy,
}
for _surrogate, _error in (("squared_error", _squared), ("absolute_error", _absolute)):
    SLOPES["linear", _surrogate] = _error
    SLOPES["step", _surrogate] = _step(_error, 0.0)
    SLOPES["sign", _surrogate] = _step(_error, -1.0)
    SLOPES["sigmoid", _surrogate] = _sigmoid(_error)
    SLOPES["softmax", _surrogate] = _softmax(_error)
