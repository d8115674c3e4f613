"""Calls that read a table: moments, scores, standardised rows, folds of linear models, filled rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay import _core
from tests.fuzz.kernels.calls import Arguments, Rng, call, codes, few, maybe, owned, table, threads


def gaps(rng: Rng, columns: int) -> tuple[Any, Any, int]:
    """Values in place of NaN, columns with flags, and the width of a row with its flags."""
    if columns == 0 or rng.random() < 0.5:
        return None, None, columns
    flags = codes(rng, few(rng, 0, 3), columns)
    return rng.normal(size=columns), flags, columns + len(flags)


def cells_of(rng: Rng, x: Any, width: int, cells: int) -> Arguments:
    return {
        "x": x, "cell": codes(rng, len(x), cells, -1), "weight": maybe(rng, rng.random(len(x))),
        "center": rng.normal(size=(cells, width)), "threads": threads(rng), "total": np.zeros(cells),
        "sum": np.zeros((cells, width)),
    }  # fmt: skip


@call("moments.diagonal_moments")
def diagonal_moments(rng: Rng) -> Arguments:
    n, d, cells = few(rng, 0, 40), few(rng), few(rng, 1, 4)
    square, present = np.zeros((cells, d)), np.zeros((cells, d))
    return {**cells_of(rng, table(rng, n, d), d, cells), "square": square, "present": maybe(rng, present)}


@call("moments.full_moments")
def full_moments(rng: Rng) -> Arguments:
    n, d, matrices, pool = few(rng, 0, 40), few(rng), few(rng, 1, 3), few(rng, 1, 2)
    fill, indicators, width = gaps(rng, d)
    return {
        **cells_of(rng, table(rng, n, d), width, matrices * pool), "pool": pool, "fill": fill,
        "indicators": indicators, "product": np.zeros((matrices, width, width)),
    }  # fmt: skip


@call("moments.replicate_moments")
def replicate_moments(rng: Rng) -> Arguments:
    n, d, cells, drawn = few(rng, 1, 40), few(rng), few(rng, 1, 4), few(rng, 1, 6)
    pool = int(rng.choice([0, 1, cells]))
    shape = (drawn, cells, d) if pool == 0 else (drawn, cells // pool, d, d)
    return {
        **cells_of(rng, table(rng, n, d), d, cells),
        "multiplicity": rng.poisson(1.0, (drawn, n)).astype(np.uint16), "pool": pool,
        "total": np.zeros((drawn, cells)), "drawn": np.zeros((drawn, cells)),
        "sum": np.zeros((drawn, cells, d)), "product": np.zeros(shape),
    }  # fmt: skip


def layers(rng: Rng) -> tuple[Any, int]:
    """Cells of some layers, of either width, and how many cells there are."""
    shape, cells = (few(rng, 1, 4), few(rng, 0, 30)), few(rng, 1, 5)
    return rng.integers(-1, cells, shape).astype(rng.choice([np.int16, np.int32])), cells


@call("folds.cell_sums")
def cell_sums(rng: Rng) -> Arguments:
    (given, cells), classes = layers(rng), few(rng, 1, 4)
    rows = given.shape[1]
    return {
        "cells": given, "codes": codes(rng, rows, classes), "weight": maybe(rng, rng.random(rows)),
        "sums": np.zeros((len(given), cells, classes)),
    }  # fmt: skip


@call("folds.cell_copies")
def cell_copies(rng: Rng) -> Arguments:
    (given, cells), models = layers(rng), few(rng, 1, 5)
    return {
        "cells": given, "layer": codes(rng, models, len(given)),
        "table": rng.poisson(1.0, (models, cells)).astype(np.uint16),
        "copies": np.zeros((models, given.shape[1]), np.uint16),
    }  # fmt: skip


def tested(rng: Rng) -> tuple[Any, Any, Any, Any]:
    """Cells, where the tests of each begin, the tests, and where the pairs of each layer end."""
    given, cells = layers(rng)
    count = rng.integers(0, 3, len(given) * cells)
    pairs = np.where(given < 0, 0, np.append(count, 0)[np.arange(len(given))[:, None] * cells + given])
    first = np.concatenate([[0], np.cumsum(count)]).astype(np.int64)
    return given, first, np.arange(count.sum(), dtype=np.int32), np.cumsum(pairs.sum(axis=1))


@call("folds.count_pairs")
def count_pairs(rng: Rng) -> Arguments:
    given, first, _, ends = tested(rng)
    return {"cells": given, "first": first, "ends": np.zeros(len(ends), np.int64)}


@call("folds.list_pairs")
def list_pairs(rng: Rng) -> Arguments:
    given, first, tests, ends = tested(rng)
    row, test = np.zeros(ends[-1], np.int64), np.zeros(ends[-1], np.int32)
    return {"cells": given, "first": first, "tests": tests, "ends": ends, "row": row, "test": test}


@call("folds.every_row_once")
def every_row_once(rng: Rng) -> Arguments:
    return {"row": rng.integers(0, 9, few(rng, 0, 30))}


@call("folds.pairs_ascend")
def pairs_ascend(rng: Rng) -> Arguments:
    tests, pairs = few(rng, 1, 6), few(rng, 0, 30)
    return {
        "layer": codes(rng, tests, 3), "row": rng.integers(0, 9, pairs), "test": codes(rng, pairs, tests),
    }  # fmt: skip


def scored(rng: Rng) -> tuple[Arguments, int, int, int]:
    """Pairs of rows and models, room for their scores; models, classes and width."""
    n, d, models, classes = few(rng, 1, 40), few(rng), few(rng, 1, 3), few(rng, 2, 4)
    fill, indicators, width = gaps(rng, d)
    rows = maybe(rng, rng.integers(0, n, few(rng, 0, 50)))
    pairs, best = n if rows is None else len(rows), maybe(rng, 1)
    return {
        "x": table(rng, n, d), "rows": rows, "models": maybe(rng, codes(rng, pairs, models)), "fill": fill,
        "indicators": indicators, "bias": rng.normal(size=(models, classes)), "threads": threads(rng),
        "out": np.zeros((pairs, classes)), "best": None if best is None else np.zeros(pairs, np.int32),
        "unusable": None if best is None else np.zeros(1, np.int64),
    }, models, classes, width  # fmt: skip


@call("scores.linear_scores")
def linear_scores(rng: Rng) -> Arguments:
    given, models, classes, width = scored(rng)
    center, weights = rng.normal(size=(models, width)), rng.normal(size=(models, classes, width))
    return {**given, "center": center, "weights": weights}


@call("scores.diagonal_scores")
def diagonal_scores(rng: Rng) -> Arguments:
    given, models, classes, width = scored(rng)
    shape = (models, classes, width)
    return {
        **given,
        "mean": rng.normal(size=shape),
        "precision": rng.random(shape),
        "marginal": bool(few(rng, 0, 1)),
    }


@call("scores.quadratic_scores")
def quadratic_scores(rng: Rng) -> Arguments:
    given, models, classes, width = scored(rng)
    inner = width if rng.random() < 0.5 else few(rng, 1, 4)
    return {
        **given, "mean": rng.normal(size=(models, classes, width)),
        "whitener": rng.normal(size=(models, classes, width, inner)), "triangular": inner == width,
    }  # fmt: skip


@call("scores.normalize_scores")
def normalize_scores(rng: Rng) -> Arguments:
    scores = rng.normal(size=(few(rng, 0, 30), few(rng, 1, 5)))
    return {"scores": scores, "threads": threads(rng), "best": np.zeros(len(scores), np.int32)}


@call("scores.log_losses")
def log_losses(rng: Rng) -> Arguments:
    scores = rng.normal(size=(few(rng, 0, 30), few(rng, 1, 5)))
    return {
        "scores": scores, "codes": codes(rng, len(scores), scores.shape[1]), "floor": -20.0,
        "threads": threads(rng), "out": np.zeros(len(scores)),
    }  # fmt: skip


@call("scores.posteriors")
def posteriors(rng: Rng) -> Arguments:
    logs = rng.normal(size=(few(rng, 0, 30), few(rng, 1, 5)))
    return {"log_posterior": logs, "threads": threads(rng), "out": np.zeros(logs.shape)}


@call("logistic.standardized_rows")
def standardized_rows(rng: Rng) -> Arguments:
    n, d = few(rng, 1, 40), few(rng)
    fill, indicators, width = gaps(rng, d)
    rows = maybe(rng, rng.integers(0, n, few(rng, 0, 50)))
    first = few(rng, 0, n)
    count = few(rng, 0, n - first) if rows is None else len(rows)
    return {
        "x": table(rng, n, d), "rows": rows, "first": first, "fill": fill, "indicators": indicators,
        "center": rng.normal(size=width), "unit": rng.random(width), "out": np.zeros((count, width + 1)),
    }  # fmt: skip


@call("logistic.softmax_residuals")
def softmax_residuals(rng: Rng) -> Arguments:
    groups, classes, n = few(rng, 0, 4), few(rng, 1, 4), few(rng, 0, 30)
    return {
        "scores": rng.normal(size=(groups, classes, n)), "codes": codes(rng, n, max(2, classes)),
        "weight": maybe(rng, rng.random(n)), "loss": np.zeros(groups),
    }  # fmt: skip


@call("logistic.softmax_posteriors")
def softmax_posteriors(rng: Rng) -> Arguments:
    return {"scores": rng.normal(size=(few(rng, 1, 4), few(rng, 0, 30)))}


# -- folds of linear models ------------------------------------------------------------------------------------


def chunked(rng: Rng, folds: int, classes: int) -> tuple[Arguments, int]:
    """Ordered rows in chunks of folds, and their width."""
    n, d = few(rng, 1, 40), few(rng, 1, 5)
    fill, indicators, width = gaps(rng, d)
    order = rng.permutation(n)
    cuts = np.unique(np.concatenate([[0, n], rng.integers(0, n + 1, 3)]))
    return {
        "x": table(rng, n, d), "fill": fill, "indicators": indicators, "order": order,
        "center": rng.normal(size=width), "unit": rng.random(width), "codes": codes(rng, n, max(2, classes)),
        "weight": maybe(rng, rng.random(n)), "start": cuts.astype(np.int64),
        "fold": codes(rng, len(cuts) - 1, folds), "coarse": bool(few(rng, 0, 1)), "keep": bool(few(rng, 0, 1)),
    }, width  # fmt: skip


@call("logistic.kept_size")
def kept_size(rng: Rng) -> Arguments:
    return {"width": few(rng), "start": np.sort(rng.integers(0, 50, few(rng, 1, 5)))}


@call("logistic.FoldRows.gradients", self=_core.logistic.FoldRows)
def gradients(rng: Rng) -> Arguments:
    folds, classes = few(rng, 1, 3), few(rng, 1, 3)
    rows, width = chunked(rng, folds, classes)
    first = np.concatenate([[0], np.cumsum(rng.integers(0, 3, folds))])
    models = int(first[-1])
    return {
        **owned("self", rows), "models": rng.normal(size=(models, classes, width + 1)), "first": first,
        "exact": bool(few(rng, 0, 1)), "threads": threads(rng),
        "gradient": np.zeros((models, classes, width + 1)), "loss": np.zeros(models),
    }  # fmt: skip


@call("logistic.FoldRows.grams", self=_core.logistic.FoldRows)
def grams(rng: Rng) -> Arguments:
    folds, classes = few(rng, 1, 3), few(rng, 1, 3)
    rows, width = chunked(rng, folds, classes)
    pairs = 1 if classes == 1 else classes * (classes - 1) // 2
    return {
        **owned("self", rows), "model": rng.normal(size=(classes, width + 1)), "wanted": rng.random(folds) < 0.7,
        "exact": bool(few(rng, 0, 1)), "threads": threads(rng),
        "out": np.zeros((folds, pairs, width + 1, width + 1)),
    }  # fmt: skip


@call("logistic.newton_path", rows=_core.logistic.FoldRows, parts=_core.logistic.TrainingParts)
def newton_path(rng: Rng) -> Arguments:
    classes, count = few(rng, 1, 3), few(rng, 1, 2)
    rows, width = chunked(rng, 1, classes)
    penalties, size = few(rng, 1, 2), classes * (width + 1)
    parts = {
        "share": np.ones((1, 1)), "penalty": np.ones((1, width)),
        "free": np.ones((1, classes, width + 1), bool), "start": np.zeros((1, classes, width + 1)),
        "weight": np.array([float(len(rows["codes"]))]), "maps": None,
    }  # fmt: skip
    return {
        **owned("rows", rows), **owned("parts", parts), "pilot": None, "l2": rng.random(penalties) + 0.1,
        "tol": 1e-3, "threads": threads(rng), "B": np.zeros((penalties, 1, size)),
        "gradient": np.zeros((penalties, 1)), "loss": np.zeros((penalties, 1)),
        "converged": np.zeros((penalties, 1), bool), "theta": np.zeros((1, size)), "renewed": np.zeros(1, bool),
        "begin": maybe(rng, rng.normal(size=size)) if count else None,
    }  # fmt: skip


# -- rows of few entries ---------------------------------------------------------------------------------------


def thin(rng: Rng, dtype: Any = None) -> tuple[Arguments, int, int]:
    """Rows with few entries; how many, and their width."""
    n, d = few(rng, 1, 30), few(rng, 1, 6)
    x = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.4)
    fill, indicators, width = gaps(rng, d)
    columns = np.sort(rng.choice(width, few(rng, 1, width), replace=False))
    which = maybe(rng, rng.integers(0, n, few(rng, 1, 30)))
    return {
        "x": x.astype(dtype or rng.choice([np.float64, np.float32])), "which": which, "fill": fill,
        "indicators": indicators, "columns": columns, "center": rng.normal(size=len(columns)),
        "unit": rng.random(len(columns)), "limit": np.inf, "most": 10**6,
    }, n if which is None else len(which), len(columns)  # fmt: skip


@call("base.fill_rows")
def fill_rows(rng: Rng) -> Arguments:
    return thin(rng)[0]


@call("base.fill_narrow_rows")
def fill_narrow_rows(rng: Rng) -> Arguments:
    return thin(rng)[0]


@call("base.FilledRows.scores", self=_core.base.fill_rows)
def filled_scores(rng: Rng) -> Arguments:
    rows, n, width = thin(rng)
    which = rng.integers(0, n, few(rng, 0, 20))
    return {
        **owned("self", rows),
        "which": which,
        "b": rng.normal(size=width + 1),
        "out": np.zeros(len(which)),
    }


@call("base.FilledRows.sums", self=_core.base.fill_rows)
def filled_sums(rng: Rng) -> Arguments:
    rows, n, width = thin(rng)
    which, models = rng.integers(0, n, few(rng, 0, 20)), few(rng, 1, 3)
    r, out = rng.normal(size=(models, len(which))), np.zeros((models, width + 1))
    return {**owned("self", rows), "which": which, "r": r, "out": out}


@call("base.FilledRows.dense", self=_core.base.fill_rows)
def filled_dense(rng: Rng) -> Arguments:
    rows, n, width = thin(rng)
    which = rng.integers(0, n, few(rng, 0, 20))
    return {**owned("self", rows), "which": which, "out": np.zeros((len(which), width + 1))}


@call("base.map_filled", filled=_core.base.fill_rows)
def map_filled(rng: Rng) -> Arguments:
    rows, n, width = thin(rng)
    columns = rng.permutation(width)[: few(rng, 1, width)]
    return {
        **owned("filled", rows), "which": rng.integers(0, n, few(rng, 0, 20)), "columns": columns,
        "factor": rng.normal(size=len(columns)), "shift": rng.normal(size=len(columns)),
    }  # fmt: skip


@call("network.lean_rows", filled=_core.base.fill_rows)
def lean_rows(rng: Rng) -> Arguments:
    return owned("filled", thin(rng)[0])


def make_lean(**given: Any) -> Any:
    filled = _core.base.fill_rows(**given)
    return None if filled is None else _core.network.lean_rows(filled)


@call("network.OffsetCsrRows.base", self=make_lean)
def lean_base(rng: Rng) -> Arguments:
    rows, _, width = thin(rng)
    return {**owned("self", rows), "out": np.zeros(width)}


@call("network.OffsetCsrRows.scores", self=make_lean)
def lean_scores(rng: Rng) -> Arguments:
    rows, n, width = thin(rng)
    return {**owned("self", rows), "w": rng.normal(size=width + 1), "out": np.zeros(n)}


def visited(rng: Rng, n: int, width: int) -> Arguments:
    classes = int(rng.choice([1, 3]))
    return {
        "codes": codes(rng, n, max(2, classes)), "size": rng.random(n) + 0.1,
        "order": maybe(rng, rng.permutation(n)), "seen": 0.0, "weights": rng.normal(size=(classes, width)),
        "late": np.zeros((classes, width)), "longest": np.zeros((classes, width)),
    }  # fmt: skip


@call("network.OffsetCsrRows.epoch", self=make_lean)
def lean_epoch(rng: Rng) -> Arguments:
    rows, n, width = thin(rng)
    return {**owned("self", rows), **visited(rng, n, width + 1)}


@call("network.perceptron_epoch")
def perceptron_epoch(rng: Rng) -> Arguments:
    n, width = few(rng, 0, 30), few(rng)
    return {"z": rng.normal(size=(n, width)), **visited(rng, n, width), "largest": 5.0}


@call("network.single_layer_steps")
def single_layer_steps(rng: Rng) -> Arguments:
    n, width, units = few(rng, 0, 20), few(rng), int(rng.choice([1, 3]))
    return {
        "z": rng.normal(size=(n, width)), "codes": codes(rng, n, max(2, units)), "rates": rng.random(n) * 0.1,
        "decay": maybe(rng, rng.random(width)), "output": str(rng.choice(["linear", "step", "sigmoid", "softmax"])),
        "surrogate": str(rng.choice(["squared_error", "absolute_error", "cross_entropy"])), "low": 0.0,
        "weights": rng.normal(size=(units, width)),
    }  # fmt: skip
