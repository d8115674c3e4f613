r"""One class against the rest on one training part, and what certifies a solution.

    P(u, b) = ½ Σ_j D_j u_j² + Σ_n c_n loss(y_n f_n),    f = u·z + b,  D = l2 ρ,  Σ c = 1

Weak duality: multipliers α, one a row and balanced, Σ y c α = 0, give a lower bound of P,

    hinge    0 ≤ α ≤ 1    Σ c α - ½ |v|²,    squared hinge    0 ≤ α    Σ c (α - α²/4) - ½ |v|²,    |v|² = Σ_j v_j² / D_j

with v = Σ c y α z. Multipliers of an inexact solution are balanced by scaling down those of the heavier side.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.numerics.interrupt import check_interrupt
from assay.solvers.margin_rows import MarginRows
from assay.types import Array

EQUAL = 1e-10  # sums of weights that differ by less are taken for equal


@dataclass(frozen=True)
class Coordinates:
    """How weights θ (E+1) of the coordinates in use give weights (P+1) of the columns.

    A map whose coordinates are columns times a factor and plus a shift, as steps that choose and scale columns make it,
    is applied as that: no products of matrices.
    """

    penalty: Array  # (E,) ρ of the coordinates in use
    width: int  # P
    used: NDArray[
        np.intp
    ]  # their columns, and the last one for the intercept, where each coordinate is a column
    factor: Array | None = None  # (E+1,) of these columns; None: 1
    shift: Array | None = None  # (E+1,) added to them; None: 0
    map: Array | None = None  # (P+1, E+1) otherwise

    @classmethod
    def of(cls, penalty: Array, active: NDArray[np.bool_], width: int, maps: Array | None) -> Coordinates:
        used = np.flatnonzero(active)
        full = np.append(used, len(active))
        if maps is None:
            return cls(penalty[used], width, full)
        maps = maps[:, full]
        inner = maps[:-1, :-1]
        if width == 0 or ((inner != 0.0).sum(axis=0) > 1).any() or maps[:-1, -1].any():
            return cls(penalty[used], width, full, map=maps)
        columns = np.append(np.abs(inner).argmax(axis=0), width)
        factor = np.append(inner[columns[:-1], np.arange(len(used))], maps[-1, -1])
        return cls(penalty[used], width, columns, factor, np.append(maps[-1, :-1], 0.0))

    @property
    def scaling(self) -> tuple[NDArray[np.intp], Array, Array] | None:
        """Columns, factors and shifts of the coordinates; None where these are mixtures or share a column."""
        columns = self.used[:-1]
        if self.map is not None or len(np.unique(columns)) < len(columns):
            return None
        factor = np.ones(len(columns)) if self.factor is None else self.factor[:-1]
        shift = np.zeros(len(columns)) if self.shift is None else self.shift[:-1]
        return columns, factor, shift

    def itself(self) -> Coordinates:
        """Of rows that are in these coordinates already."""
        width = len(self.penalty)
        return Coordinates(self.penalty, width, np.arange(width + 1))

    def to_columns(self, theta: Array) -> Array:
        if self.map is not None:
            return np.asarray(self.map @ theta)
        out = np.zeros(self.width + 1)
        if self.factor is None or self.shift is None:
            out[self.used] = theta
        else:
            np.add.at(out, self.used, self.factor * theta)  # a column may have two coordinates
            out[-1] += self.shift @ theta
        return out

    def of_columns(self, b: Array) -> Array:
        """The weights θ whose `to_columns` is b, or near it."""
        if self.map is not None:
            return np.asarray(np.linalg.lstsq(self.map, b)[0])
        theta = b[self.used]
        if self.factor is not None and self.shift is not None:
            theta = np.divide(theta, self.factor, out=np.zeros(len(theta)), where=self.factor != 0.0)
            theta[-1] -= self.shift @ theta / self.factor[-1]
        return theta

    def from_columns(self, values: Array) -> Array:
        """Sums (..., P+1) over rows by columns as sums by coordinates; rows themselves likewise."""
        if self.map is not None:
            return np.asarray(values @ self.map)
        if len(self.used) < self.width + 1 or self.factor is not None:
            chosen = np.take(values, self.used, axis=-1)
            if self.factor is not None and self.shift is not None:
                chosen *= self.factor
                chosen += values[..., -1:] * self.shift
            return chosen
        return values


@dataclass(frozen=True)
class MarginProblem:
    """Rows with a side y = ±1 and a positive share c of the weight each; both sides have rows."""

    rows: MarginRows
    y: Array
    c: Array
    coordinates: Coordinates
    most_bytes: int

    def scores(self, theta: Array) -> Array:
        check_interrupt()
        return self.rows.scores(self.coordinates.to_columns(theta))

    def sums(self, r: Array) -> Array:
        """Σ r z by coordinates, (M, E+1)."""
        return self.coordinates.from_columns(self.rows.sums(r))

    def sums_of(self, which: NDArray[np.intp], r: Array) -> Array:
        """The same over some of the rows."""
        return self.coordinates.from_columns(self.rows.sums_of(which, r))

    def near(self, which: NDArray[np.intp]) -> MarginProblem:
        """Some of the rows; the shares are those of the whole."""
        rows = self.rows.some(which, self.most_bytes)
        return MarginProblem(rows, self.y[which], self.c[which], self.coordinates, self.most_bytes)

    def dense(self, which: NDArray[np.intp]) -> Array:
        """Rows (n, E+1) by coordinates."""
        return self.coordinates.from_columns(self.rows.dense(which))

    def penalties(self, l2: float) -> Array:
        """D, with 0 for the intercept."""
        return np.append(l2 * self.coordinates.penalty, 0.0)


def lower_bound(v: Array, D: Array, squares: Array | None = None) -> tuple[float, float]:
    """The best lower bound of multiples of these multipliers, balanced, and that multiple.

    v : (2, E+1)
        Σ c α z of the positive and of the negative rows.
    squares : (2,), optional
        Σ c α² of each side, for the squared hinge, which sets multipliers no upper bound.
    """
    heavy = v[:, -1]
    if min(heavy) <= 0.0:
        return 0.0, 1.0
    scale = min(heavy) / heavy
    moved = scale[0] * v[0, :-1] - scale[1] * v[1, :-1]
    gain = float(scale @ heavy)
    norm = float((moved**2 / D[:-1]).sum())
    if squares is not None:
        norm += 0.5 * float(scale**2 @ squares)
    times = gain / norm if squares is not None or norm > gain else 1.0
    return times * gain - 0.5 * times**2 * norm, times


def best_intercept(y: Array, c: Array, f: Array, b: float) -> float:
    """The intercept of least hinge loss given the weights; the middle one where a whole stretch is best.

    Row n bends the loss at b_n = y_n - u·z_n, and its slope is -Σ_{y=1} c + Σ_{b_n < b} c: the best intercept is a
    quantile of the b_n. Only those near the intercept b are sorted.
    """
    bends = y - f + b
    target = float(c[y > 0].sum())
    reach = 1e-3
    while True:
        near = np.abs(bends - b) <= reach
        below = float(c[bends < b - reach].sum())
        wide = bool(near.all())
        if near.any() and (wide or below + EQUAL < target < below + float(c[near].sum()) - EQUAL):
            break
        reach = np.inf if reach > 1e3 else reach * 30.0
    order = np.argsort(bends[near], kind="stable")
    sorted_bends, passed = bends[near][order], below + np.cumsum(c[near][order])
    at = int(np.searchsorted(passed, target - EQUAL))
    at = min(at, len(sorted_bends) - 1)
    last = min(at + 1, len(sorted_bends) - 1) if abs(passed[at] - target) <= EQUAL else at
    return float(0.5 * (sorted_bends[at] + sorted_bends[last]))
