"""Choosing by a metric: the values inside every training set against loops over scikit-learn's metrics."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris

from assay import (
    FunctionMetric,
    GaussianNB,
    KFold,
    LinearSVM,
    LogisticRegression,
    TrainValidationTest,
    evaluate,
    nested,
    tune,
)
from assay.selection.metric_losses import jackknife
from tests.noted import noted
from tests.raised import raises

theirs: Any = import_module("sklearn.metrics")
X, Y = load_breast_cancer(return_X_y=True)
PLAN = KFold(4)
FLOORS = [1e-9, 0.01, 0.3]


def cancer_recall(y: Any, predicted: Any, sample_weight: Any = None) -> float:
    return float(theirs.recall_score(y, predicted, pos_label=0, sample_weight=sample_weight))


METRICS: dict[str, Any] = {
    "f1": lambda y, p, w: 1 - theirs.f1_score(y, p[:, 1] > 0.5, pos_label=0, sample_weight=w),
    "balanced_accuracy": lambda y, p, w: (
        1 - theirs.balanced_accuracy_score(y, p[:, 1] > 0.5, sample_weight=w)
    ),
    "mcc": lambda y, p, w: 1 - theirs.matthews_corrcoef(y, p[:, 1] > 0.5, sample_weight=w),
    "auc": lambda y, p, w: 1 - theirs.roc_auc_score(y, p[:, 1], sample_weight=w),
    "average_precision": lambda y, p, w: 1 - theirs.average_precision_score(y == 0, p[:, 0], sample_weight=w),
    "log_loss": lambda y, p, w: theirs.log_loss(y, p, sample_weight=w),
}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", METRICS)
def test_inner_values_pool_the_rows_of_the_inner_folds(name: str, weighted: bool) -> None:
    weight = np.random.default_rng(0).uniform(0.5, 1.5, len(Y)) if weighted else None
    # Posteriors that are nowhere 0 or 1 have an order in double precision.
    part = X[:, [1, 4, 8, 9]]
    result = nested(
        GaussianNB(),
        part,
        Y,
        plan=PLAN,
        metric=name,
        rule="one_se",
        sample_weight=weight,
        variance_floor=FLOORS,
    )
    fold = PLAN.partitions(Y)[0].fold
    for f in range(4):
        pairs = [
            (np.flatnonzero((fold != f) & (fold != g)), np.flatnonzero(fold == g)) for g in range(4) if g != f
        ]
        for s, floor in enumerate(FLOORS):
            inside = evaluate(GaussianNB(variance_floor=floor), part, Y, pairs, sample_weight=weight)
            w = None if weight is None else weight[inside.rows]
            expected = METRICS[name](inside.truth_codes, inside.posterior, w)
            assert result.inner[f, s] == pytest.approx(expected, abs=1e-9)
    tuned = tune(GaussianNB(), part, Y, plan=PLAN, metric=name, sample_weight=weight, variance_floor=FLOORS)
    np.testing.assert_allclose(result.losses, tuned.losses, atol=1e-9)
    np.testing.assert_allclose(result.standard_errors, tuned.standard_errors, atol=1e-9)
    assert result.evaluation.metric is not None
    lost = result.evaluation.metric.loss(result.evaluation.metrics(positive=0)[name].value)
    assert result.evaluation.mean_loss() == pytest.approx(lost)


def test_the_standard_error_is_the_jackknifes_over_folds() -> None:
    tuned = tune(GaussianNB(), X, Y, plan=PLAN, metric="f1", variance_floor=[0.01])
    result = tuned.evaluations[0]
    left = np.array(
        [theirs.f1_score(Y[keep := result.split != f], result.predicted[keep], pos_label=0) for f in range(4)]
    )
    expected = np.sqrt(3 / 4 * ((left - left.mean()) ** 2).sum())
    assert tuned.standard_errors[0] == pytest.approx(expected) == pytest.approx(float(jackknife(left)))
    assert np.isnan(jackknife(np.array([0.5, np.nan])))


@pytest.mark.parametrize(
    "metric", ["recall", cancer_recall, FunctionMetric(cancer_recall, name="cancers found")]
)
def test_a_function_chooses_as_the_metric_that_it_computes(metric: Any) -> None:
    named = nested(GaussianNB(), X, Y, plan=PLAN, metric="recall", variance_floor=FLOORS)
    found = nested(GaussianNB(), X, Y, plan=PLAN, metric=metric, variance_floor=FLOORS)
    np.testing.assert_array_equal(found.chosen, named.chosen)
    np.testing.assert_allclose(np.diff(found.losses), np.diff(named.losses), atol=1e-12)


def test_priors_reweigh_the_rows() -> None:
    priors, weight = np.array([0.1, 0.9]), np.where(Y == 0, 0.1 / (Y == 0).sum(), 0.9 / (Y == 1).sum())
    for name in ("mcc", "auc"):
        tuned = nested(GaussianNB(), X, Y, plan=PLAN, metric=name, priors=priors, variance_floor=[0.01])
        result = evaluate(GaussianNB(variance_floor=0.01), X, Y, PLAN, priors=priors)
        odds = result.log_posterior[:, 1] - result.log_posterior[:, 0]
        value = (
            theirs.matthews_corrcoef(Y, result.predicted, sample_weight=weight)
            if name == "mcc"
            else theirs.roc_auc_score(Y, odds, sample_weight=weight)
        )
        assert tuned.losses[0] == pytest.approx(1 - value)


def test_repeats_are_averaged() -> None:
    plan = KFold(4, repeats=2)
    both = nested(GaussianNB(), X, Y, plan=plan, metric="f1", variance_floor=FLOORS)
    tuned = tune(GaussianNB(), X, Y, plan=plan, metric="f1", variance_floor=FLOORS)
    np.testing.assert_allclose(both.losses, tuned.losses)
    result = tuned.evaluations[0]
    each = [
        theirs.f1_score(result.truth[here := (result.split // 4) == r], result.predicted[here], pos_label=0)
        for r in range(2)
    ]
    assert tuned.losses[0] == pytest.approx(1 - np.mean(each))


def test_the_validation_set_chooses_by_the_metric() -> None:
    plan = TrainValidationTest()
    result = tune(GaussianNB(), X, Y, plan=plan, metric="mcc", variance_floor=FLOORS)
    validation = [
        1 - theirs.matthews_corrcoef(evaluation.truth, evaluation.predicted)
        for evaluation in result.evaluations
    ]
    np.testing.assert_allclose(result.losses, validation)
    assert result.chosen == int(np.argmin(validation)) and result.test is not None


def test_a_metric_that_is_not_defined_counts_as_the_worst_value() -> None:
    rare = (np.arange(200) % 20 == 0).astype(int)
    noise = np.random.default_rng(0).normal(size=(200, 2))
    result = nested(LogisticRegression(), noise, rare, plan=KFold(4), metric="precision", l2=[100.0, 10.0])
    assert noted(result.evaluation.notes, "S300", metric="precision", undefined=10, of=10)
    assert (result.inner == 1.0).all()


def test_several_classes_take_averages() -> None:
    iris, species = load_iris(return_X_y=True)
    result = tune(GaussianNB(), iris, species, metric="f1_macro", variance_floor=FLOORS)
    predicted = result.evaluations[0].predicted
    assert result.losses[0] == pytest.approx(1 - theirs.f1_score(species, predicted, average="macro"))
    with raises("L102", name="f1", n_classes=3):
        tune(GaussianNB(), iris, species, metric="f1", variance_floor=FLOORS)
    assert tune(GaussianNB(), iris, species, metric="f1", positive=2, variance_floor=FLOORS).losses.shape == (
        3,
    )


def test_bad_input() -> None:
    for call in (tune, nested):
        with raises("L100", name="f2"):
            call(GaussianNB(), X, Y, metric="f2", variance_floor=FLOORS)
        with raises("S301"):
            call(GaussianNB(), X, Y, metric="f1", loss=[[0, 1], [2, 0]], variance_floor=FLOORS)
        with raises("S302"):
            call(GaussianNB(), X, Y, positive=1, variance_floor=FLOORS)
        with raises("L103", label="benign"):
            call(GaussianNB(), X, Y, metric="f1", positive="benign", variance_floor=FLOORS)
        with raises("S123"):
            call(LinearSVM(), X, Y, metric="log_loss", l2=[0.1, 1.0])
        with raises("L105", name="<lambda>"):
            call(GaussianNB(), X, Y, metric=lambda y, p: float("nan"), variance_floor=FLOORS)
        with raises("L104", name="<lambda>", kind="ZeroDivisionError"):
            call(GaussianNB(), X, Y, metric=lambda y, p: 1 / 0, variance_floor=FLOORS)
