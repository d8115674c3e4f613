"""Anything that fits gives posteriors; anything that does not is told in one sentence. Shapes, types, weights vary."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from assay import Bootstrap, HoldOut, KFold, LeaveOneOut, evaluate
from tests.contract.registry import shown, statistics_classifiers
from tests.fuzz.random_tables import tables, told

MODELS = statistics_classifiers()


def check_posterior(posterior: Any) -> None:
    assert np.isfinite(posterior).all()
    assert (posterior >= 0).all()
    np.testing.assert_allclose(posterior.sum(axis=1), 1.0, rtol=1e-9)


@pytest.mark.parametrize("model", MODELS, ids=shown)
@given(data=tables())
@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
def test_fit_and_predict(model: Any, data: Any) -> None:
    X, y, weight = data
    try:
        fitted = clone(model).fit(X, y, weight)
    except (ValueError, TypeError) as error:
        told(error)
        return
    try:
        assert set(fitted.predict(X).tolist()) <= set(y)
        if hasattr(fitted, "predict_proba"):
            check_posterior(fitted.predict_proba(X))
    except ValueError as error:  # a distance that overflows is said, not guessed
        told(error)
    assert all(isinstance(sentence, str) for sentence in fitted.diagnostics_)


@pytest.mark.parametrize("model", MODELS, ids=shown)
@given(
    data=tables(),
    plan=st.sampled_from([KFold(2), KFold(3, repeats=2), HoldOut(0.3), LeaveOneOut(), Bootstrap(3)]),
)
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
def test_evaluate(model: Any, data: Any, plan: Any) -> None:
    X, y, weight = data
    before = X.copy()
    try:
        result = evaluate(model, X, y, plan, sample_weight=weight)
        figures = [result.error, *result.error_interval]
        if result.probabilistic:
            check_posterior(result.posterior)
            figures += [result.log_loss, result.brier]
    except (ValueError, TypeError) as error:
        told(error)
        return
    finally:
        np.testing.assert_array_equal(X, before)
    assert np.isfinite(figures).all()
    assert 0.0 <= result.error_interval[0] <= result.error + 1e-12
    assert result.error <= result.error_interval[1] + 1e-12 <= 1.0 + 1e-11


@pytest.mark.parametrize("model", MODELS, ids=shown)
@given(data=tables(ordinary=True))
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
def test_ordinary_numbers_always_fit(model: Any, data: Any) -> None:
    """Small whole numbers, however degenerate, are never refused where two classes count."""
    X, y, _ = data
    if len(set(y)) < 2 or getattr(model, "n_components", None) is not None:
        return
    fitted = clone(model).fit(X, y)
    assert set(fitted.predict(X).tolist()) <= set(y)
    if hasattr(fitted, "predict_proba"):
        check_posterior(fitted.predict_proba(X))
