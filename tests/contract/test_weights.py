"""Importance weights: their scale matters nowhere, and every training set is scaled by itself."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.ensemble import AdaBoostClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.utils.validation import has_fit_parameter

import assay
from assay import (
    PCA,
    BernoulliNB,
    Bootstrap,
    Calibrated,
    CategoricalNB,
    FeatureSearch,
    FisherDiscriminant,
    GaussianClassifier,
    GaussianNB,
    KernelSVM,
    KFold,
    KNeighborsClassifier,
    LeaveOneOut,
    LinearSVM,
    LogisticRegression,
    MixedNB,
    MultinomialNB,
    MultivariateNormal,
    NeuralNetwork,
    OneVsOne,
    OneVsRest,
    ParametricClassifier,
    Perceptron,
    SingleLayerNetwork,
    Standardize,
    aic,
    bic,
    catalog,
    choose_clusters,
    evaluate,
    largest_l1,
    learning_curve,
    load,
    nested,
    rank_features,
    save,
    select_features,
    tune,
)
from assay.models.table.build import build
from assay.numerics.blas import one_openmp_thread
from tests.contract.answers import outputs
from tests.contract.registry import (
    blobs,
    clusterings,
    counting_classifiers,
    estimators,
    kernel_classifiers,
    neighbor_classifiers,
    shown,
    statistics_classifiers,
)
from tests.contract.typed_tables import table_for

Array = np.ndarray[Any, Any]
FACTORS = [1e-6, 1.0 / 90, 1e6 / 1.1]  # none makes whole numbers of weights that are not
SHARING = tuple(
    {type(each) for each in [*statistics_classifiers(), *neighbor_classifiers(), *kernel_classifiers()]}
)
COUNTING = tuple({type(each) for each in counting_classifiers()})


def softmax(X: Array, theta: Array) -> Array:
    scores = np.exp(X @ theta.reshape(X.shape[1], -1))
    return scores / scores.sum(axis=1, keepdims=True)


def further() -> list[Any]:
    """Public estimators that take weights and are not in the registry."""
    unbiased = GaussianClassifier(variance="unbiased")
    return [
        LinearSVM(0.1),
        LinearSVM(0.1, surrogate="squared_hinge", class_weight={0: 2.0}),
        LinearSVM(0.1, solver="sgd", epochs=2),
        Perceptron(epochs=20),
        Perceptron("averaged", epochs=20, class_weight="balanced"),
        NeuralNetwork((3,), epochs=20, learning_rate=0.05),
        SingleLayerNetwork(epochs=20),
        ParametricClassifier(softmax, lambda width, classes: np.zeros(width * classes), l2=0.1),
        OneVsRest(make_pipeline(Standardize(), KNeighborsClassifier(3))),
        OneVsOne(unbiased),
        Calibrated(unbiased, plan=5),
        Calibrated(KNeighborsClassifier(3), plan=3),
        FeatureSearch(unbiased),
        assay.DecisionTreeClassifier(max_depth=3),
        assay.RandomForestClassifier(5),
        assay.HistGradientBoostingClassifier(max_iter=5),
        assay.TargetStatistics([]),
    ]


def takers() -> list[Any]:
    """Every estimator that takes weights."""
    listed = [*estimators(), *counting_classifiers(), *clusterings(), *further()]
    return [each for each in listed if has_fit_parameter(each, "sample_weight")]


def rows_for(estimator: Any, seed: int) -> tuple[Array, Array]:
    """A table that suits the estimator: numbers, or counts."""
    X, y = blobs(seed=seed)
    return np.floor(np.abs(X)) if isinstance(estimator, COUNTING) else X, y


def test_every_public_estimator_that_takes_weights_is_listed() -> None:
    public = [getattr(assay, name) for name in assay.__all__]
    named = {
        cls.__name__
        for cls in public
        if inspect.isclass(cls) and "sample_weight" in inspect.signature(getattr(cls, "fit", repr)).parameters
    }
    assert named - {type(each).__name__ for each in takers()} == {"TableClassifier"}  # see the catalog below


@pytest.mark.parametrize("estimator", takers(), ids=shown)
def test_a_fit_does_not_depend_on_the_scale_of_the_weights(estimator: Any) -> None:
    X, y = rows_for(estimator, 8)
    weight = np.random.default_rng(8).uniform(0.2, 2.0, len(X))
    weight[::9] = 0.0
    expected = clone(estimator).fit(X, y, sample_weight=weight)
    for factor in FACTORS:
        found = clone(estimator).fit(X, y, sample_weight=factor * weight)
        agree(estimator, outputs(found, X), outputs(expected, X))
        if hasattr(expected, "predict_joint_log_proba"):
            agree(estimator, found.predict_joint_log_proba(X), expected.predict_joint_log_proba(X))
        for name in ("log_likelihood_", "explained_variance_", "class_count_"):
            if hasattr(expected, name):
                np.testing.assert_allclose(getattr(found, name), getattr(expected, name), rtol=1e-9)


def agree(estimator: Any, found: Array, expected: Array) -> None:
    """Equal to rounding; an iteration that rounding leads another way, to its tolerance."""
    places = 1e-2 if "KernelSVM" in shown(estimator) else 1e-7
    np.testing.assert_allclose(found, expected, rtol=places, atol=places)


# -- evaluations ------------------------------------------------------------------------------------------


def importance(rows: int) -> Array:
    """Weights that are whole numbers in every row but three, so that some training sets hold whole numbers alone."""
    weight = np.random.default_rng(3).integers(1, 4, rows).astype(np.float64)
    weight[[1, 4, 7]] = 0.5
    weight[::11] = 0.0
    return weight


def pipelines() -> list[Any]:
    """What stands before a model learns from weights, too."""
    return [
        make_pipeline(Standardize(), GaussianClassifier(variance="unbiased", shrinkage=0.1)),
        make_pipeline(Standardize(), KNeighborsClassifier(3)),
        make_pipeline(Standardize(), KernelSVM(l2=0.1)),
        make_pipeline(Standardize(), LogisticRegression(0.1, tol=1e-10)),
        make_pipeline(PCA(2), FisherDiscriminant()),
    ]


def evaluated() -> list[Any]:
    """Classifiers and the plans that they share something under, or one plan."""
    plain = [LogisticRegression(0.01, tol=1e-10), LogisticRegression(0.01, l1=0.02, tol=1e-10)]
    listed = [each for each in takers() if is_classifier(each) and not isinstance(each, LogisticRegression)]
    return [
        pytest.param(model, plan, id=f"{shown(model)}, {type(plan).__name__}")
        for model in [*listed, *plain, *pipelines()]
        for plan in (KFold(3), LeaveOneOut(), Bootstrap(3))
        if isinstance(plan, KFold) or isinstance(model, (*SHARING, Pipeline))
    ]


@pytest.mark.parametrize(("model", "plan"), evaluated())
def test_evaluations_do_not_depend_on_the_scale_and_equal_refits(model: Any, plan: Any) -> None:
    X, y = rows_for(model, 8)
    X, y = X[:36], y[:36]
    weight = importance(len(X))
    found = evaluate(model, X, y, plan, sample_weight=weight)
    for factor in FACTORS[1:]:
        other = evaluate(model, X, y, plan, sample_weight=factor * weight)
        agree(_last(model), other.tested.scores, found.tested.scores)
        assert other.error == pytest.approx(found.error, rel=1e-9)
        assert tuple(other.error_interval) == pytest.approx(tuple(found.error_interval), rel=1e-9)
        assert other.loss_standard_error == pytest.approx(found.loss_standard_error, rel=1e-9, nan_ok=True)
        np.testing.assert_allclose(other.confusion, found.confusion, rtol=1e-9)
    rows = np.arange(len(X)) if found.tested.rows is None else found.tested.rows
    for split, (train, _) in enumerate(plan.split(X, y)):
        tested = found.tested.split == split
        if tested.any():
            scores, expected = found.tested.scores[tested], refitted(model, X, y, weight, train, rows[tested])
            agree(_last(model), np.exp(np.minimum(scores, 9.0)), np.exp(np.minimum(expected, 9.0)))


def refitted(model: Any, X: Array, y: Array, weight: Array, train: Array, test: Array) -> Array:
    """Outputs of the tested rows by a plain fit to the training rows, whose positive weights have mean 1."""
    used = weight[train] / weight[train][weight[train] > 0].mean()
    given = {"sample_weight": used}
    if isinstance(model, Pipeline):
        given = {f"{name}__sample_weight": used for name, _ in model.steps}
    return outputs(clone(model).fit(X[train], y[train], **given), X[test])


def _last(model: Any) -> Any:
    return model[-1] if isinstance(model, Pipeline) else model


def without_scale(call: Callable[[Array], Any]) -> None:
    """What a call returns is the same for weights and for multiples of them."""
    weight = importance(len(ROWS[0]))
    expected = call(weight)
    for factor in FACTORS:
        np.testing.assert_allclose(call(factor * weight), expected, rtol=1e-7, atol=1e-9)


ROWS = blobs(60, seed=5)
UNBIASED = GaussianClassifier(variance="unbiased")


@pytest.mark.parametrize("model", [UNBIASED, KNeighborsClassifier(3), Perceptron(epochs=20)], ids=shown)
def test_learning_curves(model: Any) -> None:
    sizes = [0.6, 1.0]
    without_scale(lambda w: learning_curve(model, *ROWS, sizes=sizes, plan=3, sample_weight=w).errors)


@pytest.mark.parametrize(
    ("model", "ranges"),
    [(UNBIASED, {"shrinkage": [0.0, 0.5]}), (KNeighborsClassifier(), {"n_neighbors": [1, 3]})],
    ids=["moments", "neighbours"],
)
def test_choices(model: Any, ranges: dict[str, Any]) -> None:
    without_scale(lambda w: tune(model, *ROWS, plan=3, sample_weight=w, **ranges).losses)
    without_scale(lambda w: [nested(model, *ROWS, plan=3, sample_weight=w, **ranges).error])


def test_other_functions() -> None:
    X, y = ROWS
    without_scale(lambda w: [step.loss for step in select_features(UNBIASED, X, y, sample_weight=w).path])
    without_scale(lambda w: rank_features(X, y, sample_weight=w).scores)
    without_scale(lambda w: choose_clusters(X, [1, 2, 3], sample_weight=w, folds=3).bic)
    without_scale(lambda w: choose_clusters(X, [1, 2, 3], sample_weight=w, folds=3).held_out)
    without_scale(lambda w: [largest_l1(LogisticRegression(), X, y, sample_weight=w)])
    for criterion in (aic, bic):
        without_scale(lambda w, criterion=criterion: [criterion(GaussianNB(), X, y, sample_weight=w)])


# -- catalog ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", catalog.cards(), ids=lambda entry: entry.name)
def test_every_candidate_of_the_catalog(entry: Any) -> None:
    table, y = table_for(entry, rows=60)
    weight = np.random.default_rng(1).uniform(0.2, 2.0, len(y))
    with one_openmp_thread():
        one, other = (build(entry).fit(table, y, sample_weight=w) for w in (weight, weight / 90))
        agree(one.model_, outputs(other, table), outputs(one, table))


# -- rows that come and go --------------------------------------------------------------------------------

STREAMS = [
    GaussianNB(variance="unbiased"),
    UNBIASED,
    FisherDiscriminant(),
    MultivariateNormal(),
    PCA(),
    CategoricalNB(),
    MultinomialNB(),
    BernoulliNB(),
    MixedNB(),
]


@pytest.mark.parametrize("model", STREAMS, ids=shown)
def test_streams_equal_one_fit_of_all_rows(model: Any, tmp_path: Path) -> None:
    X, y = rows_for(model, 3)
    weight = importance(len(X)) / 7
    whole = clone(model).fit(X, y, sample_weight=weight)
    first, rest = np.arange(50), np.arange(50, len(X))
    stream = clone(model).fit(X[first], y[first], sample_weight=weight[first])
    stream.partial_fit(X[rest], y[rest], sample_weight=weight[rest])
    agree(model, outputs(stream, X), outputs(whole, X))
    merged = clone(model).fit(X[first], y[first], sample_weight=weight[first])
    merged.merge(clone(model).fit(X[rest], y[rest], sample_weight=weight[rest]))
    agree(model, outputs(merged, X), outputs(whole, X))
    save(stream, tmp_path / "model.assay")
    for other in (stream, load(tmp_path / "model.assay")):
        other.forget(X[rest], y[rest], sample_weight=weight[rest])
        agree(
            model,
            outputs(other, X),
            outputs(clone(model).fit(X[first], y[first], sample_weight=weight[first]), X),
        )


# -- boosting ---------------------------------------------------------------------------------------------

BOOSTED = [each for each in takers() if is_classifier(each)]


@pytest.mark.parametrize("model", BOOSTED, ids=shown)
def test_boosting_takes_every_classifier_with_weights(model: Any) -> None:
    X, y = rows_for(model, 2)
    boosted = AdaBoostClassifier(clone(model), n_estimators=3, random_state=0).fit(X, y)
    assert np.mean(boosted.predict(X) == y) > 0.3
