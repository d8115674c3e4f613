"""Learning in parts, merging and forgetting: arithmetic on statistics that equals one fit."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from assay import GaussianClassifier, GaussianNB
from tests.contract.answers import outputs
from tests.contract.registry import blobs, normal_classifiers, shown, statistics_classifiers
from tests.noted import noted
from tests.raised import raises

# A given number of discriminant directions needs more classes than that from the first part on.
ANY_NUMBER_OF_CLASSES = [m for m in statistics_classifiers() if getattr(m, "n_components", None) is None]


def agree(one: Any, two: Any, X: Any, places: float = 1e-9) -> None:
    assert one.classes_.tolist() == two.classes_.tolist()
    np.testing.assert_allclose(outputs(one, X), outputs(two, X), rtol=places, atol=places)
    np.testing.assert_allclose(one.class_count_, two.class_count_, rtol=1e-12)
    assert one.diagnostics_ == two.diagnostics_


@pytest.mark.parametrize("model", statistics_classifiers(), ids=shown)
@pytest.mark.parametrize("size", [1, 7, 45, 89])
def test_parts_equal_the_whole(model: Any, size: int) -> None:
    X, y = blobs()
    parts = clone(model)
    for start in range(0, len(y), size):
        part = slice(start, start + size)
        parts.partial_fit(X[part], y[part], classes=[0, 1, 2])
    agree(parts, clone(model).fit(X, y), X)


@pytest.mark.parametrize("model", ANY_NUMBER_OF_CLASSES, ids=shown)
def test_new_classes_may_appear_at_any_time(model: Any) -> None:
    X, y = blobs()
    order = np.argsort(-y, kind="stable")  # class 2 first, then 1, then 0
    parts = clone(model)
    for rows in np.array_split(order, 6):
        parts.partial_fit(X[rows], y[rows])
    agree(parts, clone(model).fit(X, y), X)


@pytest.mark.parametrize("model", statistics_classifiers(), ids=shown)
def test_weighted_parts(model: Any) -> None:
    X, y = blobs()
    weight = np.random.default_rng(0).uniform(0, 2, len(y))
    parts = clone(model)
    for rows in np.array_split(np.arange(len(y)), 4):
        parts.partial_fit(X[rows], y[rows], sample_weight=weight[rows])
    agree(parts, clone(model).fit(X, y, weight), X)


@pytest.mark.parametrize("model", statistics_classifiers(), ids=shown)
def test_merged_models_equal_the_whole(model: Any) -> None:
    X, y = blobs()
    one = clone(model).fit(X[:30], y[:30])
    two = clone(model).fit(X[30:], y[30:])
    before = pickle.dumps(two)
    agree(one.merge(two), clone(model).fit(X, y), X)
    assert pickle.dumps(two) == before


def test_merging_models_that_know_different_classes() -> None:
    X, y = blobs()
    one = GaussianNB().fit(X[y != 2], y[y != 2])
    two = GaussianNB().fit(X[y != 0], y[y != 0])
    rows = np.concatenate([np.flatnonzero(y != 2), np.flatnonzero(y != 0)])
    agree(one.merge(two), GaussianNB().fit(X[rows], y[rows]), X)


@pytest.mark.parametrize("model", statistics_classifiers(), ids=shown)
@pytest.mark.parametrize("weighted", [False, True])
def test_forgetting_restores_the_model(model: Any, weighted: bool) -> None:
    X, y = blobs()
    weight = np.random.default_rng(0).uniform(0.5, 2, len(y)) if weighted else np.ones(len(y))
    kept, gone = slice(0, 60), slice(60, 90)
    whole = clone(model).fit(X, y, weight)
    whole.forget(X[gone], y[gone], weight[gone])
    agree(whole, clone(model).fit(X[kept], y[kept], weight[kept]), X, 1e-8)


@pytest.mark.parametrize("model", statistics_classifiers(), ids=shown)
def test_forgotten_parameters_to_nine_digits(model: Any) -> None:
    X, y = blobs()
    learned = clone(model).fit(X, y)
    before = {
        name: np.copy(v)
        for name, v in vars(learned).items()
        if isinstance(v, np.ndarray) and v.dtype.kind == "f"
    }
    learned.partial_fit(X[:5] + 1.0, y[:5]).forget(X[:5] + 1.0, y[:5])
    for name, value in before.items():
        np.testing.assert_allclose(getattr(learned, name), value, rtol=1e-9, atol=1e-9 * np.abs(value).max())


@pytest.mark.parametrize("model", statistics_classifiers(), ids=shown)
def test_forgetting_the_last_row_of_a_class_removes_the_class(model: Any) -> None:
    X, y = blobs(classes=2)
    wider = np.append(y, 2)
    learned = clone(model).fit(np.vstack([X, X[:1] + 5.0]), wider)
    assert learned.classes_.tolist() == [0, 1, 2]
    learned.forget(X[:1] + 5.0, [2])
    agree(learned, clone(model).fit(X, y), X, 1e-8)


def test_what_was_never_learned_cannot_be_forgotten() -> None:
    X, y = blobs()
    model = GaussianNB().fit(X, y)
    before = pickle.dumps(model)
    with raises("M018", label=9):
        model.forget(X[:1], [9])
    count = int((y == 1).sum())
    with raises("M014", rows=count + 1, label=1, learned=count):
        model.forget(np.zeros((count + 1, 4)), np.ones(count + 1, dtype=int))
    with raises("M015"):
        model.forget(X[y == 1], y[y == 1], np.full(count, 2.0))
    with pytest.raises(ValueError, match="3 features"):
        model.forget(X[:2, :3], y[:2])
    with raises("M013"):
        model.forget(X[y != 0], y[y != 0])
    assert pickle.dumps(model) == before


@pytest.mark.parametrize(
    "model", [GaussianNB(), GaussianClassifier("full"), GaussianClassifier("shared")], ids=shown
)
def test_forgetting_is_refused_when_too_few_digits_are_left(model: Any) -> None:
    X, y = blobs()
    far = np.vstack([X, np.full((1, 4), 1e9)])
    learned = clone(model).fit(far, np.append(y, 0))
    with raises("M016"):
        learned.forget(far[-1:], [0])


def test_forgetting_rows_that_were_not_those_is_not_noticed_but_never_breaks() -> None:
    """Counts cannot tell which rows were learned: the result is another model, with finite numbers."""
    X, y = blobs()
    model = GaussianNB().fit(X, y)
    try:
        model.forget(X[:3] + 50.0, y[:3])
    except ValueError as error:
        assert "digits" in str(error) or "never learned" in str(error)
    assert np.isfinite(model.var_).all() and (model.var_ > 0).all()


@pytest.mark.parametrize(
    "model", [GaussianNB(), GaussianClassifier("full"), GaussianClassifier("shared")], ids=shown
)
@given(seed=st.integers(0, 10_000), cut=st.integers(1, 39))
@settings(max_examples=15)
def test_partial_fit_then_forget_at_random(model: Any, seed: int, cut: int) -> None:
    X, y = blobs(rows=40, seed=seed)
    if len(set(y[:cut])) < 2:
        return
    parts = clone(model).fit(X[:cut], y[:cut])
    expected = outputs(parts, X)
    parts.partial_fit(X[cut:], y[cut:])
    # Three rows of a class in four columns are singular: posteriors down to e^-1e8 magnify the last digits.
    agree(parts, clone(model).fit(X, y), X, 1e-7)
    parts.forget(X[cut:], y[cut:])
    # One-row and equal-row classes are told apart by exact zeros, which a difference may not leave.
    if min(np.bincount(y[:cut], minlength=3)[np.unique(y[:cut])]) > 4:
        np.testing.assert_allclose(outputs(parts, X), expected, rtol=1e-6, atol=1e-6)


def test_merging_is_refused_between_different_models() -> None:
    X, y = blobs()
    one = GaussianNB().fit(X, y)
    for other in (GaussianNB(variance="unbiased").fit(X, y), GaussianClassifier("diagonal").fit(X, y)):
        with raises("M010"):
            one.merge(other)  # type: ignore[arg-type]
    with raises("M011", other_columns=3, n_columns=4):
        one.merge(GaussianNB().fit(X[:, :3], y))


def test_partial_fit_names_labels_outside_the_announced_classes() -> None:
    X, y = blobs()
    with raises("M017", strange=2):
        GaussianNB().partial_fit(X, y, classes=[0, 1])


def test_the_first_part_may_hold_one_class() -> None:
    X, y = blobs()
    model = GaussianNB().partial_fit(X[y == 0], y[y == 0], classes=[0, 1, 2])
    assert (model.predict(X) == 0).all()
    assert noted(model.diagnostics_, "M301", label="1")


@pytest.mark.parametrize("model", normal_classifiers(), ids=shown)
def test_other_priors_without_a_refit(model: Any) -> None:
    X, y = blobs()
    priors = [0.7, 0.2, 0.1]
    fitted = clone(model).fit(X, y)
    before = pickle.dumps(fitted)
    changed = fitted.with_priors(priors)
    expected = clone(model).set_params(priors=priors).fit(X, y)
    np.testing.assert_allclose(outputs(changed, X), outputs(expected, X), rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(changed.class_prior_, priors)
    assert pickle.dumps(fitted) == before
    reweighted = fitted.decide(X, priors=priors)
    assert (reweighted.labels == expected.predict(X)).all()
    with raises("L050", total=0.8999999999999999):
        fitted.with_priors([0.5, 0.2, 0.2])


def test_fit_starts_anew() -> None:
    X, y = blobs()
    model = GaussianClassifier("shared").fit(X, y)
    model.set_params(covariance="full").fit(X[:, :2], y)
    assert model.n_features_in_ == 2 and not hasattr(model, "coef_")
    agree(model, GaussianClassifier("full").fit(X[:, :2], y), X[:, :2])
