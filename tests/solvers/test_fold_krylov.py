"""The solver of wide data ends where Newton's method ends."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from assay.numerics.blas import single_threaded
from assay.solvers import fold_krylov
from assay.solvers.fold_krylov import FoldKrylov
from assay.solvers.parts import Parts
from assay.solvers.passes import Passes
from assay.solvers.result import PathSolution
from assay.solvers.rows import DenseRows, SolverRows, SparseRows
from tests.solvers.fold_problems import FOLDS, gradient, leaving_one_out, problem
from tests.solvers.fold_problems import solve as by_newton


def solve(
    rows: SolverRows, codes, fold, parts: Parts, classes: int, l2, weight=None, threads=2, tol=1e-8
) -> PathSolution:
    with single_threaded(), Passes(rows, codes, weight, fold, parts.copies.shape[1], threads) as passes:
        return FoldKrylov(passes, parts, classes, tol).path(np.asarray(l2, dtype=float))


def dense(X: np.ndarray) -> DenseRows:
    return DenseRows(X, np.zeros(X.shape[1]), np.ones(X.shape[1]))


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("sparse", [False, True])
def test_every_fold_and_penalty_as_by_newton(classes: int, weighted: bool, sparse: bool) -> None:
    X, codes, fold = problem(500, 8, classes)
    X[np.abs(X) < 0.5] = 0.0
    weight = np.random.default_rng(1).integers(0, 4, 500).astype(float) if weighted else None
    l2, parts = np.array([0.1, 1.0, 1e-3]), leaving_one_out(8)
    rows = SparseRows(csr_array(X), np.ones(8)) if sparse else dense(X)
    found = solve(rows, codes, fold, parts, classes, l2, weight)
    assert found.converged.all()
    expected = by_newton(X, codes, fold, parts, classes, l2, weight)
    np.testing.assert_allclose(found.B, expected.B, atol=1e-6)
    np.testing.assert_allclose(found.loss, expected.loss, rtol=1e-8)


def test_more_columns_than_rows() -> None:
    rng = np.random.default_rng(0)
    X, codes = rng.normal(size=(40, 300)), rng.integers(0, 3, 40).astype(np.int32)
    fold = (np.arange(40) % FOLDS).astype(np.int32)
    found = solve(dense(X), codes, fold, leaving_one_out(300), 3, [1.0, 0.01])
    assert found.converged.all()
    train = fold != 2
    assert np.abs(gradient(X[train], codes[train], found.B[1, 2], 0.01)).max() < 1e-7


def test_mixtures_and_columns_left_out() -> None:
    X, codes, fold = problem(300, 5, 3)
    maps = np.zeros((FOLDS, 6, 4))
    rng = np.random.default_rng(2)
    maps[:, :5, :3], maps[:, 5, :3], maps[:, 5, 3] = rng.normal(size=(5, 3)), rng.normal(size=(FOLDS, 3)), 1.0
    active = np.ones((FOLDS, 3), dtype=bool)
    active[2, 1] = False
    parts = Parts(~np.eye(FOLDS, dtype=bool), np.ones((FOLDS, 3)), active, maps)
    found, expected = (
        solve(dense(X), codes, fold, parts, 3, [0.1]),
        by_newton(X, codes, fold, parts, 3, [0.1]),
    )
    assert found.converged.all()
    np.testing.assert_allclose(found.B, expected.B, atol=1e-6)


def test_parts_that_do_not_fit_into_memory_together(monkeypatch: pytest.MonkeyPatch) -> None:
    X, codes, fold = problem(200, 4, 3)
    whole = solve(dense(X), codes, fold, leaving_one_out(4), 3, [0.1, 0.01])
    monkeypatch.setattr(fold_krylov, "KEPT_NUMBERS", 200 * 3 * 2)
    pieces = solve(dense(X), codes, fold, leaving_one_out(4), 3, [0.1, 0.01])
    assert pieces.converged.all()
    np.testing.assert_allclose(pieces.B, whole.B, atol=1e-6)


def test_threads_do_not_change_a_bit() -> None:
    X, codes, fold = problem(20_000, 5, 3)
    one, two = (solve(dense(X), codes, fold, leaving_one_out(5), 3, [0.1], threads=t) for t in (1, 3))
    assert np.array_equal(one.B, two.B)
