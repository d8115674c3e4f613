"""The rule of the inner folds: from the plan and the data alone, the same for every model."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.model_selection import RepeatedStratifiedKFold, ShuffleSplit, StratifiedKFold, TimeSeriesSplit

from assay import (
    Bootstrap,
    GaussianNB,
    HoldOut,
    KFold,
    LeaveOneOut,
    RandomSubsampling,
    TrainValidationTest,
    nested,
)
from assay.models.validation import Encoded, encode
from assay.plans import ALWAYS_TRAIN, UNUSED, GivenPartitions, Partition, as_plan
from assay.selection.inner import can_train, inner_folds, tournament

Y = np.resize(["a", "b", "b", "c", "c", "c"], 120)
GROUPS = np.repeat(np.arange(30), 4)


def rule(plan: Any, groups: Any = None, inner: Any = None, y: Any = Y) -> list[Any]:
    return inner_folds(as_plan(plan), Encoded(*encode(y)), groups, inner)


@pytest.mark.parametrize("n_folds", range(3, 11))
def test_every_two_folds_meet_once_in_a_tournament(n_folds: int) -> None:
    met = []
    for number, partner in tournament(n_folds):
        for f in np.flatnonzero(number != ALWAYS_TRAIN):
            assert partner[partner[f]] == f and number[partner[f]] == number[f]
            met.append((f, partner[f]))
        assert (number == ALWAYS_TRAIN).sum() == n_folds % 2
    assert sorted(met) == [(f, g) for f in range(n_folds) for g in range(n_folds) if f != g]


@pytest.mark.parametrize(
    "plan",
    [
        KFold(3),
        KFold(4, repeats=2),
        KFold(10),
        StratifiedKFold(5),
        RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0),
    ],
    ids=repr,
)
def test_three_to_ten_folds_are_each_others_inner_folds(plan: Any) -> None:
    for repeat in rule(plan):
        fold, folds = repeat.outer.fold, repeat.outer.n_folds
        assert repeat.rule == f"the other {folds - 1} folds, by pairs"
        assert sum(test.partition.n_folds for test in repeat.tests) == folds * (folds - 1) // 2
        for f in range(folds):
            inside = {int(fold[test[0]]): (train, test) for train, test in repeat.splits(f)}
            assert sorted(inside) == [g for g in range(folds) if g != f]
            for g, (train, test) in inside.items():
                assert np.array_equal(test, np.flatnonzero(fold == g))
                assert np.array_equal(train, np.flatnonzero((fold != f) & (fold != g)))


OTHERS = [
    (KFold(2), 5),
    (KFold(11), 5),
    (HoldOut(0.3), 5),
    (RandomSubsampling(3), 5),
    (ShuffleSplit(3, test_size=0.2, random_state=0), 5),
    ([(np.arange(0, 120, 2), np.arange(1, 120, 2))], 5),
    (KFold(10, repeats=2), None),
]


@pytest.mark.parametrize(("plan", "count"), OTHERS, ids=lambda value: str(value)[:40])
@pytest.mark.parametrize("inner", [None, 4])
def test_other_plans_have_five_drawn_folds_and_inner_overrides_the_rule(
    plan: Any, count: int | None, inner: int | None
) -> None:
    expected = inner or count
    for repeat in rule(plan, inner=inner):
        outer, codes = repeat.outer, encode(Y)[0]
        if expected is None:
            assert repeat.pairs
            continue
        place = np.full(len(Y), -1)
        for f in range(outer.n_folds):
            splits = repeat.splits(f)
            assert len(splits) == expected and repeat.rule == f"{expected} drawn folds"
            rows = outer.train_rows(f)
            assert np.array_equal(np.sort(np.concatenate([test for _, test in splits])), rows)
            for s, (train, test) in enumerate(splits):
                assert np.array_equal(train, np.setdiff1d(rows, test))
                assert set(place[test]) <= {-1, s}  # a row is in one inner fold, whichever fold is tested
                place[test] = s
        for g in np.unique(outer.fold[place >= 0]):  # every outer fold and class spread evenly
            for k in range(3):
                cell = (outer.fold == g) & (codes == k) & (place >= 0)
                assert np.ptp(np.bincount(place[cell], minlength=expected)) <= 1


@pytest.mark.parametrize("plan", [KFold(2), HoldOut(0.3), KFold(15), KFold(5)], ids=repr)
def test_groups_stay_together_in_as_many_folds_as_they_allow(plan: Any) -> None:
    few = np.arange(120) % 4
    for groups in (GROUPS, few) if plan.get_n_splits() < 3 else (GROUPS,):
        for repeat in rule(plan, groups):
            for f in range(repeat.outer.n_folds):
                rows = repeat.outer.train_rows(f)
                splits = repeat.splits(f)
                assert 2 <= len(splits) <= max(5, repeat.outer.n_folds - 1)
                assert len(splits) <= len(np.unique(groups[rows]))
                for train, test in splits:
                    assert not set(groups[train]) & set(groups[test])
                    assert not set(repeat.outer.test_rows(f)) & (set(train) | set(test))


@pytest.mark.filterwarnings("ignore:The groups parameter is ignored")
@pytest.mark.parametrize("inner", [None, 3])
@pytest.mark.parametrize("groups", [None, GROUPS, np.arange(120) // 7], ids=["rows", "groups", "long groups"])
def test_rows_in_order_have_expanding_windows(inner: int | None, groups: Any) -> None:
    plan = TimeSeriesSplit(4)
    count = inner or 5
    repeats = rule(plan, groups, inner)
    assert repeats[-1].rule == f"{count} expanding windows"
    for repeat, (rows, tested) in zip(repeats, plan.split(Y), strict=True):
        assert np.array_equal(repeat.outer.test_rows(0), tested)
        splits = repeat.splits(0)
        assert len(splits) == count if groups is None else 1 < len(splits) <= count
        for train, test in splits:
            assert train.max() < test.min() and test.max() <= rows.max()
            assert np.array_equal(train, np.arange(len(train)))
            assert groups is None or not set(groups[train]) & set(groups[test])
        if groups is None:  # the windows lie end to end up to the last training row
            assert [len(train) for train, _ in splits[1:]] == [test.max() + 1 for _, test in splits[:-1]]
            assert splits[-1][1].max() == rows.max()


def test_a_part_of_the_rows_that_comes_last_is_in_order_too() -> None:
    (repeat,) = rule([(np.arange(80), np.arange(80, 120))])
    assert repeat.rule == "5 expanding windows"


def test_the_validation_part_takes_the_place_of_inner_folds() -> None:
    plan = TrainValidationTest((0.5, 0.25, 0.25))
    (repeat,) = rule(plan)
    parts = plan.parts(encode(Y)[0])
    ((train, test),) = repeat.splits(0)
    assert repeat.rule == "the validation part"
    assert np.array_equal(train, np.flatnonzero(parts == 0)) and np.array_equal(
        test, np.flatnonzero(parts == 1)
    )


@pytest.mark.parametrize("plan", [LeaveOneOut(), Bootstrap(5)], ids=repr)
def test_plans_of_single_rows_have_none(plan: Any) -> None:
    with pytest.raises(ValueError, match="cannot be nested"):
        rule(plan)


def test_what_cannot_train_is_found_by_counts_as_by_rows() -> None:
    rng = np.random.default_rng(3)
    answers = set()
    for trial in range(80):
        y = rng.integers(0, 2, 14)
        y[:2] = 0, 1
        folds = int(rng.integers(1, 5))
        outer = Partition(rng.integers(UNUSED, folds, 14).astype(np.int32), folds)
        if any(not len(rows(f)) for rows in (outer.test_rows, outer.train_rows) for f in range(folds)):
            continue
        try:
            (repeat,) = rule(GivenPartitions([outer]), None, None if trial % 2 else 2, y)
        except ValueError:
            answers.add(False)
            continue
        answers.add(True)
        assert all(can_train(test.partition, encode(y)[0]) for test in repeat.tests)
        assert all(len(np.unique(y[train])) == 2 for f in range(folds) for train, _ in repeat.splits(f))
    assert answers == {True, False}


def test_a_plan_whose_inner_training_sets_lose_a_class_is_refused_in_a_sentence() -> None:
    y = np.repeat(["a", "b"], [58, 2])
    with pytest.raises(
        ValueError, match="^10 folds were asked for.*60 rows, 2 of them of class 'b', are too few"
    ):
        nested(GaussianNB(), np.arange(120.0).reshape(60, 2), y, plan=KFold(10), variance_floor=[0.1, 0.2])
    with pytest.raises(ValueError, match="^ForeignPlan.*TimeSeriesSplit.* was asked for.*divided again"):
        rule(TimeSeriesSplit(3), y=np.where(np.arange(60) < 12, "a", Y[:60]))
