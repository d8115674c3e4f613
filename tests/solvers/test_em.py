"""EM: the likelihood never falls, the floor is the likeliest way to hold it, and scikit-learn climbs the same way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.special import logsumexp
from scipy.stats import multivariate_normal
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture

from assay.solvers.component_shapes import SHAPES, whitened
from assay.solvers.em import Components, WeightedRows, begin, em

Array = np.ndarray[Any, Any]
THEIRS = {"full": "full", "tied": "tied", "diagonal": "diag", "spherical": "spherical"}


def rows_of(seed: int, n: int = 200, width: int = 3) -> Array:
    rng = np.random.default_rng(seed)
    kind = rng.integers(0, 3, n)
    shapes = rng.normal(size=(3, width, width)) / 2 + np.eye(width)
    X = (
        np.einsum("nd,nde->ne", rng.normal(size=(n, width)), shapes[kind])
        + 2.0 * rng.normal(size=(3, width))[kind]
    )
    return (X - X.mean(axis=0)) / X.std(axis=0)


def matrices(components: Components) -> Array:
    found = components.spread.covariances
    return found if found.ndim == 3 else np.stack([np.diag(each) for each in found])


def log_likelihood(rows: WeightedRows, components: Components) -> float:
    """By SciPy, blob by blob."""
    parts = zip(components.means, matrices(components), strict=True)
    logs = np.stack([multivariate_normal(m, c).logpdf(rows.values) for m, c in parts], axis=1)
    codes = np.zeros(len(logs), dtype=int) if rows.codes is None else rows.codes
    with np.errstate(divide="ignore"):
        return float(rows.weight @ logsumexp(logs + np.log(components.shares)[codes], axis=1))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("classes", [1, 3])
def test_the_likelihood_never_falls_and_is_the_one_it_says(shape: str, classes: int) -> None:
    rng = np.random.default_rng(1)
    X = rows_of(2)
    codes = None if classes == 1 else rng.integers(0, classes, len(X)).astype(np.int32)
    rows = WeightedRows(X, rng.uniform(0.2, 3.0, len(X)), codes, classes)
    start = begin(rows, rng.integers(0, 4, len(X)), shape, 1e-6)
    found = em(rows, start, shape, 1e-6, 60, 0.0)
    assert len(found.history) > 5 and (np.diff(found.history) >= 0).all()
    assert found.history[0] == pytest.approx(log_likelihood(rows, start), abs=1e-8)
    assert found.history[-1] == pytest.approx(log_likelihood(rows, found.components), abs=1e-8)
    np.testing.assert_allclose(found.components.shares.sum(axis=1), 1.0, rtol=1e-12)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("floor", [0.05, 0.5])
def test_the_likelihood_never_falls_where_the_floor_holds(shape: str, floor: float) -> None:
    X = rows_of(3)
    X[:60] = X[0]  # equal rows on which a blob would collapse
    rows = WeightedRows(X, np.ones(len(X)))
    labels = np.where(np.arange(len(X)) < 60, 0, np.random.default_rng(0).integers(1, 4, len(X)))
    start = begin(rows, labels, shape, floor)
    found = em(rows, start, shape, floor, 80, 0.0)
    values = [
        log_likelihood(rows, em(rows, start, shape, floor, steps, 0.0).components) for steps in (1, 2, 5, 20)
    ]
    assert (np.diff(found.history) >= 0).all() and (np.diff(values) >= -1e-8).all()
    assert shape == "tied" or found.components.spread.floored.any()
    assert np.linalg.eigvalsh(matrices(found.components)).min() >= floor * (1 - 1e-9)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.filterwarnings(f"ignore::{ConvergenceWarning.__module__}.ConvergenceWarning")
def test_as_scikit_learn_from_the_same_start(shape: str, seed: int) -> None:
    X = rows_of(10 + seed, 400)
    rows = WeightedRows(X, np.ones(len(X)))
    start = begin(rows, np.random.default_rng(seed).integers(0, 3, len(X)), shape, 1e-9)
    precisions = {
        "full": lambda: np.linalg.inv(start.spread.covariances),
        "tied": lambda: np.linalg.inv(start.spread.covariances[0]),
        "diagonal": lambda: 1.0 / start.spread.covariances,
        "spherical": lambda: 1.0 / start.spread.covariances[:, 0],
    }[shape]()
    steps = 40
    twin = GaussianMixture(
        3, covariance_type=THEIRS[shape], tol=0.0, reg_covar=0.0, max_iter=steps,
        weights_init=start.shares[0], means_init=start.means, precisions_init=precisions,
    ).fit(X)  # fmt: skip
    found = em(rows, start, shape, 1e-9, steps, 0.0)
    np.testing.assert_allclose(found.history[-1], twin.score_samples(X).sum(), atol=1e-6)
    np.testing.assert_allclose(found.components.means, twin.means_, atol=1e-6)
    np.testing.assert_allclose(found.components.shares[0], twin.weights_, atol=1e-7)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 6), st.integers(0, 10**6), st.sampled_from([1e-9, 1e-3, 0.5]))
@example(4, 1312, 1e-9)  # a condition number of 2e10
@example(6, 688, 1e-9)
def test_raised_eigenvalues_are_the_likeliest_covariance(width: int, seed: int, floor: float) -> None:
    rng = np.random.default_rng(seed)
    sample = rng.normal(size=(int(rng.integers(1, 2 * width + 1)), width))
    second = sample.T @ sample / len(sample)
    raised, whitener, log_determinant, count = whitened(second, floor)
    values, vectors = np.linalg.eigh(second)
    clipped = np.maximum(values, floor)
    np.testing.assert_allclose(raised, (vectors * clipped) @ vectors.T, atol=1e-12)
    assert count == (values < floor).sum() and np.allclose(np.triu(whitener), whitener)
    # The inverse of a rounded matrix is known as well as its condition number allows, and no better.
    rounding = 16 * np.finfo(np.float64).eps * clipped.max() / clipped.min()
    np.testing.assert_allclose(whitener @ whitener.T @ raised, np.eye(width), atol=rounding)
    assert log_determinant == pytest.approx(np.log(clipped).sum(), abs=rounding)

    def lost(covariance: Array) -> float:
        return float(np.linalg.slogdet(covariance)[1] + np.trace(np.linalg.solve(covariance, second)))

    turn = np.linalg.qr(vectors + 0.1 * rng.normal(size=(width, width)))[0]
    others = [(turn * np.maximum(clipped * rng.uniform(0.7, 1.4, width), floor)) @ turn.T for _ in range(5)]
    assert all(lost(raised) <= lost(other) + 1e-7 * (1 + abs(lost(other))) for other in others)


def test_a_blob_without_rows_stays_where_it_was() -> None:
    X = rows_of(5)
    rows = WeightedRows(X, np.ones(len(X)))
    start = begin(rows, np.arange(len(X)) % 2, "full", 1e-6)
    away = Components(start.shares, np.array([start.means[0], [1e4, 1e4, 1e4]]), start.spread)
    found = em(rows, away, "full", 1e-6, 10, 0.0)
    assert found.components.means[1].tolist() == [1e4, 1e4, 1e4] and found.components.shares[0, 1] == 0.0
    np.testing.assert_allclose(found.components.means[0], X.mean(axis=0), atol=1e-12)


def test_one_blob_takes_no_step() -> None:
    X = rows_of(6)
    rows = WeightedRows(X, np.ones(len(X)))
    found = em(rows, begin(rows, np.zeros(len(X), dtype=int), "full", 1e-6), "full", 1e-6, 10, 0.0)
    assert found.converged and len(found.history) == 1


@pytest.mark.parametrize("shape", SHAPES)
def test_threads_change_no_bit(shape: str) -> None:
    X = rows_of(7, 5000)
    rows = WeightedRows(X, np.ones(len(X)))
    start = begin(rows, np.arange(len(X)) % 3, shape, 1e-6)
    one, four = (em(rows, start, shape, 1e-6, 8, 0.0, threads) for threads in (1, 4))
    assert one.history.tolist() == four.history.tolist()
    assert one.components.means.tolist() == four.components.means.tolist()
