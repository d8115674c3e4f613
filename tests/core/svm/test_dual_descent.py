"""Coordinate descent in the dual: what it keeps true on the way, and the optimum of a problem solved by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from assay import _core


def problem(squared: bool, rows: int = 40, columns: int = 15) -> tuple[Any, Any, Any, Any]:
    rng = np.random.default_rng(2)
    X = csr_array(rng.poisson(0.4, (rows, columns)) * rng.random(columns))
    y = np.where(rng.random(rows) < 0.4, 1.0, -1.0)
    c = rng.random(rows)
    c /= c.sum()
    return X, y, c, _core.svm.DualRows(X.indptr, X.indices, X.data, columns, y, c, squared)


@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize("most_steps", [1, 100, 10**6])
def test_weights_are_those_of_the_multipliers(squared: bool, most_steps: int) -> None:
    X, y, c, dual = problem(squared)
    alpha, w, l2, r = np.zeros(len(y)), np.zeros(X.shape[1]), 0.02, 0.05
    steps, violation, imbalance, b, b0 = dual.solve(l2, r, 1e-9, most_steps, 0.0, alpha, w)
    np.testing.assert_allclose(w, X.T @ (c * y * alpha) / l2, atol=1e-12)
    balance = float(c @ (y * alpha))
    assert imbalance == pytest.approx(abs(balance), abs=1e-15)
    assert b == pytest.approx(b0 + balance / r, abs=1e-12)
    assert alpha.min() >= 0.0 and (squared or alpha.max() <= 1.0)
    if most_steps == 10**6:
        assert steps < most_steps and max(violation, imbalance) <= 1e-9
        slope = 1.0 - y * (X @ w + b) - (0.5 * alpha if squared else 0.0)
        inside = alpha > 0.0 if squared else (alpha > 0.0) & (alpha < 1.0)
        assert float(c[inside] @ np.abs(slope[inside])) <= 2e-9
        assert slope[alpha == 0.0].max(initial=0.0) <= 1e-6


def test_two_rows_by_hand() -> None:
    """Rows at 1 and -1 on a line: w = 1 closes the margin where the penalty lets it, and b = 0."""
    y, c = np.array([1.0, -1.0]), np.array([0.5, 0.5])
    first, column, value = np.array([0, 1, 2]), np.array([0, 0]), np.array([1.0, -1.0])
    dual = _core.svm.DualRows(first, column, value, 1, y, c, False)
    alpha, w = np.zeros(2), np.zeros(1)
    *_, b, _ = dual.solve(0.5, 0.5, 1e-12, 10**6, 0.0, alpha, w)
    assert w.tolist() == pytest.approx([1.0], abs=1e-9) and b == pytest.approx(0.0, abs=1e-9)
    assert alpha.tolist() == pytest.approx([0.5, 0.5], abs=1e-9)


def test_no_row_and_what_does_not_fit() -> None:
    nothing = np.zeros(0)
    empty = _core.svm.DualRows(
        np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int64), nothing, 3, nothing, nothing, False
    )
    assert empty.solve(1.0, 1.0, -1.0, 5, 0.0, nothing, np.zeros(3))[0] == 5
    X, y, c, dual = problem(False)
    with pytest.raises(ValueError, match="fit together"):
        dual.solve(1.0, 1.0, 1e-3, 5, 0.0, np.zeros(3), np.zeros(X.shape[1]))
    with pytest.raises(ValueError, match="positive"):
        dual.solve(0.0, 1.0, 1e-3, 5, 0.0, np.zeros(len(y)), np.zeros(X.shape[1]))
