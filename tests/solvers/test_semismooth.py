"""Support vector machines of all folds and penalties: each is its own optimum, certified by the duality gap."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import LinearConstraint, linprog, minimize
from scipy.sparse import csr_array

from assay.numerics.blas import single_threaded
from assay.solvers import margin_rows
from assay.solvers.margin_problem import Coordinates, best_intercept, lower_bound
from assay.solvers.margin_rows import FilledMarginRows, MarginRows, kept_rows
from assay.solvers.newton_step import newton_step
from assay.solvers.parts import Parts
from assay.solvers.passes import Passes
from assay.solvers.result import PathSolution
from assay.solvers.rows import DenseRows, SparseRows
from assay.solvers.semismooth import FoldSemismooth

FOLDS = 5
LOSSES = ("hinge", "squared_hinge")


def problem(
    n: int, width: int, classes: int = 2, seed: int = 0, noise: float = 1.0
) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, width))
    scores = X @ rng.normal(size=(width, classes)) + noise * rng.gumbel(size=(n, classes))
    codes = scores.argmax(axis=1).astype(np.int32)
    codes[:classes] = np.arange(classes)
    return X, codes


def folds(n: int) -> np.ndarray:
    return (np.arange(n) % FOLDS).astype(np.int32)


def everyone(width: int) -> Parts:
    return Parts(np.ones((1, 1), dtype=bool), np.ones((1, width)), np.ones((1, width), dtype=bool))


def leaving_one_out(width: int) -> Parts:
    return Parts(~np.eye(FOLDS, dtype=bool), np.ones((FOLDS, width)), np.ones((FOLDS, width), dtype=bool))


def solve(X: Any, codes: np.ndarray, l2: Any, parts: Parts | None = None, **options: Any) -> PathSolution:
    width, classes = X.shape[1], options.pop("classes", 2)
    weight, threads = options.pop("weight", None), options.pop("threads", 1)
    fold = options.pop("fold", np.zeros(X.shape[0], dtype=np.int32))
    parts = parts or everyone(width)
    rows = options.pop("rows", None) or DenseRows(X, np.zeros(width), np.ones(width))
    with single_threaded(), Passes(rows, codes, weight, fold, parts.copies.shape[1], threads) as passes:
        return FoldSemismooth(passes, parts, classes, options.pop("tol", 1e-10), **options).path(
            np.asarray(l2, dtype=float)
        )


def objective(
    X: np.ndarray, y: np.ndarray, b: np.ndarray, l2: float, weight: Any = None, loss: str = "hinge"
) -> float:
    lost = np.maximum(0.0, 1.0 - y * (X @ b[:-1] + b[-1]))
    mean = np.average(lost**2 if loss == "squared_hinge" else lost, weights=weight)
    return float(mean + l2 / 2 * b[:-1] @ b[:-1])


def sides(codes: np.ndarray, positive: int = 1) -> np.ndarray:
    return np.where(codes == positive, 1.0, -1.0)


def by_quadratic_program(X: np.ndarray, y: np.ndarray, l2: float, weight: Any = None) -> float:
    """The optimum from the dual, by a general solver: a lower bound that is very near."""
    c = np.full(len(y), 1 / len(y)) if weight is None else weight / weight.sum()
    A = (c * y)[:, None] * X
    kernel = A @ A.T / l2

    found = minimize(
        lambda a: 0.5 * a @ kernel @ a - c @ a,
        np.full(len(y), 0.1),
        jac=lambda a: kernel @ a - c,
        bounds=[(0, 1)] * len(y),
        constraints=[LinearConstraint(c * y, 0, 0)],
        method="SLSQP",
        options={"ftol": 1e-15, "maxiter": 1000},
    )
    return -float(found.fun)


@pytest.mark.parametrize("l2", [1.0, 0.05, 0.002])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_optimum_of_a_general_solver(l2: float, weighted: bool) -> None:
    X, codes = problem(40, 3)
    weight = np.random.default_rng(1).uniform(0.2, 3.0, 40) if weighted else None
    found = solve(X, codes, [l2], weight=weight)
    ours = objective(X, sides(codes), found.B[0, 0, 0], l2, weight)
    assert ours == pytest.approx(by_quadratic_program(X, sides(codes), l2, weight), abs=1e-7)


def test_without_much_penalty_it_is_a_linear_program() -> None:
    X, codes = problem(60, 3)
    y = sides(codes)
    cost = np.concatenate([np.zeros(4), np.full(60, 1 / 60)])
    A = -np.column_stack([y[:, None] * np.column_stack([X, np.ones(60)]), np.eye(60)])
    bounds = [(None, None)] * 4 + [(0, None)] * 60
    least = linprog(cost, A_ub=A, b_ub=-np.ones(60), bounds=bounds, method="highs").fun
    found = solve(X, codes, [1e-9])
    assert objective(X, y, found.B[0, 0, 0], 0.0) == pytest.approx(least, rel=1e-6)


@given(
    seed=st.integers(0, 10_000),
    n=st.integers(4, 120),
    width=st.integers(1, 25),
    loss=st.sampled_from(LOSSES),
    noise=st.sampled_from([0.0, 1.0, 4.0]),
    whole=st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_every_problem_ends_with_a_certificate(
    seed: int, n: int, width: int, loss: str, noise: float, whole: bool
) -> None:
    X, codes = problem(n, width, seed=seed, noise=noise)
    X = np.round(X) if whole else X  # ties, and rows that are equal
    l2 = np.logspace(1, -5, 7)
    found = solve(X, codes, l2, surrogate=loss, tol=1e-8)
    assert found.converged.all()
    near = solve(X, codes, l2, surrogate=loss, tol=1e-3)
    for at, value in enumerate(l2):
        best = objective(X, sides(codes), found.B[at, 0, 0], value, loss=loss)
        rough = objective(X, sides(codes), near.B[at, 0, 0], value, loss=loss)
        # A gap is at least the distance to the optimum.
        assert rough - best <= near.gradient[at, 0] * rough + 1e-7 * rough
        assert rough - best >= -1e-7 * rough


@pytest.mark.parametrize("loss", LOSSES)
def test_multipliers_bound_the_objective_from_below(loss: str) -> None:
    X, codes = problem(200, 4)
    y, rng = sides(codes), np.random.default_rng(0)
    D = np.append(np.full(4, 0.01), 0.0)
    Z = np.column_stack([X, np.ones(200)])
    best = objective(X, y, solve(X, codes, [0.01], surrogate=loss).B[0, 0, 0], 0.01, loss=loss)
    for _ in range(50):
        alpha = rng.uniform(size=200) ** rng.integers(1, 9)
        weighted = np.stack([alpha * (y > 0), alpha * (y < 0)]) / 200
        squares = (weighted * alpha).sum(axis=1) if loss == "squared_hinge" else None
        assert lower_bound(weighted @ Z, D, squares)[0] <= best


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("weighted", [False, True])
def test_every_fold_and_penalty_equals_its_own_refit(loss: str, classes: int, weighted: bool) -> None:
    X, codes = problem(400, 6, classes)
    weight = np.random.default_rng(1).integers(0, 4, 400).astype(float) if weighted else None
    fold, l2 = folds(400), np.logspace(0, -4, 5)
    options = {"classes": classes, "surrogate": loss}
    found = solve(X, codes, l2, leaving_one_out(6), weight=weight, fold=fold, **options)
    assert found.B.shape == (5, FOLDS, 1 if classes == 2 else 3, 7) and found.converged.all()
    for f in (0, 3):
        train = fold != f
        some = None if weight is None else weight[train]
        for at in (0, 2, 4):
            alone = solve(X[train], codes[train], [l2[at]], weight=some, **options)
            np.testing.assert_allclose(found.B[at, f], alone.B[0, 0], atol=2e-5)


def test_penalties_come_back_in_the_order_given() -> None:
    X, codes = problem(300, 4)
    l2 = np.array([0.01, 1.0, 0.1])
    found = solve(X, codes, l2)
    for at, value in enumerate(l2):
        np.testing.assert_allclose(found.B[at], solve(X, codes, [value]).B[0], atol=1e-5)


def test_threads_do_not_change_a_bit() -> None:
    X, codes = problem(20_000, 5, 3)
    options = {"fold": folds(20_000), "classes": 3, "tol": 1e-6}
    one, two = (solve(X, codes, [0.1, 0.01], leaving_one_out(5), threads=t, **options) for t in (1, 3))
    assert np.array_equal(one.B, two.B)


@pytest.mark.parametrize("loss", LOSSES)
def test_without_memory_for_a_copy_rows_are_read_again(loss: str) -> None:
    X, codes = problem(3000, 4)
    options = {"fold": folds(3000), "surrogate": loss}
    copied, read = (
        solve(X, codes, [0.1, 0.001], leaving_one_out(4), most_bytes=m, **options) for m in (1 << 30, 1)
    )
    assert read.converged.all()
    np.testing.assert_allclose(copied.B, read.B, atol=1e-6)


def test_sparse_rows() -> None:
    X, codes = problem(500, 6)
    X[X < 0.5] = 0.0
    sparse = SparseRows(csr_array(X), np.ones(6))
    for most in (1 << 30, 1):
        found = solve(X, codes, [0.01], rows=sparse, most_bytes=most)
        np.testing.assert_allclose(found.B, solve(X, codes, [0.01]).B, atol=1e-6)


@pytest.mark.parametrize("loss", LOSSES)
def test_coordinates_may_be_mixtures_of_columns(loss: str) -> None:
    X, codes = problem(500, 5)
    rng, fold = np.random.default_rng(2), folds(500)
    maps = np.zeros((FOLDS, 6, 4))
    maps[:, :5, :3] = rng.normal(size=(FOLDS, 5, 3)) * 0.1 + rng.normal(size=(5, 3))
    maps[:, 5, :3], maps[:, 5, 3] = rng.normal(size=(FOLDS, 3)), 1.0
    parts = Parts(~np.eye(FOLDS, dtype=bool), np.full((FOLDS, 3), 2.0), np.ones((FOLDS, 3), dtype=bool), maps)
    found = solve(X, codes, [0.1, 0.01], parts, fold=fold, surrogate=loss)
    for f in (0, 4):
        train = fold != f
        mapped = X[train] @ maps[f, :5, :3] + maps[f, 5, :3]
        refit = solve(mapped, codes[train], [0.02], surrogate=loss).B[0, 0, 0]
        np.testing.assert_allclose(found.B[1, f, 0], maps[f] @ refit, atol=1e-5)


def test_coordinates_that_choose_scale_and_shift_columns_need_no_matrix() -> None:
    rng = np.random.default_rng(3)
    maps = np.zeros((6, 5))
    maps[[0, 2, 2, 4], range(4)] = 0.5, -2.0, 3.0, 1.5  # a column may be there twice
    maps[-1] = 0.3, 0.0, -0.7, 2.0, 1.0
    active = np.array([True, True, False, True])
    found = Coordinates.of(np.ones(4), active, 5, maps)
    kept = maps[:, [0, 1, 3, 4]]
    theta, values = rng.normal(size=4), rng.normal(size=(7, 6))
    assert found.map is None
    np.testing.assert_allclose(found.to_columns(theta), kept @ theta, rtol=1e-14)
    np.testing.assert_allclose(found.from_columns(values), values @ kept, rtol=1e-13, atol=1e-14)
    np.testing.assert_allclose(found.of_columns(kept @ theta), theta, rtol=1e-12)


def test_coordinates_of_any_other_kind_keep_their_matrix() -> None:
    maps = np.eye(4)
    maps[1, 0] = 0.5
    found = Coordinates.of(np.ones(3), np.ones(3, dtype=bool), 3, maps)
    assert found.map is not None
    np.testing.assert_allclose(found.of_columns(maps @ np.arange(4.0)), np.arange(4.0), atol=1e-13)


def test_parts_that_share_most_rows_take_fewer_passes_for_it() -> None:
    X, codes = problem(4000, 6, noise=2.0)
    l2 = [0.1, 0.01, 0.001]
    together = solve(X, codes, l2, leaving_one_out(6), fold=folds(4000), tol=1e-8)
    alone = []
    for f in range(FOLDS):
        rows = folds(4000) != f
        alone.append(solve(X[rows], codes[rows], l2, tol=1e-8).passes)
    assert together.converged.all()
    assert together.passes < sum(alone)  # the problem of all rows included


def test_columns_left_out_of_some_parts_stay_out() -> None:
    X, codes = problem(500, 4)
    active = np.ones((FOLDS, 4), dtype=bool)
    active[1, 2] = active[3, 0] = False
    parts = Parts(~np.eye(FOLDS, dtype=bool), np.ones((FOLDS, 4)), active)
    found = solve(X, codes, [0.1, 0.001], parts, fold=folds(500))
    assert found.converged.all() and (found.B[:, 1, :, 2] == 0).all() and (found.B[:, 3, :, 0] == 0).all()
    train, kept = folds(500) != 1, [0, 1, 3]
    refit = solve(X[train][:, kept], codes[train], [0.001]).B[0, 0, 0]
    np.testing.assert_allclose(found.B[1, 1, 0][[0, 1, 3, 4]], refit, atol=1e-5)


def test_penalties_of_single_coordinates() -> None:
    """ρ on a column is a column divided by its root."""
    X, codes = problem(300, 3)
    rho = np.array([1.0, 4.0, 100.0])
    parts = Parts(np.ones((1, 1), dtype=bool), rho[None], np.ones((1, 3), dtype=bool))
    found = solve(X, codes, [0.01], parts).B[0, 0, 0]
    scaled = solve(X / np.sqrt(rho), codes, [0.01]).B[0, 0, 0]
    np.testing.assert_allclose(found, scaled / np.append(np.sqrt(rho), 1.0), atol=1e-6)


@pytest.mark.parametrize("loss", LOSSES)
def test_a_class_absent_from_a_part_is_never_predicted_there(loss: str) -> None:
    X, codes = problem(300, 3, 3)
    codes = np.where((codes == 2) & (folds(300) != 0), 1, codes).astype(np.int32)
    codes[0] = 2
    found = solve(X, codes, [0.1], leaving_one_out(3), fold=folds(300), classes=3, surrogate=loss)
    assert found.B[0, 0, 2, -1] < -1e3 and (found.B[0, 1:, 2, -1] > -1e3).all()
    codes = (folds(300) == 1).astype(np.int32)  # of two classes, one lives in fold 1 alone
    alone = solve(X, codes, [0.1], leaving_one_out(3), fold=folds(300), surrogate=loss).B[0, 1, 0]
    assert alone.tolist() == [0.0, 0.0, 0.0, -1.0]


def test_the_intercept_is_the_middle_of_the_best_ones() -> None:
    y, c = np.array([1.0, 1.0, -1.0, -1.0]), np.full(4, 0.25)
    f = np.array([3.0, 2.0, -1.0, -4.0])  # any b with 2 + b >= 1 and -1 + b <= -1
    assert best_intercept(y, c, f, 0.0) == pytest.approx(-0.5)
    rng = np.random.default_rng(0)
    for _ in range(30):
        n = int(rng.integers(2, 60))
        y, f = rng.choice([-1.0, 1.0], n), rng.normal(size=n) * 10
        y[:2], c = (1.0, -1.0), rng.integers(1, 4, n) / 100
        b = best_intercept(y, c, f, 0.3)
        tried = np.append(y - (f - 0.3), b)
        losses = [c @ np.maximum(0.0, 1 - y * (f - 0.3 + value)) for value in tried]
        assert losses[-1] <= min(losses) + 1e-12


@pytest.mark.parametrize("rows", [3, 40])
def test_a_newton_step_in_rows_is_that_in_coordinates(rows: int) -> None:
    rng = np.random.default_rng(rows)
    Z, h, g = rng.normal(size=(rows, 7)), rng.uniform(0.1, 1, rows), rng.normal(size=7)
    Z[:, -1] = 1.0
    D = np.append(rng.uniform(0.1, 1, 6), 0.0)
    direct = np.linalg.solve(np.diag(D) + (Z * h[:, None]).T @ Z, -g)
    np.testing.assert_allclose(newton_step(D, Z, h, g), direct, rtol=1e-9)


@pytest.mark.parametrize("loss", LOSSES)
def test_tables_of_mostly_zeros_have_the_same_optimum(loss: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Levels in columns of 0 and 1, a number with gaps and their flag: by filled entries, and by whole rows."""
    rng = np.random.default_rng(8)
    X = np.column_stack([rng.normal(50.0, 3.0, 900), np.eye(30)[rng.integers(0, 30, 900)]])
    codes = (X[:, 1:16].sum(axis=1) + 0.1 * X[:, 0] + rng.normal(size=900) > 5.5).astype(np.int32)
    X[::9, 0] = np.nan
    fill, flags = np.append(50.0, np.zeros(30)), np.zeros(1, dtype=np.int32)
    spread = np.sqrt(np.append(np.nanvar(X, axis=0), 0.1))
    rows = DenseRows(X, np.append(np.nanmean(X, axis=0), 0.1), 1.0 / spread, fill, flags)
    few = MarginRows.of(np.arange(900), rows, kept_rows(rows, np.arange(900), 1 << 30))
    assert isinstance(few, FilledMarginRows)
    options: Any = {"fold": folds(900), "rows": rows, "surrogate": loss, "tol": 1e-9}
    found = solve(np.empty((900, 32)), codes, [0.1, 1e-3], leaving_one_out(32), **options)
    monkeypatch.setattr(margin_rows, "FILLED", 0.0)
    assert isinstance(kept_rows(rows, np.arange(900), 1 << 30), np.ndarray)
    whole = solve(np.empty((900, 32)), codes, [0.1, 1e-3], leaving_one_out(32), **options)
    assert found.converged.all() and whole.converged.all()
    np.testing.assert_allclose(found.loss, whole.loss, atol=1e-6)
    np.testing.assert_allclose(found.B, whole.B, atol=1e-3)


def test_history_tells_objective_and_gap() -> None:
    X, codes = problem(400, 3)
    found = solve(X, codes, [0.01])
    assert found.history[-1][2] == found.gradient[0, 0] <= 1e-10
    ours = objective(X, sides(codes), found.B[0, 0, 0], 0.01)
    assert found.history[-1][1] == pytest.approx(ours, rel=1e-12)
    assert found.loss[0, 0] == pytest.approx(objective(X, sides(codes), found.B[0, 0, 0], 0.0), rel=1e-12)
