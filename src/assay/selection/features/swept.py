r"""Symmetric matrices swept on the features that are in: what is left of the others once these explain them.

With A the features in and B those out, of a covariance Σ and any vector v of features the sweep keeps

    P = Σ_AA⁻¹                          H = P Σ_AB
    Hᵀ                                  S = Σ_BB - Σ_BA P Σ_AB
    v_A → P v_A,                        v_B → v_B - Hᵀ v_A

A feature enters or leaves by one rank-one change of everything, so forward and backward steps are the same arithmetic
(Beaton, 1964; Goodnight, *The American Statistician* 33, 1979). It is safe where the pivot, the variance that the
others leave of a feature, is not tiny; whoever calls sees to that.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrf, dpotri

Array = NDArray[np.float64]


@dataclass
class Swept:
    """Matrices (F, D, D) and vectors (F, K, D) of F splits, swept on the same features.

    `unit` (F, D) is what pivots are measured in; a feature of unit 0 in a split is left out there.
    """

    matrix: Array
    vectors: Array
    unit: Array
    inside: NDArray[np.bool_]  # (D,)

    @classmethod
    def outside(cls, matrix: Array, vectors: Array, unit: Array) -> Swept:
        """No feature is in yet."""
        return cls(matrix.copy(), vectors.copy(), unit, np.zeros(unit.shape[1], dtype=bool))

    def pivots(self, features: NDArray[np.integer]) -> Array:
        """What the features in leave of others, in their units; 1 in splits that leave a feature out, (F, n)."""
        here = self.matrix[:, features, features]
        unit = self.unit[:, features]
        return np.where(unit > 0, here / np.where(unit > 0, unit, 1.0), 1.0)

    def move(self, feature: int) -> Array:
        """Bring a feature in, or put it out; what every column of rows gains from its column, (F, D).

        The factor of the feature itself is what its own column is multiplied by.
        """
        leaves = bool(self.inside[feature])
        there = self.unit[:, feature] > 0
        column = np.where(there[:, None], self.matrix[:, :, feature], 0.0)
        pivot = np.where(there, self.matrix[:, feature, feature], 1.0)
        column[:, feature] = 0.0
        share = column / pivot[:, None]
        factor = -share
        if leaves:
            factor[:, ~self.inside] *= -1.0
        factor[:, feature] = 1.0 / pivot
        self._change(feature, column, share, factor, leaves, there)
        self.inside[feature] = not leaves
        return factor

    def _change(
        self, feature: int, column: Array, share: Array, factor: Array, leaves: bool, there: NDArray[np.bool_]
    ) -> None:
        own = self.vectors[:, :, feature].copy()
        other = np.flatnonzero(self.inside != leaves)  # on the side that the feature goes to
        self.matrix -= column[:, :, None] * share[:, None, :]
        if len(other):
            down, across = np.ix_(other, other)
            self.matrix[:, down, across] += 2.0 * column[:, other, None] * share[:, None, other]
        # What is in goes with -1, what is out with +1, whichever way the feature moves.
        line = np.where(self.inside, -share, share)
        line[:, feature] = factor[:, feature]
        self.matrix[there, :, feature] = line[there]
        self.matrix[there, feature, :] = line[there]
        self.vectors += factor[:, None, :] * own[:, :, None]
        self.vectors[:, :, feature] = factor[:, feature, None] * own

    def independent(self, features: NDArray[np.integer], least: float) -> bool:
        """Whether each of several features leaves pivots above `least` behind those before it, in every split."""
        grid = np.ix_(features, features)
        parts = zip(self.matrix, self.unit[:, features], strict=True)
        return all(_factor(matrix[grid], unit, least) is not None for matrix, unit in parts)

    def enter_all(self, features: NDArray[np.integer], least: float) -> Array | None:
        """Bring many features in at once; the maps of rows, (F, D, D), or None where a pivot is not above `least`.

        A row becomes map @ row: P x_A for the features in, x_B - Hᵀ x_A for the others.
        """
        width = self.matrix.shape[1]
        maps = np.tile(np.eye(width), (len(self.matrix), 1, 1))
        for f, matrix in enumerate(self.matrix):
            active = features[self.unit[f, features] > 0]
            inverse = _inverse(matrix[np.ix_(active, active)], self.unit[f, active], least)
            if inverse is None:
                return None
            rest = np.setdiff1d(np.arange(width), active)
            slope = inverse @ matrix[np.ix_(active, rest)]
            maps[f][np.ix_(active, active)] = inverse
            maps[f][np.ix_(rest, active)] = -slope.T
            matrix[np.ix_(rest, rest)] -= matrix[np.ix_(rest, active)] @ slope
            matrix[np.ix_(active, rest)], matrix[np.ix_(rest, active)] = slope, slope.T
            matrix[np.ix_(active, active)] = inverse
        self.vectors = np.asarray(self.vectors @ np.swapaxes(maps, -1, -2))
        self.inside[features] = True
        return maps


SAFE = 1e-7  # of a feature's variance must be left by the others: each digit less is lost in the scores


def _factor(matrix: Array, unit: Array, least: float) -> Array | None:
    """Cholesky factor in units of the variances `unit`, features of unit 0 left out; None: a pivot is too small."""
    active = unit > 0
    root = np.sqrt(unit[active])
    if len(root) == 0:
        return np.zeros((0, 0))
    natural = matrix[np.ix_(active, active)] / root[:, None] / root[None, :]
    lower, info = dpotrf(natural, lower=1, clean=1)
    return lower if info == 0 and float(np.diag(lower).min()) ** 2 > least else None


def _inverse(matrix: Array, unit: Array, least: float) -> Array | None:
    """The inverse of a covariance; None where a pivot is too small."""
    lower = _factor(matrix, unit, least)
    if lower is None or len(lower) == 0:
        return lower
    inverse, _ = dpotri(lower, lower=1)
    root = np.sqrt(unit)
    return np.asarray((np.tril(inverse) + np.tril(inverse, -1).T) / root[:, None] / root[None, :])
