"""Subclasses that override a method are refitted, and get what scikit-learn's cross-validation gets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import Pipeline, make_pipeline

from assay import (
    PCA,
    BasisExpansion,
    Calibrated,
    ChooseWords,
    DropRare,
    DropReference,
    GaussianNB,
    Impute,
    KFold,
    KNeighborsClassifier,
    LeastSquaresClassifier,
    LeaveOneOut,
    LinearSVM,
    LogisticRegression,
    MultinomialNB,
    OneHot,
    SelectColumns,
    Standardize,
    TableClassifier,
    TextCounts,
    TfIdf,
    evaluate,
    learning_curve,
    nested,
    select_features,
    tune,
)
from assay.sharing.overrides import overrides
from tests.contract.registry import public_classifiers

Array = np.ndarray[Any, Any]
PLAN = KFold(3)
CLASSIFIERS = public_classifiers()
STEPS: dict[str, tuple[Any, Any]] = {
    "Standardize": (Standardize(), KNeighborsClassifier()),
    "Impute": (Impute(), LogisticRegression(0.1)),
    "SelectColumns": (SelectColumns(), GaussianNB()),
    "DropReference": (DropReference(), LinearSVM(0.1)),
    "DropRare": (DropRare(), LeastSquaresClassifier(0.1)),
    "PCA": (PCA(2), GaussianNB()),
    "BasisExpansion": (BasisExpansion("interaction"), LogisticRegression(0.1)),
    "ChooseWords": (ChooseWords(), MultinomialNB()),
    "TfIdf": (TfIdf(), LogisticRegression(0.1)),
}


def counts(classes: int = 3) -> tuple[Array, Array]:
    """Whole numbers that every model reads; the labels are noisy, so that answers differ."""
    rng = np.random.default_rng(0)
    y = np.arange(48) % classes
    X = rng.integers(0, 4, (48, 4)).astype(np.float64) + np.where(rng.random(48) < 0.8, y, 0)[:, None]
    return X, y


def warped(X: Any) -> Any:
    """Rows of a method that was overridden."""
    if isinstance(X, list):
        return [text.replace("a", "b") for text in X]
    other = np.array(X, dtype=np.float64)
    other[:, 0] *= other[:, 1]
    return pd.DataFrame(other, columns=X.columns) if hasattr(X, "columns") else other


def changing(method: str) -> dict[str, Callable[..., Any]]:
    """A body that overrides a method with something else."""

    def fit(self: Any, X: Any, y: Any = None, **arguments: Any) -> Any:
        return super(type(self), self).fit(warped(X), y, **arguments)

    def changed(self: Any, X: Any, *arguments: Any, **named: Any) -> Any:
        return getattr(super(type(self), self), method)(warped(X), *arguments, **named)

    return {method: fit if method == "fit" else changed}


def passing(cls: type, methods: list[str]) -> dict[str, Callable[..., Any]]:
    """A body that overrides methods and changes nothing."""

    def made(name: str) -> Callable[..., Any]:
        return lambda self, *given, **named: getattr(super(type(self), self), name)(*given, **named)

    return {name: made(name) for name in methods}


def subclassed(estimator: Any, body: dict[str, Any]) -> Any:
    cls = type(estimator)
    given = {key: value for key, value in estimator.get_params(deep=False).items()}
    # A subclass without a signature of its own has that of its base: scikit-learn reads it.
    return type(f"Own{cls.__name__}", (cls,), body)(**given)


def check(model: Any, X: Any, y: Array, changed: bool = True) -> None:
    """The evaluation is that of scikit-learn on the same folds."""
    found = evaluate(model, X, y, PLAN)
    assert found.strategy == "refit"
    assert any("overrides" in note and "was refitted" in note for note in found.notes)
    np.testing.assert_array_equal(found.tested.predicted, cross_val_predict(model, X, y, cv=PLAN))
    if found.probabilistic:
        expected = cross_val_predict(model, X, y, cv=PLAN, method="predict_proba")
        np.testing.assert_allclose(np.exp(found.tested.scores), expected, atol=1e-9)


def public(estimator: Any) -> list[str]:
    names = (name for name in dir(type(estimator)) if not name.startswith("_"))
    own = {"get_params", "set_params", "get_metadata_routing"}  # scikit-learn reads the signatures of these
    return [
        name
        for name in names
        if name not in own and not name.endswith("_request") and callable(getattr(estimator, name, None))
    ]


def rows_for(name: str) -> tuple[Array, Array]:
    return counts(2 if name == "ParametricClassifier" else 3)  # its function is one of two classes


METHODS = ("fit", "predict", "predict_proba", "predict_log_proba", "decision_function")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_each_method_of_each_classifier(name: str, method: str) -> None:
    if method in public(CLASSIFIERS[name]):
        check(subclassed(CLASSIFIERS[name], changing(method)), *rows_for(name))


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_a_classifier_may_override_everything_and_change_nothing(name: str) -> None:
    model = CLASSIFIERS[name]
    check(subclassed(model, passing(type(model), public(model))), *rows_for(name))


@pytest.mark.parametrize("method", ["fit", "transform", "fit_transform"])
@pytest.mark.parametrize("name", STEPS)
def test_each_method_of_each_step(name: str, method: str) -> None:
    step, model = STEPS[name]
    check(make_pipeline(subclassed(step, changing(method)), clone(model)), *counts())
    check(make_pipeline(subclassed(step, passing(type(step), public(step))), clone(model)), *counts())


@pytest.mark.parametrize("method", ["fit", "transform", "fit_transform"])
def test_each_method_of_a_step_of_texts(method: str) -> None:
    texts = [f"{'aa' if k % 2 else 'ba'} w{k % 5} ab{k % 3}" for k in range(40)]
    step = subclassed(TextCounts(), changing(method))
    check(make_pipeline(step, MultinomialNB()), texts, np.arange(40) % 2)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "model", [GaussianNB(), KNeighborsClassifier(), LogisticRegression(0.1), LinearSVM(0.1), MultinomialNB()]
)
def test_each_method_of_a_pipeline(model: Any, method: str) -> None:
    pipeline = make_pipeline(SelectColumns(), model)
    if hasattr(pipeline, method):
        check(subclassed(pipeline, changing(method)), *counts())


class LogLR(LogisticRegression):
    """Overrides as people write them: a step of one's own inside fit and predict_proba."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        return super().fit(np.log1p(X), y, sample_weight)

    def predict_proba(self, X: Any) -> Any:
        return super().predict_proba(np.log1p(X))


