"""What earlier steps taught, applied to many gradients: the recursion against the matrix that it stands for."""

from __future__ import annotations

import numpy as np
import pytest

from assay import _core

STEPS, MODELS, SIZE = 4, 3, 11


def taught() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Steps of quadratics; the first model has learned nothing at two of them."""
    rng = np.random.default_rng(0)
    moved = rng.normal(size=(STEPS, MODELS, SIZE))
    bent = moved * rng.uniform(0.5, 2.0, (MODELS, SIZE))
    inverse = 1.0 / np.einsum("sgn,sgn->sg", moved, bent)
    inverse[:2, 0] = 0.0
    return moved, bent, inverse


@pytest.mark.parametrize("which", [[0], [2, 0], [0, 1, 2]])
def test_the_recursion_is_the_updated_inverse(which: list[int]) -> None:
    """H ← (1 - ρ s yᵀ) H (1 - ρ y sᵀ) + ρ s sᵀ, from H = 1/3, step by step."""
    moved, bent, inverse = taught()
    right = np.random.default_rng(1).normal(size=(len(which), SIZE))
    q, share = right.copy(), np.full((STEPS, len(which)), np.nan)
    _core.free_of_steps(moved, bent, inverse, np.array(which), q, share)
    q /= 3.0
    _core.with_steps(moved, bent, inverse, np.array(which), share, q)
    for g, b, found in zip(which, right, q, strict=True):
        H = np.eye(SIZE) / 3.0
        for s, y, rho in zip(moved[:, g], bent[:, g], inverse[:, g], strict=True):
            left = np.eye(SIZE) - rho * np.outer(s, y)
            H = left @ H @ left.T + rho * np.outer(s, s)
        np.testing.assert_allclose(found, H @ b, rtol=1e-12, atol=1e-12)


def test_arrays_that_do_not_fit() -> None:
    moved, bent, inverse = taught()
    q, share = np.zeros((1, SIZE)), np.zeros((STEPS, 1))
    with pytest.raises(ValueError, match="no such model"):
        _core.free_of_steps(moved, bent, inverse, np.array([3]), q, share)
    with pytest.raises(ValueError, match="do not fit"):
        _core.free_of_steps(moved, bent, inverse, np.array([0]), q, share[1:])
    with pytest.raises(ValueError, match="do not fit"):
        _core.with_steps(moved, bent[1:], inverse, np.array([0]), share, q)
    with pytest.raises(ValueError, match="steps x models"):
        _core.with_steps(moved[0], bent, inverse, np.array([0]), share, q)
