"""Calls that count or follow lists: levels, folds, sparse rows, words, texts, ratings."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay import _core
from tests.fuzz.kernels.calls import Arguments, Rng, call, codes, few, maybe, owned, pointers, table, threads

# -- levels ----------------------------------------------------------------------------------------------------


@call("counts.level_ranges")
def level_ranges(rng: Rng) -> Arguments:
    n, d = few(rng, 0, 30), few(rng, 1, 5)
    x = rng.integers(0, 9, (n, d)).astype(rng.choice([np.float64, np.float32, np.int64, np.int32, np.uint8]))
    return {
        "x": x, "threads": threads(rng), "low": np.zeros(d), "high": np.zeros(d), "whole": np.zeros(d, np.uint8)
    }  # fmt: skip


@call("counts.table_codes")
def table_codes(rng: Rng) -> Arguments:
    n, d = few(rng, 0, 30), few(rng, 1, 5)
    x = rng.integers(0, 9, (n, d)).astype(rng.choice([np.float64, np.float32, np.int64, np.int32, np.uint8]))
    first = pointers(rng, d)
    return {
        "x": x, "low": rng.integers(0, 3, d).astype(float), "first": first, "codes": codes(rng, int(first[-1]), 9),
        "threads": threads(rng), "out": np.zeros((d, n), np.int32),
    }  # fmt: skip


def levels(rng: Rng) -> tuple[Arguments, int, Any]:
    """Codes of levels; how many rows, and where the levels of each column begin."""
    n, first = few(rng, 0, 30), pointers(rng, few(rng, 1, 5))
    each = [codes(rng, n, max(int(size), 1)) if size else np.full(n, -1, np.int32) for size in np.diff(first)]
    return {"codes": np.stack(each), "first": first}, n, first


@call("counts.count_levels")
def count_levels(rng: Rng) -> Arguments:
    given, n, first = levels(rng)
    cells = few(rng, 1, 4)
    out = np.zeros((cells, int(first[-1])), np.int64)
    return {**given, "cell": codes(rng, n, cells, -1), "threads": threads(rng), "out": out}


@call("counts.count_weighted_levels")
def count_weighted_levels(rng: Rng) -> Arguments:
    given = count_levels(rng)
    weight = rng.random(given["codes"].shape[1])
    return {**given, "weight": weight, "out": given["out"].astype(float)}


@call("counts.level_scores")
def level_scores(rng: Rng) -> Arguments:
    given, n, first = levels(rng)
    models, classes = few(rng, 1, 3), few(rng, 1, 4)
    lines = int(first[-1]) + len(first) - 1
    return {
        **given, "model": maybe(rng, codes(rng, n, models)), "table": rng.normal(size=(models, lines, classes)),
        "bias": rng.normal(size=(models, classes)), "threads": threads(rng), "out": np.zeros((n, classes)),
    }  # fmt: skip


@call("counts.count_bins")
def count_bins(rng: Rng) -> Arguments:
    n, d, classes = few(rng, 1, 30), few(rng, 1, 5), few(rng, 1, 3)
    cut = np.sort(rng.choice(n, few(rng, 0, min(n, 5)), replace=False))
    return {
        "x": table(rng, n, d), "cut": cut, "codes": codes(rng, n, classes), "threads": threads(rng),
        "edges": np.zeros(d, np.int64), "out": np.zeros((d, len(cut) + 1, classes), np.int64),
    }  # fmt: skip


# -- folds -----------------------------------------------------------------------------------------------------


@call("folds.row_hashes")
def row_hashes(rng: Rng) -> Arguments:
    return {"key": few(rng), "out": np.zeros(few(rng, 0, 20), np.uint64)}


@call("folds.assign_folds")
def assign_folds(rng: Rng) -> Arguments:
    n, classes = few(rng, 0, 30), few(rng, 1, 4)
    return {
        "codes": codes(rng, n, classes), "n_classes": classes, "key": few(rng), "n_folds": few(rng, 1, 5),
        "out": np.zeros(n, np.int32),
    }  # fmt: skip


@call("folds.assign_test")
def assign_test(rng: Rng) -> Arguments:
    given = assign_folds(rng)
    del given["n_folds"]
    return {**given, "n_test": few(rng, 0, len(given["codes"]))}


def grouped(rng: Rng) -> Arguments:
    n, classes, groups = few(rng, 4, 30), few(rng, 1, 4), few(rng, 2, 4)
    return {
        "codes": codes(rng, n, classes), "groups": np.append(np.arange(groups), codes(rng, n - groups, groups)).astype(
            np.int32
        ), "n_classes": classes, "n_groups": groups, "out": np.zeros(n, np.int32),
    }  # fmt: skip


@call("folds.assign_group_folds")
def assign_group_folds(rng: Rng) -> Arguments:
    return {**grouped(rng), "key": few(rng), "n_folds": few(rng, 1, 4)}


@call("folds.assign_group_test")
def assign_group_test(rng: Rng) -> Arguments:
    return {**grouped(rng), "key": few(rng), "n_test": few(rng, 0, 4)}


@call("folds.proportional_order")
def proportional_order(rng: Rng) -> Arguments:
    given = grouped(rng)
    out = np.zeros(len(given["codes"]), np.int64)
    return {**given, "groups": maybe(rng, given["groups"]), "out": out}


@call("folds.bootstrap_counts")
def bootstrap_counts(rng: Rng) -> Arguments:
    out = np.zeros((few(rng, 0, 4), few(rng, 1, 30)), np.uint16)
    return {"key": few(rng), "first": few(rng, 0, 5), "threads": threads(rng), "out": out}


# -- sparse rows and words -------------------------------------------------------------------------------------


def compressed(rng: Rng) -> tuple[Arguments, int, int]:
    """A compressed matrix; its rows and columns."""
    rows, columns, kind = few(rng, 0, 20), few(rng, 1, 9), rng.choice([np.int32, np.int64])
    first = pointers(rng, rows)
    entries = int(first[-1])
    return {
        "self.first": first.astype(kind), "self.column": rng.integers(0, columns, entries).astype(kind),
        "self.value": rng.normal(size=entries), "self.columns": columns,
    }, rows, columns  # fmt: skip


@call("base.SparseMatrix.products", self=_core.base.SparseMatrix)
def sparse_products(rng: Rng) -> Arguments:
    given, rows, columns = compressed(rng)
    count = few(rng, 0, 4)
    return {
        **given, "right": rng.normal(size=(count, columns)), "squared": bool(few(rng, 0, 1)),
        "threads": threads(rng), "out": np.zeros((count, rows)),
    }  # fmt: skip


@call("svm.DualRows.solve", self=_core.svm.DualRows)
def dual_rows_solve(rng: Rng) -> Arguments:
    given, rows, columns = compressed(rng)
    return {
        **given, "self.y": rng.choice([-1.0, 1.0], rows), "self.c": rng.random(rows),
        "self.squared": bool(few(rng, 0, 1)), "l2": 0.1, "r": 0.1, "tolerance": 1e-3, "most_steps": few(rng, 0, 200),
        "b0": 0.0, "alpha": np.zeros(rows), "w": np.zeros(columns),
    }  # fmt: skip


@call("counts.WordRows.add", self=_core.counts.WordRows)
def word_rows_add(rng: Rng) -> Arguments:
    given, rows, columns = compressed(rng)
    classes = few(rng, 1, 4)
    which = rng.integers(0, max(rows, 1), few(rng, 0, 20) if rows else 0)
    return {
        **given, "rows": which, "code": codes(rng, rows, classes, -1), "weight": maybe(rng, rng.random(rows)),
        "factor": 1.0, "table": np.zeros((columns, classes)),
    }  # fmt: skip


@call("counts.WordRows.scores", self=_core.counts.WordRows)
def word_rows_scores(rng: Rng) -> Arguments:
    given, rows, columns = compressed(rng)
    classes, lines = few(rng, 1, 9), few(rng, 1, 6)
    stride = 8 * (-(-classes // 8))
    which = rng.integers(0, max(rows, 1), few(rng, 0, 20) if rows else 0)
    return {
        **given, "rows": which, "place": codes(rng, columns, lines, -1), "weights": rng.normal(size=(lines, stride)),
        "bias": rng.normal(size=classes), "threads": threads(rng), "out": np.zeros((len(which), classes)),
    }  # fmt: skip


@call("counts.vocabulary_sums")
def vocabulary_sums(rng: Rng) -> Arguments:
    words, classes = few(rng, 0, 20), few(rng, 1, 9)
    counts = rng.integers(0, 9, (words, classes)).astype(float)
    return {
        "counts": counts, "chosen": rng.integers(0, 2, words).astype(np.uint8),
        "base": maybe(rng, np.full(classes, 20.0)), "threads": threads(rng), "totals": np.zeros(classes),
        "logs": np.zeros(classes),
    }  # fmt: skip


@call("counts.word_logs")
def word_logs(rng: Rng) -> Arguments:
    words, classes = few(rng, 1, 20), few(rng, 1, 9)
    listed = rng.integers(0, words, few(rng, 0, 20))
    return {
        "counts": rng.integers(0, 9, (words, classes)).astype(float), "words": listed, "base": np.ones(classes),
        "sign": 1.0, "others": bool(few(rng, 0, 1)), "threads": threads(rng),
        "out": np.zeros((len(listed), 8 * (-(-classes // 8)))),
    }  # fmt: skip


# -- texts -----------------------------------------------------------------------------------------------------

WORDS = ("ant", "bee", "été", "Ωmega", "x" * 40, "cat dog", "")


def texts_of(values: Any) -> _core.text.Texts:
    texts = _core.text.Texts()
    texts.add_values(values)
    texts.survey(1)
    return texts


def characters_of(texts: _core.text.Texts) -> _core.text.Characters:
    found = _core.text.Characters(False)
    for page in texts.pages():
        points = np.arange(256 * page, 256 * page + 256, dtype=np.uint32)
        letters = np.array([chr(p).isalnum() for p in points.tolist()])
        entries = np.zeros((256, 3), np.uint32)
        entries[:, 0] = points | (letters * np.uint32(1 << 21)) | (points == 32) * np.uint32(1 << 22)
        found.fill(page, entries)
    return found


def make_tally(
    values: Any, least: int = 1, most: int = 1, threads: int = 1, stop: Any = ()
) -> _core.text.Tally:
    texts = texts_of(values)
    return _core.text.Tally(texts, characters_of(texts), True, least, most, list(stop), None, threads)


def drawn_texts(rng: Rng) -> list[str]:
    return [" ".join(rng.choice(WORDS, few(rng, 0, 6)).tolist()) for _ in range(few(rng, 0, 8))]


@call("text.Texts.add_values", self=_core.text.Texts)
def add_values(rng: Rng) -> Arguments:
    return {"values": [*drawn_texts(rng), b"bytes", 7, None]}


@call("text.Texts.add_column", self=_core.text.Texts)
def add_column(rng: Rng) -> Arguments:
    data = np.frombuffer(" ".join(WORDS).encode() * 2, np.uint8)
    offsets = np.sort(rng.integers(0, len(data) + 1, few(rng, 1, 6))).astype(rng.choice([np.int32, np.int64]))
    return {"offsets": offsets, "bytes": data, "missing": maybe(rng, rng.random(len(offsets) - 1) < 0.3)}


@call("text.Texts.survey", self=texts_of)
def survey(rng: Rng) -> Arguments:
    return {"self.values": drawn_texts(rng), "threads": threads(rng)}


@call("text.Texts.pages", self=texts_of)
def pages(rng: Rng) -> Arguments:
    return {"self.values": drawn_texts(rng)}


@call("text.Characters.has", self=_core.text.Characters)
def has_page(rng: Rng) -> Arguments:
    return {"self.context": True, "page": few(rng, 0, 4351)}


@call("text.Characters.fill", self=_core.text.Characters)
def fill_page(rng: Rng) -> Arguments:
    return {
        "self.context": False,
        "page": few(rng, 0, 4000),
        "entries": rng.integers(0, 1 << 20, (256, 3)).astype("u4"),
    }


def tallied(rng: Rng) -> tuple[Arguments, _core.text.Tally]:
    given = {
        "self.values": drawn_texts(rng), "self.least": 1, "self.most": few(rng, 1, 2), "self.threads": threads(rng),
        "self.stop": ["ant"],
    }  # fmt: skip
    return given, make_tally(**{name.removeprefix("self."): value for name, value in given.items()})


@call("text.Tally.names", self=make_tally)
def tally_names(rng: Rng) -> Arguments:
    given, tally = tallied(rng)
    column = np.arange(tally.word_count, dtype=np.int32) - few(rng, 0, 2)
    return {**given, "column": column, "out": np.empty(int((column >= 0).sum()), object)}


@call("text.Tally.totals", self=make_tally)
def tally_totals(rng: Rng) -> Arguments:
    given, tally = tallied(rng)
    documents, total = np.zeros((2, tally.word_count), np.int64)
    return {**given, "documents": documents, "total": total}


@call("text.Tally.forget_words", self=make_tally)
def tally_forget(rng: Rng) -> Arguments:
    return tallied(rng)[0]


@call("text.Tally.bounds", self=make_tally)
def tally_bounds(rng: Rng) -> Arguments:
    given, tally = tallied(rng)
    column = np.arange(tally.word_count, dtype=np.int32) - few(rng, 0, 2)
    return {**given, "column": column, "threads": threads(rng), "first": np.zeros(len(tally) + 1, np.int64)}


@call("text.Tally.fill", self=make_tally)
def tally_fill(rng: Rng) -> Arguments:
    given, tally = tallied(rng)
    column = np.arange(tally.word_count, dtype=np.int32) - few(rng, 0, 2)
    first = np.zeros(len(tally) + 1, np.int64)
    tally.bounds(column, 1, first)
    columns, counts = np.zeros((2, int(first[-1])), np.int32)
    return {
        **given, "column": column, "first": first.astype(rng.choice([np.int32, np.int64])), "binary": False,
        "threads": threads(rng), "columns": columns, "counts": counts,
    }  # fmt: skip


# -- ratings ---------------------------------------------------------------------------------------------------


def rated(rng: Rng, rows: int, items: int, kind: Any) -> Arguments:
    listed = [np.sort(rng.choice(items, few(rng, 0, items), replace=False)) for _ in range(rows)]
    item = np.concatenate([np.empty(0, np.int64), *listed]).astype(np.int32)
    first = np.concatenate([[0], np.cumsum([len(each) for each in listed])]).astype(np.int64)
    return {"first": first, "item": item, "code": rng.integers(1, 6, len(item)).astype(kind)}


def critics_of(rng: Rng, critics: int, items: int, kind: Any) -> Arguments:
    scales = {"mean": rng.random(critics) * 5, "inverse": rng.random(critics)}
    return owned("critics", {**rated(rng, critics, items, kind), "items": items, **scales})


def closeness(rng: Rng) -> Arguments:
    return owned("closeness", {"overlap": few(rng, 0, 3), "shrinkage": 0.5, "unit": 1.0})


@call(
    "ratings.rating_predictions", critics=_core.ratings.Critics, targets=_core.ratings.Targets,
    closeness=_core.ratings.Closeness,
)  # fmt: skip
def rating_predictions(rng: Rng) -> Arguments:
    critics, items, targets = few(rng, 1, 20), few(rng, 1, 8), few(rng, 0, 4)
    kind = rng.choice([np.int32, np.float64])
    asked = rated(rng, targets, items, kind)
    one_out = bool(kind is np.int32 and rng.random() < 0.3)
    queries = asked if one_out else rated(rng, targets, items, kind)
    asking = {
        **asked, "itself": codes(rng, targets, critics, -1), "query_first": queries["first"],
        "query_item": queries["item"], "one_out": one_out,
    }  # fmt: skip
    panels = bool(kind is np.int32 and rng.random() < 0.5)
    kinds = codes(rng, few(rng, 1, 2), 2 if panels else 3)
    room = (len(kinds), len(queries["item"]))
    return {
        **critics_of(rng, critics, items, kind), **owned("targets", asking), **closeness(rng), "kinds": kinds,
        "neighbors": few(rng, 0, 5), "panels": panels, "threads": threads(rng),
        "out": np.zeros((room[0], 3, room[1])), "used": np.zeros(room, np.int32),
    }  # fmt: skip


@call("ratings.rating_similarities", critics=_core.ratings.Critics, closeness=_core.ratings.Closeness)
def rating_similarities(rng: Rng) -> Arguments:
    critics, items, kind = few(rng, 1, 20), few(rng, 1, 8), rng.choice([np.int32, np.float64])
    return {
        **critics_of(rng, critics, items, kind), **rated(rng, 1, items, kind), **closeness(rng),
        "kind": few(rng, 0, 2), "common": np.zeros(critics, np.int32), "out": np.zeros(critics),
    }  # fmt: skip
