"""Steps of kernel machines, and kernels in blocks, against plain NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assay import _core
from assay.numerics.blas import single_threaded
from assay.solvers.backprop import matrix_product
from assay.solvers.kernels import KernelFunction

KERNELS = [
    KernelFunction("linear"),
    KernelFunction("polynomial", 0.3, 0.7, 3),
    KernelFunction("rbf", 0.4),
    KernelFunction("sigmoid", 0.2, -0.1),
]


def plain(kernel: KernelFunction, left: Any, right: Any) -> Any:
    """The formulas as they are written."""
    if kernel.kind == "linear":
        return left @ right.T
    if kernel.kind == "rbf":
        return np.exp(-kernel.gamma * ((left[:, None] - right[None]) ** 2).sum(axis=2))
    inside = kernel.gamma * (left @ right.T) + kernel.coef0
    return inside**kernel.degree if kernel.kind == "polynomial" else np.tanh(inside)


def smo_twin(K: Any, low: Any, high: Any, tolerance: float) -> tuple[Any, Any]:
    """Second-order pairs, one by one, in NumPy."""
    y = np.where(high > 0, 1.0, np.where(low < 0, -1.0, 0.0))
    b, v = np.zeros(len(y)), y.copy()
    for _ in range(100_000):
        up, down = b < high, b > low
        i = int(np.argmax(np.where(up, v, -np.inf)))
        apart = np.where(down, v[i] - v, -np.inf)
        if apart.max() <= tolerance:
            break
        bend = np.maximum(K[i, i] + np.diag(K) - 2 * K[i], 1e-12)
        j = int(np.argmax(np.where(apart > 0, apart**2 / bend, -1.0)))
        step = min(apart[j] / bend[j], high[i] - b[i], b[j] - low[j])
        b[i] += step
        b[j] -= step
        v -= step * (K[i] - K[j])
    return b, v


def problem(rows: int, seed: int = 0, width: int = 5) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, width))
    return X, np.where(X[:, 0] * X[:, 1] + 0.5 * rng.normal(size=rows) > 0, 1.0, -1.0)


def solved(K: Any, y: Any, cost: Any, tolerance: float = 1e-6, threads: int = 1) -> tuple[Any, ...]:
    b, v = np.zeros(len(y)), y.copy()
    low, high = np.where(y < 0, -cost, 0.0), np.where(y > 0, cost, 0.0)
    found = _core.svm.smo_gram(K, low, high, tolerance, 10**8, threads, b, v)
    return (b, v, *found)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.kind)
@pytest.mark.parametrize(("dtype", "near"), [(np.float64, 1e-12), (np.float32, 2e-5)])
@pytest.mark.parametrize(("rows", "others", "width"), [(1, 1, 1), (40, 37, 7), (53, 1500, 20), (9, 40, 130)])
def test_blocks_are_the_formulas(
    kernel: KernelFunction, dtype: Any, near: float, rows: int, others: int, width: int
) -> None:
    rng = np.random.default_rng(1)
    left, right = (rng.normal(size=(n, width)).astype(dtype) for n in (rows, others))
    with single_threaded():
        found = kernel.block(left, right, 2)
        factor = rng.normal(size=(3, others))
        sums = kernel.sums(left, right, factor, 2)
    expected = plain(kernel, left.astype(np.float64), right.astype(np.float64))
    np.testing.assert_allclose(found, expected, rtol=near, atol=near * max(1.0, np.abs(expected).max()))
    np.testing.assert_allclose(sums, expected @ factor.T, atol=near * 100 * np.abs(expected).max())


def test_gaussians_keep_what_is_not_a_number_and_vanish_far_away() -> None:
    kernel = KernelFunction("rbf", 1.0)
    for dtype in (np.float32, np.float64):
        left = np.array([[0.0], [np.nan], [1e3]], dtype=dtype)
        found = kernel.block(left, np.zeros((9, 1), dtype=dtype), 1)
        assert (found[0] == 1.0).all() and np.isnan(found[1]).all() and (found[2] == 0.0).all()


@pytest.mark.parametrize("rows", [2, 7, 60])
def test_pairs_are_the_twins(rows: int) -> None:
    X, y = problem(rows)
    y[:2] = 1.0, -1.0
    K = plain(KernelFunction("rbf", 0.4), X, X)
    cost = np.linspace(0.5, 3.0, rows)
    b, v, _, violation, *_ = solved(K, y, cost)
    twin, gradient = smo_twin(K, np.where(y < 0, -cost, 0.0), np.where(y > 0, cost, 0.0), 1e-6)
    assert violation <= 1e-6
    np.testing.assert_allclose(b, twin, atol=1e-5)
    np.testing.assert_allclose(v, gradient, atol=1e-5)
    np.testing.assert_allclose(v, y - K @ b, atol=1e-9)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_working_sets_reach_the_solution_and_their_values_meet(dtype: Any) -> None:
    X, y = problem(2500)  # more than a working set
    K = plain(KernelFunction("rbf", 0.2), X, X).astype(dtype)
    b, v, _, violation, _, _, history = solved(K, y, np.full(len(y), 2.0), 1e-3)
    assert violation <= 1e-3 and len(history) > 2
    assert ((y * b >= 0) & (y * b <= 2.0)).all() and abs(b.sum()) < 1e-9
    np.testing.assert_allclose(v, y - K.astype(np.float64) @ b, atol=1e-5)
    dual, primal = np.array(history)[:, 2:].T
    assert (np.diff(dual) > 0).all() and (primal >= dual).all()
    assert primal[-1] - dual[-1] < 1e-3 * primal[-1]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rows_made_on_demand_give_the_same_bits_as_the_whole_matrix(dtype: Any) -> None:
    X, y = problem(1500)
    X, cost, kernel = X.astype(dtype), np.full(len(y), 5.0), KernelFunction("rbf", 0.3)
    options = {"points": X, "low": np.where(y < 0, -cost, 0.0), "high": np.where(y > 0, cost, 0.0)}
    with single_threaded():
        b, v, *_ = solved(kernel.block(X, X, 1), y, cost, 1e-3)
        for threads, most_rows in ((1, 1500), (2, 1500), (3, 1500)):
            c, w = np.zeros(len(y)), y.copy()
            _core.svm.smo_rows(
                kernel=kernel.compiled(dtype),
                **options,
                most_rows=most_rows,
                tolerance=1e-3,
                most_steps=10**8,
                threads=threads,
                b=c,
                v=w,
            )
            np.testing.assert_array_equal(b, c)
            np.testing.assert_array_equal(v, w)


def test_few_rows_in_memory_still_reach_the_solution() -> None:
    X, y = problem(700)
    kernel, cost = KernelFunction("rbf", 0.3), np.full(700, 1.0)
    low, high = np.where(y < 0, -cost, 0.0), np.where(y > 0, cost, 0.0)
    b, v = np.zeros(700), y.copy()
    found = _core.svm.smo_rows(
        kernel=kernel.compiled(np.float64), points=X, most_rows=64, low=low, high=high, tolerance=1e-4,
        most_steps=10**8, threads=1, b=b, v=v,
    )  # fmt: skip
    whole, *_ = solved(plain(kernel, X, X), y, cost, 1e-4)
    assert found[1] <= 1e-4
    K = plain(kernel, X, X)
    for each in (b, whole):
        assert y @ each - each @ K @ each / 2 == pytest.approx(y @ whole - whole @ K @ whole / 2, rel=1e-5)


def test_rows_without_a_price_take_no_part_and_get_their_decision_value() -> None:
    X, y = problem(300)
    K = plain(KernelFunction("rbf", 0.3), X, X)
    train = np.arange(300) < 200
    b, v, _, _, shift, *_ = solved(K, np.where(train, y, 0.0), np.where(train, 1.0, 0.0))
    own, _, _, _, own_shift, *_ = solved(np.ascontiguousarray(K[:200, :200]), y[:200], np.ones(200))
    assert (b[200:] == 0).all()
    np.testing.assert_allclose((shift - v)[200:], K[200:, :200] @ own + own_shift, atol=1e-5)


def test_a_matrix_that_is_not_positive_is_told_and_ends() -> None:
    rng = np.random.default_rng(0)
    K = rng.normal(size=(200, 200))
    K += K.T
    y = np.where(rng.random(200) > 0.5, 1.0, -1.0)
    b, _, _, violation, _, bends_down, _ = solved(K, y, np.ones(200), 1e-3)
    assert bends_down and violation <= 1e-3 and np.isfinite(b).all()


def test_a_tolerance_below_rounding_ends() -> None:
    X, y = problem(1200)
    K = plain(KernelFunction("rbf", 0.3), X, X).astype(np.float32)
    _, _, steps, violation, *_ = solved(K, y, np.full(len(y), 100.0), 1e-8)
    assert violation < 1e-3 and steps <= 10**8


def test_the_matrix_product_is_scipys() -> None:
    assert type(matrix_product(np.float32)).__name__ == "PyCapsule"
