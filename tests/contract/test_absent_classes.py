"""A class whose rows all have weight 0 is not there: every classifier lists it, never predicts it, and says so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.special import softmax
from sklearn.base import clone

import assay
from assay import (
    Calibrated,
    FeatureSearch,
    GaussianNB,
    KernelSVM,
    LinearSVM,
    LogisticRegression,
    OneVsOne,
    OneVsRest,
    ParametricClassifier,
    Perceptron,
)
from assay.plans import Bootstrap, KFold
from assay.sharing.reductions import Scored
from assay.sharing.splits import splits_of
from tests.contract.registry import public_classifiers
from tests.sharing.compared import assert_same, in_memory, scored

RNG = np.random.default_rng(0)
Y = np.array(["a", "b", "c", "d"])[RNG.permutation(np.arange(96) % 4)]
X = RNG.poisson(2.0 + (Y[:, None] > "b") + np.arange(4) * (Y[:, None] == "b"), (96, 4)).astype(float)
MADE: dict[str, Any] = {
    name: cls(GaussianNB()) for name, cls in (("Calibrated", Calibrated), ("FeatureSearch", FeatureSearch))
} | {
    "OneVsOne": OneVsOne(LogisticRegression(l2=0.1)),
    "OneVsRest": OneVsRest(LogisticRegression(l2=0.1)),
    "ParametricClassifier": ParametricClassifier(
        lambda Z, t: softmax(Z @ t.reshape(4, -1), axis=1),
        lambda width, classes: np.zeros(width * classes),
        l2=0.1,
    ),
}
CLASSIFIERS = [
    *(
        MADE[name] if name in MADE else getattr(assay, name)()
        for name in public_classifiers()
        if name != "KernelSVM"
    ),
    KernelSVM(tol=1e-8),
    FeatureSearch(LogisticRegression(l2=0.1)),  # an SVM's margins on whole numbers tie, and rounding decides
    LogisticRegression(l2=0.1),
    LogisticRegression(l2=0.1, l1=0.01),
    LinearSVM(l2=0.1, surrogate="squared_hinge"),
    LinearSVM(l2=0.1, solver="sgd"),
    Perceptron(shuffle=True, class_weight="balanced"),
    KernelSVM(class_weight="balanced", tol=1e-8),
]
# A network keeps units for all classes, calibration and a search draw their folds from all rows: not the same numbers.
OTHER_NUMBERS = {"NeuralNetwork", "SingleLayerNetwork", "Calibrated", "FeatureSearch", "ParametricClassifier"}


def scores_of(model: Any) -> Any:
    """Log posteriors or margins, of two classes one column each."""
    if hasattr(model, "predict_proba"):
        with np.errstate(divide="ignore"):
            return np.log(model.predict_proba(X))
    scores = model.decision_function(X)
    return np.stack([-scores / 2, scores / 2], axis=1) if scores.ndim == 1 else scores


@pytest.mark.parametrize("absent", [["d"], ["a"], ["a", "c"], ["c", "d"]], ids="-".join)
@pytest.mark.parametrize("model", CLASSIFIERS, ids=lambda model: type(model).__name__)
def test_a_class_of_weight_zero_is_not_there(model: Any, absent: list[str]) -> None:
    counted = ~np.isin(Y, absent)
    fitted = clone(model).fit(X, Y, sample_weight=counted.astype(float))
    assert fitted.classes_.tolist() == ["a", "b", "c", "d"]
    there = ~np.isin(fitted.classes_, absent)
    scores = scores_of(fitted)
    assert np.isneginf(scores[:, ~there]).all() and np.isfinite(scores[:, there]).any(axis=1).all()
    assert not np.isin(fitted.predict(X), absent).any()
    said = [note for note in fitted.diagnostics_ if note.code in ("M301", "M336")]
    assert sorted(note.values["label"] for note in said) == absent, fitted.diagnostics_
    if type(model).__name__ in OTHER_NUMBERS:
        return
    alone = clone(model).fit(X[counted], Y[counted])
    wanted = scores_of(alone)
    if not hasattr(alone, "predict_proba"):  # of margins the differences mean something
        wanted = wanted - wanted.mean(axis=1, keepdims=True)
        scores = scores - scores[:, there].mean(axis=1, keepdims=True)
    np.testing.assert_allclose(scores[:, there], wanted, rtol=1e-7, atol=1e-7)
    assert np.array_equal(fitted.predict(X), alone.predict(X))


@pytest.mark.parametrize("absent", [["d"], ["a", "c"]], ids="-".join)
def test_linear_models_keep_what_they_tell_of_the_other_classes(absent: list[str]) -> None:
    counted = ~np.isin(Y, absent)
    weight = counted.astype(float)
    logistic, alone = LogisticRegression().fit(X, Y, weight), LogisticRegression().fit(X[counted], Y[counted])
    assert logistic.n_parameters_ == alone.n_parameters_
    assert logistic.log_likelihood_ == pytest.approx(alone.log_likelihood_)
    inference, wanted = logistic.inference_, alone.inference_
    assert inference.classes == wanted.classes
    np.testing.assert_allclose(inference.coef, wanted.coef, atol=1e-6)
    np.testing.assert_allclose(inference.standard_error, wanted.standard_error, rtol=1e-6)
    svm, small = LinearSVM(l2=0.1).fit(X, Y, weight), LinearSVM(l2=0.1).fit(X[counted], Y[counted])
    there = ~np.isin(svm.classes_, absent)
    margins = svm.margin_[there]
    np.testing.assert_allclose(margins, np.resize(small.margin_, len(margins)))
    assert np.isinf(svm.margin_[~there]).all()
    assert np.array_equal(svm.support_, np.flatnonzero(counted)[small.support_])


def test_a_start_of_all_classes_serves_those_that_are_there() -> None:
    counted = Y < "c"
    whole = LogisticRegression(l2=0.1).fit(X[counted], Y[counted])
    start = np.zeros((4, 5))
    start[1] = np.append(whole.coef_[0], whole.intercept_)
    warm = LogisticRegression(l2=0.1, start=start).fit(X, Y, counted.astype(float))
    assert len(warm.history_) < len(LogisticRegression(l2=0.1).fit(X, Y, counted.astype(float)).history_)
    np.testing.assert_allclose(warm.coef_[1] - warm.coef_[0], whole.coef_[0], atol=1e-5)


@pytest.mark.parametrize("absent", [["d"], ["a", "c"]], ids="-".join)
@pytest.mark.parametrize("model", CLASSIFIERS, ids=lambda model: type(model).__name__)
def test_shared_training_sets_do_the_same(model: Any, absent: list[str]) -> None:
    """Scores of every sharer are those of fits, and no row is given to the class."""
    data = in_memory(X, Y, (~np.isin(Y, absent)).astype(float))
    for plan in (KFold(3), Bootstrap(2)):
        splits = splits_of(plan, data.codes)
        (shared,), solved = scored([model], data, splits)
        assert shared is not None
        there = ~np.isin(data.classes, absent)
        assert np.isneginf(shared.scores[:, ~there]).all() or not shared.posterior
        assert not (~there)[shared.predicted].any()
        assert {note.code for note in solved.difficulties(0)} & {"S200", "S208", "S209"}
        if solved.ways == ["refit"] or isinstance(
            model, Calibrated
        ):  # whose maps are from folds of the study
            continue
        (fitted,), _ = scored([model], data, splits, ())
        assert fitted is not None
        pairs = [_of_margins(each, there) for each in (shared, fitted)]
        assert_same(*pairs, 1e-3 if solved.ways[0] in ("path", "gram", "search") else 1e-8)


def _of_margins(found: Scored, there: Any) -> Scored:
    """Margins about their mean over the classes that are there; other classes and priors mean nothing to them."""
    if found.posterior:
        return found
    scores = np.where(there, found.scores, -np.inf)
    scores -= scores[:, there].mean(axis=1, keepdims=True)
    return found._replace(scores=scores, priors=np.zeros_like(found.priors))
