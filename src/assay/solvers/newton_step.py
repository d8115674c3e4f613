r"""Newton steps d = -H⁻¹ g for H = diag(D) + Σ_J h z zᵀ, where the last coordinate, the intercept, has D = 0.

With fewer rows in J than coordinates the system is solved in as many unknowns as rows: λ = h (z·d) solves

    (diag(1/h) + Z D⁻¹ Zᵀ) λ - d_b 1 = -Z D⁻¹ g,    1ᵀλ = -g_b,    d = -D⁻¹ (g + Zᵀ λ)
"""

from __future__ import annotations

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotrs

from assay.notes import Note
from assay.types import Array


def newton_step(D: Array, Z: Array, h: Array, g: Array) -> Array:
    """The step for rows Z (k, E+1), k at least 1, with curvatures h (k,)."""
    if len(Z) <= len(D) - 1:
        return _in_rows(D, Z, h, g)
    scaled = Z * np.sqrt(h)[:, None]
    return step_by(scaled.T @ scaled, D, g)


def step_by(gram: Array, D: Array, g: Array) -> Array:
    """The step for a known sum Σ h z zᵀ, which is written to."""
    np.einsum("ii->i", gram)[:] += D
    return -_solve(gram, g)


def _in_rows(D: Array, Z: Array, h: Array, g: Array) -> Array:
    inverse = 1.0 / D[:-1]
    U = Z[:, :-1]
    kernel = (U * inverse) @ U.T
    np.einsum("ii->i", kernel)[:] += 1.0 / h
    right = np.stack([np.ones(len(Z)), U @ (inverse * g[:-1])], axis=1)
    solved = _solve(kernel, right)
    b = (solved[:, 1].sum() - g[-1]) / solved[:, 0].sum()
    multipliers = b * solved[:, 0] - solved[:, 1]
    return np.append(-inverse * (g[:-1] + multipliers @ U), b)


def _solve(matrix: Array, right: Array) -> Array:
    """By Cholesky's method; a matrix that is singular to rounding is lifted a little, which only shortens the step."""
    diagonal, lift = np.diag(matrix).copy(), 0.0
    for _ in range(20):
        factor, info = dpotrf(matrix, lower=1)
        if info == 0:
            return np.asarray(dpotrs(factor, right, lower=1)[0])
        lift = max(1e-14, lift * 10)
        np.einsum("ii->i", matrix)[:] = diagonal + lift * float(diagonal.max())
    raise ValueError(Note("N042"))
