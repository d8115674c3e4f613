"""Equations among the rows give what equations among the features give."""

from __future__ import annotations

import numpy as np
import pytest

from assay import KFold, LeastSquaresClassifier, evaluate
from assay.solvers.dual import dual_scores, inner_products, solve_dual, usable
from assay.solvers.ridge import solve_ridge
from tests.solvers.equations import equations
from tests.solvers.wide_table import wide


@pytest.mark.parametrize("shape", [(30, 120), (40, 40), (50, 6)])
@pytest.mark.parametrize("l2", [1e-3, 0.1, 10.0])
def test_weights_are_those_of_the_features(shape: tuple[int, int], l2: float) -> None:
    X, y = wide(*shape)
    targets = np.eye(3)[y]
    dual = solve_dual(X, targets, None, l2)
    primal = solve_ridge(*equations(X, targets), l2)
    np.testing.assert_allclose(dual.weights, primal.weights, rtol=1e-7, atol=1e-10)


@pytest.mark.parametrize("l2", [0.01, 1.0])
def test_a_weighted_fit_is_the_classifiers(l2: float) -> None:
    X, y = wide()
    weight = np.random.default_rng(0).uniform(0.2, 3, len(y))
    dual = solve_dual(X, np.eye(3)[y], weight, l2)
    model = LeastSquaresClassifier(l2=l2).fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(dual.weights, model.coef_, rtol=1e-7, atol=1e-10)
    np.testing.assert_allclose(
        dual.bias + (X - dual.mean) @ dual.weights.T, model.decision_function(X), rtol=1e-8, atol=1e-9
    )


@pytest.mark.parametrize("weighted", [False, True])
def test_folds_and_penalties_from_one_matrix(weighted: bool) -> None:
    X, y = wide()
    weight = np.random.default_rng(0).uniform(0.2, 3, len(y)) if weighted else None
    plan, penalties = KFold(5), np.array([0.01, 0.3, 5.0])
    gram = inner_products(X, weight)
    found = np.empty((3, len(y), 3))
    for train, test in plan.split(X, y):
        found[:, test] = dual_scores(gram, np.eye(3)[y], weight, train, test, penalties)
    for at, l2 in enumerate(penalties):
        expected = evaluate(LeastSquaresClassifier(l2=l2), X, y, plan, sample_weight=weight)
        np.testing.assert_allclose(found[at], expected.tested.scores, rtol=1e-6, atol=1e-8)


def test_a_penalty_lost_in_rounding_is_seen() -> None:
    X, _ = wide()
    gram = inner_products(X)
    assert usable(gram, 1e-3) and not usable(gram, 1e-9) and not usable(gram, 0.0)
