r"""Clusters taken for a density: normal components of one shape about the centres, times proportions of categories.

    p(x) = Σ_k (n_k/N) N(x; c_k, S) Π_j q_kj(level of x in category j),        S the covariance within the groups

with (K - 1) + K D + D(D+1)/2 + K Σ_j (L_j - 1) free parameters. Levels of a category written as columns of 0 and 1 are
no normal numbers: they vary within no group that holds one of them alone, and the density of such a group would grow
without end with every further group. Their shares are probabilities, never above 1.

Along no direction S has less than a ten-thousandth of the variance of all rows, and in no column less than δ²/12, what
rounding to steps of δ alone does to a number: whole numbers of a few values, too, vary within no group of one value.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh
from scipy.special import logsumexp

from assay.numerics.blas import single_threaded
from assay.numerics.distances import pairwise_blocks
from assay.types import Array, Index, Integers, Labels, Mask

NARROWEST = 1e-4  # least variance of a component along a direction, as a share of that of all rows
VANISHING = 1e-10  # variance along a direction, as a share of the largest, that is rounding
MOST_COLUMNS = 200
ABSENT = 1e-9  # share of a level that no row has


@dataclass(frozen=True)
class ClusterRows:
    """Rows as the density sees them.

    Attributes
    ----------
    numbers : (N, D)
    codes : (N, J)
        Level of each category, the last one for none of them.
    sizes : (J,) numbers of levels
    steps : (D,)
        Least difference of two values of a column.
    """

    numbers: NDArray[np.floating]
    codes: NDArray[np.intp]
    sizes: tuple[int, ...]
    steps: Array

    @classmethod
    def of(cls, rows: NDArray[np.floating], levels: Sequence[Sequence[int]] = ()) -> ClusterRows:
        """Rows of which the columns in each of `levels`, of 0 and 1 or two other values, are those of a category."""
        blocks = [np.asarray(block, dtype=np.intp) for block in levels]
        taken = np.concatenate([np.empty(0, dtype=np.intp), *blocks])
        numbers = rows[:, np.setdiff1d(np.arange(rows.shape[1]), taken)] if len(taken) else rows
        codes = np.empty((len(rows), len(blocks)), dtype=np.intp)
        for j, block in enumerate(blocks):
            part = rows[:, block]
            level = part > (part.min(axis=0) + part.max(axis=0)) / 2
            codes[:, j] = np.where(level.any(axis=1), level.argmax(axis=1), len(block))
        return cls(numbers, codes, tuple(len(block) + 1 for block in blocks), _steps(numbers))

    def take(self, which: Index | Mask) -> ClusterRows:
        """Some of the rows; the steps of their columns stay."""
        return ClusterRows(self.numbers[which], self.codes[which], self.sizes, self.steps)

    def __len__(self) -> int:
        return len(self.numbers)


def _steps(numbers: NDArray[np.floating]) -> Array:
    """Least difference of two values of each column that is more than rounding."""
    steps = np.zeros(numbers.shape[1])
    for j, column in enumerate(numbers.T):
        gaps = np.diff(np.sort(column.astype(np.float64)))
        gaps = gaps[gaps > 1e-9 * gaps.sum()]
        steps[j] = gaps.min() if len(gaps) else 0.0
    return steps


@dataclass(frozen=True)
class ClusterDensity:
    """A mixture of normal densities of one shape, and of shares of levels.

    Attributes
    ----------
    shares, centers : (K,), (K, D)
    whitener : (D, R)
        From differences to numbers of variance 1 within the groups; R directions, those in which rows vary.
    round : whether the shape is a ball
    levels : (K, L_j) each
        Logarithms of the shares of the levels of each category.
    """

    shares: Array
    centers: Array
    whitener: Array
    log_volume: float  # ln of the root of the determinant of S
    round: bool
    levels: tuple[Array, ...] = ()

    @classmethod
    def of(
        cls,
        typed: ClusterRows,
        labels: Labels,
        weight: Array | None = None,
        shape: str = "common",
    ) -> ClusterDensity:
        """The components of groups: their shares, means, the covariance about these, and their shares of levels."""
        rows = typed.numbers
        w = np.ones(len(rows)) if weight is None else weight
        used = np.flatnonzero(w > 0)
        w = w[used] / w[used].sum()
        codes = np.unique(np.asarray(labels)[used], return_inverse=True)[1]
        origin = w @ rows[used].astype(np.float64)
        away = rows[used] - origin
        shares = np.asarray(np.bincount(codes, w), dtype=np.float64)
        sums = [np.bincount(codes, w * column) for column in away.T]
        means = np.reshape(sums, (rows.shape[1], len(shares))).T / shares[:, None]
        inside = away - means[codes]
        width = rows.shape[1]
        isotropic = shape == "round" or len(used) <= 2 * width or width > MOST_COLUMNS or not width
        find = _round_shape if isotropic else _shape
        with single_threaded():
            whitener, log_volume = find(away, inside, w, typed.steps**2 / 12)
        count = float(len(used) if weight is None else weight.sum())
        levels = tuple(
            _level_shares(codes, column[used], size, w * count)
            for column, size in zip(typed.codes.T, typed.sizes, strict=True)
        )
        return cls(shares, means + origin, whitener, log_volume, isotropic, levels)

    @property
    def n_parameters(self) -> int:
        width = int(self.whitener.shape[1])
        shape = 1 if self.round else width * (width + 1) // 2
        free = sum(int((np.exp(shares).max(axis=0) > ABSENT).sum()) - 1 for shares in self.levels)
        return len(self.shares) - 1 + len(self.shares) * (width + free) + shape * (width > 0)

    def log_density(self, typed: ClusterRows) -> Array:
        """ln p of every row, (N,)."""
        codes, rows = typed.codes, typed.numbers
        constant = (
            np.log(self.shares) - 0.5 * self.whitener.shape[1] * math.log(2.0 * math.pi) - self.log_volume
        )
        origin = self.centers[0]
        with single_threaded():
            whitened = (rows - origin) @ self.whitener
            centers = (self.centers - origin) @ self.whitener
        if not self.whitener.shape[1]:
            return np.zeros(len(rows)) if not self.levels else self._of_levels(constant, codes)
        pairs = pairwise_blocks(whitened, centers)
        return np.concatenate(
            [
                self._of_levels(constant - 0.5 * block**2, codes[first : first + len(block)])
                for first, block in pairs
            ]
        )

    def _of_levels(self, terms: Array, codes: NDArray[np.intp]) -> Array:
        """ln Σ_k exp(terms_k) Π_j q_kj of the levels of each row."""
        for column, shares in zip(codes.T, self.levels, strict=True):
            terms = terms + shares[:, column].T
        return np.asarray(logsumexp(terms, axis=1))

    def bic(self, typed: ClusterRows, weight: Array | None = None) -> float:
        """Schwarz's criterion on these rows."""
        density = self.log_density(typed)
        w = np.ones(len(density)) if weight is None else weight
        return self.n_parameters * math.log(w.sum()) - 2.0 * float(w @ density)


