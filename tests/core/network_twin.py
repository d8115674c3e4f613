"""Training a network in plain NumPy, formula by formula: what compiled epochs are compared with."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.solvers.backprop import NetworkLayout
from assay.solvers.outputs import SLOPES, sigmoid_of

Array = np.ndarray
UNITS: dict[str, Any] = {
    "tanh": (np.tanh, lambda A: 1.0 - A**2),
    "relu": (lambda A: np.maximum(A, 0.0), lambda A: A > 0),
    "sigmoid": (lambda A: sigmoid_of(A.copy()), lambda A: A * (1.0 - A)),
}
FIRST, SECOND, SMALL = 0.9, 0.999, 1e-8


def values(Z: Array, layout: NetworkLayout, activation: str, vector: Array) -> list[Array]:
    """Rows, values of every hidden layer, scores."""
    W, b, found = layout.weights(vector), layout.biases(vector), [Z]
    for place in range(len(W)):
        A = found[-1] @ W[place] + b[place]
        found.append(UNITS[activation][0](A) if place < len(W) - 1 else A)
    return found


def loss_and_gradient(
    Z: Array,
    codes: Array,
    weight: Array,
    layout: NetworkLayout,
    activation: str,
    surrogate: str,
    vector: Array,
) -> tuple[float, Array]:
    """Σ weight · loss / rows, and its slope by every parameter."""
    A = values(Z, layout, activation, vector)
    delta = A[-1].copy()
    losses = SLOPES["softmax", surrogate](delta, np.eye(layout.widths[-1])[codes])
    delta *= (weight / len(Z))[:, None]
    gradient = np.zeros_like(vector)
    slopes, constants, W = layout.weights(gradient), layout.biases(gradient), layout.weights(vector)
    for place in range(len(W) - 1, -1, -1):
        slopes[place][...], constants[place][...] = A[place].T @ delta, delta.sum(axis=0)
        if place:
            delta = (delta @ W[place].T) * UNITS[activation][1](A[place])
    return float(weight @ losses) / len(Z), gradient


def step(solver: str, p: Array, g: Array, state: Array, t: int, rate: float, momentum: float) -> Array:
    """The parameters after step t of a rule, which keeps its vectors in `state`."""
    if solver == "sgd":
        return p - rate * g
    if solver == "momentum":
        state[0] = momentum * state[0] - rate * g
        return p + state[0]
    state[0], state[1] = FIRST * state[0] + (1 - FIRST) * g, SECOND * state[1] + (1 - SECOND) * g**2
    return p - rate * (state[0] / (1 - FIRST**t)) / (np.sqrt(state[1] / (1 - SECOND**t)) + SMALL)
