"""The kernels of logistic regression against plain NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import log_softmax

from assay import _core
from tests.core import twins


def expected(
    scores: np.ndarray, codes: np.ndarray, weight: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Posteriors, residuals and losses; a single class stands for two."""
    single = scores.shape[1] == 1
    full = np.concatenate([np.zeros(scores.shape), scores], axis=1) if single else scores
    logs = log_softmax(full, axis=1)
    indicator = (np.arange(full.shape[1])[:, None] == codes).astype(float)
    posterior, residual = np.exp(logs), (np.exp(logs) - indicator) * weight
    loss = -(logs * indicator).sum(axis=1) @ weight
    return (posterior[:, 1:], residual[:, 1:], loss) if single else (posterior, residual, loss)


@pytest.mark.parametrize("count", [1, 3, 4, 5, 8, 1023, 1024])
@pytest.mark.parametrize("classes", [1, 2, 3, 11])
@pytest.mark.parametrize("weighted", [False, True])
def test_residuals_posteriors_and_losses(classes: int, count: int, weighted: bool) -> None:
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(2, classes, count)) * 5
    codes = rng.integers(0, max(classes, 2), count).astype(np.int32)
    weight = rng.random(count) if weighted else None
    posterior, residual, loss = expected(scores, codes, np.ones(count) if weight is None else weight)
    found, lost = scores.copy(), np.zeros(2)
    _core.logistic.softmax_residuals(found, codes, weight, lost)
    np.testing.assert_allclose(found, residual, rtol=0, atol=2e-15)
    np.testing.assert_allclose(lost, loss, rtol=1e-13)
    one = np.ascontiguousarray(scores[0])
    _core.logistic.softmax_posteriors(one)
    np.testing.assert_allclose(one, posterior[0], rtol=1e-14, atol=1e-300)


def test_far_scores_neither_overflow_nor_vanish() -> None:
    scores = np.array([[[800.0, -800.0, 1e4, -1e4]]])
    lost = np.zeros(1)
    _core.logistic.softmax_residuals(scores, np.array([0, 1, 1, 0], dtype=np.int32), None, lost)
    np.testing.assert_allclose(scores.ravel(), [1.0, -1.0, 0.0, 0.0])
    np.testing.assert_allclose(lost, 1600.0)


def test_nan_reaches_the_loss() -> None:
    scores, lost = np.array([[[0.0, np.nan]]]), np.zeros(1)
    _core.logistic.softmax_residuals(scores, np.zeros(2, dtype=np.int32), None, lost)
    assert np.isnan(lost[0])


def test_losses_are_added_to_what_is_there() -> None:
    lost = np.array([5.0])
    _core.logistic.softmax_residuals(np.zeros((1, 1, 4)), np.zeros(4, dtype=np.int32), None, lost)
    np.testing.assert_allclose(lost, 5.0 + 4 * np.log(2.0))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("gaps", [False, True])
def test_standardised_rows(order: str, dtype: type, gaps: bool) -> None:
    rng = np.random.default_rng(1)
    X = np.asarray(rng.normal(size=(50, 5)), dtype=dtype, order=order)
    which = rng.integers(0, 50, 20)
    fill, flags = None, None
    if gaps:
        X[rng.random(X.shape) < 0.2] = np.nan
        fill, flags = rng.normal(size=5), np.array([3, 1], dtype=np.int32)
    width = 5 + (0 if flags is None else 2)
    center, unit, out = rng.normal(size=width), rng.random(width), np.empty((20, width + 1))
    plain = (twins.filled(X, fill, flags) - center) * unit
    _core.logistic.standardized_rows(X, which, 0, fill, flags, center, unit, out)
    np.testing.assert_allclose(out, np.column_stack([plain[which], np.ones(20)]))
    _core.logistic.standardized_rows(X, None, 7, fill, flags, center, unit, out)
    np.testing.assert_allclose(out, np.column_stack([plain[7:27], np.ones(20)]))


def test_what_does_not_fit_is_refused() -> None:
    X, out = np.zeros((5, 2)), np.empty((3, 3))
    plain = np.zeros(2)
    with pytest.raises(ValueError, match="no such row"):
        _core.logistic.standardized_rows(X, None, 3, None, None, plain, plain, out)
    with pytest.raises(ValueError, match="no such row"):
        _core.logistic.standardized_rows(X, np.array([0, 1, 5]), 0, None, None, plain, plain, out)
    with pytest.raises(ValueError, match="other columns"):
        _core.logistic.standardized_rows(X, None, 0, None, None, plain, plain, np.empty((3, 2)))
    with pytest.raises(ValueError, match="codes must name a class"):
        _core.logistic.softmax_residuals(
            np.zeros((1, 3, 2)), np.array([0, 3], dtype=np.int32), None, np.zeros(1)
        )
    with pytest.raises(ValueError, match="fit together"):
        _core.logistic.softmax_residuals(
            np.zeros((1, 3, 2)), np.array([0], dtype=np.int32), None, np.zeros(1)
        )
