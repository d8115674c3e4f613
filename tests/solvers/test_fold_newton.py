"""All folds and all penalties together end where each would end alone."""

from __future__ import annotations

import numpy as np
import pytest

from assay.numerics.blas import single_threaded
from assay.solvers.fold_newton import FoldNewton
from assay.solvers.parts import Parts
from assay.solvers.passes import Passes
from assay.solvers.result import PathSolution
from assay.solvers.rows import DenseRows
from tests.solvers.fold_problems import FOLDS, gradient, leaving_one_out, problem, solve


def alone(X, codes, classes: int, l2: float, weight=None) -> PathSolution:
    parts = Parts(np.ones((1, 1), dtype=bool), np.ones((1, X.shape[1])), np.ones((1, X.shape[1]), dtype=bool))
    return solve(X, codes, np.zeros(len(X), dtype=np.int32), parts, classes, [l2], weight)


@pytest.mark.parametrize("classes", [2, 3, 6])
@pytest.mark.parametrize("weighted", [False, True])
def test_every_fold_and_penalty_equals_its_own_refit(classes: int, weighted: bool) -> None:
    X, codes, fold = problem(600, 7, classes)
    weight = np.random.default_rng(1).integers(0, 4, 600).astype(float) if weighted else None
    l2 = np.logspace(0, -4, 6)
    found = solve(X, codes, fold, leaving_one_out(7), classes, l2, weight)
    assert found.converged.all()
    for f in range(FOLDS):
        train = fold != f
        some = None if weight is None else weight[train]
        for at in (0, 3, 5):
            B = found.B[at, f]
            assert np.abs(gradient(X[train], codes[train], B, l2[at], some)).max() < 1e-8
            np.testing.assert_allclose(
                B, alone(X[train], codes[train], classes, l2[at], some).B[0, 0], atol=1e-6
            )


def test_penalties_come_back_in_the_order_given() -> None:
    X, codes, fold = problem(300, 4, 3)
    l2 = np.array([0.01, 1.0, 0.1])
    found = solve(X, codes, fold, leaving_one_out(4), 3, l2)
    for at, value in enumerate(l2):
        np.testing.assert_allclose(
            found.B[at], solve(X, codes, fold, leaving_one_out(4), 3, [value]).B[0], atol=1e-6
        )


def test_threads_do_not_change_a_bit() -> None:
    X, codes, fold = problem(30_000, 5, 3)
    one, two = (solve(X, codes, fold, leaving_one_out(5), 3, [0.1, 0.01], threads=t) for t in (1, 3))
    assert np.array_equal(one.B, two.B)


def test_a_newton_step_by_hand() -> None:
    """From the start (weights 0, intercept the log odds), w ← w - (Zᵀ R Z)⁻¹ Zᵀ (y - t)."""
    X, codes, _ = problem(200, 3, 2)
    rows = DenseRows(X, np.zeros(3), np.ones(3))
    parts = Parts(np.ones((1, 1), dtype=bool), np.ones((1, 3)), np.ones((1, 3), dtype=bool))
    with Passes(rows, codes, None, np.zeros(200, dtype=np.int32), 1, 1) as passes:
        newton = FoldNewton(passes, parts, 2)
        start = newton.problem.start(parts)[0]
        summed, _ = passes.fold_gradients(start)
        grams = passes.fold_grams(start)
    Z, share = np.column_stack([X, np.ones(200)]), codes.mean()
    by_hand = np.linalg.solve(share * (1 - share) * Z.T @ Z, Z.T @ (share - codes))
    np.testing.assert_allclose(np.linalg.solve(grams[0, 0], summed[0, 0]), by_hand, rtol=1e-10)


@pytest.mark.parametrize("classes", [2, 3])
def test_coordinates_may_be_mixtures_of_columns(classes: int) -> None:
    """Maps of each part: the solution is that of the mapped columns."""
    X, codes, fold = problem(500, 5, classes)
    rng = np.random.default_rng(2)
    maps = np.zeros((FOLDS, 6, 4))
    maps[:, :5, :3] = rng.normal(size=(FOLDS, 5, 3)) * 0.1 + rng.normal(size=(5, 3))
    maps[:, 5, :3], maps[:, 5, 3] = rng.normal(size=(FOLDS, 3)), 1.0
    parts = Parts(~np.eye(FOLDS, dtype=bool), np.ones((FOLDS, 3)), np.ones((FOLDS, 3), dtype=bool), maps)
    found = solve(X, codes, fold, parts, classes, [0.1, 0.01])
    assert found.converged.all()
    for f in (0, 4):
        train = fold != f
        mapped = X[train] @ maps[f, :5, :3] + maps[f, 5, :3]
        refit = alone(mapped, codes[train], classes, 0.01).B[0, 0]
        np.testing.assert_allclose(found.B[1, f], refit @ maps[f].T, atol=1e-6)


