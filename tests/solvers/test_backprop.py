"""Gradients of networks of any depth against numeric ones; scores by blocks; standardised rows."""

from __future__ import annotations

import numpy as np
import pytest

from assay.solvers.backprop import ACTIVATIONS, BLOCK, NetworkLayout, matrix_product, network_scores
from assay.solvers.standard_rows import StandardRows, draw_in
from tests.core.structs import network_epoch
from tests.solvers.differences import numeric, rows_of

HIDDEN = [(), (5,), (5, 4), (4, 3, 5)]


def loss_and_gradient(
    X: np.ndarray,
    codes: np.ndarray,
    weight: np.ndarray | None,
    layout: NetworkLayout,
    activation: str,
    surrogate: str,
    vector: np.ndarray,
) -> tuple[float, np.ndarray]:
    """Of one batch; a step of length 1 is the gradient."""
    moved, count = vector.copy(), len(codes)
    source = rows_of(X).source
    assert source is not None
    lost = network_epoch(
        **source,
        gemm=matrix_product(float),
        codes=codes,
        weight=weight,
        order=np.arange(count),
        ends=np.array([0, count]),
        widths=np.array(layout.widths),
        activation=activation,
        surrogate=surrogate,
        solver="sgd",
        rate=1.0,
        momentum=0.0,
        l2=0.0,
        steps=0,
        threads=1,
        parameters=moved,
        state=np.zeros((0, layout.size)),
    )
    return lost / count, vector - moved


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("surrogate", ["cross_entropy", "squared_error"])
@pytest.mark.parametrize("hidden", HIDDEN, ids=str)
@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_gradient_is_the_numeric_one(
    activation: str, hidden: tuple[int, ...], surrogate: str, weighted: bool
) -> None:
    rng = np.random.default_rng(3)
    X, codes = rng.normal(size=(9, 4)), rng.integers(0, 3, 9).astype(np.int32)
    weight = rng.uniform(0.2, 3.0, 9) if weighted else None
    layout = NetworkLayout((4, *hidden, 3))
    vector = layout.drawn(rng, activation, np.float64)
    vector += rng.normal(scale=0.1, size=vector.shape)  # biases too: away from the kink of relu
    given = (X, codes, weight, layout, activation, surrogate, vector)
    analytic = loss_and_gradient(*given)[1]
    expected = numeric(lambda: loss_and_gradient(*given)[0], vector)
    np.testing.assert_allclose(analytic, expected, rtol=1e-6, atol=1e-9)


def test_loss_is_the_mean_over_weights() -> None:
    rng = np.random.default_rng(0)
    X, codes = rng.normal(size=(6, 2)), np.array([0, 1, 2, 0, 1, 2], dtype=np.int32)
    layout = NetworkLayout((2, 3, 3))
    vector = layout.drawn(rng, "tanh", np.float64)
    W, b = layout.weights(vector), layout.biases(vector)
    scores = np.tanh(X @ W[0] + b[0]) @ W[1] + b[1]
    posterior = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    weight = np.array([1.0, 2.0, 0.5, 0.5, 1.0, 1.0])
    loss, _ = loss_and_gradient(X, codes, weight, layout, "tanh", "cross_entropy", vector)
    assert loss == pytest.approx(-(weight * np.log(posterior[np.arange(6), codes])).sum() / 6)


def test_layout_covers_the_vector_once() -> None:
    layout = NetworkLayout((3, 4, 2))
    vector = np.zeros(layout.size)
    for view in (*layout.weights(vector), *layout.biases(vector)):
        view += 1
    assert (vector == 1).all() and layout.n_weights == 20 and layout.size == 26


def test_scores_by_blocks_and_rows_that_are_not_finite() -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(BLOCK + 7, 3))
    layout = NetworkLayout((3, 4, 2))
    vector = layout.drawn(rng, "tanh", np.float64)
    W, b = layout.weights(vector), layout.biases(vector)
    expected = np.tanh(X @ W[0] + b[0]) @ W[1] + b[1]
    np.testing.assert_allclose(
        network_scores(rows_of(X), layout, "tanh", vector), expected, rtol=1e-10, atol=1e-12
    )
    X[5, 1] = np.inf
    found = network_scores(rows_of(X), layout, "tanh", vector)
    assert np.isnan(found[5]).all() and np.isfinite(np.delete(found, 5, axis=0)).all()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("given", [np.float64, np.float32])
@pytest.mark.parametrize("columns", [[0, 1, 2, 3], [0, 2]])
@pytest.mark.parametrize("limit", [np.inf, 3.0])
def test_rows_standardised_once_or_as_they_are_read(
    dtype: type, given: type, columns: list[int], limit: float
) -> None:
    rng = np.random.default_rng(2)
    X = (rng.normal(size=(700, 4)) * [1, 2, 1e6, 1] + [0, 1, 1e7, 5]).astype(given)
    where = np.array(columns)
    center, unit = X[:, where].mean(axis=0, dtype=float), 1.0 / X[:, where].std(axis=0, dtype=float)
    read = StandardRows(X, where, center, unit, np.dtype(dtype), limit=limit)
    kept, which = read.kept(), rng.permutation(700)[:50]
    one, two = np.empty((2, 50, len(columns)), dtype=dtype)
    read.take(which, one)
    kept.take(which, two)
    assert (one == two).all() and (read.span(3, 90) == kept.span(3, 90)).all()
    expected = (X[np.ix_(which, where)].astype(float) - center) * unit
    draw_in(expected, limit)
    np.testing.assert_allclose(one, expected, atol=1e-12 if dtype is np.float64 else 1e-5)
    assert kept.copy is not None and kept.copy.nbytes == read.copy_bytes


def test_what_lies_far_out_is_drawn_in_smoothly_and_in_order() -> None:
    Z = np.concatenate([np.linspace(-2, 2, 9), [2.0 + 1e-6, 3.0, 11.0, 1e6, np.inf, np.nan]])
    found = Z.copy()
    draw_in(found, 3.0)
    assert (found[:9] == Z[:9]).all() and np.isposinf(found[-2]) and np.isnan(found[-1])
    np.testing.assert_allclose(found[9:13], [2.0 + 1e-6, 2.5, 2.9, 3.0], atol=2e-6)
    back = -Z
    draw_in(back, 3.0)
    np.testing.assert_array_equal(back, -found)
    draw_in(Z, np.inf)
    assert Z[12] == 1e6
