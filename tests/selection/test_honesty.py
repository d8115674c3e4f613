"""Honest figures: chance on noise, and intervals that hold the truth as often as they say."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import ndtr
from sklearn.pipeline import make_pipeline

from assay import GaussianClassifier, GaussianNB, KFold, SelectColumns, evaluate, nested
from tests.nesting import nest


def test_on_pure_noise_the_nested_estimate_is_chance_and_the_naive_one_is_not() -> None:
    """Balanced labels that no column knows, thirty settings to be fooled by, twenty times over."""
    models = [make_pipeline(SelectColumns([j]), GaussianNB()) for j in range(30)]
    naive, honest, misses = [], [], 0
    for seed in range(20):
        generator = np.random.default_rng(seed)
        X, y = generator.normal(size=(80, 30)), generator.permutation(np.repeat([0, 1], 40))
        found = nest("noise", models, X, y, KFold(5, random_state=seed), progress=False)
        low, high = found.evaluation.error_interval
        misses += not low <= 0.5 <= high
        honest.append(found.evaluation.error)
        naive.append(found.scored)
    assert misses <= 4
    error = np.std(honest, ddof=1) / np.sqrt(len(honest))
    assert abs(np.mean(honest) - 0.5) <= 3 * error
    assert max(naive) < 0.5  # every time, the best of thirty settings flatters itself


@pytest.mark.parametrize("distance", [0.5, 2.0])
def test_intervals_hold_the_true_error(distance: float) -> None:
    """Two unit Gaussians: the error of the model fitted to all rows is known exactly from its plane."""
    held, runs = 0, 200
    for seed in range(runs):
        X, y = _two_classes(seed, distance)
        model = GaussianClassifier("shared", priors=[0.5, 0.5])
        low, high = evaluate(model, X, y, KFold(10, random_state=seed)).error_interval
        held += low <= _true_error(model.fit(X, y), distance) <= high
    assert held >= 0.92 * runs


def test_nested_intervals_hold_the_true_error_of_what_was_chosen() -> None:
    held, runs = 0, 100
    for seed in range(runs):
        X, y = _two_classes(seed, 2.0)
        model, plan = GaussianClassifier("shared", priors=[0.5, 0.5]), KFold(5, random_state=seed)
        found = nested(model, X, y, plan=plan, shrinkage=[0.0, 0.1, 0.3, 0.6], progress=False)
        low, high = found.evaluation.error_interval
        held += low <= _true_error(found.model, 2.0) <= high
    assert held >= 0.92 * runs


def _two_classes(seed: int, distance: float) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    generator = np.random.default_rng(seed)
    y = np.repeat([0, 1], 100)
    X = generator.normal(size=(200, 3))
    X[:, 0] += distance * y
    return X, y


def _true_error(model: GaussianClassifier, distance: float) -> float:
    """Mass of each class on the other's side of the plane w·x + b = 0."""
    corners = np.vstack([np.zeros(3), np.eye(3)])
    odds = np.diff(model.predict_log_proba(corners), axis=1).ravel()
    bias, weights = odds[0], odds[1:] - odds[0]
    size = np.linalg.norm(weights)
    return float(0.5 * ndtr(bias / size) + 0.5 * ndtr(-(bias + distance * weights[0]) / size))
