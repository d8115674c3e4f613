"""Tested pairs: labels, posteriors under priors, and what each row counts where it is tested repeatedly."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn import metrics
from sklearn.datasets import load_iris
from sklearn.linear_model import RidgeClassifier
from sklearn.svm import LinearSVC

from assay import (
    Bootstrap,
    GaussianClassifier,
    GaussianNB,
    HoldOut,
    KFold,
    LeastSquaresClassifier,
    LeaveOneOut,
    RandomSubsampling,
    evaluate,
)
from assay.decision import t_interval, wilson
from tests.contract.registry import blobs
from tests.raised import raises
from tests.selection.grouped import MODELS_BY_STRATEGY, copied
from tests.selection.three_classes import LOSS, three


@pytest.mark.parametrize("labels", [[1, 2, 3], ["ash", "elm", "oak"], [1.0, 2.0, 4.0]], ids=str)
@pytest.mark.parametrize(
    "plan", [KFold(10), RandomSubsampling(3), Bootstrap(3)], ids=lambda plan: type(plan).__name__
)
def test_predictions_are_labels(labels: list[Any], plan: Any) -> None:
    X, codes = load_iris(return_X_y=True)
    y = np.array(labels)[codes]
    result = evaluate(GaussianNB(), X, y, plan)
    np.testing.assert_array_equal(result.truth, y[result.rows])
    assert result.predicted.dtype == y.dtype
    assert result.wrong.mean() == pytest.approx(1 - metrics.accuracy_score(result.truth, result.predicted))
    np.testing.assert_array_equal(result.classes[result.truth_codes], result.truth)
    np.testing.assert_array_equal(result.classes[result.predicted_codes], result.predicted)
    if isinstance(plan, KFold):
        assert 1 - metrics.accuracy_score(y, result.predicted) == pytest.approx(result.error)
        assert result.error < 0.1


def test_repeats_are_averaged_per_row_first() -> None:
    result, y = three(KFold(4, repeats=3))
    wrong = np.zeros((3, 120))
    for repeat in range(3):
        pairs = slice(120 * repeat, 120 * (repeat + 1))
        wrong[repeat, result.rows[pairs]] = (result.predicted != result.truth)[pairs]
    assert result.n_splits == 12 and len(result.rows) == 360
    assert result.error == pytest.approx(wrong.mean())
    assert tuple(result.error_interval) == pytest.approx(tuple(wilson(wrong.mean(axis=0).sum(), 120)))
    single = evaluate(GaussianNB(), *blobs(rows=120, seed=20), KFold(4))
    ratio = np.diff(result.error_interval)[0] / np.diff(single.error_interval)[0]
    assert 0.8 < ratio < 1.25  # three looks at the same rows are not three times the rows


def test_unequal_numbers_of_tests() -> None:
    result, y = three(RandomSubsampling(0.3, repeats=5))
    wrong = result.predicted != result.truth
    tested, times = np.unique(result.rows, return_counts=True)
    per_row = np.array([wrong[result.rows == row].mean() for row in tested])
    assert result.row_error == pytest.approx(np.mean(per_row))
    assert result.error == pytest.approx(result.split_errors.mean()) == pytest.approx(wrong.mean())
    assert result.mean_loss() == result.error == result.loss_and_error[0]
    assert result.standard_error == pytest.approx(t_interval(per_row, times).standard_error)
    assert result.loss_standard_error == pytest.approx(result.standard_error)
    size = times.sum() ** 2 / (times**2).sum()
    assert tuple(result.error_interval) == pytest.approx(tuple(wilson(result.error * size, size)))
    losses = -result.log_posterior[np.arange(len(wrong)), result.truth_codes]
    assert result.log_loss == pytest.approx(np.mean([losses[result.split == s].mean() for s in range(5)]))
    held = three(HoldOut(0.25))[0]
    assert held.n_splits == 1 and len(held.rows) == 30 and held.error == held.row_error


@pytest.mark.parametrize("priors", [None, [0.2, 0.3, 0.5]], ids=["shares", "priors"])
def test_the_mean_over_splits_of_weighted_rows(priors: Any) -> None:
    weight = np.random.default_rng(4).uniform(0.0, 3.0, 120).round()
    result, _ = three(RandomSubsampling(0.2, repeats=4), sample_weight=weight, priors=priors)
    assert len(set(np.bincount(result.split, result.row_weight[result.rows]))) > 1
    assert result.error == pytest.approx(result.split_errors.mean())
    low, high = result.error_interval
    assert low < result.error < high
    again, _ = three(RandomSubsampling(0.2, repeats=4), sample_weight=0.37 * weight, priors=priors)
    assert again.error == pytest.approx(result.error) and again.standard_error == pytest.approx(
        result.standard_error
    )


def test_as_many_mistakes_are_the_same_error_to_the_last_bit() -> None:
    result, _ = three(RandomSubsampling(0.1, repeats=7))
    size = len(result.rows)
    rng = np.random.default_rng(0)
    for _ in range(20):
        predicted = result.truth_codes.copy()
        predicted[rng.choice(size, 11, replace=False)] += 1
        assert replace(result, tested=replace(result.tested, predicted=predicted)).error == 11 / size


@pytest.mark.parametrize(
    "plan", [KFold(5), LeaveOneOut(), Bootstrap(10)], ids=["KFold", "LeaveOneOut", "Bootstrap"]
)
@pytest.mark.parametrize("covariance", ["shared", "full", "diagonal"])
def test_priors_at_decision_time_equal_a_refit_with_them(plan: Any, covariance: str) -> None:
    X, y = blobs(rows=80, seed=21)
    priors = [0.6, 0.3, 0.1]
    later = evaluate(GaussianClassifier(covariance), X, y, plan, priors=priors)
    before = evaluate(GaussianClassifier(covariance, priors=priors), X, y, plan)
    np.testing.assert_allclose(later.log_posterior, before.log_posterior, rtol=1e-9, atol=1e-9)
    assert (later.predicted == before.predicted).all()
    own = -before.log_posterior[np.arange(len(before.truth_codes)), before.truth_codes]
    mean = np.bincount(before.rows, own, len(y)) / np.maximum(np.bincount(before.rows, minlength=len(y)), 1)
    tested = np.bincount(before.rows, minlength=len(y)) > 0
    by_class = [mean[tested & (y == k)].mean() for k in range(3)]
    assert later.log_loss == pytest.approx(np.dot(priors, by_class))
    plain = evaluate(GaussianClassifier(covariance), X, y, plan)
    assert np.abs(plain.posterior - later.posterior).max() > 0.05


def test_priors_at_decision_time_for_refitted_models() -> None:
    from sklearn.naive_bayes import GaussianNB as Theirs

    X, y = blobs(rows=80, seed=21)
    later = evaluate(Theirs(var_smoothing=0.0), X, y, KFold(5), priors=[0.6, 0.3, 0.1])
    before = evaluate(Theirs(var_smoothing=0.0, priors=[0.6, 0.3, 0.1]), X, y, KFold(5))
    assert later.strategy == "refit"
    np.testing.assert_allclose(later.posterior, before.posterior, atol=1e-9)
    uniform = evaluate(Theirs(var_smoothing=0.0, priors=[1 / 3] * 3), X, y, KFold(5), priors=[0.6, 0.3, 0.1])
    np.testing.assert_allclose(uniform.posterior, before.posterior, atol=1e-9)


def test_a_prior_of_zero_excludes_a_class() -> None:
    X, y = blobs(rows=80, seed=21)
    result = evaluate(GaussianNB(), X, y, KFold(5), priors=[0.5, 0.5, 0.0])
    assert (result.posterior[:, 2] == 0).all() and (result.predicted_codes != 2).all()
    np.testing.assert_allclose(result.posterior.sum(axis=1), 1.0)
    assert result.n_clipped == 0 and result.log_loss < 1.0  # in that population there are no such rows


@pytest.mark.parametrize(
    "model", [LeastSquaresClassifier(), LinearSVC(), RidgeClassifier()], ids=lambda m: type(m).__name__
)
def test_margins_have_no_posterior_figures(model: Any) -> None:
    X, y = blobs(rows=60, seed=22)
    result = evaluate(model, X, y, KFold(3))
    name = type(model).__name__
    refused = {
        "log_loss": lambda: result.log_loss,
        "brier": lambda: result.brier,
        "posterior": lambda: result.posterior,
        "log posterior": lambda: result.log_posterior,
        "calibration": lambda: result.calibration(),
        "reject": lambda: result.error_reject(),
        "decide": lambda: result.decide(LOSS),
        "interval": lambda: result.interval("brier"),
        "clipped": lambda: result.n_clipped,
    }
    for what, figure in refused.items():
        with raises("S123", name=name) as caught:
            figure()
        assert str(caught.value).count(".") <= 2, what
    assert 0.0 <= result.error <= 1.0
    assert result.mean_loss(LOSS) == pytest.approx(LOSS[y, result.predicted_codes].mean())
    expected = np.mean([metrics.roc_auc_score(y == k, result.scores[:, k]) for k in range(3)])
    assert result.auc == pytest.approx(expected)
    assert "log loss" not in str(result)


@pytest.mark.parametrize("name", MODELS_BY_STRATEGY)
def test_copies_that_stay_together_have_the_intervals_of_single_rows(name: str) -> None:
    X, y, groups = copied()
    together = evaluate(MODELS_BY_STRATEGY[name], X, y, KFold(5), groups=groups, progress=False)
    errors = np.bincount(groups, together.predicted != together.truth) / 4
    share = errors.mean()
    low, high = together.error_interval
    assert low < share < high
    alone = np.sqrt(share * (1 - share) / 60)
    assert 2 * 1.9 * alone < high - low < 2 * 2.2 * alone
    apart = evaluate(MODELS_BY_STRATEGY[name], X, y, KFold(5), progress=False)
    assert np.subtract(*apart.error_interval[::-1]) < 0.7 * (high - low)
    for measure in ("loss", "brier", "auc"):
        inside, outside = together.interval(measure), apart.interval(measure)
        assert np.subtract(*inside[::-1]) > 1.3 * np.subtract(*outside[::-1])
