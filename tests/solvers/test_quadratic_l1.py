"""Quadratics with absolute values: the conditions of the minimum hold, however nearly dependent the columns are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assay.solvers.quadratic_l1 import minimum, with_intercepts

Array = np.ndarray[Any, Any]


def violation(hessian: Array, gradient: Array, start: Array, l1: Array, x: Array) -> float:
    slope = gradient + hessian @ (x - start)
    moving, resting = np.abs(slope + l1 * np.sign(x)), np.maximum(np.abs(slope) - l1, 0.0)
    return float(np.where(x != 0, moving, resting).max())


@pytest.mark.parametrize("near", [1.0, 1e-3, 1e-5])
@pytest.mark.parametrize("seed", range(8))
def test_nearly_dependent_columns(seed: int, near: float) -> None:
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(50, 12))
    A[:, 6:] = A[:, :6] @ rng.normal(size=(6, 6)) + near * A[:, 6:]
    hessian, gradient = A.T @ A / 50, A.T @ rng.normal(size=50) / 50
    start, l1 = rng.normal(size=12) * (rng.random(12) < 0.5), np.full(12, 1e-3)
    x = minimum(hessian, gradient, start, l1, 1e-9)
    assert violation(hessian, gradient, start, l1, x) < 1e-7
    assert near == 1.0 or (x == 0).any()


def test_intercepts_are_free() -> None:
    """Of three classes, one of them without rows: what does not move stays, the others reach a minimum."""
    rng = np.random.default_rng(0)
    Z = np.column_stack([rng.normal(size=(40, 4)) + 1.0, np.ones(40)])
    p = rng.random(size=(40, 3)) * [1.0, 0.0, 1.0]
    p /= p.sum(axis=1, keepdims=True)
    V = p[:, :, None] * (np.eye(3) - p[:, None, :])
    hessian = np.einsum("nkl,ni,nj->kilj", V, Z, Z) / 40
    gradient = (
        np.einsum("nk,ni->ki", p - [1.0, 0.0, 0.0] * (rng.random((40, 1)) < 0.5) - [0.0, 0.0, 0.5], Z) / 40
    )
    gradient[2] = -gradient[0]
    start, l1 = np.zeros((3, 5)), np.array([0.05, 0.01, 0.001, 0.0])
    start[1] = 7.0
    x = with_intercepts(hessian, gradient, start, l1, 1e-12)
    assert (x[1] == 7.0).all()
    slope, rates = gradient + np.tensordot(hessian, x - start, axes=2), np.append(l1, 0.0)
    moving, resting = np.abs(slope + rates * np.sign(x)), np.maximum(np.abs(slope) - rates, 0.0)
    assert np.where(x != 0, moving, resting)[[0, 2]].max() < 1e-9
