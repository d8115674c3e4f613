r"""Linear scores, of a shared covariance or of least squares: features enter and leave by sweeps.

    shared covariance   s_k(x) = ln P_k + (μ_k - c)ᵀ Σ⁻¹ (x - (μ_k + c)/2),    c the overall mean
    least squares       s_k(x) = n_k/N + b_kᵀ (T + l2 I)⁻¹ (x - c)

Rows are swept as the matrices are: of a feature out each row keeps what the features in do not explain, r_j, and j
would add g (r_j - m) to a margin; of a feature in it keeps z_j = (Σ⁻¹ x)_j, and the margin would lose as much. Both g
and m follow from the swept class vectors, so one pass over the rows makes the last move and tries every next one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.decision.priors import log_priors
from assay.engines.local import thread_count
from assay.models.gaussian.classifier import GaussianClassifier
from assay.models.linear.least_squares import LeastSquaresClassifier, _equations
from assay.models.normal import deviations
from assay.numerics.blas import single_threaded
from assay.selection.features.from_moments import MomentsJudge, Trained
from assay.selection.features.layout import SortedRows, listed
from assay.selection.features.swept import SAFE, Swept
from assay.selection.features.task import Array, Chosen, Task

AGAIN = 64  # moves after which rounding is cleared away by sweeping anew


class Problem(NamedTuple):
    """What the scores are made of, for every split."""

    center: Array  # (F, D)
    matrix: Array  # (F, D, D)
    vectors: Array  # (F, K, D)
    bias: Array  # (F, K)
    unit: Array  # (F, D) what pivots are measured in, 0: the feature is constant
    middle: float  # rows are compared with this share of the sum of two class vectors


def problem_of(model: Any, trained: Trained) -> Problem:
    m = trained.moments
    scale = deviations(m)
    if isinstance(model, LeastSquaresClassifier):
        e = _equations(m)
        ridge = model.l2 * np.eye(m.n_features)
        bias = np.where(m.weight > 0, e.share, -np.inf)
        unit = np.where(scale > 0, scale**2 + model.l2, 0.0)
        return Problem(e.mean, e.total + ridge, e.target, bias, unit, 0.0)
    assert isinstance(model, GaussianClassifier)
    center, offset, _ = m.overall()
    origin = center + offset
    away = np.where(m.weight[..., None] > 0, (m.center - origin[..., None, :]) + m.offset, 0.0)
    matrix = np.stack([model._rule().shared(m[f]) for f in range(len(m.weight))])
    return Problem(origin, matrix, away, log_priors(model.priors, m.weight), scale**2, 0.5)


class LinearJudge(MomentsJudge):
    """Shared covariance and least squares."""

    strategy = "sweeps"

    def __init__(self, task: Task, trained: Trained) -> None:
        super().__init__(task, trained)
        self.rows = SortedRows.of(trained.pairs, trained.data)
        with single_threaded():
            self.problem = problem_of(self.model, trained)
        # The least pivot that needs no floor, with room for another order of the features.
        self._least = max(SAFE, 100.0 * float(getattr(self.model, "variance_floor", 0.0)))
        self._singular: list[frozenset[int]] = []
        self._at: frozenset[int] | None = None
        self._moves = 0

    # -- trials ---------------------------------------------------------------------------------------------

    def adding(self, chosen: Chosen, candidates: Sequence[int]) -> Array:
        if not self._countable or not self._reachable(chosen):
            return super().adding(chosen, candidates)
        losses = self._losses(self._tried(chosen, candidates))
        for place in np.flatnonzero(~self._all_safe(candidates)).tolist():
            losses[place] = self._solved((*chosen, candidates[place])).loss
        return losses

    def dropping(self, chosen: Chosen, candidates: Sequence[int]) -> Array:
        if not self._countable or len(chosen) <= 2 or not self._reachable(chosen):
            return super().dropping(chosen, candidates)
        return self._losses(self._tried(chosen, candidates))

    def _tried(self, chosen: Chosen, candidates: Sequence[int]) -> Array:
        """Hits with each candidate moved, in the pass in which the rows follow the last move."""
        columns = self._columns_to_move(chosen)
        for column in columns[:-1]:
            self._pass(column, (), np.arange(len(self._swept.inside)))
        units = [self.task.units.columns[unit] for unit in candidates]
        others = np.empty(0, dtype=np.intp)
        if self.task.both_ways:
            others = np.setdiff1d(np.arange(len(self._swept.inside)), np.concatenate(units))
        self._at = frozenset(chosen)
        return self._pass(columns[-1] if columns else None, units, others)

    def _pass(
        self, column: int | None, units: Sequence[NDArray[np.int32]], others: NDArray[np.intp]
    ) -> Array:
        moved, slope, center, factor = -1, None, None, None
        if column is not None:
            slope, center = self._terms([np.array([column], dtype=np.int32)])
            moved, factor = column, self._swept.move(column)
        start, columns = listed(units)
        hits, threads = np.empty(len(units)), thread_count(self.task.n_jobs)
        _core.try_moves(
            self.rows.given, moved, slope, center, factor, start, columns, *self._terms(units),
            others.astype(np.int32), threads, self._x, self._margin, hits,
        )  # fmt: skip
        return hits

    def _terms(self, units: Sequence[NDArray[np.int32]]) -> tuple[Array, Array]:
        """Slopes and centers of the columns of units that would move, (cells, columns, K - 1)."""
        _, columns = listed(units)
        vectors = self._swept.vectors[:, :, columns]
        solved = self._solutions(units, vectors)
        split, own = self.rows.split, self.rows.own
        slope = solved[split, own][:, None] - self.rows.rivals(solved[split])
        both = vectors[split, own][:, None] + self.rows.rivals(vectors[split])
        center = self.problem.middle * both
        return tuple(np.ascontiguousarray(np.swapaxes(each, 1, 2)) for each in (slope, center))  # type: ignore[return-value]

    def _solutions(self, units: Sequence[NDArray[np.int32]], vectors: Array) -> Array:
        """M_JJ⁻¹ v_J for the columns J of each unit; less than 0 for those that would leave, (F, K, columns)."""
        swept, out, place = self._swept, np.zeros(vectors.shape), 0
        _, columns = listed(units)
        if all(len(unit) == 1 for unit in units):
            pivot = swept.matrix[:, columns, columns][:, None, :]
            there = swept.unit[:, columns][:, None, :] > 0
            np.divide(vectors, pivot, out=out, where=np.broadcast_to(there & (pivot > 0), out.shape))
            return np.where(swept.inside[columns], -out, out)
        for unit in units:
            for f in range(len(vectors)):
                active = np.flatnonzero(swept.unit[f, unit] > 0)
                matrix = swept.matrix[f][np.ix_(unit[active], unit[active])]
                if len(active) and np.linalg.slogdet(matrix)[0] > 0:
                    found = np.linalg.solve(matrix, vectors[f][:, place + active].T).T
                    out[f][:, place + active] = -found if swept.inside[unit[0]] else found
            place += len(unit)
        return out

    # -- where the rows stand -------------------------------------------------------------------------------

    def _reachable(self, chosen: Chosen) -> bool:
        """Bring the rows to the chosen set, or within one unit of it; False where sweeps would lose digits."""
        wanted = frozenset(chosen)
        if any(part <= wanted for part in self._singular):
            return False
        moving = None if self._at is None else wanted ^ self._at
        near = moving is not None and len(moving) <= 1 and self._moves < AGAIN
        if near and all(self._safe(self.task.units.columns[unit]) for unit in moving or ()):
            self._moves += len(moving or ())
            return True
        with single_threaded():
            if self._begin(chosen):
                return True
        self._singular.append(wanted)
        return False

    def _columns_to_move(self, chosen: Chosen) -> list[int]:
        assert self._at is not None
        return [int(j) for unit in frozenset(chosen) ^ self._at for j in self.task.units.columns[unit]]

    def _safe(self, columns: NDArray[np.int32]) -> bool:
        """Whether a unit can be swept: what is in can always leave."""
        if self._swept.inside[columns[0]]:
            return True
        if len(columns) == 1:
            return bool((self._swept.pivots(columns) > self._least).all())
        return self._swept.independent(columns, self._least)

    def _all_safe(self, candidates: Sequence[int]) -> NDArray[np.bool_]:
        """Which of several units out of the set can be swept."""
        units = [self.task.units.columns[unit] for unit in candidates]
        if any(len(columns) > 1 for columns in units):
            return np.array([self._safe(columns) for columns in units])
        return np.asarray((self._swept.pivots(np.concatenate(units)) > self._least).all(axis=0))

    def _begin(self, chosen: Chosen) -> bool:
        """Rows and margins of a set from scratch; False where the set is too near to singular to be swept."""
        p = self.problem
        swept = Swept.outside(p.matrix, p.vectors, p.unit)
        columns = self.task.units.columns_of(chosen)
        maps = swept.enter_all(columns, self._least) if len(columns) else None
        if len(columns) and maps is None:
            return False
        x = self.rows.columns(self.trained.data.X, p.center, self.task.n_jobs)
        margin = self.rows.margins(p.bias)
        if maps is not None:
            self._enter_rows(x, margin, swept, maps, columns)
        self._swept, self._x, self._margin = swept, x, margin
        self._at, self._moves = frozenset(chosen), 0
        return True

    def _enter_rows(
        self, x: Array, margin: Array, swept: Swept, maps: Array, columns: NDArray[np.intp]
    ) -> None:
        """Sweep the rows of every cell, and add what the features that came in say."""
        p = self.problem
        for c, f in enumerate(self.rows.split):
            here, own = slice(self.rows.first[c], self.rows.first[c + 1]), self.rows.own[c]
            others = np.delete(np.arange(p.bias.shape[1]), own)
            weights = (swept.vectors[f, own] - swept.vectors[f, others])[:, columns]
            weights = np.where(p.unit[f, columns] > 0, weights, 0.0)
            middle = p.middle * (p.vectors[f, own] + p.vectors[f, others])[:, columns]
            margin[:, here] += weights @ x[columns, here] - (weights * middle).sum(axis=1, keepdims=True)
            x[:, here] = maps[f] @ x[:, here]
