r"""Leave-one-out for Fisher's discriminant in closed form, for any number of directions.

Taking row x out of class c (n rows of N) changes, with δ = x - μ_c,

    S_w' = S_w - n/(n-1) δδᵀ,    μ_c' = μ_c - δ/(n-1),    μ' = μ - (x - μ)/(N-1),

so in whitened coordinates (a = δW, z = (x - μ)W, m_k = (μ_k - μ)W) the new metric is I + γ aaᵀ and the centred
means are u_k = m_k + z/(N-1) - [k = c] a/(n-1). Scores need nothing but inner products of these: with Q their K×K
matrix and r_k = √n_k', the eigenvectors e of r r' ∘ Q are the directions, on which mean k has coordinate
√λ e_k / r_k.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.models.base.diagonal_leave_one_out import loo_log_priors
from assay.numerics.linalg import whiten
from assay.statistics import Moments
from assay.statistics.variances import deviations
from assay.types import Array, PriorsLike

BLOCK = 1 << 20  # numbers in a block of intermediate arrays
# A row that carries nearly all of a direction's variance is refitted instead: the closed form has no digits left.
LEVERAGE = 1e-6


def within_divisor(m: Moments, variance: str) -> float:
    """Divisor of the pooled scatter of a single group: N, or N less the number of classes seen."""
    return float(m.weight.sum()) - (float((m.weight > 0).sum()) if variance == "unbiased" else 0.0)


class FisherLeaveOneOut:
    """Scores of every row under the discriminant that did not see it; rows of weight one."""

    def __init__(self, m: Moments, priors: PriorsLike, variance: str, floor: float, n_directions: int):
        self.m, self.priors, self.floor, self.q = m, priors, floor, n_directions
        self.scale = deviations(m[None])[0]
        self.divisor = within_divisor(m, variance) - 1.0
        center, offset, self.away = m.overall()
        self.mean = center + offset

    def scores(self, X: NDArray[np.floating], codes: NDArray[np.int32]) -> Array | None:
        """(N, K), NaN in rows where the closed form does not hold; None if it holds nowhere."""
        if self.divisor <= 0:
            return None
        white = whiten(self.m.pooled().scatter / self.divisor, self.scale, self.floor)
        if white.floored:
            return None
        self.whitener, self.least_pivot = white.whitener, _least_pivot(white.whitener, self.scale)
        self.means = self.away @ white.whitener  # m_k, (K, D)
        block = max(1, BLOCK // (X.shape[1] + 4 * self.m.n_classes**2))
        with np.errstate(divide="ignore", invalid="ignore"):
            parts = [self._block(X[i : i + block], codes[i : i + block]) for i in range(0, len(X), block)]
        out = np.concatenate(parts) + loo_log_priors(self.priors, self.m.weight, codes)
        out[self.m.rows[codes] < 2] = np.nan
        return out

    def _block(self, X: NDArray[np.floating], codes: NDArray[np.int32]) -> Array:
        """Scores less log priors."""
        m, rows = self.m, np.arange(len(codes))
        count, n = float(m.weight.sum()), m.weight[codes]
        z = (X - self.mean) @ self.whitener
        a = ((X - m.center[codes]) - m.offset[codes]) @ self.whitener
        g = n / (n - 1.0) / self.divisor
        left = 1.0 - g * (a**2).sum(axis=1)
        left = np.where((left > LEVERAGE) & (left * self.least_pivot > 2.0 * self.floor), left, np.nan)
        beta = np.zeros((len(codes), m.n_classes))
        beta[rows, codes] = 1.0 / (n - 1.0)
        weight = np.tile(m.weight, (len(codes), 1))
        weight[rows, codes] -= 1.0
        gram, with_row = self._inner_products(z, a, beta, 1.0 / (count - 1.0), g / left)
        scores = self._nearest_mean(gram, with_row, weight)
        return np.where(m.weight > 0, scores, 0.0)  # a class never seen has log prior -inf

    def _inner_products(
        self, z: Array, a: Array, beta: Array, alpha: float, gamma: Array
    ) -> tuple[Array, Array]:
        """Q, (n, K, K), and the products of the means with the row, (n, K), in the metric I + γ aaᵀ."""
        m = self.means
        mz, zz, ma = z @ m.T, (z**2).sum(axis=1)[:, None], a @ m.T
        az, aa = (a * z).sum(axis=1)[:, None], (a**2).sum(axis=1)[:, None]
        ba = ma + alpha * az  # with b_k = m_k + α z, so that u_k = b_k - beta_k a
        gram = m @ m.T + alpha * (mz[:, :, None] + mz[:, None, :]) + alpha**2 * zz[:, :, None]
        cross = beta[:, :, None] * ba[:, None, :]
        gram += aa[:, :, None] * beta[:, :, None] * beta[:, None, :] - cross - np.swapaxes(cross, 1, 2)
        ua = ba - beta * aa
        gram += gamma[:, None, None] * ua[:, :, None] * ua[:, None, :]
        with_row = mz + alpha * zz - beta * az + gamma[:, None] * ua * az
        return gram, (1.0 + alpha) * with_row

    def _nearest_mean(self, gram: Array, with_row: Array, weight: Array) -> Array:
        """p_k·s - ½|p_k|² with p_k and s the coordinates of mean k and of the row along the first q directions."""
        if self.q >= min(self.m.n_classes - 1, self.m.n_features):
            return with_row - 0.5 * np.diagonal(gram, axis1=1, axis2=2)
        root = np.sqrt(weight)
        matrix = root[:, :, None] * gram * root[:, None, :]
        good = np.asarray(np.isfinite(matrix).all(axis=(1, 2)))
        values, vectors = np.linalg.eigh(np.where(good[:, None, None], matrix, 0.0))
        values, vectors = np.maximum(values[:, -self.q :], 0.0), vectors[:, :, -self.q :]
        along = np.einsum("nkr,nk->nr", vectors, root * with_row)  # √λ times the row's coordinate
        dot = (vectors @ along[:, :, None])[:, :, 0] / root
        square = (vectors**2 @ values[:, :, None])[:, :, 0] / weight
        return np.where(good[:, None], dot - 0.5 * square, np.nan)


def _least_pivot(whitener: Array, scale: Array) -> float:
    """Least variance of a feature given those before it, as a share of its total variance."""
    active = scale > 0
    return float((1.0 / (np.diag(whitener)[active] * scale[active]) ** 2).min()) if active.any() else 1.0
