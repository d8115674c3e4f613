r"""Neighbours behind scalers in overlapping training sets: one search, then each of them under its own scale.

Training set s multiplies column j by w_sj. Under the least of these weights no distance exceeds that of any set,

    Σ_j min_s w_sj² (x_j - y_j)²  ≤  Σ_j w_sj² (x_j - y_j)²,

so one search under them lists candidates of every row for all. Set by set, those trained on are measured as a model
fitted to it measures them; they hold the k nearest if the k-th of them is nearer than the last of the list. Rows for
which it is not are searched by themselves, in that training set.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TypeGuard

import numpy as np

from assay.numerics.distances import Space
from assay.numerics.neighbors import Near, NeighborGroups, nearest
from assay.numerics.votes import Voters
from assay.sharing.neighbors.left_out_rows import CLOSE, LeftOutScales, certain_votes, left_out_scales
from assay.sharing.neighbors.lists import together
from assay.sharing.neighbors.query import NeighborQuery, Task
from assay.sharing.neighbors.rows import Candidates, MeasuredRows, PatternRows, Patterns, WholeRows, behind
from assay.sharing.protocols import ColumnScales, offered
from assay.sharing.settings import model_of, steps_of
from assay.types import Array, Codes, Floats, Index

LEAST_ROWS = 1000  # fewer are quickly searched in every training set
WORTH = 2.0  # how many times as many pairs the training sets must have as one search
SLACK = (4.0, 64)  # lists are this many times as long as k rows of a training set need, and so much longer
MOST = 2**26  # places in all lists
FACTOR = 1.0 + 1e-9  # within which, and DIGITS of the largest value, distances count as equal
DIGITS = 2.0**-50
LARGEST = 1e100


def scaled_shares(query: NeighborQuery) -> Iterator[tuple[Codes, list[Array]]] | None:
    """Tests of each model and shares of their rows in every setting; None where models are searched one by one."""
    sizes = _sizes(query)
    if sizes is None:
        return None
    data, engine = query.study.dataset, query.study.dataset.engine
    X = data.matrix()
    if not (_is_table(X) and np.isfinite(X).all()):
        return None
    scales = left_out_scales(query, X)
    if scales is not None:
        return _left_out(query, X, scales, sizes)
    learned = list(engine.each(query.tasks, lambda task: _learned(query, X, task), query.name))
    most = [_most(X, scales) for scales in learned]
    if not max(most) < LARGEST:
        return None
    lists = _search(query, X, np.stack([_weights(scales, X.shape[1]) for scales in learned]), sizes)
    if lists is None:
        return None
    place = {m: i for i, (m, _) in enumerate(query.tasks)}

    def work(task: Task) -> tuple[Codes, list[Array]]:
        i = place[task[0]]
        return _of_model(lists, query, task, learned[i], most[i])

    return query.each_model(work)


def _left_out(
    query: NeighborQuery, X: Floats, scales: LeftOutScales, sizes: _SearchSizes
) -> Iterator[tuple[Codes, list[Array]]] | None:
    """Rows whose neighbours leave no doubt together, then each of the others under the scale of its own fit."""
    weights = scales.weights[scales.sure]
    if not len(weights):
        return None
    least = weights.min(axis=0) * (1.0 - CLOSE)
    lists = _search(query, X, least[None], sizes)
    if lists is None:
        return None
    slack = 2.0 * lists.slack + DIGITS * float(np.sqrt(X.shape[1]) * np.abs(X * weights.max(axis=0)).max())
    tests, shares = certain_votes(query, X, scales, lists.near, slack)
    rest = [task for task in query.tasks if not np.isin(task[1], tests).any()]

    def work(task: Task) -> tuple[Codes, list[Array]]:
        learned = _learned(query, X, task)
        listed = bool((_weights(learned, X.shape[1]) >= least).all())
        return _of_model(lists, query, task, learned, _most(X, learned), listed)

    return chain([(tests, shares)] if len(tests) else [], query.each_model(work, rest))


def _most(X: Floats, learned: list[ColumnScales]) -> float:
    """The largest number behind the steps."""
    ends = np.stack([X.min(axis=0), X.max(axis=0)]).astype(np.float64)
    return float(np.abs(behind(ends, learned)).max(initial=0.0))


def _is_table(X: object) -> TypeGuard[Floats]:
    return type(X) is np.ndarray and X.dtype in (np.float32, np.float64)


@dataclass(frozen=True)
class _SearchSizes:
    least: int  # rows of the smallest training set
    total: int  # rows that are used at all
    tested: Index  # rows that are tested
    group: Codes | None


def _sizes(query: NeighborQuery) -> _SearchSizes | None:
    """Whether columns are only multiplied and left out before Euclidean distances of rows that count alike."""
    data, splits, model = query.study.dataset, query.study.splits, model_of(query.longest)
    steps = steps_of(query.longest)
    if data.n_rows < LEAST_ROWS or data.weight is not None:
        return None
    if any(offered(step, "column_scales") is None for step in steps):
        return None
    group, separate = together(query)
    models = [m for m, _ in query.tasks]
    if not separate or (not splits.row_by_row and (splits.copies[models] > 1).any()):
        return None
    rows = query.study.class_rows().sum(axis=1)[models]
    least = int(rows.min())
    if query.k > least or not model.near_by_products((least, data.n_features)):
        return None
    tested = [sum(len(splits.test_rows(t)) for t in tests) for _, tests in query.tasks]
    used, asking = query.used
    queries, total = np.flatnonzero(asking), int((used | asking).sum())
    if not splits.row_by_row and float(rows @ np.array(tested)) <= WORTH * len(queries) * float(total):
        return None
    return _SearchSizes(least, total, queries, group)


def _learned(query: NeighborQuery, X: Floats, task: Task) -> list[ColumnScales]:
    """What the steps make of columns, fitted to a training set without gaps."""
    data = query.study.dataset
    train = query.study.splits.train_rows(task[0])
    rows, labels = X[train], data.classes[data.codes[train]]
    learned: list[ColumnScales] = []
    for step in steps_of(query.longest):
        learned.append(step.column_scales(rows, labels))
        rows = learned[-1].apply(rows)
    return learned


def _weights(learned: list[ColumnScales], width: int) -> Array:
    """What each column is multiplied by; 0: left out."""
    columns, weight = np.arange(width), np.ones(width)
    for scales in learned:
        columns, weight = columns[scales.columns], weight[scales.columns]
        weight = weight if scales.scale is None else weight / scales.scale
    out = np.zeros(width)
    out[columns] = weight
    return out


@dataclass(frozen=True)
class _CandidateLists:
    """The candidates of every tested row, and what distances under the least weights may be wrong by."""

    X: Floats
    near: Near
    place: Codes  # (N,), the list of each tested row
    slack: float
    patterns: Patterns | None


def _search(query: NeighborQuery, X: Floats, weights: Array, sizes: _SearchSizes) -> _CandidateLists | None:
    """Candidates of every tested row, nearest first under the least weights; None where values are too large."""
    least = weights.min(axis=0)
    with np.errstate(over="ignore", invalid="ignore"):
        Z = np.ascontiguousarray(((X - X.mean(axis=0, dtype=np.float64)) * least)[:, least > 0])
    largest = float(np.abs(Z).max(initial=0.0))
    others = sizes.total - (1 if sizes.group is None else int(np.bincount(sizes.group).min()))
    length = min(int(SLACK[0] * query.k * others / sizes.least) + SLACK[1], others)
    if not (largest < LARGEST and Z.shape[1]) or len(sizes.tested) * length > MOST:
        return None
    rows, group = sizes.tested, sizes.group
    near = nearest(
        Space("euclidean"), Z, Z[rows], length, threads=query.study.dataset.engine.threads,
        itself=rows if group is None else None, groups=None if group is None else NeighborGroups(group, group[rows]),
    )  # fmt: skip
    place = np.full(len(X), -1, dtype=np.int32)
    place[rows] = np.arange(len(rows))
    return _CandidateLists(X, near, place, DIGITS * float(np.sqrt(X.shape[1])) * largest, Patterns.of(X))


def _of_model(
    candidates: _CandidateLists,
    query: NeighborQuery,
    task: Task,
    learned: list[ColumnScales],
    most: float,
    listed: bool = True,
) -> tuple[Codes, list[Array]]:
    """Shares of the tested rows of a model in every setting; `listed`: no distance in the lists exceeds its own."""
    m, tests = task
    data, splits = query.study.dataset, query.study.splits
    train, test = splits.train_rows(m), splits.rows_of(tests)[0]
    rows: MeasuredRows = (
        WholeRows(np.ascontiguousarray(behind(candidates.X, learned), dtype=np.float64))
        if candidates.patterns is None
        else PatternRows.of(candidates.patterns, learned)
    )
    slack = candidates.slack + DIGITS * float(np.sqrt(candidates.X.shape[1])) * most
    lists = Candidates(candidates.near, candidates.place, FACTOR, slack)
    near = _nearest(rows, lists, train, test, query.k, data.engine.threads, listed)
    voters = Voters(data.codes, data.n_classes, None)
    shares, _ = model_of(query.longest).votes(voters, near, query.votes, data.engine.threads)
    return tests, shares


def _nearest(
    rows: MeasuredRows, lists: Candidates, train: Index, test: Index, k: int, threads: int, listed: bool
) -> Near:
    """The k nearest training rows of the tested ones: from the lists, or searched where these leave doubt."""
    allowed = np.zeros(len(lists.place), dtype=np.uint8)
    allowed[train] = 1
    near, sure = rows.listed(lists, test, allowed, k, threads)
    left = np.flatnonzero(sure == 0) if listed else np.arange(len(test))
    if len(left):
        searched = rows.nearest(train, test[left], k, threads)
        near.rows[left], near.distances[left] = searched.rows, searched.distances
    return near
