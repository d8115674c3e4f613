r"""The likeliest covariances of components whose shape is given, none of them narrower than a floor.

    full        Σ_b = S_b
    tied        Σ_b = Σ_a n_a S_a / Σ_a n_a, the same for all
    diagonal    Σ_b = diag S_b
    spherical   Σ_b = (tr S_b / D) I

S_b is the second moment of component b about its mean, n_b its weight. Among all covariances of a shape whose variance
is at least `floor` in every direction, the likeliest is this one with its eigenvalues raised to the floor: so steps
that go from one such covariance to the next never lose likelihood, and no component ever collapses.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrf, dtrtri

from assay.types import Array


@dataclass(frozen=True)
class Spread:
    """Covariances of B components.

    Attributes
    ----------
    covariances : (B, D, D), or the variances (B, D) of diagonal and spherical ones
    whiteners : (B, D, D) upper triangular W with W Wᵀ = Σ⁻¹, or the precisions (B, D)
    log_determinants : (B,)
    floored : (B,) directions whose variance was raised
    """

    covariances: Array
    whiteners: Array
    log_determinants: Array
    floored: NDArray[np.int64]


def whitened(covariance: Array, floor: float) -> tuple[Array, Array, float, int]:
    """A covariance raised to the floor, its whitener, its log determinant, and the directions that were raised.

    >>> import numpy as np
    >>> raised, _, _, count = whitened(np.diag([4.0, 0.0]), 0.25)
    >>> np.diag(raised).round(12).tolist(), count
    ([4.0, 0.25], 1)
    """
    if not len(covariance):
        return covariance, covariance, 0.0, 0
    lower, info = dpotrf(covariance, lower=1, clean=1)
    if info == 0:
        inverse, _ = dtrtri(lower, lower=1)
        # The least eigenvalue is at least 1 / |L⁻¹|²: mostly that settles it without looking for eigenvalues.
        if floor * float((inverse**2).sum()) <= 1.0:
            return covariance, inverse.T, 2.0 * float(np.log(np.diag(lower)).sum()), 0
    values, vectors = np.linalg.eigh(covariance)
    count = int((values < floor).sum())
    values = np.maximum(values, floor)
    root = vectors * np.sqrt(values)
    triangle = np.linalg.qr(root.T, mode="r")  # root rootᵀ = Rᵀ R without squaring the condition number
    lower = np.asfortranarray((triangle * np.sign(np.diag(triangle))[:, None]).T)
    inverse, _ = dtrtri(lower, lower=1)
    return root @ root.T, inverse.T, float(np.log(values).sum()), count


def _full(second: Array, weight: Array, floor: float) -> Spread:
    factors = [whitened(one, floor) for one in second]
    return Spread(
        np.stack([factor[0] for factor in factors]),
        np.stack([factor[1] for factor in factors]),
        np.array([factor[2] for factor in factors]),
        np.array([factor[3] for factor in factors], dtype=np.int64),
    )


def _tied(second: Array, weight: Array, floor: float) -> Spread:
    together = np.tensordot(weight / weight.sum(), second, 1)
    one = _full(together[None], weight[:1], floor)
    times = len(weight)
    return Spread(
        np.repeat(one.covariances, times, axis=0),
        np.repeat(one.whiteners, times, axis=0),
        np.repeat(one.log_determinants, times),
        np.repeat(one.floored, times),
    )


def _diagonal(second: Array, weight: Array, floor: float) -> Spread:
    low = second < floor
    values = np.maximum(second, floor)
    return Spread(values, 1.0 / values, np.log(values).sum(axis=1), low.sum(axis=1))


def _spherical(second: Array, weight: Array, floor: float) -> Spread:
    mean = second.sum(axis=1, keepdims=True) / max(1, second.shape[1])
    return _diagonal(np.broadcast_to(mean, second.shape), weight, floor)


SHAPES: dict[str, Callable[[Array, Array, float], Spread]] = {
    "full": _full,
    "tied": _tied,
    "diagonal": _diagonal,
    "spherical": _spherical,
}
CROSSED = ("full", "tied")  # those that need products of different columns


def covariance_parameters(shape: str, n_components: int, width: int) -> int:
    """Free parameters of the covariances of so many components.

    >>> [covariance_parameters(shape, 3, 4) for shape in SHAPES]
    [30, 10, 12, 3]
    """
    matrix = width * (width + 1) // 2
    return {
        "full": n_components * matrix,
        "tied": matrix,
        "diagonal": n_components * width,
        "spherical": n_components,
    }[shape]
