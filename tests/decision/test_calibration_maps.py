"""Maps from scores to posteriors: optimal, monotone, blind to weights' scale, and never exactly certain."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.calibration import _sigmoid_calibration
from sklearn.isotonic import IsotonicRegression

from assay.decision.isotonic import fit_isotonic, pool_adjacent_violators
from assay.decision.sigmoid import fit_sigmoid, smoothed_targets


def two_sided(margin: np.ndarray) -> np.ndarray:
    return np.stack([-margin / 2, margin / 2], axis=1)


def drawn(rows: int = 400, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Margins whose true log odds are 2 f - 1."""
    rng = np.random.default_rng(seed)
    margin = rng.normal(size=rows)
    codes = (rng.random(rows) < 1 / (1 + np.exp(1 - 2 * margin))).astype(np.int32)
    return margin, codes


def test_two_classes_are_platts_curve() -> None:
    margin, codes = drawn()
    curve = fit_sigmoid(two_sided(margin), codes)
    a, b = _sigmoid_calibration(margin, codes)
    assert curve.slope == pytest.approx(-a, rel=1e-4)
    assert curve.offset[1] - curve.offset[0] == pytest.approx(-b, rel=1e-4)


def test_a_known_logistic_model_is_found() -> None:
    margin, codes = drawn(40_000)
    curve = fit_sigmoid(two_sided(margin), codes)
    assert curve.slope == pytest.approx(2.0, abs=0.06)
    assert curve.offset[1] - curve.offset[0] == pytest.approx(-1.0, abs=0.05)


@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("weighted", [False, True])
def test_no_other_curve_has_less_loss(classes: int, weighted: bool) -> None:
    rng = np.random.default_rng(classes)
    codes = rng.integers(0, classes, 150)
    scores = rng.normal(size=(150, classes)) + 1.5 * np.eye(classes)[codes]
    weight = rng.uniform(0.2, 3.0, 150) if weighted else None
    targets = smoothed_targets(codes, classes, weight)
    rows = np.ones(150) if weight is None else weight

    def loss(parameters: np.ndarray) -> float:
        values = parameters[0] * scores + parameters[1:]
        log_posterior = values - np.logaddexp.reduce(values, axis=1, keepdims=True)
        return -float(rows @ (targets * log_posterior).sum(axis=1) / rows.sum())

    curve = fit_sigmoid(scores, codes, weight)
    best = minimize(loss, np.append(1.0, np.zeros(classes)), tol=1e-12)
    assert loss(np.append(curve.slope, curve.offset)) <= best.fun + 1e-9
    assert curve.slope > 0


def test_scores_far_from_zero_and_in_any_unit() -> None:
    margin, codes = drawn()
    plain = fit_sigmoid(two_sided(margin), codes)
    far = fit_sigmoid(two_sided(1e6 * margin + 3e8), codes)
    assert far.slope == pytest.approx(plain.slope / 1e6, rel=1e-6)
    np.testing.assert_allclose(
        far.log_posterior(two_sided(1e6 * margin + 3e8)), plain.log_posterior(two_sided(margin)), atol=1e-5
    )


def test_separated_scores_stay_finite() -> None:
    margin = np.r_[np.full(20, -1.0), np.full(20, 1.0)]
    codes = np.repeat([0, 1], 20)
    posterior = np.exp(fit_sigmoid(two_sided(margin), codes).log_posterior(two_sided(margin)))
    np.testing.assert_allclose(posterior[-1, 1], 21 / 22, rtol=1e-8)


def test_scores_that_mislead_are_not_turned_round() -> None:
    margin, codes = drawn()
    curve = fit_sigmoid(two_sided(-margin), codes)
    assert curve.slope == 0.0
    shares = smoothed_targets(codes, 2).mean(axis=0)
    np.testing.assert_allclose(np.exp(curve.log_posterior(two_sided(margin))), np.tile(shares, (400, 1)))


def test_equal_scores_give_the_shares() -> None:
    codes = np.array([0, 1, 1, 1])
    curve = fit_sigmoid(np.zeros((4, 2)), codes)
    np.testing.assert_allclose(
        np.exp(curve.log_posterior(np.zeros((1, 2))))[0], smoothed_targets(codes, 2).mean(axis=0)
    )


@pytest.mark.parametrize("fit", [fit_sigmoid, fit_isotonic])
def test_the_scale_of_weights_changes_nothing(fit) -> None:
    margin, codes = drawn(120)
    weight = np.random.default_rng(1).uniform(0.5, 2, 120)
    scores = two_sided(margin)
    one, other = fit(scores, codes, weight), fit(scores, codes, 1e-3 * weight)
    np.testing.assert_allclose(one.log_posterior(scores), other.log_posterior(scores), rtol=1e-7)


@pytest.mark.parametrize("seed", range(8))
def test_pooling_is_isotonic_regression(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 30, 200) / 7.0 if seed % 2 else rng.normal(size=200)  # with ties, and without
    targets = (rng.random(200) < 1 / (1 + np.exp(-scores))).astype(float)
    weight = rng.uniform(0, 2, 200) * (rng.random(200) < 0.9)
    knots, values = pool_adjacent_violators(scores, targets, weight)
    counted = weight > 0
    theirs = IsotonicRegression(out_of_bounds="clip").fit(scores[counted], targets[counted], weight[counted])
    grid = np.linspace(-4, 8, 500)
    np.testing.assert_allclose(np.interp(grid, knots, values), theirs.predict(grid), atol=1e-12)
    assert (np.diff(knots) > 0).all() and (np.diff(values) >= 0).all()


def test_isotonic_posteriors_are_never_certain() -> None:
    margin = np.linspace(-1, 1, 50)
    scores = two_sided(margin)
    curve = fit_isotonic(scores, (margin > 0).astype(np.int32))
    posterior = np.exp(curve.log_posterior(scores))
    assert posterior.min() == pytest.approx(1 / 100)
    np.testing.assert_allclose(posterior.sum(axis=1), 1.0, rtol=1e-12)
    assert (np.diff(posterior[:, 1]) >= 0).all()
