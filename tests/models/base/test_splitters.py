"""Plans inside scikit-learn's tools, and weights inside ours, with metadata routing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sklearn
from sklearn.model_selection import BaseCrossValidator, GridSearchCV, GroupKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

import assay
from assay import (
    Calibrated,
    FeatureSearch,
    GaussianNB,
    KNeighborsClassifier,
    LinearSVM,
    OneVsOne,
    OneVsRest,
    Standardize,
    evaluate,
    learning_curve,
    nested,
    select_features,
    tune,
)

PLANS = [
    assay.KFold(3),
    assay.HoldOut(0.3),
    assay.RandomSubsampling(0.3, repeats=2),
    assay.TrainValidationTest(),
    assay.LeaveOneOut(),
    assay.Bootstrap(2),
]


def rows() -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    return rng.normal(size=(60, 4)) + y[:, None], y, rng.integers(1, 4, 60).astype(np.float64)


@pytest.fixture
def routing() -> Any:
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: type(plan).__name__)
def test_a_plan_is_a_splitter(plan: Any) -> None:
    assert isinstance(plan, BaseCrossValidator)


@pytest.mark.usefixtures("routing")
@pytest.mark.parametrize("plan", PLANS[:4], ids=lambda plan: type(plan).__name__)
def test_a_plan_is_given_groups(plan: Any) -> None:
    X, y, _ = rows()
    groups = np.arange(60) // 4
    found = cross_validate(GaussianNB(), X, y, params={"groups": groups}, cv=plan, return_indices=True)
    for train, test in zip(*found["indices"].values(), strict=True):
        assert not set(groups[train]) & set(groups[test])
    GridSearchCV(GaussianNB(), {"variance_floor": [0.1, 0.2]}, cv=plan).fit(X, y, groups=groups)


@pytest.mark.usefixtures("routing")
@pytest.mark.parametrize("plan", PLANS[4:], ids=lambda plan: type(plan).__name__)
def test_a_plan_of_single_rows_takes_whole_groups(plan: Any) -> None:
    X, y, _ = rows()
    groups = np.arange(60) // 4
    found = cross_validate(GaussianNB(), X, y, params={"groups": groups}, cv=plan, return_indices=True)
    for train, test in zip(*found["indices"].values(), strict=True):
        assert not set(groups[train]) & set(groups[test])


@pytest.mark.usefixtures("routing")
def test_splitters_of_others_are_given_groups_too() -> None:
    X, y, _ = rows()
    groups = np.arange(60) // 4
    one = evaluate(GaussianNB(), X, y, GroupKFold(3), groups=groups)
    with sklearn.config_context(enable_metadata_routing=False):
        assert one.error == evaluate(GaussianNB(), X, y, GroupKFold(3), groups=groups).error


def piped(model: Any) -> Any:
    return make_pipeline(Standardize(), model)


CALLS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "OneVsOne": lambda X, y, w: OneVsOne(piped(GaussianNB())).fit(X, y, sample_weight=w).predict_proba(X),
    "OneVsRest": lambda X, y, w: OneVsRest(piped(GaussianNB())).fit(X, y, sample_weight=w).predict_proba(X),
    "Calibrated": lambda X, y, w: (
        Calibrated(piped(LinearSVM(0.1))).fit(X, y, sample_weight=w).predict_proba(X)
    ),
    "FeatureSearch": lambda X, y, w: (
        FeatureSearch(piped(GaussianNB()), plan=3).fit(X, y, sample_weight=w).predict_proba(X)
    ),
    "tune": lambda X, y, w: tune(
        piped(GaussianNB()), X, y, plan=3, sample_weight=w, variance_floor=[0.1, 0.5]
    ).model.predict_proba(X),
    "nested": lambda X, y, w: (
        nested(piped(KNeighborsClassifier()), X, y, plan=3, sample_weight=w, n_neighbors=[3, 5]).losses
    ),
    "evaluate": lambda X, y, w: (
        evaluate(piped(DecisionTreeClassifier(random_state=0)), X, y, 3, sample_weight=w).tested.scores
    ),
    "learning_curve": lambda X, y, w: (
        learning_curve(piped(KNeighborsClassifier(3)), X, y, 3, sizes=[0.5, 1.0], sample_weight=w).losses
    ),
    "select_features": lambda X, y, w: select_features(
        piped(KNeighborsClassifier()), X, y, plan=3, n_features=4, sample_weight=w
    ).model.predict_proba(X),
}


@pytest.mark.parametrize("name", CALLS)
def test_weights_reach_the_steps_with_routing_as_without(name: str) -> None:
    X, y, weight = rows()
    expected = CALLS[name](X, y, weight)
    assert not np.allclose(expected, CALLS[name](X, y, np.ones(60)))
    with sklearn.config_context(enable_metadata_routing=True):
        np.testing.assert_array_equal(CALLS[name](X, y, weight), expected)
