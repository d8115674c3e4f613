"""Columns in units of their own deviations, and training sets as the solvers of linear models take them.

Columns are standardised inside, z = (x - center) / scale, so that units cost no digits and no steps. A penalty on the
weights w by x is one on the weights u = scale w by z, divided by scale². A step maps each training set's columns by its
own x ↦ (x - c) A + shift. Weights θ behind the steps are weights A θ of the table as it is, so one pass over the table
serves all training sets. Where a step only scales columns, the map is a change of the penalty: l2 / a² and l1 / a for
a column times a.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from assay.notes import Note
from assay.sharing.forms import Linear
from assay.sharing.steps import MappedMoments
from assay.solvers.logistic_objective import ABSENT
from assay.solvers.parts import Parts
from assay.solvers.rows import DenseRows, SolverRows, SparseRows
from assay.statistics import Filling, Moments
from assay.statistics.solve_diagnostics import ColumnKey, SolveDiagnostics, constant_columns, no_difficulties
from assay.types import Array, Floats, Mask


@dataclass(frozen=True)
class ColumnScaling:
    """The centre and scale of each column; those without variation have scale 1 and are left out, if not active."""

    center: Array
    scale: Array
    active: Mask

    @classmethod
    def of(cls, m: Moments, flags: int = 0) -> ColumnScaling:
        """From moments of one group or more: their mean centre and scale, which only has to be near each.

        flags : columns at the end that tell where values are missing
            Tested rows may have missing values where no training row has one: their flag brings in the mean.
        """
        origin, offset, _ = m.overall()
        standard = cls.about((origin + offset).mean(axis=0), np.sqrt((m.deviations() ** 2).mean(axis=0)))
        is_flag = np.arange(m.n_features) >= m.n_features - flags
        return replace(standard, active=standard.active | is_flag)

    @classmethod
    def about(cls, center: Array, deviation: Array) -> ColumnScaling:
        active = deviation > 0
        return cls(center, np.where(active, deviation, 1.0), active)

    @property
    def unit(self) -> Array:
        return np.where(self.active, 1.0 / self.scale, 0.0)

    def one_part(self) -> Parts:
        """All rows as a single part."""
        return Parts(np.ones((1, 1)), (1.0 / self.scale**2)[None], self.active[None])

    def rows(self, X: Floats, threads: int, filling: Filling | None = None) -> SolverRows:
        """The table as blocks of standardised rows."""
        if issparse(X):
            return SparseRows(X, self.unit, threads)
        fill, flags = (None, None) if filling is None else (filling.values, filling.indicators)
        return DenseRows(X, self.center, self.unit, fill, flags)

    def of_columns(self, weights: Array) -> Array:
        """Weights (C, P+1) by z of the scores that these weights (C, P+1) by x give."""
        by_row = np.where(self.active, weights[:, :-1] * self.scale, 0.0)
        return np.column_stack([by_row, weights[:, -1] + weights[:, :-1] @ self.center])

    def form(self, B: Array) -> Linear:
        """Scores of G models B (G, C, P+1), given by z, as functions of x; two classes have scores ∓f/2."""
        B = _both(B)
        bias = np.where(B[..., -1] <= ABSENT / 2, -np.inf, B[..., -1])
        return Linear(np.repeat(self.center[None], len(B), axis=0), B[..., :-1] * self.unit, bias)

    def notes(self, columns: Sequence[ColumnKey]) -> tuple[Note, ...]:
        """Which columns were left out."""
        return constant_columns([key for key, used in zip(columns, self.active, strict=True) if not used])


def spread_classes(B: Array, known: NDArray[np.integer], n_classes: int) -> Array:
    """Models (..., C, P+1) of some classes as those of a table of more, in which all other classes are absent."""
    if len(known) == n_classes:
        return B
    wide = np.zeros((*B.shape[:-2], n_classes, B.shape[-1]))
    wide[..., -1] = ABSENT
    wide[..., known, :] = _both(B)
    return wide


def _both(B: Array) -> Array:
    """One vector of weights for each of two classes, (..., 2, P+1): models of one score have ∓f/2."""
    return np.concatenate([-0.5 * B, 0.5 * B], axis=-2) if B.shape[-2] == 1 else B


def weighted_classes(m: Moments, factor: Array | None) -> Moments:
    """Moments of rows whose weights are multiplied by a factor of their class, (M, K)."""
    if factor is None:
        return m
    spread = factor.reshape(*factor.shape, *(1,) * (m.scatter.ndim - 2))
    return replace(m, weight=m.weight * factor, scatter=m.scatter * spread)


def parts_of(
    way: MappedMoments, standard: ColumnScaling, copies: NDArray[np.int64], factor: Array | None = None
) -> Parts:
    """Training sets in coordinates of deviation about 1; `factor` (M, K) weighs the classes of each."""
    path, count = way.path, len(copies)
    behind = weighted_classes(way.moments, factor)
    deviation = behind.deviations()
    varies = deviation > 0
    if path is None:
        penalty = np.tile(1.0 / standard.scale**2, (count, 1))
        return Parts(copies, penalty, varies, None, *_spans(behind, standard))
    columns, scale = path.columns, path.scale
    if columns is not None and scale is not None and np.array_equal(columns, np.arange(len(standard.center))):
        active = varies & (scale != 0.0)
        # The weight behind a column times a is u / (a scale).
        times = np.where(active, scale * standard.scale, 1.0)
        before = weighted_classes(way.original, factor)
        return Parts(copies, 1.0 / times**2, active, None, *_spans(before, standard))
    deviation = np.where(varies, deviation, 1.0)
    maps = np.zeros((count, len(standard.center) + 1, varies.shape[1] + 1))
    dense = path.dense()
    maps[:, :-1, :-1] = standard.scale[:, None] * dense / deviation[:, None, :]
    moved = ((standard.center - path.center)[:, None, :] @ dense)[:, 0, :] + path.shift
    center, offset, _ = behind.overall()
    maps[:, -1, :-1] = (moved - (center + offset)) / deviation  # about their means: the intercept moves less
    maps[:, -1, -1] = 1.0
    return Parts(copies, 1.0 / deviation**2, varies, maps)


def _spans(m: Moments, standard: ColumnScaling) -> tuple[Array, Array]:
    """Mean and deviation of every standardised column in every part; columns that do not vary have deviation 1."""
    origin, offset, _ = m.overall()
    deviation = m.deviations()
    spread = np.where(deviation > 0, deviation / standard.scale, 1.0)
    return (origin + offset - standard.center) / standard.scale, spread


def trouble_of(way: MappedMoments, active: Mask, converged: Mask) -> SolveDiagnostics:
    """What was difficult in each training set."""
    weight = way.moments.weight
    constant = way.moments.deviations() == 0
    if way.dropped is not None:  # a step left them out with reason: they are no constant features to report
        constant = constant & ~way.dropped
    groups, n_classes = weight.shape
    clean = no_difficulties(groups, n_classes, active.shape[1])
    return replace(clean, unseen=weight == 0, constant=constant, unsolved=~converged)
