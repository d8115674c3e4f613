"""Copies follow the first of their set; every other row keeps its fold."""

from __future__ import annotations

import numpy as np
import pytest

from assay.plans import (
    HoldOut,
    KFold,
    Plan,
    RandomSubsampling,
    TrainValidationTest,
    as_plan,
    draw_partitions,
)
from tests.raised import raises

PLANS = [
    KFold(10),
    KFold(2, repeats=3, random_state=5),
    KFold(4, stratified=False),
    HoldOut(0.3),
    RandomSubsampling(0.2, repeats=4),
    TrainValidationTest(),
    TrainValidationTest(refit=True),
]


@pytest.mark.parametrize("plan", PLANS, ids=repr)
def test_copies_follow_the_first_and_other_rows_stay(plan: Plan) -> None:
    draw = np.random.default_rng(0)
    codes = draw.integers(3, size=200)
    sets = np.arange(200)
    later = draw.choice(np.arange(100, 200), 30, replace=False)
    sets[later] = draw.integers(0, 60, 30)
    before, after = plan.partitions(codes), draw_partitions(plan, codes, sets, copies=True)
    assert len(before) == len(after)
    for one, two in zip(before, after, strict=True):
        assert one.n_folds == two.n_folds
        np.testing.assert_array_equal(two.fold, one.fold[sets])  # the first of set s is row s
        assert (two.fold != one.fold).any()
    assert plan.drawn


def test_without_copies_groups_are_drawn_whole() -> None:
    codes, groups = np.arange(60) % 2, np.repeat(np.arange(30), 2)
    plan = KFold(5)
    assert draw_partitions(plan, codes, groups) == plan.partitions(codes, groups)
    assert draw_partitions(plan, codes, None, copies=True) == plan.partitions(codes)


def test_a_fold_that_nothing_is_left_of_is_dropped() -> None:
    codes, sets = np.arange(40) % 2, np.arange(40) % 4
    (partition,) = draw_partitions(KFold(10), codes, sets, copies=True)
    kept = KFold(10).partitions(codes)[0].fold[:4]
    assert partition.n_folds == len(np.unique(kept)) < 10
    assert sorted(np.unique(partition.fold)) == list(range(partition.n_folds))
    for at in range(4):
        assert len(np.unique(partition.fold[sets == at])) == 1


def test_copies_that_leave_a_part_empty_are_one_sentence() -> None:
    with raises("S046"):
        draw_partitions(KFold(2), [0, 1, 0, 1], [0, 0, 0, 0], copies=True)
    with raises("S046"):
        draw_partitions(HoldOut(1), [0, 1, 0, 1], [0, 0, 0, 0], copies=True)


def test_splits_that_are_given_are_not_drawn() -> None:
    assert not as_plan([([0, 1], [2]), ([1, 2], [0])]).drawn
