"""Kernel machines on any table: feasible coefficients and finite scores, or one sentence; folds too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay import KernelSVM, KFold, evaluate
from assay.statistics.weights import in_rows, subset_weight
from tests.fuzz.random_tables import tables, told

QUICK = settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
KERNELS = ["rbf", "linear", "polynomial", "sigmoid"]


def fitted(model: Any, X: Any, y: Any, weight: Any) -> Any:
    """The model, or None where it said in a sentence why not."""
    try:
        return model.fit(X, y, sample_weight=weight)
    except ValueError as error:
        told(error)
        return None


@pytest.mark.parametrize("kernel", KERNELS)
@QUICK
@given(tables(), st.sampled_from([0.01, 1.0, 1e4]), st.sampled_from(["auto", "float32"]))
def test_any_table_gives_finite_scores_or_one_sentence(kernel: str, table: Any, C: float, dtype: str) -> None:
    X, y, weight = table
    model = fitted(KernelSVM(kernel, C=C, coef0=1.0, gram_dtype=dtype), X, y, weight)
    if model is None:
        return
    try:
        scores = model.decision_function(X)
    except ValueError as error:
        told(error)
        return
    assert not np.isnan(scores).any()
    bounds = C * (np.ones(len(y)) if weight is None else in_rows(np.asarray(weight)))[model.support_]
    assert (np.abs(model.dual_coef_) <= bounds * (1 + 1e-12)).all()
    assert np.abs(model.dual_coef_.sum(axis=1)).max() <= 1e-9 * bounds.sum()


@QUICK
@given(tables(ordinary=True), st.sampled_from(KERNELS[:3]))
def test_folds_of_any_table_are_refits_or_fail_like_them(table: Any, kernel: str) -> None:
    X, y, weight = table
    model = KernelSVM(kernel, C=1.0, gamma=0.5, tol=1e-7)
    plan = KFold(2)
    try:
        found = evaluate(model, X, y, plan, sample_weight=weight)
    except ValueError as error:
        told(error)
        return
    codes = np.unique(y, return_inverse=True)[1]
    scores = found.tested.scores
    for f, (train, test) in enumerate(plan.split(X, codes)):
        w = subset_weight(weight, train)
        own = KernelSVM(kernel, C=1.0, gamma=0.5, tol=1e-7).fit(X[train], codes[train], sample_weight=w)
        if len(own.pairs_) == 1:  # votes of several pairs may hang on rounding
            j, k = own.classes_[list(own.pairs_[0])]
            mine = (scores[:, k] - scores[:, j])[found.split == f]
            np.testing.assert_allclose(mine, own._margins(X[test])[:, 0], atol=1e-4)
