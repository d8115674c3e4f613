"""A search inside the folds: scikit-learn's contract, and no optimism."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from assay import (
    FeatureSearch,
    GaussianClassifier,
    GaussianNB,
    KFold,
    LinearSVM,
    MixedNB,
    evaluate,
    read,
    select_features,
)
from tests.raised import Expected, raises
from tests.selection.features.data import correlated, planted


def expected_failures(estimator: Any) -> dict[str, str]:
    folds = "folds change when rows are repeated instead of weighted; CalibratedClassifierCV, the twin, fails it too"
    return {"check_sample_weight_equivalence_on_dense_data": folds}


@parametrize_with_checks(
    [FeatureSearch(GaussianNB()), FeatureSearch(GaussianClassifier("shared"), search="backward")],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn_checks(estimator: Any, check: Any) -> None:
    check(estimator)


def test_it_is_the_search_and_the_fitted_model() -> None:
    X, y = correlated(0)
    found = select_features(GaussianNB(), X, y, n_features=3)
    model = FeatureSearch(GaussianNB(), n_features=3).fit(X, y)
    assert model.features_ == found.features and model.path_ == found.path
    assert np.array_equal(model.predict_proba(X), found.model.predict_proba(X[:, found.columns]))
    assert np.array_equal(model.get_support(indices=True), np.flatnonzero(model.get_support()))
    assert model.decide(X[:3]).labels.shape == (3,)


@pytest.mark.parametrize("seed", range(3))
def test_searching_outside_the_folds_flatters_and_inside_does_not(seed: int) -> None:
    """Noise, balanced: chance is one half."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(100, 150)), np.arange(100) % 2
    plan = KFold(5, random_state=seed)
    outside = select_features(GaussianNB(), X, y, n_features=5, plan=plan)
    again = evaluate(GaussianNB(), X[:, outside.columns], y, plan)
    inside = evaluate(FeatureSearch(GaussianNB(), n_features=5), X, y, plan)
    assert outside.error == again.error < 0.3
    low, high = inside.interval("error", 0.999)
    assert low < 0.5 < high


def test_folds_of_evaluate_are_those_of_scikit_learn() -> None:
    X, y = correlated(1, n=100, width=6)
    model, plan = FeatureSearch(GaussianClassifier("shared"), n_features=2), KFold(4)
    ours = evaluate(model, X, y, plan)
    theirs = cross_val_score(model, X, y, cv=plan)
    np.testing.assert_allclose(1.0 - ours.split_errors, theirs)


def test_models_without_posteriors_and_of_others() -> None:
    X, y = planted(2, n=90, width=4, told=(1,))
    for model in (RidgeClassifier(), LinearSVM()):
        fitted = FeatureSearch(model, n_features=1).fit(X, y)
        assert fitted.features_ == [1] and not hasattr(fitted, "predict_proba")
        assert fitted.decision_function(X).shape == (90,)


def test_frames_and_typed_tables() -> None:
    X, y = planted(3, n=120, width=3, told=(2,))
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    fitted = FeatureSearch(GaussianNB(), n_features=1).fit(frame, y)
    assert fitted.features_ == ["c"] and (fitted.predict(frame) == y).mean() > 0.7
    with pytest.raises(ValueError, match="feature names"):
        fitted.predict(frame[["c", "b", "a"]])
    table = read(frame)
    mixed = FeatureSearch(MixedNB(), n_features=1).fit(table, y)
    assert mixed.features_ == ["c"] and mixed.predict(table).shape == (120,)
    with raises("S090"):
        mixed.predict(table.select(["a", "b"]))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"search": "up"}, Expected("M023", name="search")),
        ({"n_features": 0}, Expected("M023", name="n_features")),
        ({"n_features": 9}, Expected("S106", count=5)),
        ({"start": ["age"]}, Expected("S091")),
        ({"plan": "ten"}, Expected("M023", name="plan")),
        ({"estimator": 3}, Expected("M023", name="estimator")),
    ],
)
def test_bad_settings_are_one_sentence(change: dict[str, Any], expected: Expected) -> None:
    X, y = planted(4, n=40, width=5, told=(1,))
    with raises(expected, (ValueError, TypeError)):
        FeatureSearch(**{"estimator": GaussianNB(), **change}).fit(X, y)
