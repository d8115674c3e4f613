"""Every figure of an evaluation, against scikit-learn's metrics and hand calculation on the same predictions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn import metrics
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import RidgeClassifier
from sklearn.neighbors import KNeighborsClassifier

from assay import (
    Bootstrap,
    GaussianClassifier,
    GaussianNB,
    KFold,
    LeastSquaresClassifier,
    LossMatrix,
    evaluate,
)
from assay.decision import t_interval, wilson
from tests.contract.registry import blobs, shown
from tests.raised import raises
from tests.selection.populations import PRIORS, draw
from tests.selection.three_classes import LOSS, three
from tests.selection.two_classes import true_error, two_classes


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
    with raises("S087", measure="speed"):
        result.interval("speed")


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


def test_calibration_table_counts_every_row() -> None:
    result, _ = three()
    table = result.calibration(bins=5)
    assert table.count.sum() == 120
    one = result.calibration(bins=4, of=2)
    assert one.count.sum() == 120
    with raises("M022", label=7):
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
    with raises("S088"):
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


@pytest.mark.parametrize(
    "model", [GaussianNB(), GaussianClassifier("full"), LeastSquaresClassifier()], ids=shown
)
@pytest.mark.parametrize("weighted", [False, True])
def test_estimates_by_hand(model: Any, weighted: bool) -> None:
    X, y = blobs(rows=60, seed=30)
    weight = np.random.default_rng(0).uniform(0.5, 1.5, 60) if weighted else None
    plan = Bootstrap(20, random_state=4)
    result = evaluate(model, X, y, plan, sample_weight=weight)
    wrong = np.full((20, 60), np.nan)
    for b, (drawn, left) in enumerate(plan.split(X)):
        fitted = model.fit(X[drawn], y[drawn], None if weight is None else weight[drawn])
        wrong[b, left] = fitted.predict(X[left]) != y[left]
    tested = ~np.isnan(wrong).all(axis=0)
    out_of_bag = np.average(
        np.nanmean(wrong[:, tested], axis=0), weights=None if weight is None else weight[tested]
    )
    whole = model.fit(X, y, weight)
    guess = whole.predict(X)
    train = np.average(guess != y, weights=weight)
    p = np.array([np.average(y == k, weights=weight) for k in range(3)])
    q = np.array([np.average(guess == k, weights=weight) for k in range(3)])
    chance = (p * (1 - q)).sum()
    assert result.error == pytest.approx(out_of_bag)
    assert result.training_error == pytest.approx(train)
    assert result.no_information_error == pytest.approx(chance)
    assert result.error_632 == pytest.approx(0.368 * train + 0.632 * out_of_bag)
    rate = np.clip((min(out_of_bag, chance) - train) / (chance - train), 0, 1)
    share = 0.632 / (1 - 0.368 * rate)
    assert result.error_632_plus == pytest.approx((1 - share) * train + share * min(out_of_bag, chance))


def test_one_nearest_neighbour_breaks_632_and_not_632_plus() -> None:
    """Labels that are noise: the truth is one half, and the training error of one neighbour is zero."""
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(100, 5)), np.repeat([0, 1], 50)
    result = evaluate(KNeighborsClassifier(1), X, y, Bootstrap(60))
    assert result.training_error == 0.0
    assert result.error_632 < 0.36
    assert abs(result.error_632_plus - 0.5) < 0.08


def test_other_plans_have_no_632() -> None:
    X, y = blobs()
    result = evaluate(GaussianNB(), X, y, KFold(3))
    with raises("S089"):
        _ = result.error_632
    with raises("S089"):
        _ = result.error_632_plus


def test_replicates_that_draw_every_row_test_nothing() -> None:
    """With four rows some replicates leave none out."""
    X, y = np.array([[0.0], [1.0], [5.0], [6.0]]), np.array([0, 0, 1, 1])
    plan = Bootstrap(60, random_state=1)
    kept = [(drawn, left) for drawn, left in plan.split(X) if len(set(y[drawn])) == 2]
    assert any(len(left) == 0 for _, left in kept)
    seed = next(
        s for s in range(200)
        if all(len(set(y[d])) == 2 for d, _ in Bootstrap(4, random_state=s).split(X))
        and any(len(left) == 0 for _, left in Bootstrap(4, random_state=s).split(X))
    )  # fmt: skip
    for model in (GaussianNB(), KNeighborsClassifier(1)):
        result = evaluate(model, X, y, Bootstrap(4, random_state=seed))
        assert 0.0 <= result.error_632_plus <= 1.0
        assert np.isnan(result.split_errors).any()


def test_groups_are_drawn_as_a_whole() -> None:
    X, y = blobs(rows=30)
    groups = np.arange(30) // 3
    for model in (GaussianNB(), KNeighborsClassifier(1)):
        result = evaluate(model, X, y, Bootstrap(5), groups=groups)
        assert 0.0 <= result.error_632_plus <= 1.0
        for b, (drawn, left) in enumerate(Bootstrap(5).split(X, groups=groups)):
            assert np.array_equal(result.rows[result.split == b], left)
            assert not set(groups[drawn]) & set(groups[left])


def test_bootstrap_training_errors_are_those_of_the_population() -> None:
    X, y = draw([0.5, 0.5], 200, 9)
    found = evaluate(GaussianClassifier("shared"), X, y, Bootstrap(5), priors=PRIORS)
    fitted = GaussianClassifier("shared", priors=PRIORS).fit(X, y)
    wrong = fitted.predict(X) != y
    assert found.training_error == pytest.approx(np.dot(PRIORS, [wrong[y == k].mean() for k in (0, 1)]))


def test_intervals_end_where_values_end() -> None:
    X, y = draw([0.5, 0.5], 40, 11)
    apart = X + 3.0 * y[:, None]
    found = evaluate(GaussianNB(), apart, y, KFold(4), loss=[[-1.0, 2.0], [9.0, -1.0]])
    for measure, least in (("log_loss", 0.0), ("brier", 0.0), ("loss", -1.0)):
        assert found.interval(measure, 0.999999).low >= least
    assert found.interval("loss", loss=[[0, 1], [1, 0]]).low >= 0.0
    assert found.interval("log_loss", 0.999999).low == 0.0  # one bad row among forty good ones


@pytest.mark.parametrize("distance", [0.5, 2.0])
def test_intervals_hold_the_true_error(distance: float) -> None:
    """Two unit Gaussians: the error of the model fitted to all rows is known exactly from its plane."""
    held, runs = 0, 200
    for seed in range(runs):
        X, y = two_classes(seed, distance)
        model = GaussianClassifier("shared", priors=[0.5, 0.5])
        low, high = evaluate(model, X, y, KFold(10, random_state=seed)).error_interval
        held += low <= true_error(model.fit(X, y), distance) <= high
    assert held >= 0.92 * runs
