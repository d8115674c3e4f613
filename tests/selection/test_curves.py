"""Curves agree with the figures they illustrate."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris

from assay import GaussianClassifier, GaussianNB, KFold, evaluate
from assay.decision import LossMatrix, error_reject_curve
from assay.decision.curves import MOST_POINTS, on_grid, roc, thinned_path
from assay.selection.curves import (
    MOST_REJECTED,
    pair_weights,
    precision_recall_curves,
    reject_curve,
    roc_curves,
    threshold_curve,
)
from assay.selection.evaluation import Evaluation

COSTS = np.array([[0.0, 1.0], [7.0, 0.0]])


@pytest.fixture(scope="module", params=[1, 3], ids=["once", "three times"])
def two(request: pytest.FixtureRequest) -> Evaluation:
    X, y = load_breast_cancer(return_X_y=True)
    plan = KFold(5, repeats=request.param)
    result: Evaluation = evaluate(GaussianNB(), X, y, plan, progress=False)
    return result


def test_precision_and_recall_are_scikit_learns() -> None:
    from sklearn.metrics import average_precision_score, precision_recall_curve

    X, y = load_breast_cancer(return_X_y=True)
    result = evaluate(GaussianNB(), X[:, [1, 4, 8]], y)
    (curve,) = precision_recall_curves(result, [0])
    odds = result.log_posterior[:, 0] - result.log_posterior[:, 1]
    assert curve.average == pytest.approx(average_precision_score(y == 0, odds))
    precision, recall, _ = precision_recall_curve(y == 0, odds)
    theirs = set(zip(recall.round(9), precision.round(9), strict=True))
    assert set(zip(curve.recall.round(9), curve.precision.round(9), strict=True)) <= theirs
    assert curve.share == pytest.approx((y == 0).mean())


def test_the_area_of_the_curve_is_the_auc(two: Evaluation) -> None:
    (curve,) = roc_curves(two, [1])
    assert curve.area == pytest.approx(two.auc, abs=1e-12)
    drawn = np.trapezoid(curve.true_positive, curve.false_positive)
    assert drawn == pytest.approx(two.auc, abs=2e-3)
    assert len(curve.false_positive) <= MOST_POINTS


def test_areas_against_the_rest_average_to_the_auc() -> None:
    found = evaluate(GaussianNB(), *load_iris(return_X_y=True), KFold(5), progress=False)
    curves = roc_curves(found, [0, 1, 2])
    assert np.mean([curve.area for curve in curves]) == pytest.approx(found.auc, abs=1e-12)


def test_ties_are_one_step() -> None:
    x, y = roc(np.array([True, False, True, False]), np.array([1.0, 1.0, 1.0, 0.0]), np.ones(4))
    assert x.tolist() == [0.0, 0.5, 1.0]
    assert y.tolist() == [0.0, 1.0, 1.0]


def test_a_thinned_path_keeps_its_ends_and_loses_straight_points() -> None:
    x = np.linspace(0, 1, 1001)
    assert thinned_path(x, x).tolist() == [0, 1000]
    kept = thinned_path(x, np.sqrt(x))
    assert kept[0] == 0 and kept[-1] == 1000 and len(kept) <= MOST_POINTS
    assert np.abs(np.interp(x, x[kept], np.sqrt(x)[kept]) - np.sqrt(x)).max() < 5e-3


@pytest.mark.parametrize("costs", [None, COSTS], ids=["error", "costs"])
def test_the_threshold_in_use_has_the_mean_loss_of_decide(two: Evaluation, costs: np.ndarray | None) -> None:
    loss = None if costs is None else LossMatrix.of(costs, two.classes)
    curve = threshold_curve(two, loss)
    assert curve.chosen_loss == pytest.approx(two.mean_loss(loss), abs=1e-12)
    assert curve.best_loss <= curve.chosen_loss
    assert curve.best_loss == curve.loss.min()
    weight = pair_weights(two)
    predicted = two.posterior[:, 1] > curve.best
    matrix = np.array([[0, 1], [1, 0]]) if costs is None else costs
    again = np.average(matrix[two.truth_codes, predicted.astype(int)], weights=weight)
    assert again == pytest.approx(curve.best_loss, abs=1e-12)


def test_the_ends_of_the_threshold_curve_are_blind_decisions(two: Evaluation) -> None:
    loss = LossMatrix.of(COSTS, two.classes)
    grid, values = on_grid(threshold_curve(two, loss))
    share = float((two.codes == 1).mean())
    assert grid[0] == 0.0 and grid[-1] == 1.0
    assert values[-1] == pytest.approx(7.0 * share)  # everything is said to be class 0


def test_rejecting_agrees_with_the_error_reject_curve() -> None:
    found = evaluate(GaussianClassifier("shared"), *load_iris(return_X_y=True), KFold(5), progress=False)
    mine, known = reject_curve(found), error_reject_curve(found.posterior, found.truth_codes)
    assert mine.error[0] == pytest.approx(found.error)
    np.testing.assert_allclose(mine.loss, mine.error)
    expected = np.interp(mine.reject_rate, known.reject_rate, known.error)
    np.testing.assert_allclose(mine.error, expected, atol=1e-9)
    assert mine.reject_rate.max() <= MOST_REJECTED


def test_rejecting_under_costs_starts_at_the_mean_loss(two: Evaluation) -> None:
    loss = LossMatrix.of(COSTS, two.classes)
    curve = reject_curve(two, loss)
    assert curve.loss[0] == pytest.approx(two.mean_loss(loss), abs=1e-12)
    assert len(curve.loss) <= MOST_POINTS


def test_a_picture_of_the_threshold_shows_the_whole_curve_unless_it_dwarfs_the_rest(two: Evaluation) -> None:
    plain = threshold_curve(two)
    assert plain.top == plain.loss.max()
    steep = threshold_curve(two, LossMatrix.of([[0.0, 1.0], [200.0, 0.0]], two.classes))
    assert max(steep.chosen_loss, steep.best_loss) < steep.top < steep.loss.max()
