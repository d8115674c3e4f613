"""Full covariances per class or shared, blended, shrunk and factorised, for a stack of models."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assay.numerics.linalg import whiten_all
from assay.sharing.forms import Linear, Quadratic
from assay.statistics import Moments
from assay.statistics.solve_diagnostics import SolveDiagnostics
from assay.statistics.variances import LOG_2PI, degenerate_classes, deviations, ratio
from assay.types import Array

AT_ONCE = 1 << 22  # entries of covariances that are made together


@dataclass(frozen=True)
class Rule:
    """How class covariances come from scatter: Σ_k = blend Σ̂_k + (1 - blend) Σ̂, then shrunk towards a sphere."""

    variance: str
    blend: float
    shrinkage: float
    floor: float

    def shrink(self, covariance: Array, scale: Array) -> Array:
        """(1 - s) Σ + s (tr Σ / D) I over the features that vary; (..., D, D) in units (..., D)."""
        if self.shrinkage == 0.0:
            return covariance
        active = scale > 0
        total = np.where(active, np.diagonal(covariance, axis1=-2, axis2=-1), 0.0).sum(axis=-1)
        level = (total / np.maximum(1, active.sum(axis=-1)))[..., None, None]
        return np.asarray(
            (1.0 - self.shrinkage) * covariance + self.shrinkage * level * np.eye(scale.shape[-1])
        )

    def divisor(self, weight: Any, classes: Any) -> Any:
        return weight - (classes if self.variance == "unbiased" else 0.0)

    def shared(self, m: Moments) -> Array:
        """Within-class covariance, (..., D, D)."""
        divisor = self.divisor(m.weight.sum(axis=-1), (m.weight > 0).sum(axis=-1))
        return ratio(m.pooled().scatter, divisor[..., None, None])

    def of_classes(self, m: Moments) -> Array:
        """Covariance of each class before shrinking, (..., K, D, D); rows that are all alike borrow the shared one."""
        divisor = self.divisor(m.weight, 1)[..., None, None]
        borrow = degenerate_classes(m, self.variance)[..., None, None] | (divisor <= 0)
        covariance = m.scatter / np.where(borrow, 1.0, divisor)
        if self.blend == 1.0 and not borrow.any():
            return np.asarray(covariance)
        shared = self.shared(m)[..., None, :, :]
        return np.where(borrow, shared, self.blend * covariance + (1.0 - self.blend) * shared)


def solve_quadratic(m: Moments, log_prior: Array, rule: Rule) -> Quadratic:
    """Each class with its own covariance."""
    groups, n_classes, width = m.center.shape
    scale, seen = deviations(m), m.weight > 0
    whitener = np.zeros((groups, n_classes, width, width))
    log_determinant = np.zeros((groups, n_classes))
    floored = np.zeros((groups, n_classes), dtype=np.intp)
    batch_size = max(1, AT_ONCE // (n_classes * width**2))
    for part in (slice(start, start + batch_size) for start in range(0, groups, batch_size)):
        unit = np.broadcast_to(scale[part, None], m.center[part].shape)
        present = seen[part]
        covariance = rule.shrink(rule.of_classes(m[part]), unit)[present]
        whitener[part][present], log_determinant[part][present], floored[part][present] = whiten_all(
            covariance, unit[present], rule.floor
        )
    features = (scale > 0).sum(axis=-1, keepdims=True)
    bias = np.where(seen, log_prior - 0.5 * (log_determinant + LOG_2PI * features), -np.inf)
    form = Quadratic(m.mean, whitener, bias, triangular=True)
    trouble = SolveDiagnostics(
        unseen=~seen, borrowed=degenerate_classes(m, rule.variance), floored=floored, constant=scale == 0
    )
    return replace(form, trouble=trouble)


def solve_linear(m: Moments, log_prior: Array, rule: Rule) -> Linear:
    """One covariance for all classes: the quadratic terms cancel and the scores are linear."""
    scale = deviations(m)
    whitener, _, floored = whiten_all(rule.shrink(rule.shared(m), scale), scale, rule.floor)
    none = np.zeros(m.weight.shape, dtype=bool)
    trouble = SolveDiagnostics(
        unseen=m.weight == 0, borrowed=none, floored=floored[:, None], constant=scale == 0
    )
    return replace(linear_form(m, log_prior, whitener), trouble=trouble)


def shared_densities(m: Moments, log_prior: Array, rule: Rule) -> Quadratic:
    """The class densities themselves, which share one covariance: what the linear scores leave out as common is in."""
    scale = deviations(m)
    whitener, log_determinant, _ = whiten_all(rule.shrink(rule.shared(m), scale), scale, rule.floor)
    features = (scale > 0).sum(axis=-1)
    bias = log_prior - 0.5 * (log_determinant + LOG_2PI * features)[:, None]
    shape = (*m.mean.shape, m.n_features)
    return Quadratic(m.mean, np.broadcast_to(whitener[:, None], shape), bias, triangular=True)


def _from_overall(m: Moments) -> tuple[Array, Array]:
    """The overall mean c (G, D), and class means less c (G, K, D), 0 for classes without rows."""
    center, offset, _ = m.overall()
    origin = center + offset
    return origin, np.where(m.weight[..., None] > 0, (m.center - origin[..., None, :]) + m.offset, 0.0)


def linear_form(m: Moments, log_prior: Array, whitener: Array) -> Linear:
    """w_k = Σ⁻¹(μ_k - c), b_k = ln P_k - ½ (μ_k - c)ᵀ Σ⁻¹ (μ_k - c), c the overall mean."""
    origin, away = _from_overall(m)
    white = away @ whitener
    weights = white @ np.swapaxes(whitener, -1, -2)
    return Linear(origin, weights, log_prior - 0.5 * (white**2).sum(axis=-1))


def diagonal_linear_form(m: Moments, log_prior: Array, roots: Array) -> Linear:
    """The same for a whitener that is diagonal, given by its diagonal (G, D): never as wide as it is long."""
    origin, away = _from_overall(m)
    white = away * roots[:, None, :]
    return Linear(origin, white * roots[:, None, :], log_prior - 0.5 * (white**2).sum(axis=-1))