class Reversed(GaussianNB):
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        return super().fit(X[:, ::-1], y, sample_weight)


def test_classes_as_people_write_them() -> None:
    X, y = counts()
    check(LogLR(0.1), X, y)
    check(Reversed(), X, y)
    assert evaluate(Reversed(), X, y, PLAN).error != evaluate(GaussianNB(), X, y, PLAN).error


@pytest.mark.parametrize(
    "model", [Reversed(), LogLR(0.1), subclassed(KNeighborsClassifier(), changing("fit"))]
)
def test_single_rows_left_out(model: Any) -> None:
    X, y = counts()
    found = evaluate(model, X, y, LeaveOneOut())
    assert found.strategy == "refit"
    np.testing.assert_array_equal(found.predicted, cross_val_predict(model, X, y, cv=LeaveOneOut()))


@pytest.mark.parametrize("method", ["fit", "predict", "predict_proba"])
def test_classifiers_of_tables(method: str) -> None:
    X, y = counts()
    frame = pd.DataFrame(X, columns=list("abcd"))
    inside = TableClassifier(OneHot(), [subclassed(Standardize(), changing("transform"))], Reversed())
    outside = subclassed(TableClassifier(OneHot(), [], GaussianNB()), changing(method))
    for model in (inside, outside):
        found = evaluate(model, frame, y, PLAN)
        np.testing.assert_array_equal(found.predicted, cross_val_predict(model, frame, y, cv=PLAN))
        expected = cross_val_predict(model, frame, y, cv=PLAN, method="predict_proba")
        np.testing.assert_allclose(found.posterior, expected, atol=1e-9)


