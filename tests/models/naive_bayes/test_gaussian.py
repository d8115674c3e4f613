"""Gaussian naive Bayes: its twin in scikit-learn, missing values left out of the product, stated rules."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm
from sklearn.naive_bayes import GaussianNB as Theirs

from assay import GaussianNB
from tests.contract.registry import blobs


@pytest.mark.parametrize("weighted", [False, True])
def test_equals_scikit_learns_without_smoothing(weighted: bool) -> None:
    X, y = blobs(seed=70)
    weight = np.random.default_rng(0).uniform(0.1, 2.0, len(y)) if weighted else None
    ours, theirs = GaussianNB().fit(X, y, weight), Theirs(var_smoothing=0.0).fit(X, y, weight)
    np.testing.assert_allclose(ours.theta_, theirs.theta_, rtol=1e-10)
    np.testing.assert_allclose(ours.var_, theirs.var_, rtol=1e-9)
    np.testing.assert_allclose(ours.class_prior_, theirs.class_prior_, rtol=1e-12)
    np.testing.assert_allclose(ours.predict_log_proba(X), theirs.predict_log_proba(X), rtol=1e-8, atol=1e-8)


def by_hand(model: Any, row: Any) -> Any:
    """Log posterior of one row from the densities of the features that are there."""
    there = ~np.isnan(row)
    joint = np.log(model.class_prior_) + norm.logpdf(
        row[there], model.theta_[:, there], np.sqrt(model.var_[:, there])
    ).sum(axis=1)
    return joint - np.logaddexp.reduce(joint)


def test_missing_values_of_test_rows_are_left_out() -> None:
    X, y = blobs(seed=71)
    model = GaussianNB().fit(X, y)
    rng = np.random.default_rng(0)
    holed = np.where(rng.random(X.shape) < 0.3, np.nan, X)
    holed[0] = np.nan
    expected = np.stack([by_hand(model, row) for row in holed])
    np.testing.assert_allclose(model.predict_log_proba(holed), expected, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(model.predict_proba(holed[:1])[0], model.class_prior_)


@pytest.mark.parametrize("variance", ["ml", "unbiased"])
def test_missing_values_of_training_rows_are_left_out(variance: str) -> None:
    X, y = blobs(seed=72)
    X[np.random.default_rng(1).random(X.shape) < 0.25] = np.nan
    model = GaussianNB(variance=variance).fit(X, y)
    ddof = 1 if variance == "unbiased" else 0
    for k in range(3):
        np.testing.assert_allclose(model.theta_[k], np.nanmean(X[y == k], axis=0), rtol=1e-12)
        np.testing.assert_allclose(model.var_[k], np.nanvar(X[y == k], axis=0, ddof=ddof), rtol=1e-10)
    np.testing.assert_allclose(model.class_prior_, np.bincount(y) / 90)


def test_missing_values_in_parts_and_merges() -> None:
    X, y = blobs(seed=73)
    X[np.random.default_rng(2).random(X.shape) < 0.25] = np.nan
    whole = GaussianNB().fit(X, y)
    parts = GaussianNB().partial_fit(X[:40], y[:40]).partial_fit(X[40:], y[40:])
    merged = GaussianNB().fit(X[:40], y[:40]).merge(GaussianNB().fit(X[40:], y[40:]))
    for other in (parts, merged):
        np.testing.assert_allclose(
            other.predict_log_proba(X), whole.predict_log_proba(X), rtol=1e-9, atol=1e-9
        )
    parts.forget(X[40:], y[40:])
    first = GaussianNB().fit(X[:40], y[:40])
    np.testing.assert_allclose(parts.predict_log_proba(X), first.predict_log_proba(X), rtol=1e-7, atol=1e-7)


def test_gaps_met_only_later() -> None:
    """The first part is complete, the second is not, and the other way round."""
    X, y = blobs(seed=74)
    X[60:][np.random.default_rng(3).random((30, 4)) < 0.3] = np.nan
    whole = GaussianNB().fit(X, y).predict_log_proba(X)
    for order in ((slice(0, 60), slice(60, 90)), (slice(60, 90), slice(0, 60))):
        parts = GaussianNB()
        for part in order:
            parts.partial_fit(X[part], y[part], classes=[0, 1, 2])
        np.testing.assert_allclose(parts.predict_log_proba(X), whole, rtol=1e-9, atol=1e-9)


def test_a_feature_never_seen_in_one_class_decides_nothing_against_it() -> None:
    """Class 0 never shows feature 1: the shared spread about the overall mean stands in, and it is told."""
    X, y = blobs(seed=75)
    X[:, 1] += 1000.0
    X[y == 0, 1] = np.nan
    model = GaussianNB().fit(X, y)
    assert np.isfinite(model.var_).all() and (model.var_ > 0).all()
    np.testing.assert_allclose(model.theta_[0, 1], np.nanmean(X[:, 1]), rtol=1e-9)
    row = X[y == 1][:1]
    assert np.isfinite(model.predict_log_proba(row)).all()
    assert model.predict_log_proba(row)[0, 0] > -50.0
    assert any("lass 0" in sentence and "1" in sentence for sentence in model.diagnostics_)


def test_a_feature_missing_everywhere_is_left_out() -> None:
    X, y = blobs(seed=76)
    wide = np.hstack([X, np.full((90, 1), np.nan)])
    model, plain = GaussianNB().fit(wide, y), GaussianNB().fit(X, y)
    np.testing.assert_allclose(
        model.predict_log_proba(wide), plain.predict_log_proba(X), rtol=1e-10, atol=1e-10
    )
    filled = np.hstack([X, np.ones((90, 1))])
    np.testing.assert_allclose(
        model.predict_log_proba(filled), plain.predict_log_proba(X), rtol=1e-10, atol=1e-10
    )


def test_a_constant_feature_within_a_class_is_floored() -> None:
    X, y = blobs(classes=2, seed=77)
    X[y == 0, 2] = 1.5
    model = GaussianNB().fit(X, y)
    assert model.var_[0, 2] == pytest.approx(1e-9 * X[:, 2].var(), rel=1e-6)
    assert any("class 0" in sentence for sentence in model.diagnostics_)
    assert np.isfinite(model.predict_log_proba(X)).all()


def test_log_domain_survives_many_features() -> None:
    """Two thousand features: the product of densities underflows, its logarithm does not."""
    rng = np.random.default_rng(4)
    y = np.repeat([0, 1], 20)
    X = rng.normal(size=(40, 2000)) + 0.3 * y[:, None]
    model = GaussianNB().fit(X, y)
    posterior = model.predict_log_proba(X)
    assert np.isfinite(posterior).all()
    assert (model.predict(X) == y).all()


@given(
    seed=st.integers(0, 2**32 - 1),
    width=st.integers(1, 6),
    classes=st.integers(2, 4),
    gaps=st.floats(0, 0.6),
    variance=st.sampled_from(["ml", "unbiased"]),
)
@settings(max_examples=40)
def test_marginalising_at_random(seed: int, width: int, classes: int, gaps: float, variance: str) -> None:
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.repeat(np.arange(classes), 4), rng.integers(0, classes, 10)])
    X = rng.normal(size=(len(y), width)) + y[:, None]
    model = GaussianNB(variance=variance).fit(np.where(rng.random(X.shape) < gaps, np.nan, X), y)
    holed = np.where(rng.random(X.shape) < gaps, np.nan, X)
    posterior = model.predict_proba(holed)
    assert np.isfinite(posterior).all()
    np.testing.assert_allclose(posterior.sum(axis=1), 1.0, rtol=1e-9)
