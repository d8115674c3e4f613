"""Splits of every scheme keep the invariants, whatever the plan, the groups, the pieces and the depth."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st
from sklearn.model_selection import ShuffleSplit, TimeSeriesSplit

from assay import (
    Bootstrap,
    GaussianNB,
    HoldOut,
    KFold,
    LeaveOneOut,
    RandomSubsampling,
    TrainValidationTest,
    evaluate,
)
from assay.plans import ALWAYS_TRAIN, UNUSED, Partition, Plan, as_plan
from assay.sharing.splits import (
    ROOT,
    Splits,
    bootstrap,
    divided,
    drawn_inside,
    folds,
    given,
    joined,
    one_out,
    pieces,
    resubstitution,
    whole,
    with_training,
)
from assay.sharing.splits.inner_folds import drawn_division
from tests.sharing.splits.check_splits import check_splits

seeds = st.integers(0, 2**32 - 1)


def partition_of(rng: Any, n_rows: int, n_folds: int, least: int = 0) -> Partition:
    """Any folds, none of them empty; some rows are always trained on or unused where `least` says so."""
    fold = rng.integers(least, n_folds, n_rows).astype(np.int32)
    fold[rng.permutation(n_rows)[:n_folds]] = np.arange(n_folds)
    if n_folds == 1:
        fold[fold < 0] = ALWAYS_TRAIN
    return Partition(fold, n_folds)


def levels(splits: Splits, most: int = 3) -> list[Splits]:
    """The splits, and deeper ones as far as there are some."""
    found = [splits]
    while found[-1].deeper is not None and len(found) < most:
        found.append(found[-1].deeper())
    return found


def slow_pairs(splits: Splits, some: Any, only: Any = None) -> set[tuple[int, int]]:
    rows = {int(row): place for place, row in enumerate(some)}
    asked = range(splits.n_tests) if only is None else np.flatnonzero(only).tolist()
    return {(rows[int(row)], t) for t in asked for row in splits.test_rows(t) if int(row) in rows}


def check(splits: Splits, rng: Any, covering: bool = True) -> None:
    """The invariants at every depth, and pairs as they are listed one by one."""
    for level in levels(splits):
        check_splits(level, covering)
        n_rows = level.cell.shape[1]
        some = np.arange(n_rows)[int(rng.integers(0, n_rows)) :]
        only = None if rng.random() < 0.5 else rng.random(level.n_tests) < 0.5
        row, test = level.scheme.pairs(level.cell[:, some], only)
        listed = list(
            zip((np.arange(len(some)) if row is None else row).tolist(), test.tolist(), strict=True)
        )
        assert len(listed) == len(set(listed)) and set(listed) == slow_pairs(level, some, only)
        layers = level.layer[level.model[test]].tolist()
        assert [(layer, *pair) for layer, pair in zip(layers, listed, strict=True)] == sorted(
            (layer, *pair) for layer, pair in zip(layers, listed, strict=True)
        )


@settings(max_examples=25, deadline=None)
@drawn(seeds, st.integers(2, 6), st.integers(1, 3), st.integers(UNUSED, 0))
def test_folds_and_repeats(seed: int, n_folds: int, repeats: int, least: int) -> None:
    rng = np.random.default_rng(seed)
    parts = [folds(partition_of(rng, 30, n_folds, least)) for _ in range(repeats)]
    found = joined(parts)
    check(found, rng)
    check(with_training(found), rng)
    starts = np.cumsum([0, *(part.n_models for part in parts)])
    for part, start in zip(parts, starts, strict=False):  # models and tests of the first repeat come first
        for m in range(part.n_models):
            assert np.array_equal(part.train_rows(m), found.train_rows(start + m))
    for deep in levels(found)[1:]:
        assert deep.cell is found.cell


@settings(max_examples=25, deadline=None)
@drawn(seeds, st.integers(1, 5), st.integers(2, 4), st.integers(1, 2), st.integers(UNUSED, 0))
def test_drawn_inner_folds(seed: int, n_folds: int, inner: int, repeats: int, least: int) -> None:
    rng = np.random.default_rng(seed)
    parts = []
    for _ in range(repeats):
        outer = partition_of(rng, 40, n_folds, min(least, ALWAYS_TRAIN) if n_folds == 1 else least)
        groups = rng.integers(0, 12, 40) if rng.random() < 0.5 else None
        units = [
            outer.train_rows(f) if groups is None else np.unique(groups[outer.train_rows(f)])
            for f in range(n_folds)
        ]
        if min(map(len, units)) < inner:
            return
        parts.append(
            divided(outer, drawn_division(outer, rng.integers(0, 2, 40).astype(np.int32), groups, inner))
        )
    found = joined(parts)
    check(found, rng)
    for deep in levels(found)[1:]:
        assert deep.cell is found.cell


@settings(max_examples=25, deadline=None)
@drawn(seeds, st.integers(1, 5), st.integers(1, 4), st.integers(1, 2))
def test_pieces_of_folds(seed: int, n_folds: int, n_sizes: int, repeats: int) -> None:
    rng = np.random.default_rng(seed)
    parts, plain, drawn_pieces = [], [], []
    for _ in range(repeats):
        plain.append(partition_of(rng, 40, n_folds, UNUSED if n_folds > 1 else ALWAYS_TRAIN))
        drawn_pieces.append(rng.integers(0, n_sizes + 1, 40).astype(np.int32))
        parts.append(pieces(plain[-1], drawn_pieces[-1], n_sizes))
    found = joined(parts)
    check(found, rng)
    assert found.n_sizes == n_sizes
    for r, (partition, piece) in enumerate(zip(plain, drawn_pieces, strict=True)):
        for f in range(n_folds):
            for z in range(n_sizes):
                t = (r * n_folds + f) * n_sizes + z
                assert found.parent[t] == ROOT and found.model[t] == t
                assert np.array_equal(found.test_rows(t), partition.test_rows(f))
                rows = partition.train_rows(f)
                assert np.array_equal(found.train_rows(t), rows[piece[rows] <= z])


@settings(max_examples=20, deadline=None)
@drawn(seeds, st.integers(1, 5), st.booleans())
def test_given_splits_that_overlap(seed: int, count: int, few: bool) -> None:
    rng = np.random.default_rng(seed)
    cuts = np.arange(30) // 6 if few else np.arange(30)
    pairs = []
    for _ in range(count):
        part = rng.integers(0, 3, cuts.max() + 1)[cuts]
        pairs.append((np.flatnonzero(part == 0), np.flatnonzero(part == 1)))
    found = given(pairs, 30)
    check(found, rng)
    for m, (train, test) in enumerate(pairs):
        assert np.array_equal(found.train_rows(m), train) and np.array_equal(found.test_rows(m), test)


@settings(max_examples=20, deadline=None)
@drawn(seeds, st.integers(1, 6), st.booleans())
def test_replicates_and_rows_left_out(seed: int, replicates: int, grouped: bool) -> None:
    rng = np.random.default_rng(seed)
    groups = rng.integers(0, 8, 25) if grouped else None
    plan = Bootstrap(replicates, random_state=seed)
    drawn_rows = bootstrap(plan.multiplicities(25, groups))
    check(drawn_rows, rng)
    left = one_out(25, groups)
    check(left, rng)
    assert left.row_by_row is not grouped
    splits = list(plan.split(np.zeros((25, 1)), groups=groups))
    for b, (train, test) in enumerate(splits):
        assert np.array_equal(drawn_rows.train_rows(b), train) and np.array_equal(
            drawn_rows.test_rows(b), test
        )
        assert groups is None or not set(groups[train]) & set(groups[test])
    for t, (train, test) in enumerate(LeaveOneOut().split(np.zeros((25, 1)), groups=groups)):
        assert np.array_equal(left.train_rows(t), train) and np.array_equal(left.test_rows(t), test)
        assert groups is None or len(set(groups[test])) == 1 and not set(groups[train]) & set(groups[test])


@settings(max_examples=20, deadline=None)
@drawn(seeds, st.integers(1, 2), st.sampled_from(["folds", "hold-out", "bootstrap", "whole"]))
def test_a_plan_of_its_own_inside_every_tested_model(seed: int, repeats: int, kind: str) -> None:
    rng = np.random.default_rng(seed)
    outside = {
        "folds": lambda: folds(partition_of(rng, 30, 3), depth=2),
        "hold-out": lambda: folds(partition_of(rng, 30, 1, ALWAYS_TRAIN)),
        "bootstrap": lambda: bootstrap(Bootstrap(2, random_state=seed).multiplicities(30)),
        "whole": lambda: resubstitution(30),
    }[kind]()
    plan = KFold(2, repeats=repeats, random_state=seed)
    found = drawn_inside(outside, lambda rows: plan.partitions(np.zeros(len(rows), dtype=np.int32)))
    check(found, rng)
    assert found.inside == 1 and (found.series[outside.n_tests :] == 1).all()
    for p in np.unique(outside.model):
        rows = np.unique(outside.train_rows(p))
        inside = np.flatnonzero((found.parent == p) & (found.series == 1))
        assert len(inside) == 2 * repeats
        for t, (_, test) in zip(inside, plan.split(np.zeros((len(rows), 1))), strict=True):
            assert np.array_equal(found.test_rows(t), rows[test])


def test_a_part_of_the_rows_alone_or_all_of_them() -> None:
    for splits in (whole(7), resubstitution(7)):
        check_splits(splits)
    assert whole(7).n_tests == 0 and np.array_equal(whole(7).train_rows(0), np.arange(7))
    assert np.array_equal(resubstitution(7).test_rows(0), np.arange(7))


PLANS: list[Callable[[int], tuple[Any, bool]]] = [
    lambda seed: (KFold(5, random_state=seed), True),
    lambda seed: (KFold(4, repeats=2, random_state=seed), True),
    lambda seed: (KFold(2, repeats=2, random_state=seed), True),
    lambda seed: (KFold(12, random_state=seed), True),
    lambda seed: (HoldOut(0.3, random_state=seed), True),
    lambda seed: (RandomSubsampling(0.3, repeats=3, random_state=seed), True),
    lambda seed: (ShuffleSplit(3, test_size=0.2, train_size=0.5, random_state=seed), True),
    lambda seed: (TimeSeriesSplit(3), False),
    lambda seed: (TrainValidationTest(random_state=seed, stratified=False), False),
    lambda seed: (TrainValidationTest(random_state=seed, stratified=False, refit=True), False),
    lambda seed: (LeaveOneOut(), True),
    lambda seed: (Bootstrap(3, random_state=seed), True),
]


@pytest.mark.filterwarnings("ignore:The groups parameter is ignored")
@settings(max_examples=60, deadline=None)
@drawn(seeds, st.integers(0, len(PLANS) - 1), st.sampled_from(["rows", "groups", "copies"]), st.booleans())
def test_every_plan(seed: int, number: int, kind: str, inner: bool) -> None:
    rng = np.random.default_rng(seed)
    made, covering = PLANS[number](seed)
    plan = as_plan(made)
    codes = rng.integers(0, 2, 60).astype(np.int32)
    groups = None if kind == "rows" else rng.integers(0, 30, 60)
    options: dict[str, Any] = {"inner": 3} if inner and covering else {}
    try:
        plain = Splits.of(plan, codes, groups, kind == "copies")
    except ValueError as refused:
        assert kind == "copies" and "none to train on or none to test" in str(refused)
        return
    single = isinstance(plan, LeaveOneOut | Bootstrap)
    if single:
        check(plain, rng)
        with pytest.raises(ValueError, match="cannot be nested"):
            Splits.of(plan, codes, groups, nested=True)
        return
    try:
        found = Splits.of(plan, codes, groups, kind == "copies", nested=True, **options)
    except ValueError as refused:
        assert "too few" in str(refused) or "single class" in str(refused)
        return
    check(found, rng, covering)
    assert found.mean_of_splits is plan.averages_splits is found.deeper().mean_of_splits  # type: ignore[misc]
    for t in range(plain.n_tests):
        assert np.array_equal(plain.test_rows(t), found.test_rows(t))
        assert np.array_equal(plain.train_rows(plain.model[t]), found.train_rows(found.model[t]))
    if not options:
        check_splits(plain, covering)  # what goes deeper later has the same models and tests
        assert plain.deeper is not None and plain.deeper().n_models == found.deeper().n_models  # type: ignore[misc]


@pytest.mark.parametrize("plan", [LeaveOneOut(), Bootstrap(20)], ids=repr)
def test_groups_are_left_out_or_drawn_as_a_whole(plan: Plan) -> None:
    rng = np.random.default_rng(0)
    X, y, groups = rng.normal(size=(60, 2)), np.resize(["a", "b", "c"], 60), np.repeat(np.arange(15), 4)
    X[:, 0] += np.repeat(rng.normal(size=15), 4)
    found = evaluate(GaussianNB(), X, y, plan, groups=groups)
    splits = list(plan.split(X, y, groups))
    assert found.n_splits == len(splits)
    for s, (train, test) in enumerate(splits):
        mine = found.split == s
        assert np.array_equal(np.sort(found.rows[mine]), test)
        refitted = GaussianNB().fit(X[train], y[train]).predict(X[found.rows[mine]])
        assert np.array_equal(found.classes[found.predicted_codes[mine]], refitted)


def test_pairs_of_many_replicates_are_listed_quickly() -> None:
    splits = bootstrap(Bootstrap(200).multiplicities(10_000))
    splits.pairs(splits.cell)
    start = time.process_time()
    row, test = splits.pairs(splits.cell)
    assert time.process_time() - start < 1.0  # a loop over rows would take longer
    assert row is not None and len(row) == len(test) == 10_000 + int((splits.cell[:-1] == 0).sum())
