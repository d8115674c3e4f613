"""Bias and variance: the identity with the error, by hand, and what is known of simple and flexible models."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from assay import (
    Bootstrap,
    KFold,
    KNeighborsClassifier,
    LeaveOneOut,
    PriorClassifier,
    RandomSubsampling,
    bias_variance,
    draw,
)
from tests.raised import raises


@pytest.mark.parametrize("plan", [RandomSubsampling(0.3, repeats=8), KFold(5, repeats=4), Bootstrap(20)])
def test_bias_and_variance_are_the_error(plan: Any) -> None:
    parts = bias_variance(KNeighborsClassifier(3), *load_iris(return_X_y=True), plan)
    wrong = np.bincount(parts.evaluation.rows, parts.evaluation.wrong, 150)[parts.rows]
    tests = np.bincount(parts.evaluation.rows, minlength=150)[parts.rows]
    np.testing.assert_allclose(parts.row_bias + parts.row_variance, wrong / tests, atol=1e-12)
    assert parts.error == pytest.approx((wrong / tests).mean()) == pytest.approx(parts.bias + parts.variance)


def test_a_row_by_hand() -> None:
    """Of three models two are right: p = 2/3, spread ½(1 - 5/9) = 2/9, variance 3/2 of it = 1/3, bias² 0."""
    y = np.arange(30) % 2
    X = y[:, None] + np.random.default_rng(1).normal(size=(30, 1))
    parts = bias_variance(KNeighborsClassifier(1), X, y, KFold(3, repeats=3))
    wrong = np.bincount(parts.evaluation.rows, parts.evaluation.wrong, 30)
    once = np.flatnonzero(wrong == 1)
    assert len(once)
    np.testing.assert_allclose(parts.row_variance[once], 1 / 3)
    np.testing.assert_allclose(parts.row_bias[once], 0.0, atol=1e-12)


def test_a_constant_rule_has_no_variance_and_a_grown_tree_has() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 4)), (rng.random(200) < 0.3).astype(int)
    models = {"prior": PriorClassifier(), "tree": DecisionTreeClassifier(random_state=0)}
    parts = bias_variance(models, X, y)
    assert parts["prior"].variance == 0.0 and parts["prior"].bias == pytest.approx(y.mean(), abs=0.02)
    assert parts["tree"].variance > 0.1


def test_weights_count_rows() -> None:
    X, y = load_iris(return_X_y=True)
    weight = np.where(y == 2, 3.0, 1.0)
    parts = bias_variance(KNeighborsClassifier(3), X, y, KFold(5, repeats=3), sample_weight=weight)
    expected = np.average(parts.row_bias + parts.row_variance, weights=weight[parts.rows])
    assert parts.error == pytest.approx(expected)


def test_rows_must_be_tested_more_than_once() -> None:
    with raises("S255", kind="LeaveOneOut"):
        bias_variance(KNeighborsClassifier(3), *load_iris(return_X_y=True), LeaveOneOut())


def test_the_picture_has_all_rows_and_every_class_or_every_model() -> None:
    X, y = load_iris(return_X_y=True)
    weight = np.where(y == 2, 3.0, 1.0)
    models = {"near": KNeighborsClassifier(1), "far": KNeighborsClassifier(40)}
    parts = bias_variance(models, X, y, KFold(5, repeats=3), sample_weight=weight)
    near = parts["near"]
    bars = near.chart().spec["data"]["values"]
    shown = {(bar["name"], bar["part"]): bar["error"] for bar in bars}
    assert shown["all rows", "bias²"] == pytest.approx(near.bias, abs=1e-4)
    shares = np.bincount(y, weight) / weight.sum()
    for part, value in (("bias²", near.bias), ("variance", near.variance)):
        of_classes = [shown[f"class {k}", part] for k in range(3)]
        assert np.dot(shares, of_classes) == pytest.approx(value, abs=1e-4)
    both = draw(parts)
    assert [bar["name"] for bar in both.spec["data"]["values"]] == ["near", "near", "far", "far"]
    assert "svg" in both.svg()[:10]
