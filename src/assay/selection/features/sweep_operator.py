r"""Linear scores, of a shared covariance or of least squares: features enter and leave by sweeps.

    shared covariance   s_k(x) = ln P_k + (μ_k - c)ᵀ Σ⁻¹ (x - (μ_k + c)/2),    c the overall mean
    least squares       s_k(x) = n_k/N + b_kᵀ (T + l2 I)⁻¹ (x - c)

With A the features in and B those out, of the matrix M and any vector v of features a sweep keeps P = M_AA⁻¹,
H = P M_AB, S = M_BB - M_BA H, P v_A and v_B - Hᵀ v_A; a feature enters or leaves by one rank-one change of everything
(Beaton, 1964; Goodnight, *The American Statistician* 33, 1979). Rows are swept as the matrices are: of a feature out
each row keeps what the features in do not explain, r_j, and j would add g (r_j - m) to a margin; of a feature in it
keeps z_j = (M⁻¹ x)_j, and the margin would lose as much. So one pass over the rows makes the last move and tries every
next one. A sweep is safe where its pivot, what the others leave of a feature, is not tiny.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrf, dpotri

from assay import _core
from assay.decision.priors import log_priors
from assay.models.gaussian.gaussian_classifier import GaussianClassifier
from assay.models.linear.least_squares import LeastSquaresClassifier, _equations
from assay.numerics.blas import single_threaded
from assay.selection.features.sorted_rows import SearchData
from assay.selection.features.stepwise import Moves, Subset
from assay.statistics.variances import deviations
from assay.types import Array, Codes, Mask

AGAIN = 64  # moves after which rounding is cleared away by sweeping anew
SAFE = 1e-7  # of a feature's variance must be left by the others: each digit less is lost in the scores


class SweepOperator:
    """Shared covariance and least squares; matrices (F, D, D) and vectors (F, K, D) of F splits."""

    strategy = "sweeps"

    def __init__(self, model: LeastSquaresClassifier | GaussianClassifier, data: SearchData) -> None:
        self.data, m = data, data.moments
        scale = deviations(m)
        with single_threaded():
            if isinstance(model, LeastSquaresClassifier):
                e = _equations(m)
                self._matrix, self._vectors, self._center = (
                    e.total + model.l2 * np.eye(m.n_features),
                    e.target,
                    e.mean,
                )
                self._bias, self._middle = np.where(m.weight > 0, e.share, -np.inf), 0.0
                self._unit = np.where(scale > 0, scale**2 + model.l2, 0.0)
            else:
                center, offset, _ = m.overall()
                self._center, self._unit = center + offset, scale**2
                away = (m.center - self._center[..., None, :]) + m.offset
                self._vectors = np.where(m.weight[..., None] > 0, away, 0.0)
                self._matrix = np.stack([model._rule().shared(m[f]) for f in range(len(m.weight))])
                self._bias, self._middle = log_priors(model.priors, m.weight), 0.5
        # The least pivot that needs no floor, with room for another order of the features.
        self._least = max(SAFE, 100.0 * float(getattr(model, "variance_floor", 0.0)))
        self._at: frozenset[int] | None = None
        self._moves = 0

    def hits(self, moves: Moves) -> Array:
        """Weight of the rows that are right in each subset; NaN for those that must be solved by themselves."""
        few = len(moves.subset) <= 2 and moves.features[0] in moves.subset
        moved = None if few else self._to_move(moves.subset)
        if moved is None:
            return np.full(len(moves.features), np.nan)
        columns = self.data.columns_of(moves.features)
        others = np.empty(0, dtype=np.intp)
        if self.data.both_ways:
            others = np.setdiff1d(np.arange(len(self._inside)), columns)
        hits = self._pass(moved, columns, others)
        self._at = frozenset(moves.subset)
        return np.where(self._safe(columns), hits, np.nan)

    def _to_move(self, subset: Subset) -> int | None:
        """The column that the rows lack of the subset (-1: none); None where a sweep would lose digits."""
        if self._at is not None and self._moves < AGAIN:
            moving = self.data.columns_of(tuple(frozenset(subset) ^ self._at))
            if len(moving) <= 1 and self._safe(moving).all():
                self._moves += len(moving)
                return int(moving[0]) if len(moving) else -1
        with single_threaded():
            return -1 if self._begin(self.data.columns_of(subset)) else None

    def _safe(self, columns: Codes) -> Mask:
        """Which columns can be swept: what is in can always leave."""
        unit = self._unit[:, columns]
        pivot = np.where(unit > 0, self._swept[:, columns, columns] / np.where(unit > 0, unit, 1.0), 1.0)
        return np.asarray(self._inside[columns] | (pivot > self._least).all(axis=0))

    def _pass(self, moved: int, columns: Codes, others: NDArray[np.intp]) -> Array:
        """Move a column (-1: none), and try every column after that; others only follow."""
        slope, center, factor = None, None, None
        if moved >= 0:
            slope, center = self._terms(np.array([moved], dtype=np.int32))
            factor = self._move(moved)
        hits = np.empty(len(columns))
        _core.search.try_moves(
            self.data.rows.given, moved, slope, center, factor, np.arange(len(columns) + 1), columns,
            *self._terms(columns), others.astype(np.int32), self.data.threads, self._x, self._margin, hits,
        )  # fmt: skip
        return hits

    def _terms(self, columns: Codes) -> tuple[Array, Array]:
        """Slopes and centers of columns that would move, (cells, columns, K - 1); less than 0 if they would leave."""
        rows, vectors = self.data.rows, self._turned[:, :, columns]
        pivot = self._swept[:, columns, columns][:, None, :]
        varies = (self._unit[:, columns][:, None, :] > 0) & (pivot > 0)
        solved = np.divide(
            vectors, pivot, out=np.zeros(vectors.shape), where=np.broadcast_to(varies, vectors.shape)
        )
        solved = np.where(self._inside[columns], -solved, solved)
        slope = solved[rows.split, rows.true][:, None] - rows.rivals(solved[rows.split])
        both = vectors[rows.split, rows.true][:, None] + rows.rivals(vectors[rows.split])
        turned = (np.ascontiguousarray(np.swapaxes(terms, 1, 2)) for terms in (slope, self._middle * both))
        return next(turned), next(turned)

    def _move(self, feature: int) -> Array:
        """Bring a feature in, or put it out; what every column of rows gains from its column, (F, D).

        The factor of the feature itself is what its own column is multiplied by.
        """
        leaves, varies = bool(self._inside[feature]), self._unit[:, feature] > 0
        column = np.where(varies[:, None], self._swept[:, :, feature], 0.0)
        pivot = np.where(varies, self._swept[:, feature, feature], 1.0)
        column[:, feature] = 0.0
        share = column / pivot[:, None]
        factor = -share
        if leaves:
            factor[:, ~self._inside] *= -1.0
        factor[:, feature] = 1.0 / pivot
        vector = self._turned[:, :, feature].copy()
        other = np.flatnonzero(self._inside != leaves)  # on the side that the feature goes to
        self._swept -= column[:, :, None] * share[:, None, :]
        if len(other):
            down, across = np.ix_(other, other)
            self._swept[:, down, across] += 2.0 * column[:, other, None] * share[:, None, other]
        # What is in goes with -1, what is out with +1, whichever way the feature moves.
        line = np.where(self._inside, -share, share)
        line[:, feature] = factor[:, feature]
        self._swept[varies, :, feature] = self._swept[varies, feature, :] = line[varies]
        self._turned += factor[:, None, :] * vector[:, :, None]
        self._turned[:, :, feature] = factor[:, feature, None] * vector
        self._inside[feature] = not leaves
        return factor

    def _begin(self, columns: Codes) -> bool:
        """Rows and margins of a set from scratch; False where the set is too near to singular to be swept."""
        rows, width = self.data.rows, self._matrix.shape[1]
        matrices, maps = self._matrix.copy(), np.tile(np.eye(width), (len(self._matrix), 1, 1))
        for f, matrix in enumerate(matrices):
            active = columns[self._unit[f, columns] > 0]
            inverse = _inverse(matrix[np.ix_(active, active)], self._unit[f, active], self._least)
            if inverse is None:
                return False
            rest = np.setdiff1d(np.arange(width), active)
            slope = inverse @ matrix[np.ix_(active, rest)]
            maps[f][np.ix_(active, active)] = inverse
            maps[f][np.ix_(rest, active)] = -slope.T
            matrix[np.ix_(rest, rest)] -= matrix[np.ix_(rest, active)] @ slope
            matrix[np.ix_(active, rest)], matrix[np.ix_(rest, active)] = slope, slope.T
            matrix[np.ix_(active, active)] = inverse
        self._swept, self._inside = matrices, np.isin(np.arange(width), columns)
        self._turned = np.asarray(self._vectors @ np.swapaxes(maps, -1, -2))
        self._x = rows.columns(self.data.X, self._center, self.data.threads)
        self._margin = rows.margins(self._bias)
        for c, f in enumerate(rows.split if len(columns) else ()):
            here, true = slice(rows.first[c], rows.first[c + 1]), rows.true[c]
            others = np.delete(np.arange(self._bias.shape[1]), true)
            weights = (self._turned[f, true] - self._turned[f, others])[:, columns]
            weights = np.where(self._unit[f, columns] > 0, weights, 0.0)
            middle = self._middle * (self._vectors[f, true] + self._vectors[f, others])[:, columns]
            x = self._x[columns, here]
            self._margin[:, here] += weights @ x - (weights * middle).sum(axis=1, keepdims=True)
            self._x[:, here] = maps[f] @ self._x[:, here]
        self._moves = 0
        return True


def _inverse(matrix: Array, unit: Array, least: float) -> Array | None:
    """The inverse of a covariance by a Cholesky factor in units of the variances; None: a pivot is too small."""
    if len(unit) == 0:
        return matrix
    root = np.sqrt(unit)
    lower, info = dpotrf(matrix / root[:, None] / root[None, :], lower=1, clean=1)
    if info != 0 or not float(np.diag(lower).min()) ** 2 > least:
        return None
    inverse, _ = dpotri(lower, lower=1)
    return np.asarray((np.tril(inverse) + np.tril(inverse, -1).T) / root[:, None] / root[None, :])
