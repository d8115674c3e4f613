"""Weights of classes: one factor for every training set and class, the same as a fit finds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.utils.class_weight import compute_class_weight

from assay import KernelSVM, KFold
from assay.engines.local import LocalEngine
from assay.models.base.class_weight import weighted
from assay.models.base.validation import TrainingData, read_numbers
from assay.sharing.class_weight import class_factor
from assay.sharing.dataset import InMemory
from assay.sharing.splits import splits_of
from assay.sharing.study import Study
from assay.statistics.weights import subset_weight
from tests.contract.registry import blobs
from tests.raised import Expected, raises

WEIGHTS: dict[str, Any] = {
    "plain": None,
    "whole": np.random.default_rng(0).integers(0, 3, 60).astype(float),
    "importance": np.random.default_rng(0).uniform(0.1, 3.0, 60),
}


@pytest.mark.parametrize("weight", WEIGHTS.values(), ids=WEIGHTS)
@pytest.mark.parametrize("class_weight", ["balanced", {0: 2.0, 2: 0.5}], ids=str)
def test_factors_of_training_sets_are_those_of_fits(weight: Any, class_weight: Any) -> None:
    X, y = blobs(60)
    table = InMemory(X, y.astype(np.int32), np.arange(3), weight, None, LocalEngine(), read_numbers)
    study = Study(table, splits_of(KFold(4), table.codes))
    factor = study.class_factor(class_weight)
    assert factor is not None
    for m in range(4):
        rows = study.splits.train_rows(m)
        own = subset_weight(weight, rows)
        data = TrainingData(X[rows], table.codes[rows], table.classes, own)
        expected = weighted(data, class_weight).weight
        assert expected is not None
        found = (np.ones(len(rows)) if own is None else own) * factor[m][table.codes[rows]]
        np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_balanced_is_that_of_scikit_learn_and_no_weight_is_one() -> None:
    y = np.array([0] * 7 + [1] * 2 + [2] * 3)
    expected = compute_class_weight("balanced", classes=np.arange(3), y=y)
    np.testing.assert_allclose(
        class_factor("balanced", np.bincount(y)[None].astype(float), np.arange(3))[0], expected
    )
    assert class_factor(None, np.ones((2, 3)), np.arange(3)).tolist() == [[1.0] * 3] * 2


def test_a_class_without_weight_is_not_there() -> None:
    X, y = blobs(60)
    weight = (y != 2).astype(float)
    with_it = KernelSVM(C=1.0, class_weight="balanced").fit(X, y, weight)
    without = KernelSVM(C=1.0, class_weight="balanced", gamma=with_it.gamma_).fit(X[y != 2], y[y != 2])
    np.testing.assert_allclose(with_it.class_prior_[:2], without.class_prior_)
    np.testing.assert_allclose(np.abs(with_it.dual_coef_).max(), np.abs(without.dual_coef_).max(), rtol=1e-3)


@pytest.mark.parametrize(
    ("class_weight", "expected"),
    [
        ({7: 1.0}, Expected("S129", label=7)),
        ({0: -1.0}, Expected("S130", label=0)),
        ({0: 0.0, 1: 0.0}, Expected("S128")),
    ],
)
def test_bad_weights_are_one_sentence(class_weight: Any, expected: Expected) -> None:
    with raises(expected):
        class_factor(class_weight, np.ones((1, 2)), np.arange(2))