def test_choices_curves_and_searches_use_the_overrides() -> None:
    X, y = counts()
    plain, own = GaussianNB(), Reversed()
    tuned = tune(own, X, y, plan=PLAN, variance_floor=[1e-9, 0.1])
    expected = [evaluate(Reversed(variance_floor=floor), X, y, PLAN).error for floor in (1e-9, 0.1)]
    assert tuned.errors.tolist() == expected
    assert nested(own, X, y, plan=PLAN, variance_floor=[1e-9, 0.1]).errors.tolist() == expected
    curve = learning_curve(own, X, y, PLAN, sizes=[0.5, 1.0])
    assert curve.errors[-1] == expected[0]
    assert curve.errors.tolist() != learning_curve(plain, X, y, PLAN, sizes=[0.5, 1.0]).errors.tolist()
    searched = select_features(own, X, y, plan=PLAN)
    note = "Reversed overrides fit of GaussianNB: every split was refitted."
    assert searched.strategy == "refit" and searched.notes == (note,)
    calibrated = Calibrated(LogLR(0.1), plan=PLAN).fit(X, y)
    assert "LogLR overrides fit of LogisticRegression: every split was refitted." in calibrated.diagnostics_
    assert not np.allclose(
        calibrated.predict_proba(X), Calibrated(LogisticRegression(0.1), plan=PLAN).fit(X, y).predict_proba(X)
    )


class Strong(LogisticRegression):
    """Other defaults and a method of its own: nothing that shared computation relies on."""

    def __init__(
        self, l2: float = 0.5, *, l1: float = 0.0, class_weight: Any = None, tol: float = 1e-6
    ) -> None:
        super().__init__(l2, l1=l1, class_weight=class_weight, tol=tol)

    def odds(self, X: Any) -> Any:
        return np.exp(self.decision_function(X))


def test_a_subclass_that_changes_nothing_shares() -> None:
    X, y = counts()
    found = evaluate(Strong(), X, y, PLAN)
    assert found.strategy == "path" and not found.notes
    np.testing.assert_array_equal(found.tested.predicted, cross_val_predict(Strong(), X, y, cv=PLAN))


class Louder:
    """Posteriors for whatever has margins."""

    def predict_proba(self: Any, X: Any) -> Any:
        scores = np.exp(self.decision_function(X))
        return scores / scores.sum(axis=1, keepdims=True)


class LoudSVM(LinearSVM, Louder):
    pass


class Held(GaussianNB):
    """A method that the object itself carries."""

    def __init__(self) -> None:
        super().__init__()
        self.predict = lambda X: np.full(len(X), self.classes_[0])


def test_methods_from_beside_and_of_the_object_count() -> None:
    X, y = counts()
    found = evaluate(LoudSVM(0.1), X, y, PLAN)
    assert found.strategy == "refit" and found.probabilistic
    assert found.notes == ("LoudSVM overrides predict_proba of LinearSVM: every split was refitted.",)
    assert evaluate(Held(), X, y, PLAN).tested.predicted.tolist() == [0] * 48


def test_what_was_fitted_is_not_an_override() -> None:
    for name, model in {**CLASSIFIERS, **{name: step for name, (step, _) in STEPS.items()}}.items():
        assert overrides(clone(model).fit(*rows_for(name))) is None


class Doubling(Pipeline):
    """As pipelines that resample: rows are repeated in training."""

    def fit(self, X: Any, y: Any = None, **params: Any) -> Any:
        rows = np.repeat(np.arange(len(y)), 1 + (np.asarray(y) == 0))
        return super().fit(X[rows], y[rows], **params)


class Chained(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A pipeline that is none of scikit-learn's, and lists no classes."""

    def __init__(self, steps: Any) -> None:
        self.steps = steps

    def fit(self, X: Any, y: Any) -> Any:
        self.step_, self.model_ = (clone(part) for part in self.steps)
        self.model_.fit(self.step_.fit_transform(X, y), y)
        return self

    def predict(self, X: Any) -> Any:
        return self.model_.predict(self.step_.transform(X))


def test_pipelines_of_others_are_refitted() -> None:
    X, y = counts()
    steps = [("scale", Standardize()), ("near", KNeighborsClassifier())]
    doubled = Doubling(steps)
    check(doubled, X, y)
    same_name = type("Pipeline", (Doubling,), {"__module__": "resampling", "_parameter_constraints": {}})(
        steps
    )
    note = "resampling.Pipeline overrides fit of Pipeline: every split was refitted."
    assert note in evaluate(same_name, X, y, PLAN).notes
    found = evaluate(Chained([Standardize(), KNeighborsClassifier()]), X, y, PLAN)
    assert found.strategy == "refit" and not found.probabilistic
    np.testing.assert_array_equal(
        found.tested.predicted,
        evaluate(make_pipeline(Standardize(), KNeighborsClassifier()), X, y, PLAN).tested.predicted,
    )
