"""scikit-learn's splitters as plans, and our plans as scikit-learn's ``cv=``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from sklearn import model_selection
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier

from assay.plans import (
    ALWAYS_TRAIN,
    UNUSED,
    Bootstrap,
    HoldOut,
    KFold,
    LeaveOneOut,
    Plan,
    RandomSubsampling,
    as_plan,
)
from tests.raised import Expected, raises

N = 40
CODES = (np.arange(N) * 7 % 3).astype(np.int32)
GROUPS = np.arange(N) // 5


def pairs(plan: Plan, groups: np.ndarray | None = None) -> list[tuple[list[int], list[int]]]:
    return [
        (part.train_rows(f).tolist(), part.test_rows(f).tolist())
        for part in plan.partitions(CODES, groups)
        for f in range(part.n_folds)
    ]


SPLITTERS = [
    (model_selection.KFold(4), [4]),
    (model_selection.StratifiedKFold(5, shuffle=True, random_state=0), [5]),
    (model_selection.GroupKFold(4), [4]),
    (model_selection.RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=0), [4, 4, 4]),
    (model_selection.LeaveOneOut(), [N]),
    (model_selection.LeaveOneGroupOut(), [8]),
    (model_selection.TimeSeriesSplit(3), [1, 1, 1]),
    (model_selection.StratifiedShuffleSplit(3, test_size=0.6, random_state=0), [1, 1, 1]),
    (model_selection.ShuffleSplit(3, test_size=0.3, train_size=0.4, random_state=0), [1, 1, 1]),
    (model_selection.PredefinedSplit(np.arange(N) % 3 - 1), [2]),
    (model_selection.LeavePGroupsOut(7), [1] * 8),
]


@pytest.mark.parametrize(("splitter", "n_folds"), SPLITTERS, ids=lambda value: type(value).__name__)
def test_partitions_hold_exactly_the_splitters_pairs(splitter: Any, n_folds: list[int]) -> None:
    plan = as_plan(splitter)
    groups = GROUPS if "Group" in type(splitter).__name__ else None
    expected = [
        (sorted(train.tolist()), sorted(test.tolist()))
        for train, test in splitter.split(np.zeros((N, 1)), CODES, groups)
    ]
    assert pairs(plan, groups) == expected
    assert [part.n_folds for part in plan.partitions(CODES, groups)] == n_folds
    assert plan.get_n_splits(np.zeros((N, 1)), CODES, groups) == sum(n_folds)
    assert len(list(plan.split(np.zeros((N, 1)), CODES, groups))) == sum(n_folds)


def test_a_time_series_leaves_the_future_unused() -> None:
    first = as_plan(model_selection.TimeSeriesSplit(3)).partitions(CODES)[0]
    assert first.fold.tolist() == [ALWAYS_TRAIN] * 10 + [0] * 10 + [UNUSED] * 20


def test_rows_of_a_predefined_split_that_are_never_tested_always_train() -> None:
    (part,) = as_plan(model_selection.PredefinedSplit(np.arange(N) % 3 - 1)).partitions(CODES)
    assert np.array_equal(part.fold, np.arange(N) % 3 - 1)


def test_a_complete_split_after_an_incomplete_one_starts_anew() -> None:
    listed = [([0, 1], [2, 3]), ([2], [3]), ([0, 1, 2], [3]), ([1, 2, 3], [0]), ([0, 1, 2], [3])]
    parts = as_plan(listed).partitions([0, 1, 0, 1])
    assert [part.n_folds for part in parts] == [1, 1, 2, 1]
    assert parts[1].fold.tolist() == [UNUSED, UNUSED, ALWAYS_TRAIN, 0]
    assert parts[2].fold.tolist() == [1, ALWAYS_TRAIN, ALWAYS_TRAIN, 0]


def test_integers_plans_and_iterables() -> None:
    assert as_plan(4) == as_plan(np.int32(4)) == KFold(4)
    plan = HoldOut()
    assert as_plan(plan) is plan
    listed = list(model_selection.KFold(4).split(np.zeros((N, 1))))
    wrapped = as_plan(pair for pair in listed)
    assert pairs(wrapped) == pairs(wrapped) == pairs(as_plan(model_selection.KFold(4)))
    assert repr(wrapped) == "FixedSplits(4 splits)"
    assert wrapped.get_n_splits() == 4
    for (a, b), (c, d) in zip(wrapped.split(np.zeros((N, 1))), listed, strict=True):
        assert np.array_equal(a, c) and np.array_equal(b, d)


def test_masks_are_rows() -> None:
    mask = np.arange(6) < 2
    assert as_plan([(~mask, mask)]).partitions([0, 1] * 3)[0].fold.tolist() == [0, 0, -1, -1, -1, -1]


class OnlySplits:
    """A splitter without `get_n_splits`, in the user's own code."""

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        assert X.shape == (N, 1) and np.array_equal(y, CODES)
        yield np.arange(5, N), np.arange(5)
        yield np.arange(N - 5), np.arange(N - 5, N)


