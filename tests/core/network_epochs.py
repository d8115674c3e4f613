"""Networks to train for some epochs, compiled and by the formulas."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.numerics.blas import single_threaded
from assay.solvers.backprop import NetworkLayout, matrix_product
from tests.core import network_twin as twin
from tests.core.structs import network_epoch

ROWS, WIDTH, CLASSES = 40, 6, 3
RATES = {"adam": 0.01, "momentum": 0.1, "sgd": 0.3}


def problem(
    hidden: tuple[int, ...] = (5,), *, solver: str = "adam", dtype: Any = np.float64, **changed: Any
) -> dict[str, Any]:
    """Four of six columns, in two runs; 37 of 40 rows in batches of 12, 12 and 13."""
    rng = np.random.default_rng(7)
    columns = np.array([0, 1, 3, 5])
    layout = NetworkLayout((len(columns), *hidden, CLASSES))
    start = layout.drawn(rng, "tanh", np.float64) + rng.normal(scale=0.1, size=layout.size)
    return {
        "gemm": matrix_product(dtype), "x": rng.normal(3.0, 2.0, (ROWS, WIDTH)), "columns": columns,
        "center": rng.normal(3.0, 0.1, 4), "unit": rng.uniform(0.3, 0.7, 4), "limit": np.inf,
        "codes": rng.integers(0, CLASSES, ROWS).astype(np.int32), "weight": None,
        "order": rng.permutation(ROWS)[:37], "ends": np.array([0, 12, 24, 37]), "widths": np.array(layout.widths),
        "activation": "tanh", "surrogate": "cross_entropy", "solver": solver, "rate": RATES[solver],
        "momentum": 0.8, "l2": 0.03, "steps": 0, "threads": 1, "parameters": start.astype(dtype),
        "state": np.zeros(({"sgd": 0, "momentum": 1, "adam": 2}[solver], layout.size), dtype=dtype), **changed,
    }  # fmt: skip


def by_hand(given: dict[str, Any], epochs: int) -> tuple[float, np.ndarray]:
    """Loss of the last epoch, and the parameters after it."""
    layout = NetworkLayout(tuple(given["widths"].tolist()))
    p, lost, t = given["parameters"].astype(float), 0.0, 0
    state = np.zeros((2, layout.size))
    weight = np.ones(ROWS) if given["weight"] is None else given["weight"]
    penalised = np.arange(layout.size) < layout.n_weights
    for _ in range(epochs):
        lost = 0.0
        for begin, end in zip(given["ends"], given["ends"][1:], strict=False):
            which = given["order"][begin:end]
            Z = (given["x"][np.ix_(which, given["columns"])] - given["center"]) * given["unit"]
            loss, g = twin.loss_and_gradient(
                Z, given["codes"][which], weight[which], layout, given["activation"], given["surrogate"], p
            )
            lost, t = lost + loss * len(which), t + 1
            g = g + given["l2"] * penalised * p
            p = twin.step(given["solver"], p, g, state, t, given["rate"], given["momentum"])
    return lost, p


def run(given: dict[str, Any], epochs: int = 3) -> tuple[float, np.ndarray]:
    lost = 0.0
    with single_threaded():
        for epoch in range(epochs):
            lost = network_epoch(**{**given, "steps": epoch * (len(given["ends"]) - 1)})
    return lost, given["parameters"]
