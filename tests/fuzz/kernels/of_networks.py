"""Calls that end in matrix products of SciPy: networks, and the kernels of support vector machines."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import cython_blas

from assay import _core
from tests.fuzz.kernels.calls import Arguments, Rng, call, codes, few, maybe, owned, threads
from tests.fuzz.kernels.of_rows import thin

GEMM = {np.float64: cython_blas.__pyx_capi__["dgemm"], np.float32: cython_blas.__pyx_capi__["sgemm"]}
SCORING = ("layers.gemm", "layers.widths", "layers.activation", "parameters", "threads")


def trained(rng: Rng, dtype: Any, n: int, inputs: int) -> Arguments:
    """A network of one hidden layer and an epoch of it."""
    widths = np.array([inputs, few(rng, 1, 4), few(rng, 2, 3)])
    size = int(sum((a + 1) * b for a, b in zip(widths, widths[1:], strict=False)))
    solver = str(rng.choice(["adam", "momentum", "sgd"]))
    order = rng.permutation(n)
    ends = np.unique(np.concatenate([[0, n], rng.integers(0, n + 1, 2)]))
    layers = {
        "gemm": GEMM[dtype], "widths": widths, "activation": str(rng.choice(["relu", "tanh", "sigmoid"])),
    }  # fmt: skip
    training = {
        "codes": codes(rng, n, int(widths[-1])), "weight": maybe(rng, rng.random(n)), "order": order, "ends": ends,
        "surrogate": str(rng.choice(["cross_entropy", "squared_error"])), "solver": solver, "rate": 0.01,
        "momentum": 0.9, "l2": 1e-4,
    }  # fmt: skip
    return {
        **owned("layers", layers), **owned("training", training), "steps": few(rng, 0, 5), "threads": threads(rng),
        "parameters": rng.normal(size=size).astype(dtype),
        "state": np.zeros(size * {"adam": 2, "momentum": 1, "sgd": 0}[solver], dtype),
    }  # fmt: skip


@call("network.network_epoch", layers=_core.network.Layers, training=_core.network.Training)
def network_epoch(rng: Rng) -> Arguments:
    dtype = rng.choice([np.float64, np.float32])
    n, d = few(rng, 1, 30), few(rng, 1, 6)
    columns = np.sort(rng.choice(d, few(rng, 1, d), replace=False))
    return {
        **trained(rng, dtype, n, len(columns)), "x": rng.normal(size=(n, d)), "columns": columns,
        "center": rng.normal(size=len(columns)), "unit": rng.random(len(columns)), "limit": 10.0,
    }  # fmt: skip


@call(
    "network.filled_network_epoch",
    filled=_core.base.fill_rows,
    layers=_core.network.Layers,
    training=_core.network.Training,
)
def filled_network_epoch(rng: Rng) -> Arguments:
    rows, n, width = thin(rng)
    return {**owned("filled", rows), **trained(rng, np.float64, n, width)}


@call("network.network_scores", layers=_core.network.Layers)
def network_scores(rng: Rng) -> Arguments:
    dtype, n, inputs = rng.choice([np.float64, np.float32]), few(rng, 0, 20), few(rng)
    given = trained(rng, dtype, n, inputs)
    used = {name: given[name] for name in SCORING}
    out = np.zeros((n, int(given["layers.widths"][-1])), dtype)
    return {**used, "rows": rng.normal(size=(n, inputs)).astype(dtype), "out": out}


@call("network.filled_network_scores", filled=_core.base.fill_rows, layers=_core.network.Layers)
def filled_network_scores(rng: Rng) -> Arguments:
    rows, n, width = thin(rng)
    given, which = trained(rng, np.float64, n, width), rng.integers(0, n, few(rng, 0, 20))
    used = {name: given[name] for name in SCORING}
    return {
        **owned("filled", rows),
        **used,
        "which": which,
        "out": np.zeros((len(which), int(given["layers.widths"][-1]))),
    }


@call("network.judged_scores")
def judged_scores(rng: Rng) -> Arguments:
    n, classes, dtype = few(rng, 1, 20), few(rng, 2, 4), rng.choice([np.float64, np.float32])
    which = rng.integers(0, n, few(rng, 0, 20))
    return {
        "scores": rng.normal(size=(len(which), classes)).astype(dtype), "which": which,
        "codes": codes(rng, n, classes), "weight": maybe(rng, rng.random(n)),
        "surrogate": str(rng.choice(["cross_entropy", "squared_error"])),
    }  # fmt: skip


# -- support vector machines -----------------------------------------------------------------------------------


def kernel(rng: Rng) -> tuple[Arguments, Any]:
    dtype = rng.choice([np.float64, np.float32])
    name = str(rng.choice(["linear", "polynomial", "rbf", "sigmoid"]))
    given = {"gemm": GEMM[dtype], "kernel": name, "gamma": 0.5, "coef0": 1.0, "degree": 2}
    return {**owned("kernel", given), "threads": threads(rng)}, dtype


@call("svm.kernel_block", kernel=_core.svm.Kernel)
def kernel_block(rng: Rng) -> Arguments:
    given, dtype = kernel(rng)
    a, b, d = few(rng, 0, 10), few(rng, 0, 10), few(rng)
    left, right = (rng.normal(size=(n, d)).astype(dtype) for n in (a, b))
    return {**given, "left": left, "right": right, "out": np.zeros((a, b), dtype)}


@call("svm.kernel_sums", kernel=_core.svm.Kernel)
def kernel_sums(rng: Rng) -> Arguments:
    given, dtype = kernel(rng)
    a, b, d, machines = few(rng, 0, 10), few(rng, 0, 10), few(rng), few(rng, 1, 3)
    points, vectors = (rng.normal(size=(n, d)).astype(dtype) for n in (a, b))
    factor, out = rng.normal(size=(machines, b)), np.zeros((machines, a))
    return {**given, "points": points, "vectors": vectors, "factor": factor, "out": out}


def dual(rng: Rng, n: int) -> Arguments:
    side = rng.random(n) < 0.5
    return {
        "low": np.where(side, -1.0, 0.0), "high": np.where(side, 0.0, 1.0), "tolerance": 1e-3,
        "most_steps": few(rng, 0, 50), "threads": threads(rng), "b": np.zeros(n), "v": np.zeros(n),
    }  # fmt: skip


@call("svm.smo_gram")
def smo_gram(rng: Rng) -> Arguments:
    rows = rng.normal(size=(few(rng, 1, 20), few(rng)))
    return {**dual(rng, len(rows)), "gram": (rows @ rows.T).astype(rng.choice([np.float64, np.float32]))}


@call("svm.smo_rows", kernel=_core.svm.Kernel)
def smo_rows(rng: Rng) -> Arguments:
    given, dtype = kernel(rng)
    points = rng.normal(size=(few(rng, 1, 20), few(rng))).astype(dtype)
    return {**given, **dual(rng, len(points)), "points": points, "most_rows": few(rng, 1, 20)}
