"""Weights of linear models trained without each fold, and the standard errors that follow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from assay import GaussianClassifier, KFold, LeastSquaresClassifier, LogisticRegression
from assay.models.inspection.jackknife import fold_weights, jackknife_errors
from assay.models.svm.linear import LinearSVM
from assay.types import Array, Codes

OURS = [
    LogisticRegression(l2=0.01),
    LogisticRegression(l2=0.01, class_weight="balanced"),
    LeastSquaresClassifier(l2=0.1),
    GaussianClassifier("shared"),
    LinearSVM(l2=0.1),
]


def rows_of(n_classes: int, width: int = 3) -> tuple[Array, Codes]:
    codes = (np.arange(120) % n_classes).astype(np.int32)
    shift = np.append([1.0, 0.5], np.zeros(width - 2))
    return np.random.default_rng(0).normal(size=(120, width)) + codes[:, None] * shift, codes


def assert_refits(model: Any, X: Array, codes: Codes, weight: Array | None = None) -> None:
    """Differences between the classes' weights are those of a fit to each training set."""
    partition, labels = KFold(5).partitions(codes)[0], np.unique(codes)
    weights = fold_weights(model, X, codes, labels, partition, weight)
    assert weights is not None and weights.shape == (5, len(labels), X.shape[1])
    for fold in range(5):
        train = partition.train_rows(fold)
        own = {} if weight is None else {"sample_weight": weight[train]}
        coef = clone(model).fit(X[train], codes[train], **own).coef_
        wanted = coef if len(labels) == 2 else coef[1:] - coef[:1]
        assert weights[fold, 1:] - weights[fold, :1] == pytest.approx(wanted, rel=1e-3, abs=1e-4)


@pytest.mark.parametrize("model", [*OURS, LinearDiscriminantAnalysis()], ids=str)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_weights_of_folds_are_those_of_refits(model: Any, n_classes: int) -> None:
    assert_refits(model, *rows_of(n_classes))


@pytest.mark.parametrize("model", OURS, ids=str)
def test_sample_weights_are_those_of_refits(model: Any) -> None:
    X, codes = rows_of(3)
    draw = np.random.default_rng(1)
    assert_refits(model, X, codes, draw.uniform(0.2, 3.0, len(codes)))
    assert_refits(model, X, codes, draw.integers(0, 3, len(codes)).astype(np.float64))


def test_more_columns_than_rows() -> None:
    assert_refits(LeastSquaresClassifier(l2=0.1), *rows_of(3, width=300))


def test_a_class_that_a_training_set_lacks_leaves_no_weights() -> None:
    codes = np.repeat([0, 1, 2], [20, 20, 1]).astype(np.int32)
    X = np.random.default_rng(0).normal(size=(41, 2))
    partition = KFold(5).partitions(codes)[0]
    assert fold_weights(LogisticRegression(l2=0.1), X, codes, np.arange(3), partition) is None


def test_a_class_without_weight_leaves_no_weights() -> None:
    X, codes = rows_of(3)
    partition = KFold(5).partitions(codes)[0]
    weight = (codes < 2).astype(np.float64)
    assert fold_weights(LeastSquaresClassifier(), X, codes, np.arange(3), partition, weight) is None


def test_a_quadratic_model_has_no_weights() -> None:
    X, codes = rows_of(2)
    partition = KFold(5).partitions(codes)[0]
    assert fold_weights(GaussianClassifier("full"), X, codes, np.arange(2), partition) is None


def test_the_jackknife_of_a_mean_is_its_standard_error() -> None:
    values = np.random.default_rng(1).normal(size=50)
    leaving = (values.sum() - values) / 49
    assert jackknife_errors(leaving) == pytest.approx(values.std(ddof=1) / np.sqrt(50))
