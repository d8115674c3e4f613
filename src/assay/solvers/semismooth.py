r"""Linear support vector machines of many training parts along a whole path of penalties.

    minimise  (1/N_g) Σ_{n ∈ g} w_n loss(y_n f_n) + (l2 / 2) Σ_j ρ_gj θ_j²    for every training part g and every class

With two classes the second is positive; otherwise every class is held against the rest. Every part and class goes down
the path of penalties by itself and stops at its own duality gap: threads share out the problems, so their number
changes no bit. Parts that have most of their rows in common, as folds have and the folds of each size of a learning
curve, start at each penalty from the solution of all these rows, others from their own solution before. A standardised
copy of the rows is kept where memory allows; of tables that are mostly zeros, their filled entries.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.solvers.hinge import Hinge, Start
from assay.solvers.margin_problem import Coordinates, MarginProblem
from assay.solvers.margin_rows import MarginRows, kept_rows
from assay.solvers.margin_trail import Trail, one_sided, solution_of
from assay.solvers.parts import Parts
from assay.solvers.passes import Passes
from assay.solvers.result import PathSolution
from assay.solvers.squared_hinge import SquaredHinge
from assay.types import Array

SOLVERS: dict[str, type[Hinge] | type[SquaredHinge]] = {"hinge": Hinge, "squared_hinge": SquaredHinge}
PLENTY = 1 << 32  # bytes of memory where nothing else is said
ALIKE, FEWEST = 0.5, 4  # share of a family's rows that each part has, and parts, where these are solved first


@dataclass(frozen=True)
class _Posed:
    """The rows of a problem, by their places, and the problem; None where all are of one side."""

    places: NDArray[np.int64]
    problem: MarginProblem | None
    side: float = 0.0
    coordinates: Coordinates | None = None  # of the solution in the columns of the table


class FoldSemismooth:
    """Solves all parts along a path; see the module's formula.

    Parameters
    ----------
    tol : float
        Largest relative duality gap.
    surrogate : "hinge" or "squared_hinge"
    most_bytes : int
        Memory for a standardised copy of the rows; larger tables are standardised as they are read.
    """

    def __init__(
        self,
        passes: Passes,
        parts: Parts,
        n_classes: int,
        tol: float = 1e-6,
        *,
        surrogate: str = "hinge",
        most_bytes: int = PLENTY,
    ) -> None:
        self.passes, self.parts, self.tol, self.surrogate = passes, parts, tol, surrogate
        self.most_bytes = most_bytes
        self.positives = [1] if n_classes == 2 else list(range(n_classes))
        weight = passes.weight
        folds = [rows if weight is None else rows[weight[rows] > 0.0] for rows in passes.fold_rows()]
        self.order = np.concatenate(folds)
        self.ends = np.cumsum([0, *map(len, folds)])
        self.copy = kept_rows(passes.rows, self.order, most_bytes)  # of the rows that count, fold by fold

    def path(self, l2: Array) -> PathSolution:
        """Solve for every penalty, the largest first; the results are in the order given."""
        order = np.argsort(-l2, kind="stable")
        leads = self._leads(l2[order])
        problems = [(g, k) for g in range(len(self.parts)) for k in self.positives]
        trails = self.passes.visit(
            lambda problem: self._trail(self._problem(*problem), l2[order], leads.get(problem)), problems
        )
        also = sum(trail.passes for trail in dict.fromkeys(leads.values()))
        return solution_of(trails, order, len(self.parts), self.tol, also)

    def _leads(self, l2: Array) -> dict[tuple[int, int], Trail]:
        """By (part, class), the solution on all rows of the part's family; nothing where a family is small."""
        leads: dict[tuple[int, int], Trail] = {}
        for family in self._families() if self.surrogate == "hinge" else ():
            trails = self._lead(family, l2)
            leads.update({(g, k): trail for g in family for k, trail in trails.items() if trail.alpha})
        return leads

    def _lead(self, family: list[int], l2: Array) -> dict[int, Trail]:
        """Every class on all rows that some part of the family has."""
        used = np.asarray(self.parts.trained[family].any(axis=0), dtype=np.float64)
        factor, first = self.parts.mean_factor(np.array(family)), min(family)
        share = used if factor is None else used * factor[0]
        trails = self.passes.visit(
            lambda k: self._trail(self._problem(first, k, share), l2, keep=True), self.positives
        )
        return dict(zip(self.positives, trails, strict=True))

    def _families(self) -> list[list[int]]:
        """Parts that each have most of the rows of all of them: folds, or those of a size on a learning curve."""
        counts, trained = np.diff(self.ends), self.parts.trained
        sizes: NDArray[np.intp] = np.asarray(trained @ counts)
        families: list[list[int]] = []
        for g in np.argsort(-sizes, kind="stable").tolist():
            joined = [*families[-1], g] if families else [g]
            if families and sizes[g] >= ALIKE * (trained[joined].any(axis=0) @ counts):
                families[-1].append(g)
            else:
                families.append([g])
        return [family for family in families if len(family) >= FEWEST]

    def _places(self, folds: NDArray[np.intp]) -> NDArray[np.int64]:
        """Rows of these folds, by their places in `order`."""
        spans = [np.arange(self.ends[f], self.ends[f + 1]) for f in folds]
        return np.concatenate(spans) if spans else np.zeros(0, dtype=np.int64)

    def _problem(self, g: int, positive: int, share: Array | None = None) -> _Posed:
        """One class of one part, or of other shares (F,) of the folds in its coordinates."""
        width = self.passes.rows.width
        share = self.parts.share[g] if share is None else share
        folds = np.flatnonzero(share)
        places = self._places(folds)
        rows = self.order[places]
        y = np.where(self.passes.codes[rows] == positive, 1.0, -1.0)
        if len(rows) == 0 or (y == y[0]).all():
            return _Posed(places, None, float(y[0]) if len(rows) else -1.0)
        weight = np.repeat(share[folds], np.diff(self.ends)[folds])
        if self.passes.weight is not None:
            weight *= self.passes.weight[rows]
        maps = None if self.parts.maps is None else self.parts.maps[g]
        coordinates = Coordinates.of(self.parts.penalty[g], self.parts.active[g], width, maps)
        margin_rows, inside = self._rows(rows, places, coordinates)
        problem = MarginProblem(margin_rows, y, weight / weight.sum(), inside, self.most_bytes)
        return _Posed(places, problem, coordinates=coordinates)

    def _rows(
        self, rows: NDArray[np.int64], places: NDArray[np.int64], coordinates: Coordinates
    ) -> tuple[MarginRows, Coordinates]:
        """The rows of a problem, and the coordinates of its weights in them: filled entries are scaled once."""
        scaling = coordinates.scaling
        if not isinstance(self.copy, _core.base.FilledRows) or scaling is None:
            places = rows if self.copy is None else places
            return MarginRows.of(places, self.passes.rows, self.copy), coordinates
        filled = _core.base.map_filled(self.copy, places, *scaling)
        return MarginRows.of(np.arange(len(places)), self.passes.rows, filled), coordinates.itself()

    def _trail(self, posed: _Posed, l2: Array, lead: Trail | None = None, keep: bool = False) -> Trail:
        """One problem for falling penalties, each beside the solution of all rows if that is there."""
        width, problem, coordinates = self.passes.rows.width, posed.problem, posed.coordinates
        if problem is None or coordinates is None:
            return one_sided(posed.side, len(l2), width, len(self.positives))
        solver = SOLVERS[self.surrogate](problem, self.tol)
        B, gap, loss = np.zeros((len(l2), width + 1)), np.zeros(len(l2)), np.zeros(len(l2))
        alpha = []
        for at, value in enumerate(l2):
            if lead is not None and isinstance(solver, Hinge):
                near = Start(coordinates.of_columns(lead.B[at]), lead.alpha[at][posed.places])
                state = solver.solve(float(value), near)
            else:
                state = solver.solve(float(value))
            B[at], gap[at] = coordinates.to_columns(state.theta), state.gap
            loss[at] = state.objective - 0.5 * float(problem.penalties(float(value)) @ state.theta**2)
            if keep:
                alpha.append(np.zeros(len(self.order)))
                alpha[-1][posed.places] = state.alpha
        penalties = set(l2.tolist())
        history = [entry for entry in state.history if entry[0] in penalties]
        return Trail(B, gap, loss, history, solver.passes, alpha)
