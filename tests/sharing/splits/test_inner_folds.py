"""The rule of the inner folds: from the plan and the data alone, the same for every model."""

from __future__ import annotations

from typing import Any, NamedTuple

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
from assay.models.base.validation import encode
from assay.plans import UNUSED, GivenPartitions, Partition, as_plan
from assay.sharing.splits import splits_of
from tests.raised import raises

Y = np.resize(["a", "b", "b", "c", "c", "c"], 120)
GROUPS = np.repeat(np.arange(30), 4)


Pairs = list[tuple[Any, Any]]  # rows trained on, rows tested


class Split(NamedTuple):
    """One split of a plan, and the tests inside its training rows."""

    repeat: int
    train: Any
    test: Any
    inside: Pairs


def rule(plan: Any, groups: Any = None, inner: Any = None, y: Any = Y) -> tuple[str, list[Split]]:
    codes, classes = encode(y)
    plain = splits_of(as_plan(plan), codes, groups, classes=classes, inner=inner, nested=True)
    assert plain.deeper is not None
    deep = plain.deeper()
    assert deep.cell is plain.cell
    found = []
    for t in plain.outer:
        m = deep.model[t]
        inside = [
            (deep.train_rows(deep.model[u]), deep.test_rows(u)) for u in np.flatnonzero(deep.parent == m)
        ]
        found.append(Split(int(deep.layer[m]), deep.train_rows(m), deep.test_rows(t), inside))
    return plain.rule, found


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
    words, splits = rule(plan)
    folds = as_plan(plan).partitions(encode(Y)[0])[0].n_folds
    assert words == f"the other {folds - 1} folds, by pairs"
    for split in splits:
        others = [each.test for each in splits if each.repeat == split.repeat and each is not split]
        assert len(split.inside) == folds - 1
        for (train, test), other in zip(split.inside, others, strict=True):
            assert np.array_equal(test, other)
            assert np.array_equal(train, np.setdiff1d(split.train, other))


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
    words, splits = rule(plan, inner=inner)
    if expected is None:
        assert words == "the other 9 folds, by pairs"
        return
    assert words == f"{expected} drawn folds"
    codes = encode(Y)[0]
    for repeat in {split.repeat for split in splits}:
        mine = [split for split in splits if split.repeat == repeat]
        place, outer = np.full(len(Y), -1), np.full(len(Y), -1)
        for f, split in enumerate(mine):
            outer[split.test] = f
            assert len(split.inside) == expected
            tested = np.concatenate([test for _, test in split.inside])
            assert np.array_equal(np.sort(tested), split.train)
            for s, (train, test) in enumerate(split.inside):
                assert np.array_equal(train, np.setdiff1d(split.train, test))
                assert set(place[test]) <= {-1, s}  # a row is in one inner fold, whichever fold is tested
                place[test] = s
        for g in np.unique(outer[place >= 0]):  # every outer fold and class spread evenly
            for k in range(3):
                cell = (outer == g) & (codes == k) & (place >= 0)
                assert np.ptp(np.bincount(place[cell], minlength=expected)) <= 1


@pytest.mark.parametrize("plan", [KFold(2), HoldOut(0.3), KFold(15), KFold(5)], ids=repr)
def test_groups_stay_together_in_as_many_folds_as_they_allow(plan: Any) -> None:
    few = np.arange(120) % 4
    for groups in (GROUPS, few) if plan.get_n_splits() < 3 else (GROUPS,):
        _, splits = rule(plan, groups)
        for split in splits:
            assert 2 <= len(split.inside) <= max(5, len(splits) - 1)
            assert len(split.inside) <= len(np.unique(groups[split.train]))
            for train, test in split.inside:
                assert not set(groups[train]) & set(groups[test])
                assert not set(split.test) & (set(train) | set(test))


@pytest.mark.filterwarnings("ignore:The groups parameter is ignored")
@pytest.mark.parametrize("inner", [None, 3])
@pytest.mark.parametrize("groups", [None, GROUPS, np.arange(120) // 7], ids=["rows", "groups", "long groups"])
def test_rows_in_order_have_expanding_windows(inner: int | None, groups: Any) -> None:
    plan = TimeSeriesSplit(4)
    count = inner or 5
    words, found = rule(plan, groups, inner)
    assert words.endswith(f"{count} expanding windows")
    for split, (rows, tested) in zip(found, plan.split(Y), strict=True):
        splits = split.inside
        assert np.array_equal(split.test, tested) and np.array_equal(split.train, rows)
        assert len(splits) == count if groups is None else 1 < len(splits) <= count
        for train, test in splits:
            assert train.max() < test.min() and test.max() <= rows.max()
            assert np.array_equal(train, np.arange(len(train)))
            assert groups is None or not set(groups[train]) & set(groups[test])
        if groups is None:  # the windows lie end to end up to the last training row
            assert [len(train) for train, _ in splits[1:]] == [test.max() + 1 for _, test in splits[:-1]]
            assert splits[-1][1].max() == rows.max()


def test_a_part_of_the_rows_that_comes_last_is_in_order_too() -> None:
    words, _ = rule([(np.arange(80), np.arange(80, 120))])
    assert words == "5 expanding windows"


@pytest.mark.parametrize("refit", [False, True])
def test_the_validation_part_takes_the_place_of_inner_folds(refit: bool) -> None:
    plan = TrainValidationTest((0.5, 0.25, 0.25), refit=refit)
    words, (split,) = rule(plan)
    parts = plan.parts(encode(Y)[0])
    ((train, test),) = split.inside
    assert words == "the validation part"
    assert np.array_equal(train, np.flatnonzero(parts == 0)) and np.array_equal(
        test, np.flatnonzero(parts == 1)
    )
    assert np.array_equal(split.train, np.flatnonzero(parts <= (1 if refit else 0)))
    assert np.array_equal(split.test, np.flatnonzero(parts == 2))


@pytest.mark.parametrize("plan", [LeaveOneOut(), Bootstrap(5)], ids=repr)
def test_plans_of_single_rows_have_none(plan: Any) -> None:
    with raises("S140"):
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
            _, splits = rule(GivenPartitions([outer]), None, None if trial % 2 else 2, y)
        except ValueError:
            answers.add(False)
            continue
        answers.add(True)
        assert all(len(np.unique(y[train])) == 2 for split in splits for train, _ in split.inside)
        assert all(split.inside for split in splits)
    assert answers == {True, False}


def test_a_plan_whose_inner_training_sets_lose_a_class_is_refused_in_a_sentence() -> None:
    y = np.repeat(["a", "b"], [58, 2])
    with raises("S137", plan="10 folds", unit="rows", total=60, count=2, label="b"):
        nested(GaussianNB(), np.arange(120.0).reshape(60, 2), y, plan=KFold(10), variance_floor=[0.1, 0.2])
    with raises("S137"):
        rule(TimeSeriesSplit(3), y=np.where(np.arange(60) < 12, "a", Y[:60]))
