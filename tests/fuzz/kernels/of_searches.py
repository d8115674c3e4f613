"""Calls that search or solve: neighbours, clusters, features, grids, mixtures, Newton steps."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay import _core
from assay.numerics.interrupt import check_interrupt
from tests.fuzz.kernels.calls import Arguments, Rng, call, codes, few, maybe, owned, table, threads
from tests.fuzz.kernels.of_rows import gaps

# -- neighbours ------------------------------------------------------------------------------------------------


def samples(rng: Rng) -> tuple[Any, Any]:
    """Rows and queries of the same columns and precision."""
    kind, d = rng.choice([np.float64, np.float32]), few(rng)
    whole = rng.random() < 0.3
    rows, queries = (rng.normal(size=(few(rng, 1, 40), d)) for _ in range(2))
    return tuple((np.round(each) if whole else each).astype(kind) for each in (rows, queries))  # type: ignore[return-value]


@call("neighbors.nearest")
def nearest(rng: Rng) -> Arguments:
    (rows, queries), groups, k, metric = samples(rng), few(rng, 1, 3), few(rng, 1, 5), few(rng, 0, 3)
    part = few(rng, 0, 2)
    return {
        "rows": rows, "queries": queries, "row_group": codes(rng, len(rows), groups, -2) if part else None,
        "query_group": codes(rng, len(queries), groups) if part else None, "groups": groups, "part": part,
        "itself": maybe(rng, rng.integers(-1, len(rows), len(queries))), "metric": metric,
        "numeric": few(rng, 0, rows.shape[1]), "by_products": metric == 0 and bool(few(rng, 0, 1)),
        "threads": threads(rng), "near": np.zeros((len(queries), k), np.int32),
        "distances": np.zeros((len(queries), k)), "squared": bool(few(rng, 0, 1)),
    }  # fmt: skip


@call("neighbors.all_distances")
def all_distances(rng: Rng) -> Arguments:
    rows, queries = samples(rng)
    return {
        "rows": rows, "queries": queries, "metric": few(rng, 0, 3), "numeric": few(rng, 0, rows.shape[1]),
        "threads": threads(rng), "out": np.zeros((len(queries), len(rows))),
    }  # fmt: skip


@call("neighbors.candidate_distances")
def candidate_distances(rng: Rng) -> Arguments:
    (rows, queries), each = samples(rng), few(rng, 0, 5)
    candidates = codes(rng, len(queries) * each, len(rows)).reshape(len(queries), each)
    return {
        "rows": rows, "queries": queries, "candidates": candidates, "threads": threads(rng),
        "out": np.zeros(candidates.shape),
    }  # fmt: skip


def listed(rng: Rng, rows: int) -> Arguments:
    count, length, k, places = few(rng, 0, 10), few(rng, 1, 8), few(rng, 1, 4), few(rng, 1, 5)
    lists = codes(rng, places * length, rows, -1).reshape(places, length)
    given = {
        "query": codes(rng, count, rows), "place": codes(rng, count, places), "lists": lists,
        "bounds": np.sort(rng.random(lists.shape), axis=1), "allowed": rng.integers(0, 2, rows).astype(np.uint8),
        "factor": 1.0, "slack": 0.0,
    }  # fmt: skip
    return {
        **owned("candidates", given), "threads": threads(rng), "near": np.zeros((count, k), np.int32),
        "distances": np.zeros((count, k)), "sure": np.zeros(count, np.uint8),
    }  # fmt: skip


@call("neighbors.nearest_listed", candidates=_core.neighbors.Candidates)
def nearest_listed(rng: Rng) -> Arguments:
    rows = samples(rng)[0]
    return {"rows": rows, **listed(rng, len(rows))}


def patterns(rng: Rng) -> tuple[Arguments, int]:
    n, width = few(rng, 1, 30), few(rng, 1, 70)
    kind = rng.integers(0, 3, width).astype(np.uint8)
    words = -(-width // 64)
    bits = rng.integers(0, 2**63, (n, words)).astype(np.uint64)
    if width % 64:
        bits[:, -1] &= np.uint64((1 << (width % 64)) - 1)
    numbers = rng.normal(size=(n, int((kind == 2).sum())))
    given = {"bits": bits, "numbers": numbers, "kind": kind, "step": rng.random(width)}
    return owned("patterns", given), n


@call("neighbors.patterns_listed", patterns=_core.neighbors.Patterns, candidates=_core.neighbors.Candidates)
def patterns_listed(rng: Rng) -> Arguments:
    given, n = patterns(rng)
    return {**given, **listed(rng, n)}


@call("neighbors.nearest_patterns", patterns=_core.neighbors.Patterns)
def nearest_patterns(rng: Rng) -> Arguments:
    given, n = patterns(rng)
    rows, queries = np.sort(codes(rng, few(rng, 1, 30), n)), codes(rng, few(rng, 0, 20), n)
    k = few(rng, 1, 4)
    return {
        **given, "rows": np.unique(rows).astype(np.int32), "queries": queries, "threads": threads(rng),
        "near": np.zeros((len(queries), k), np.int32), "distances": np.zeros((len(queries), k)),
    }  # fmt: skip


@call("neighbors.merge_near")
def merge_near(rng: Rng) -> Arguments:
    count, a, b = few(rng, 0, 10), few(rng, 1, 5), few(rng, 1, 5)
    k = few(rng, 1, a + b)
    return {
        "rows": codes(rng, count * a, 50).reshape(count, a), "distances": np.sort(rng.random((count, a))),
        "other_rows": codes(rng, count * b, 50).reshape(count, b),
        "other_distances": np.sort(rng.random((count, b))), "near": np.zeros((count, k), np.int32),
        "out": np.zeros((count, k)),
    }  # fmt: skip


@call("neighbors.vote")
def vote(rng: Rng) -> Arguments:
    count, length, n, classes, sizes = (
        few(rng, 0, 10),
        few(rng, 1, 6),
        few(rng, 1, 20),
        few(rng, 1, 4),
        few(rng, 1, 3),
    )
    near = codes(rng, count * length, n, -1).reshape(count, length)
    models, layers, cells, asking = (
        few(rng, 1, 4),
        few(rng, 1, 2),
        few(rng, 1, 3),
        few(rng, 0, 12) if count else 0,
    )
    who: Arguments = {}
    if rng.random() < 0.7:
        who = {
            "place": codes(rng, asking, max(count, 1)), "model": codes(rng, asking, models),
            "unit": maybe(rng, rng.random(models)),
        }  # fmt: skip
        if rng.random() < 0.7:
            who |= {
                "cell": codes(rng, layers * n, cells, -1).reshape(layers, n), "layer": codes(rng, models, layers),
                "copies": rng.integers(0, 3, (models, cells)).astype(np.uint16),
            }  # fmt: skip
    queries = asking if who else count
    return {
        "near": near, "distances": np.sort(rng.random(near.shape)), "codes": codes(rng, n, classes),
        "weight": maybe(rng, rng.random(n)), "sizes": np.sort(rng.integers(1, 6, sizes)).astype(float),
        "by_distance": bool(few(rng, 0, 1)), "last": bool(few(rng, 0, 1)), "threads": threads(rng),
        "too_short": np.zeros(queries, np.uint8), "out": np.zeros((sizes, queries, classes)), **who,
    }  # fmt: skip


# -- clusters and mixtures -------------------------------------------------------------------------------------


@call("cluster.lloyd")
def lloyd(rng: Rng) -> Arguments:
    rows, groups = samples(rng)[0], few(rng, 1, 5)
    return {
        "rows": rows, "weight": maybe(rng, rng.random(len(rows))), "most_steps": few(rng, 0, 5), "tolerance": 0.0,
        "threads": threads(rng), "centers": rng.normal(size=(groups, rows.shape[1])),
        "labels": np.zeros(len(rows), np.int32),
    }  # fmt: skip


@call("cluster.nearest_centers")
def nearest_centers(rng: Rng) -> Arguments:
    given = lloyd(rng)
    return {name: given[name] for name in ("rows", "centers", "threads", "labels")}


@call("cluster.closer")
def closer(rng: Rng) -> Arguments:
    rows = samples(rng)[0]
    drawn = codes(rng, few(rng, 0, 4), len(rows))
    return {
        "rows": rows, "weight": maybe(rng, rng.random(len(rows))), "drawn": drawn, "closest": rng.random(len(rows)),
        "threads": threads(rng), "left": np.zeros((len(drawn), len(rows))), "sums": np.zeros(len(drawn)),
    }  # fmt: skip


@call("cluster.em_steps")
def em_steps(rng: Rng) -> Arguments:
    n, d, classes, blobs, shape = (
        few(rng, 1, 30),
        few(rng, 1, 4),
        few(rng, 1, 2),
        few(rng, 1, 3),
        few(rng, 0, 3),
    )
    spread = np.tile(np.eye(d), (blobs, 1, 1)) if shape < 2 else np.ones((blobs, d))
    shares = rng.random((classes, blobs)) + 0.1
    return {
        "x": rng.normal(size=(n, d)), "weight": np.ones(n), "codes": codes(rng, n, classes) if classes > 1 else None,
        "shape": shape, "floor": 1e-6, "steps": few(rng, 0, 4), "gain": 1e-6, "rounding": 1e-9, "least": 0.0,
        "shares": shares / shares.sum(axis=1, keepdims=True), "means": rng.normal(size=(blobs, d)),
        "covariances": spread.copy(), "whiteners": spread.copy(), "log_determinants": np.zeros(blobs),
        "floored": np.zeros(blobs, np.int64),
    }  # fmt: skip


# -- searches for features -------------------------------------------------------------------------------------


def sorted_rows(rng: Rng) -> tuple[Arguments, int, int, int, int]:
    """Sorted rows; their number, features, classes and splits."""
    cells, splits, features, classes = few(rng, 1, 4), few(rng, 1, 3), few(rng, 1, 5), few(rng, 2, 3)
    first = np.concatenate([[0], np.cumsum(rng.integers(0, 3, cells))]) * _core.search.search_rows
    count = int(first[-1])
    given = {
        "first": first, "split": codes(rng, cells, splits), "own": codes(rng, cells, classes), "splits": splits,
        "features": features, "classes": classes, "weight": maybe(rng, rng.random(count)),
    }  # fmt: skip
    return owned("rows", given), count, features, classes, splits


def units(rng: Rng, features: int) -> Arguments:
    start = np.concatenate([[0], np.cumsum(rng.integers(0, 3, few(rng, 0, 4)))]).astype(np.int64)
    return {"start": start, "feature": codes(rng, int(start[-1]), features)}


@call("search.sort_rows", rows=_core.search.SortedRows)
def sort_rows(rng: Rng) -> Arguments:
    given, count, features, _, splits = sorted_rows(rng)
    n = few(rng, 1, 20)
    return {
        **given, "table": table(rng, n, features), "source": rng.integers(-1, n, count),
        "center": rng.normal(size=(splits, features)), "threads": threads(rng), "out": np.zeros((features, count)),
    }  # fmt: skip


def normals(rng: Rng) -> tuple[Arguments, int, int, int]:
    given, count, features, classes, splits = sorted_rows(rng)
    shape = (splits, features, classes)
    models = {name: rng.random(shape) for name in ("mean", "half", "constant")}
    x, margin = rng.normal(size=(features, count)), rng.normal(size=(classes - 1, count))
    return {**given, **models, "x": x, "margin": margin, "threads": threads(rng)}, count, features, classes


@call("search.add_normals", rows=_core.search.SortedRows)
def add_normals(rng: Rng) -> Arguments:
    given, _, features, _ = normals(rng)
    return {**given, "feature": codes(rng, few(rng, 0, 5), features)}


@call("search.try_normals", rows=_core.search.SortedRows)
def try_normals(rng: Rng) -> Arguments:
    given, _, features, _ = normals(rng)
    tried = units(rng, features)
    return {**given, **tried, "without": bool(few(rng, 0, 1)), "hits": np.zeros(len(tried["start"]) - 1)}


@call("search.try_moves", rows=_core.search.SortedRows)
def try_moves(rng: Rng) -> Arguments:
    given, count, features, classes, splits = sorted_rows(rng)
    tried, rivals, cells = units(rng, features), classes - 1, len(given["rows.split"])
    moved, listed_count = few(rng, 0, features) - 1, len(tried["feature"])
    terms = {
        "move_slope": rng.normal(size=(cells, rivals)), "move_center": rng.normal(size=(cells, rivals)),
        "factor": rng.normal(size=(splits, features)),
    }  # fmt: skip
    return {
        **given, "moved": moved, **(terms if moved >= 0 else dict.fromkeys(terms)), **tried,
        "slope": rng.normal(size=(cells, listed_count, rivals)),
        "center": rng.normal(size=(cells, listed_count, rivals)), "others": codes(rng, few(rng, 0, 3), features),
        "threads": threads(rng), "x": rng.normal(size=(features, count)), "margin": rng.normal(size=(rivals, count)),
        "hits": np.zeros(len(tried["start"]) - 1),
    }  # fmt: skip


@call("scores.grid_mistakes", bases=_core.scores.GridBases)
def grid_mistakes(rng: Rng) -> Arguments:
    n, d = few(rng, 1, 30), few(rng, 1, 4)
    fill, indicators, width = gaps(rng, d)
    models, bases, classes, inner, most, lines = (few(rng, 1, 3) for _ in range(6))
    folds, each, cells = few(rng, 1, 3), few(rng, 1, 2), few(rng, 1, 4)
    first = np.concatenate([[0], np.cumsum(rng.integers(0, 6, cells))]).astype(np.int64)
    settings = codes(rng, bases, most + 1, 1)
    given = {
        "settings": settings, "turn": rng.normal(size=(models, bases, classes, width, inner)),
        "start": rng.normal(size=(models, bases, classes, inner)),
        "share": rng.random((models, bases, classes, inner, most)),
        "bias": rng.normal(size=(models, bases, most, classes)),
    }  # fmt: skip
    slots = bases * most + lines
    return {
        "table": table(rng, n, d), "fill": fill, "indicators": indicators, "first": first,
        "source": rng.integers(0, n, int(first[-1])), "fold": codes(rng, cells, folds),
        "own": codes(rng, cells, classes), "weight": maybe(rng, rng.random(n)),
        "tests": codes(rng, folds * each, models, -1).reshape(folds, each), "center": rng.normal(size=width),
        "unit": rng.random(width), **owned("bases", given), "slope": rng.normal(size=(models, lines, classes, width)),
        "level": rng.normal(size=(models, lines, classes)), "threads": threads(rng),
        "sums": np.zeros((folds, each, classes, slots, 2)),
    }  # fmt: skip


# -- lines, steps and coordinates ------------------------------------------------------------------------------


@call("svm.hinge_length")
def hinge_length(rng: Rng) -> Arguments:
    t, bent, c = rng.normal(size=(3, few(rng, 0, 20)))
    return {"t": t, "bent": bent, "c": np.abs(c), "sigma": 1.0, "linear": -1.0, "square": 1.0}


def hinged(rng: Rng) -> tuple[Arguments, int]:
    n = few(rng, 0, 20)
    y = rng.choice([-1.0, 1.0], n)
    return {
        "self.y": y, "self.c": rng.random(n), "self.f": rng.normal(size=n), "self.alpha": rng.random(n),
        "self.sigma": 1.0,
    }, n  # fmt: skip


@call("svm.HingeRows.move", self=_core.svm.HingeRows)
def hinge_move(rng: Rng) -> Arguments:
    given, n = hinged(rng)
    return {**given, "along": rng.normal(size=n), "linear": -1.0, "square": 1.0}


for name in ("figures", "free", "nearness", "multipliers", "changed"):
    call(f"svm.HingeRows.{name}", self=_core.svm.HingeRows)(lambda rng: hinged(rng)[0])


@call("logistic.coordinate_descent")
def coordinate_descent(rng: Rng) -> Arguments:
    n = few(rng)
    rows = rng.normal(size=(n + 3, n))
    return {
        "hessian": rows.T @ rows, "gradient": rng.normal(size=n), "start": np.zeros(n), "l1": np.full(n, 0.1),
        "sweeps": few(rng, 0, 20), "tol": 1e-6, "out": np.zeros(n),
    }  # fmt: skip


@call("set_interrupt_check")
def set_interrupt_check(rng: Rng) -> Arguments:
    return {"check": check_interrupt}


@call("isa")
def isa(rng: Rng) -> Arguments:
    return {}
