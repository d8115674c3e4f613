"""Full covariances per class or shared, blended, shrunk and factorised, for a stack of models."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.models.forms import Linear, Quadratic
from assay.models.normal import LOG_2PI, deviations, lone
from assay.models.statistical import Solution
from assay.models.trouble import Trouble
from assay.numerics.linalg import Whitening, whiten
from assay.statistics import Moments

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Rule:
    """How class covariances come from scatter: Σ_k = own Σ̂_k + (1 - own) Σ̂, then shrunk towards a sphere."""

    variance: str
    own: float
    shrinkage: float
    floor: float

    def shrink(self, covariance: Array, scale: Array) -> Array:
        """(1 - s) Σ + s (tr Σ / D) I over the features that vary."""
        if self.shrinkage == 0.0:
            return covariance
        active = scale > 0
        level = np.trace(covariance[np.ix_(active, active)]) / max(1, int(active.sum()))
        return np.asarray((1.0 - self.shrinkage) * covariance + self.shrinkage * level * np.eye(len(scale)))

    def divisor(self, weight: float, classes: int) -> float:
        return weight - (classes if self.variance == "unbiased" else 0.0)

    def shared(self, m: Moments) -> Array:
        """Within-class covariance of a single group, (D, D)."""
        pooled = m.pooled()
        divisor = self.divisor(float(m.weight.sum()), int((m.weight > 0).sum()))
        return pooled.scatter / divisor if divisor > 0 else np.zeros(pooled.scatter.shape)

    def of_class(self, m: Moments, k: int, shared: Array, alone: bool) -> Array:
        """Covariance of class k before shrinking; rows that are all alike borrow the shared one."""
        divisor = self.divisor(float(m.weight[k]), 1)
        if alone or divisor <= 0:
            return shared
        return np.asarray(self.own * (m.scatter[k] / divisor) + (1.0 - self.own) * shared)

    def of_classes(self, m: Moments) -> list[Array]:
        """Covariances of all classes of a single group, before shrinking."""
        shared, alone = self.shared(m), lone(m, self.variance)
        return [self.of_class(m, k, shared, bool(alone[k])) for k in range(m.n_classes)]


def solve_quadratic(m: Moments, log_prior: Array, rule: Rule) -> Solution:
    """Each class with its own covariance."""
    groups, n_classes, width = m.center.shape
    scale = deviations(m)
    whitener = np.zeros((groups, n_classes, width, width))
    bias = np.full((groups, n_classes), -np.inf)
    floored = np.zeros((groups, n_classes), dtype=np.intp)
    alone = lone(m, rule.variance)
    for g in range(groups):
        one = m[g]
        shared = rule.shared(one)
        for k in np.flatnonzero(one.weight > 0).tolist():
            covariance = rule.shrink(rule.of_class(one, k, shared, bool(alone[g, k])), scale[g])
            factor = whiten(covariance, scale[g], rule.floor)
            whitener[g, k], floored[g, k] = factor.whitener, factor.floored
            bias[g, k] = log_prior[g, k] - 0.5 * (factor.log_determinant + LOG_2PI * (scale[g] > 0).sum())
    form = Quadratic(m.mean, whitener, bias, triangular=True)
    trouble = Trouble(unseen=m.weight == 0, borrowed=alone, floored=floored, constant=scale == 0)
    return Solution(form, trouble)


def solve_linear(m: Moments, log_prior: Array, rule: Rule) -> Solution:
    """One covariance for all classes: the quadratic terms cancel and the scores are linear."""
    scale = deviations(m)
    factors = [
        whiten(rule.shrink(rule.shared(m[g]), scale[g]), scale[g], rule.floor)
        for g in range(m.center.shape[0])
    ]
    form = linear_form(m, log_prior, factors)
    floored = np.array([[factor.floored] for factor in factors])
    none = np.zeros(m.weight.shape, dtype=bool)
    return Solution(form, Trouble(unseen=m.weight == 0, borrowed=none, floored=floored, constant=scale == 0))


def _from_overall(m: Moments) -> tuple[Array, Array]:
    """The overall mean c (G, D), and class means less c (G, K, D), 0 for classes without rows."""
    center, offset, _ = m.overall()
    origin = center + offset
    return origin, np.where(m.weight[..., None] > 0, (m.center - origin[..., None, :]) + m.offset, 0.0)


def linear_form(m: Moments, log_prior: Array, factors: list[Whitening]) -> Linear:
    """w_k = Σ⁻¹(μ_k - c), b_k = ln P_k - ½ (μ_k - c)ᵀ Σ⁻¹ (μ_k - c), c the overall mean."""
    origin, away = _from_overall(m)
    whitener = np.stack([factor.whitener for factor in factors])
    white = away @ whitener
    weights = white @ np.swapaxes(whitener, -1, -2)
    return Linear(origin, weights, log_prior - 0.5 * (white**2).sum(axis=-1))


def diagonal_linear_form(m: Moments, log_prior: Array, roots: Array) -> Linear:
    """The same for a whitener that is diagonal, given by its diagonal (G, D): never as wide as it is long."""
    origin, away = _from_overall(m)
    white = away * roots[:, None, :]
    return Linear(origin, white * roots[:, None, :], log_prior - 0.5 * (white**2).sum(axis=-1))
