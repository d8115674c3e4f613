"""Every figure of an evaluation, against scikit-learn's metrics and hand calculation on the same predictions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn import metrics
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import RidgeClassifier
from sklearn.svm import LinearSVC

from assay import (
    Bootstrap,
    Evaluation,
    GaussianClassifier,
    GaussianNB,
    HoldOut,
    KFold,
    LeastSquaresClassifier,
    LeaveOneOut,
    LossMatrix,
    RandomSubsampling,
    evaluate,
)
from assay.decision import t_interval, wilson
from tests.contract.registry import blobs

LOSS = np.array([[0.0, 1.0, 4.0], [2.0, 0.0, 1.0], [7.0, 3.0, 0.0]])


def three(plan: Any = None, **options: Any) -> tuple[Evaluation, Any]:
    X, y = blobs(rows=120, seed=20)
    return evaluate(GaussianNB(), X, y, KFold(5) if plan is None else plan, **options), y


@pytest.mark.parametrize("weighted", [False, True])
def test_figures_equal_scikit_learns(weighted: bool) -> None:
    weight = np.random.default_rng(0).uniform(0.1, 2.0, 120) if weighted else None
    result, y = three(sample_weight=weight)
    weight = weight if weight is None else weight / weight.mean()  # tables add up to the number of rows
    p, truth = result.posterior, result.truth_codes
    np.testing.assert_array_equal(truth, y)
    guess = p.argmax(axis=1)
    assert result.error == pytest.approx(1 - metrics.accuracy_score(y, guess, sample_weight=weight))
    assert result.log_loss == pytest.approx(metrics.log_loss(y, p, sample_weight=weight))
    onehot = np.eye(3)[y]
    assert result.brier == pytest.approx(np.average(((p - onehot) ** 2).sum(axis=1), weights=weight))
    assert result.brier_score_loss == pytest.approx(metrics.brier_score_loss(y, p, sample_weight=weight))
    np.testing.assert_allclose(result.confusion, metrics.confusion_matrix(y, guess, sample_weight=weight))
    rest = [metrics.roc_auc_score(y == k, p[:, k], sample_weight=weight) for k in range(3)]
    assert result.auc == pytest.approx(np.mean(rest))
    risk = p @ LOSS
    chosen = LOSS[y, risk.argmin(axis=1)]
    assert result.mean_loss(LOSS) == pytest.approx(np.average(chosen, weights=weight))
    assert result.mean_loss() == pytest.approx(result.error)


def test_two_class_area_and_brier() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    result = evaluate(GaussianClassifier("shared"), X, y, KFold(5))
    p = result.posterior[:, 1]
    assert result.auc == pytest.approx(
        metrics.roc_auc_score(y, result.log_posterior[:, 1] - result.log_posterior[:, 0]), abs=1e-4
    )
    assert result.brier == pytest.approx(2 * metrics.brier_score_loss(y, p))
    assert result.brier_score_loss == pytest.approx(metrics.brier_score_loss(y, p))
    assert result.log_loss == pytest.approx(metrics.log_loss(y, result.posterior))


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


def test_intervals_are_those_of_the_rows() -> None:
    result, y = three()
    wrong = (result.predicted != y).astype(float)
    assert tuple(result.error_interval) == pytest.approx(tuple(wilson(wrong.sum(), 120)))
    assert result.standard_error == pytest.approx(wrong.std(ddof=1) / np.sqrt(120))
    losses = -np.log(result.posterior[np.arange(120), y])
    assert tuple(result.interval("log_loss")) == pytest.approx(tuple(t_interval(losses).interval))
    low, high = result.interval("auc")
    assert 0.0 <= low < result.auc < high <= 1.0
    narrow, wide = result.interval("error", 0.8), result.interval("error", 0.99)
    assert wide[0] < narrow[0] < result.error < narrow[1] < wide[1]
    for measure in ("loss", "brier"):
        low, high = result.interval(measure)
        assert low < (result.brier if measure == "brier" else result.mean_loss()) < high
    with pytest.raises(ValueError, match="no interval of 'speed'"):
        result.interval("speed")


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


def test_split_errors() -> None:
    result, y = three(KFold(5))
    for split in range(5):
        rows = result.rows[result.split == split]
        assert result.split_errors[split] == pytest.approx((result.predicted[rows] != y[rows]).mean())


def test_another_loss_runs_nothing_again(monkeypatch: pytest.MonkeyPatch) -> None:
    result, y = three(loss=LOSS)
    given = result.mean_loss()

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("fitted again")

    monkeypatch.setattr(GaussianNB, "solve_moments", refuse)
    monkeypatch.setattr(GaussianNB, "fit", refuse)
    assert result.mean_loss(LOSS) == pytest.approx(given)
    assert result.mean_loss([[0, 1, 1], [1, 0, 1], [1, 1, 0]]) == pytest.approx(result.error)
    assert result.mean_loss(10 * LOSS) == pytest.approx(10 * given)
    actions = result.decide(LOSS).action_codes
    assert (actions == (result.posterior @ LOSS).argmin(axis=1)).all()
    assert (actions != result.predicted_codes).any()


def test_a_reject_action() -> None:
    result, _ = three()
    reject = LossMatrix.zero_one(result.classes, reject=0.2)
    decision = result.decide(reject)
    rejected = result.posterior.max(axis=1) < 0.8
    assert (
        rejected.any() and (decision.codes[rejected] == -1).all() and (decision.codes[~rejected] >= 0).all()
    )
    wrong = (result.predicted != result.truth) & ~rejected
    assert result.mean_loss(reject) == pytest.approx((wrong + 0.2 * rejected).mean())
    never = LossMatrix.zero_one(result.classes, reject=2 / 3)
    assert (result.decide(never).codes >= 0).all()


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
        with pytest.raises(ValueError, match=f"needs posteriors, and {name} gives margins only") as caught:
            figure()
        assert str(caught.value).count(".") <= 2, what
    assert 0.0 <= result.error <= 1.0
    assert result.mean_loss(LOSS) == pytest.approx(LOSS[y, result.predicted_codes].mean())
    expected = np.mean([metrics.roc_auc_score(y == k, result.scores[:, k]) for k in range(3)])
    assert result.auc == pytest.approx(expected)
    assert "log loss" not in str(result)


def test_calibration_table_counts_every_row() -> None:
    result, _ = three()
    table = result.calibration(bins=5)
    assert table.count.sum() == 120
    one = result.calibration(bins=4, of=2)
    assert one.count.sum() == 120
    with pytest.raises(ValueError, match="7"):
        result.calibration(of=7)


def test_tables_count_weights() -> None:
    weight = np.random.default_rng(3).uniform(0.1, 2.0, 120)
    result, _ = three(sample_weight=weight)
    assert result.calibration().count.sum() == pytest.approx(120)
    curve = result.error_reject()
    assert curve.error[np.argmin(curve.reject_rate)] == pytest.approx(result.error)
    assert result.confusion.sum() == pytest.approx(120)
    whole, _ = three(sample_weight=np.ceil(weight))
    assert whole.confusion.sum() == whole.calibration().count.sum() == np.ceil(weight).sum()


def test_error_reject_curve_starts_at_the_error() -> None:
    result, _ = three()
    curve = result.error_reject()
    assert curve.error[np.argmin(curve.reject_rate)] == pytest.approx(result.error)


def test_compare_is_the_corrected_resampled_t_test() -> None:
    from scipy import stats

    X, y = load_iris(return_X_y=True)
    found = evaluate(
        {"naive": GaussianNB(), "sphere": GaussianClassifier("shared_spherical")}, X, y, KFold(10)
    )
    test = found["sphere"].compare(found["naive"])
    difference = found["sphere"].split_errors - found["naive"].split_errors
    variance = difference.var(ddof=1) * (1 / 10 + 15 / 135)
    assert test.mean == pytest.approx(difference.mean())
    assert test.t == pytest.approx(difference.mean() / np.sqrt(variance))
    assert test.p_value == pytest.approx(2 * stats.t.sf(abs(test.t), 9))
    other = evaluate(GaussianNB(), X, y, KFold(10, random_state=1))
    with pytest.raises(ValueError, match="different splits"):
        found["naive"].compare(other)


def test_models_refitted_and_shared_can_be_compared() -> None:
    X, y = load_iris(return_X_y=True)
    found = evaluate({"ours": LeastSquaresClassifier(), "theirs": RidgeClassifier()}, X, y, KFold(5))
    assert found["ours"].compare(found["theirs"]).p_value <= 1.0


def test_coverage_of_the_error_interval() -> None:
    """The interval of the cross-validated error covers the error of the model on new rows, 92 times of 100."""
    rng = np.random.default_rng(2024)
    trials, hits = 400, 0
    model = GaussianClassifier("shared")

    def draw(n: int) -> tuple[Any, Any]:
        y = rng.integers(0, 2, n)
        return rng.normal(size=(n, 3)) + y[:, None] * np.array([1.2, 0.4, 0.0]), y

    for _ in range(trials):
        X, y = draw(100)
        low, high = evaluate(model, X, y, KFold(10)).error_interval
        fresh, truth = draw(4000)
        hits += low <= (model.fit(X, y).predict(fresh) != truth).mean() <= high
    assert hits / trials >= 0.92


def test_text_of_a_result() -> None:
    result, _ = three()
    assert str(result).startswith(f"GaussianNB: error {result.error:.4f} (")