def test_columns_left_out_of_some_parts_stay_out() -> None:
    X, codes, fold = problem(500, 4, 3)
    active = np.ones((FOLDS, 4), dtype=bool)
    active[1, 2] = active[3, 0] = False
    parts = Parts(~np.eye(FOLDS, dtype=bool), np.ones((FOLDS, 4)), active)
    found = solve(X, codes, fold, parts, 3, [0.1, 0.001])
    assert found.converged.all() and (found.B[:, 1, :, 2] == 0).all() and (found.B[:, 3, :, 0] == 0).all()
    train, kept = fold != 1, [0, 1, 3]
    refit = alone(X[train][:, kept], codes[train], 3, 0.001).B[0, 0]
    np.testing.assert_allclose(found.B[1, 1][:, [0, 1, 3, 4]], refit, atol=1e-6)


def test_a_class_absent_from_a_part_has_no_posterior_there() -> None:
    X, codes, fold = problem(300, 3, 3)
    codes = np.where((codes == 2) & (fold != 0), 1, codes).astype(np.int32)  # class 2 lives in fold 0 alone
    found = solve(X, codes, fold, leaving_one_out(3), 3, [0.1, 0.01])
    assert found.converged.all()
    assert (found.B[:, 0, 2, -1] < -1e3).all() and (found.B[:, 1:, 2, -1] > -1e3).all()
    train = fold != 0
    two = alone(X[train], codes[train], 2, 0.005).B[0, 0]  # softmax at l2 is the sigmoid at half of it
    np.testing.assert_allclose(found.B[1, 0, 1] - found.B[1, 0, 0], two[0], atol=1e-5)


def test_collinear_columns_and_no_penalty_still_end() -> None:
    X, codes, fold = problem(400, 3, 3)
    X = np.column_stack([X, X[:, 0] + X[:, 1]])
    found = solve(X, codes, fold, leaving_one_out(4), 3, [0.0], tol=1e-6)
    assert found.converged.all() and np.isfinite(found.B).all()


def test_history_tells_objective_and_gradient() -> None:
    X, codes, _ = problem(400, 3, 2)
    history = alone(X, codes, 2, 0.01).history
    losses, gradients = [loss for _, loss, _ in history], [norm for *_, norm in history]
    assert all(later <= earlier + 1e-12 for earlier, later in zip(losses, losses[1:], strict=False))
    assert gradients[0] == pytest.approx(1.0) and gradients[-1] <= 1e-8


def test_large_tables_go_most_of_the_way_in_single_precision_and_end_where_they_should() -> None:
    """The relative gradient is checked by hand, in double precision."""
    X, codes, fold = problem(9_000, 30, 3)
    rows = DenseRows(X, np.zeros(30), np.ones(30))
    with single_threaded(), Passes(rows, codes, None, fold, FOLDS, 1) as passes:
        assert passes.coarse
        found = FoldNewton(passes, leaving_one_out(30), 3).path(np.array([0.1, 0.01, 0.001]))
    assert found.converged.all() and found.gradient.max() <= 1e-6
    for f in (0, 3):
        train = fold != f
        shares = np.log(np.bincount(codes[train]) / train.sum())
        start = np.abs(gradient(X[train], codes[train], np.c_[np.zeros((3, 30)), shares], 0.0)).max()
        for at, l2 in enumerate((0.1, 0.01, 0.001)):
            assert np.abs(gradient(X[train], codes[train], found.B[at, f], l2)).max() <= 1.001e-6 * start


def test_nearly_collinear_columns_of_a_large_table_end_in_double_precision() -> None:
    """Their difference is lost in single precision: the solver notices and goes back."""
    X, codes, fold = problem(9_000, 30, 2)
    X[:, 1] = X[:, 0] + 1e-6 * X[:, 1]
    found = solve(X, codes, fold, leaving_one_out(30), 2, [1e-3, 0.0], tol=1e-7)
    assert found.converged.all()
    for f in (0, 4):
        train = fold != f
        assert np.abs(gradient(X[train], codes[train], found.B[1, f], 0.0)).max() < 1e-7
