r"""Leave-one-out for full and shared covariances in closed form.

Taking row x out of class c changes every scatter by a multiple of δδᵀ, δ = x - μ_c. The covariance of class j
becomes A_j - g δδᵀ with A_j the same for all rows of a class, so with whitened a = δW, b = (x - μ_j')W

    quadratic form = |b|² + g (a·b)² / (1 - g|a|²),    ln det = ln det A_j + ln(1 - g|a|²).

Shrinkage adds a row's own multiple of the identity; in the eigenbasis of A_j that is a diagonal.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh

from assay.models.base.diagonal_leave_one_out import LEVERAGE, carried, loo_log_priors
from assay.models.gaussian.covariance import Rule
from assay.numerics.linalg import whiten
from assay.statistics import Moments
from assay.statistics.variances import degenerate_classes, deviations
from assay.types import Array, PriorsLike


class FullLeaveOneOut:
    """Scores of every row under the model that did not see it; rows of weight one."""

    def __init__(self, m: Moments, priors: PriorsLike, rule: Rule):
        self.m, self.priors, self.rule = m, priors, rule
        self.scale = deviations(m[None])[0]
        self.pooled = m.pooled().scatter
        self.unbiased = rule.variance == "unbiased"
        self.seen = int((m.weight > 0).sum())
        self.alone = (
            degenerate_classes(m, rule.variance) if rule.blend > 0 else np.zeros(m.n_classes, dtype=bool)
        )

    def scores(self, X: NDArray[np.floating], codes: NDArray[np.int32]) -> Array:
        """(N, K); NaN where the closed form does not hold."""
        out = loo_log_priors(self.priors, self.m.weight, codes)
        deviation = (X - self.m.center[codes]) - self.m.offset[codes]  # δ
        n = self.m.weight[codes]
        factor = np.divide(n, n - 1.0, out=np.full(n.shape, np.nan), where=n > 1)
        for k in range(self.m.n_classes):
            if self.m.weight[k] == 0:
                continue
            in_class = codes == k
            out[in_class, k] += self._density(
                k, True, deviation[in_class] * factor[in_class, None], deviation[in_class], factor[in_class]
            )
            others = ~in_class
            away = (X[others] - self.m.center[k]) - self.m.offset[k]
            out[others, k] += self._density(k, False, away, deviation[others], factor[others])
        out[(n < 2) | self._fragile(X, codes, factor[:, None] * deviation**2)] = np.nan
        return out

    def _fragile(
        self, X: NDArray[np.floating], codes: NDArray[np.int32], leaving: Array
    ) -> NDArray[np.bool_]:
        """Rows without which a feature is constant, or the rest of their class are all alike."""
        center, offset, _ = self.m.overall()
        count = self.m.weight.sum()
        overall = count / (count - 1.0) * ((X - center) - offset) ** 2
        fragile = carried(count * self.m.total_variance(), overall).any(axis=1)
        if self.rule.blend > 0:
            squares = self.m.class_diagonal()[codes]
            fragile |= (carried(squares, leaving) | (squares == 0)).all(axis=1) & ~self.alone[codes]
        return np.asarray(fragile)

    def _density(self, k: int, left: bool, z: Array, deviation: Array, factor: Array) -> Array:
        """Log density (less a constant) of rows at z from the mean, after δ left class k or another one."""
        weight = self.m.weight[k] - (1.0 if left else 0.0)
        share = self.rule.blend if weight >= 2 and not self.alone[k] else 0.0
        divisor = self.rule.divisor(float(weight), 1)
        pool = self.rule.divisor(float(self.m.weight.sum()) - 1.0, self.seen)
        if pool <= 0 or (share > 0 and divisor <= 0):
            return np.full(len(z), np.nan)
        base = (1.0 - share) * self.pooled / pool
        leaves = (1.0 - share) / pool
        if share > 0:
            base = base + share * self.m.scatter[k] / divisor
            leaves += share / divisor if left else 0.0
        if self.rule.shrinkage > 0.0:
            return self._shrunk(base, z, deviation, leaves * factor)
        white = whiten(base, self.scale, self.rule.floor)
        if white.floored:
            return np.full(len(z), np.nan)
        return _rank_one(
            deviation @ white.whitener, z @ white.whitener, leaves * factor, white.log_determinant
        )

    def _shrunk(self, base: Array, z: Array, deviation: Array, g: Array) -> Array:
        s, active = self.rule.shrinkage, self.scale > 0
        values, vectors = eigh(base[np.ix_(active, active)])
        a, b = deviation[:, active] @ vectors, z[:, active] @ vectors
        level = (values.sum() - g * (a**2).sum(axis=1)) / max(1, int(active.sum()))
        diagonal = (1.0 - s) * values + s * level[:, None]
        if (diagonal <= 0).any():
            return np.full(len(z), np.nan)
        root = np.sqrt(diagonal)
        return _rank_one(a / root, b / root, (1.0 - s) * g, np.log(diagonal).sum(axis=1))


def _rank_one(a: Array, b: Array, g: Array, log_determinant: float | Array) -> Array:
    left = 1.0 - g * (a**2).sum(axis=1)
    left = np.where(left > LEVERAGE, left, np.nan)
    square = (b**2).sum(axis=1) + g * (a * b).sum(axis=1) ** 2 / left
    return np.asarray(-0.5 * (log_determinant + np.log(left) + square))