def test_a_splitter_of_the_users_own_sees_zeros_and_codes() -> None:
    plan = as_plan(OnlySplits())
    assert [part.n_folds for part in plan.partitions(CODES)] == [2]
    assert plan.get_n_splits(np.zeros((N, 1)), CODES) == 2


@pytest.mark.parametrize(
    ("listed", "expected"),
    [
        ([([0, 1, 1], [2, 3])], Expected("S055", part="training", split=0, row=1)),
        ([([0, 1], [2, 2])], Expected("S055", part="test", split=0, row=2)),
        ([([0, 1], [2]), ([0, 1], [1])], Expected("S051", split=1, row=1)),
        ([([0, 1], [4])], Expected("S054", part="test", split=0, row=4, last=3)),
        ([([0, -1], [2])], Expected("S054", part="training", split=0, row=-1, last=3)),
        ([([0, 1], [])], Expected("S052", part="test", split=0)),
        ([([[0], [1]], [2])], Expected("S052", part="training", split=0)),
    ],
)
def test_bad_pairs_name_the_split_and_the_row(listed: list[Any], expected: Expected) -> None:
    with raises(expected):
        as_plan(listed).partitions([0, 1, 0, 1])


def test_bad_plans() -> None:
    with raises("S048", TypeError):
        as_plan(model_selection.KFold)
    for value in ("10", None, True, 2.5):
        with raises("S047", TypeError):
            as_plan(value)
    with raises("S057", split=0):
        as_plan([1, 2, 3])
    with raises("S049"):
        as_plan([])
    with raises("S053", TypeError, part="test", split=0):
        as_plan([([0], [1.5])]).partitions([0, 1])
    with raises("S056"):
        as_plan([([0], [1])]).partitions([0, 1], [0, 1])


def test_bootstrap_like_splitters_are_refused() -> None:
    listed = list(Bootstrap(3).split(np.zeros((N, 1))))
    with raises("S055"):
        as_plan(listed).partitions(CODES)


class TestOursInScikitLearn:
    X = np.random.default_rng(0).normal(size=(N, 3)) + CODES[:, None]
    y = np.array(["a", "b", "c"])[CODES]

    @pytest.mark.parametrize(
        "plan",
        [KFold(5, repeats=2), HoldOut(0.3), RandomSubsampling(0.25, repeats=3), LeaveOneOut(), Bootstrap(4)],
        ids=repr,
    )
    def test_cross_val_score_is_the_loop_over_split(self, plan: Plan) -> None:
        model = KNeighborsClassifier(3)
        scores = model_selection.cross_val_score(model, self.X, self.y, cv=plan)
        expected = [
            model.fit(self.X[train], self.y[train]).score(self.X[test], self.y[test])
            for train, test in plan.split(self.X, self.y)
        ]
        assert scores.tolist() == expected

    def test_cross_val_predict_and_groups(self) -> None:
        predicted = model_selection.cross_val_predict(
            KNeighborsClassifier(3), self.X, self.y, cv=KFold(4), groups=GROUPS
        )
        for part in KFold(4).partitions(CODES, GROUPS):
            for f in range(4):
                train, test = part.train_rows(f), part.test_rows(f)
                model = KNeighborsClassifier(3).fit(self.X[train], self.y[train])
                assert np.array_equal(model.predict(self.X[test]), predicted[test])

    def test_grid_search(self) -> None:
        search = model_selection.GridSearchCV(
            LogisticRegression(), {"C": [0.01, 1.0]}, cv=KFold(4, repeats=2)
        )
        search.fit(self.X, self.y)
        assert search.n_splits_ == 8
        assert search.best_score_ > 0.5
        assert "split7_test_score" in search.cv_results_
