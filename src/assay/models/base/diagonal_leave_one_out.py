r"""Leave-one-out for independent normal features, in closed form.

Taking row x out of its class (n rows, mean m, sum of squares M, d = x - m) leaves

    m' = m - d/(n-1),    M' = M - n/(n-1) d²,    x - m' = n/(n-1) d,

and the same term leaves the pooled and, with N and the overall mean, the total sum of squares. The other rules
(blend, shrinkage, floor) are then applied to the row's own variances exactly as a refit would.
"""

from __future__ import annotations

import numpy as np

from assay.decision.priors import class_priors
from assay.statistics import Moments
from assay.statistics.variances import degenerate_classes, ratio
from assay.types import Array, Codes, Floats, Mask, PriorsLike

BLOCK = 1 << 21  # numbers in a block of intermediate arrays
# A row that carries nearly all of a sum of squares is refitted instead: the difference has no digits left.
LEVERAGE = 1e-6


def loo_log_priors(priors: PriorsLike, weight: Array, codes: Codes) -> Array:
    """Log priors (N, K) as each row's own refit has them."""
    left = np.tile(weight, (len(codes), 1))
    left[np.arange(len(codes)), codes] -= 1.0
    with np.errstate(divide="ignore"):
        return np.where(left > 0, np.log(class_priors(priors, left)), -np.inf)


def carried(squares: Array, leaving: Array) -> Mask:
    """Sums of squares that all but vanish once a row takes its part away."""
    return np.asarray((squares > 0) & (squares - leaving < LEVERAGE * squares))


class DiagonalLeaveOneOut:
    """Scores of every row under the diagonal model that did not see it; rows of weight one."""

    def __init__(
        self,
        m: Moments,
        priors: PriorsLike,
        variance: str,
        blend: float,
        spherical: bool,
        shrinkage: float,
        floor: float,
    ):
        self.m, self.priors, self.blend, self.floor = m, priors, blend, floor
        self.shrink = 1.0 if spherical else shrinkage
        self.spherical = spherical
        self.unbiased = 1.0 if variance == "unbiased" else 0.0
        center, offset, _ = m.overall()
        self.mean = center + offset
        self.total = m.total_variance() * m.weight.sum()
        self.within = m.within_diagonal()
        self.alone = degenerate_classes(m, variance)

    def scores(self, X: Floats, codes: Codes) -> Array:
        """(N, K); NaN for rows that carry their class or a feature by themselves."""
        block = max(1, BLOCK // max(1, X.shape[1]))
        parts = [
            self._block(X[i : i + block].astype(np.float64), codes[i : i + block])
            for i in range(0, len(X), block)
        ]
        out = np.concatenate(parts)
        out[self.m.rows[codes] < 2] = np.nan
        return out

    def _block(self, X: Array, codes: Codes) -> Array:
        m, count = self.m, self.m.weight.sum()
        n = m.weight[codes][:, None]
        away = (X - m.center[codes]) - m.offset[codes]
        with np.errstate(divide="ignore", invalid="ignore"):
            leaving = n / (n - 1.0) * away**2  # (N, D)
            seen = float((m.weight > 0).sum())
            shared = ratio(self.within - leaving, np.full((1, 1), count - 1.0 - self.unbiased * seen))
            overall = X - self.mean
            gone = count / (count - 1.0) * overall**2
            spread = np.maximum(self.total - gone, 0.0) / (count - 1.0)
            fragile = (
                carried(self.total, gone) | carried(m.scatter[codes], leaving) | carried(self.within, leaving)
            )
            noise = 2.0 * np.finfo(np.float64).eps * np.abs(self.mean - overall / (count - 1.0))
            unit = np.where(spread > noise**2, spread, 0.0)
            out = loo_log_priors(self.priors, m.weight, codes)
            for k in range(m.n_classes):
                in_class = codes == k
                out[:, k] += self._class(X, k, in_class, away, leaving, np.maximum(shared, 0.0), unit)
        out[fragile.any(axis=1)] = np.nan
        return out

    def _class(
        self,
        X: Array,
        k: int,
        in_class: Mask,
        away: Array,
        leaving: Array,
        shared: Array,
        unit: Array,
    ) -> Array:
        """Log density of each row under class k, taken from the class where the row is its own."""
        m = self.m
        n = np.where(in_class, m.weight[k] - 1.0, m.weight[k])[:, None]
        squares = m.scatter[k] - np.where(in_class[:, None], leaving, 0.0)
        class_variance = np.maximum(ratio(squares, n - self.unbiased), 0.0)
        values = np.where(
            (n < 2) | self.alone[k], shared, self.blend * class_variance + (1.0 - self.blend) * shared
        )
        distance = np.where(
            in_class[:, None], away * (m.weight[k] / (m.weight[k] - 1.0)), (X - m.center[k]) - m.offset[k]
        )
        active = unit > 0
        count = np.maximum(active.sum(axis=1, keepdims=True), 1)
        average = np.where(active, values, 0.0).sum(axis=1, keepdims=True) / count
        values = (1.0 - self.shrink) * values + self.shrink * average
        least = unit.sum(axis=1, keepdims=True) / count if self.spherical else unit
        values = np.where(
            active, np.maximum(values, np.maximum(self.floor * least, np.finfo(np.float64).tiny)), 1.0
        )
        terms = np.log(values) + distance**2 / values
        return np.asarray(-0.5 * np.where(active, terms, 0.0).sum(axis=1))
