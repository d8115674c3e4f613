"""The perceptron's rule on many training parts: each part visits its rows in the order of the table, copies in a row.

Every part sees its columns with mean 0 and deviation 1 in its own rows. A standardised table is kept once for all
parts, of mostly zeros the entries that are none; a part changes their scale and reads its rows from there. Threads
share out the parts, so their number changes no bit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.solvers.logistic_objective import ABSENT
from assay.solvers.margin_problem import Coordinates
from assay.solvers.margin_rows import dense_rows, kept_rows
from assay.solvers.parts import Parts
from assay.solvers.passes import Passes
from assay.solvers.perceptron import Rows, Visited, visit
from assay.solvers.row_stretches import RowStretches
from assay.types import Array

VARIANTS = {"plain": "weights", "averaged": "averaged", "pocket": "pocket"}


@dataclass(frozen=True)
class PerceptronOptions:
    """How rows are visited, and which weights are kept."""

    variant: str
    epochs: int
    rate: float
    seed: int | None
    start: Array | None = None  # weights (C, P+1) by the columns of the passes that every part begins with


class FoldPerceptron:
    """The rule on every part.

    most_bytes : int
        Memory for a standardised copy of all rows; of larger tables each part has as many rows as there is room for
        at a time.
    """

    def __init__(
        self, passes: Passes, parts: Parts, n_classes: int, options: PerceptronOptions, most_bytes: int
    ) -> None:
        self.passes, self.parts, self.n_classes, self.options = passes, parts, n_classes, options
        self.fold = np.full(len(passes.codes), -1)
        used = np.asarray(parts.trained.any(axis=0))
        for f, rows in enumerate(passes.fold_rows()):
            if used[f]:
                self.fold[rows] = f
        if passes.weight is not None:
            self.fold[passes.weight <= 0.0] = -1
        self.order = np.flatnonzero(self.fold >= 0)
        self.copy = kept_rows(passes.rows, self.order, most_bytes)
        self.room = max(1, most_bytes // (8 * (passes.rows.width + 1) * len(parts)))  # rows of a part

    def solve(self) -> list[tuple[Array, Visited]]:
        """Weights (K, P+1) of each part by the columns of the passes, and how its rows were visited."""
        return self.passes.visit(self._part, range(len(self.parts)))

    def _part(self, g: int) -> tuple[Array, Visited]:
        fold = self.fold[self.order]
        places = np.flatnonzero(self.parts.trained[g][fold])
        places = np.repeat(places, self.parts.copies[g].astype(np.intp)[fold[places]])
        rows = self.order[places]
        present, codes = np.unique(self.passes.codes[rows], return_inverse=True)
        weight = np.ones(len(rows)) if self.passes.weight is None else self.passes.weight[rows]
        if self.parts.factor is not None:
            weight = weight * self.parts.factor[g][self.fold[rows]]
        if self.parts.unit is not None:
            weight = weight * self.parts.unit[g]
        coordinates, options = self._coordinates(g), self.options
        visits = visit(
            self._rows(places, coordinates),
            codes,
            weight,
            max(2, len(present)),
            epochs=options.epochs,
            rate=options.rate,
            seed=options.seed,
            pocket=options.variant == "pocket",
            start=self._start(present, coordinates),
        )
        B = np.zeros((self.n_classes, self.passes.rows.width + 1))
        B[:, -1] = ABSENT
        for k, theta in zip(present, getattr(visits, VARIANTS[options.variant]), strict=False):
            B[k] = coordinates.to_columns(theta)
        return B, visits

    def _start(self, present: NDArray[np.integer], to: Coordinates) -> Array | None:
        """Weights of the first pass, of the classes that have rows and in the coordinates of the part."""
        B = self.options.start
        if B is None:
            return None
        return np.stack([to.of_columns(b) for b in (B if len(B) == 1 else B[present])])

    def _coordinates(self, g: int) -> Coordinates:
        """Mean 0 and deviation 1 in the rows of the part."""
        parts, width = self.parts, self.passes.rows.width
        maps = None if parts.maps is None else parts.maps[g]
        plain = Coordinates.of(parts.penalty[g], parts.active[g], width, maps)
        if parts.center is None or parts.deviation is None:
            return plain
        unit = 1.0 / parts.deviation[g][plain.used[:-1]]
        shift = -parts.center[g][plain.used[:-1]] * unit
        return Coordinates(plain.penalty, width, plain.used, np.append(unit, 1.0), np.append(shift, 0.0))

    def _rows(self, places: NDArray[np.int64], to: Coordinates) -> Rows:
        """The rows of a part, by their places in the copy."""
        if isinstance(self.copy, _core.base.FilledRows):
            if (scaling := to.scaling) is not None:
                return _core.network.lean_rows(_core.base.map_filled(self.copy, places, *scaling))
            whole = np.empty((len(places), self.copy.shape[1] + 1))
            self.copy.dense(places, whole)
        elif self.copy is None:
            width = to.from_columns(np.zeros((0, self.passes.rows.width + 1))).shape[1]
            return RowStretches((len(places), width), lambda which: self._read(places[which], to), self.room)
        else:
            everyone = np.array_equal(places, np.arange(len(self.copy)))
            whole = self.copy if everyone else np.take(self.copy, places, axis=0)
        return to.from_columns(whole)

    def _read(self, places: NDArray[np.int64], to: Coordinates) -> Array:
        return to.from_columns(dense_rows(self.passes.rows, self.order[places]))
