"""Rows as constraints on planes: the margin of each row against each rival class, and the rows that matter most.

A plane is (K, D+1), weights and intercept of each class; those of the first class stay 0, because only differences of
classes count. An unknown is an entry of the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.solvers.perceptron import visit
from assay.types import Array

HEAD = 1024  # rows in which most columns are seen not to separate
MOST_MISTAKES = 20_000  # of the perceptron that is tried first: a fraction of a second


@dataclass(frozen=True)
class RivalPairs:
    """Row `rows[i]` against class `rivals[i]`."""

    rows: NDArray[np.intp]
    rivals: NDArray[np.intp]

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, chosen: NDArray[np.bool_]) -> RivalPairs:
        return RivalPairs(self.rows[chosen], self.rivals[chosen])

    def joined(self, more: RivalPairs) -> RivalPairs:
        """Both, without repetitions; those already here stay in front."""
        rows, rivals = np.concatenate([self.rows, more.rows]), np.concatenate([self.rivals, more.rivals])
        _, first = np.unique(np.stack([rows, rivals], axis=1), axis=0, return_index=True)
        distinct = np.sort(first)
        return RivalPairs(rows[distinct], rivals[distinct])


class Constraints:
    """Rows with a constant 1 at the end, the class of each, and what planes make of them."""

    def __init__(self, X: Array, codes: NDArray[np.integer], n_classes: int) -> None:
        self.Z = np.column_stack([np.asarray(X, dtype=np.float64), np.ones(len(X))])
        self.codes = np.asarray(codes, dtype=np.intp)
        self.n_classes = n_classes

    @property
    def unknowns(self) -> int:
        return int((self.n_classes - 1) * self.Z.shape[1])

    def margins(self, plane: Array) -> Array:
        """(N, K): own score less the rival's; infinite in the column of the own class."""
        scores = self.Z @ plane.T
        rows = np.arange(len(scores))
        margins = scores[rows, self.codes][:, None] - scores
        margins[rows, self.codes] = np.inf
        return np.asarray(margins)

    def separates(self, plane: Array) -> bool:
        """Whether every margin is positive beyond rounding."""
        return bool(self.margins(plane).min() > 1e-14 * self.reach(plane) > 0)

    def reach(self, plane: Array) -> float:
        """The largest score that the weights could give a row of this size."""
        return float(np.abs(plane).sum(axis=1).max() * np.abs(self.Z).max())

    def matrix(self, picked: RivalPairs) -> Array:
        """Derivatives of the picked margins by the unknowns, (M, unknowns)."""
        width, count = self.Z.shape[1], len(picked)
        out = np.zeros((count, self.n_classes, width))
        values, places = self.Z[picked.rows], np.arange(count)
        out[places, self.codes[picked.rows]] = values
        out[places, picked.rivals] = -values
        return out[:, 1:].reshape(count, self.unknowns)

    def plane(self, unknowns: Array) -> Array:
        first = np.zeros((1, self.Z.shape[1]))
        return np.concatenate([first, unknowns.reshape(self.n_classes - 1, -1)])

    def worst(self, margins: Array, most: int) -> RivalPairs:
        """About `most` finite margins, the least of every pair of classes, equal rows once."""
        pairs = self.n_classes * (self.n_classes - 1)
        share = -(-most // pairs)
        rows, rivals = [], []
        for code in range(self.n_classes):
            members = np.flatnonzero(self.codes == code)
            for rival in range(self.n_classes):
                values = margins[members, rival]
                least = np.argsort(values, kind="stable")[: 2 * share]
                least = self._different(members[least[np.isfinite(values[least])]])[:share]
                rows.append(least)
                rivals.append(np.full(len(least), rival, dtype=np.intp))
        return RivalPairs(np.concatenate(rows), np.concatenate(rivals))

    def at_both_ends(self, margins: Array) -> RivalPairs:
        """Of two classes, the least margins above and below the mean of every column: a level that few rows show is
        then among those that the programme knows from the start."""
        rows = []
        for code in range(2):
            members = np.flatnonzero(self.codes == code)
            members = members[np.argsort(margins[members, 1 - code], kind="stable")]
            for side in (self.Z[members, :-1] > 0.0, self.Z[members, :-1] < 0.0):
                rows.append(members[side.argmax(axis=0)[side.any(axis=0)]])
        distinct = self._different(np.unique(np.concatenate(rows)))
        return RivalPairs(distinct, 1 - self.codes[distinct])

    def _different(self, rows: NDArray[np.intp]) -> NDArray[np.intp]:
        """Rows without those that repeat an earlier one."""
        if len(rows) < 2:
            return rows
        _, first = np.unique(self.Z[rows], axis=0, return_index=True)
        return rows[np.sort(first)]

    def first_tries(self, guess: Array | None) -> Iterator[Array]:
        """Planes that cost next to nothing: the one given, a column by itself, least squares, a short perceptron."""
        if guess is not None:
            yield self.plane(guess) if self.n_classes == 2 else np.asarray(guess - guess[:1])
        if self.n_classes == 2:
            yield from self._single_columns()
        yield self.rough()
        if (
            self.n_classes > 2
        ):  # their programme has many unknowns, and much data of many classes is separable
            ones = np.ones(len(self.Z))
            visits = visit(self.Z, self.codes, ones, self.n_classes, epochs=1000, most_mistakes=MOST_MISTAKES)
            yield np.asarray(visits.weights - visits.weights[:1])

    def _single_columns(self) -> Iterator[Array]:
        """The cut half way between two classes that one column separates, widest gap first."""
        columns, gap, sign = self._apart(np.arange(self.Z.shape[1] - 1), slice(HEAD))
        columns, gap, sign = self._apart(
            columns, slice(None)
        )  # the others overlap in their first rows already
        if not len(columns):
            return
        at = int(gap.argmax())
        j = int(columns[at])
        low, high = self.Z[self.codes == 0, j], self.Z[self.codes == 1, j]
        ends = (high.min(), low.max()) if sign[at] > 0 else (high.max(), low.min())
        plane = np.zeros((2, self.Z.shape[1]))
        plane[1, j], plane[1, -1] = sign[at], -sign[at] * (ends[0] + ends[1]) / 2.0
        yield plane

    def _apart(self, columns: NDArray[np.intp], rows: slice) -> tuple[NDArray[np.intp], Array, Array]:
        """Those of the columns that separate two classes in some rows, by how much, and 1 or -1: which is above."""
        values, codes = self.Z[rows][:, columns], self.codes[rows]
        least = [values[codes == code].min(axis=0, initial=np.inf) for code in range(2)]
        most = [values[codes == code].max(axis=0, initial=-np.inf) for code in range(2)]
        above, below = least[1] - most[0], least[0] - most[1]
        gap = np.maximum(above, below)
        separating = gap > 0
        return columns[separating], gap[separating], np.where(above >= below, 1.0, -1.0)[separating]

    def rough(self) -> Array:
        """Least squares on the indicators of the classes, each class counting the same, slightly penalised."""
        share = 1.0 / np.bincount(self.codes, minlength=self.n_classes)[self.codes]
        root = np.sqrt(share)[:, None]
        left, right = root * self.Z, root * np.eye(self.n_classes)[self.codes]
        n, width = left.shape
        if width <= n:
            gram = left.T @ left
            solved = np.linalg.solve(gram + _small(gram), left.T @ right)
        else:
            gram = left @ left.T
            solved = left.T @ np.linalg.solve(gram + _small(gram), right)
        return np.asarray((solved - solved[:, :1]).T)

    def as_model(self, plane: Array) -> tuple[Array, Array]:
        """Weights and intercept: the second class less the first, or those of every class with mean 0."""
        model = plane[1:] if self.n_classes == 2 else plane - plane.mean(axis=0)
        return model[:, :-1].copy(), model[:, -1].copy()


def _small(gram: Array) -> Array:
    return np.eye(len(gram)) * (1e-10 * float(np.trace(gram)) / len(gram))