def _level_shares(groups: Integers, codes: Integers, size: int, w: Array) -> Array:
    """ln of the shares of levels in each group, (K, L): as if one row more stood in it, of the levels of all rows."""
    counts = np.bincount(groups * size + codes, w, minlength=(groups.max() + 1) * size).reshape(-1, size)
    whole = counts.sum(axis=0)
    usual = np.maximum(whole / whole.sum(), ABSENT)
    return np.asarray(np.log((counts + usual) / (counts.sum(axis=1, keepdims=True) + 1.0)))


def _shape(away: Array, inside: Array, w: Array, least: Array) -> tuple[Array, float]:
    """Whitener of the covariance within groups, held up in units of that of all rows, and its log volume."""
    values, vectors = eigh((away * w[:, None]).T @ away)
    varying = values > VANISHING * max(values[-1], 0.0)
    whole = vectors[:, varying] / np.sqrt(values[varying])
    units = inside @ whole
    lifted = whole * np.maximum(least - w @ (inside * inside), 0.0)[:, None]
    covariance = (units * w[:, None]).T @ units + whole.T @ lifted
    within, turn = eigh(covariance) if varying.any() else (np.empty(0), np.empty((0, 0)))
    within = np.maximum(within, NARROWEST)
    return whole @ turn / np.sqrt(within), 0.5 * float(np.log(within).sum() + np.log(values[varying]).sum())


def _round_shape(away: Array, inside: Array, w: Array, least: Array) -> tuple[Array, float]:
    width = away.shape[1]
    whole, within = (float(w @ (values * values).sum(axis=1)) / max(width, 1) for values in (away, inside))
    if whole == 0.0:
        return np.empty((width, 0)), 0.0
    deviation = math.sqrt(max(within, NARROWEST * whole, float(least.mean())))
    return np.eye(width) / deviation, width * math.log(deviation)
