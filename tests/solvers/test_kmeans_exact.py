"""K-means of whole numbers against Lloyd's steps in fractions: other groups only where two distances are equal.

Means are thirds and sevenths, which have no float: of two distances that are equal in fractions, rounding may make
either the smaller one, in these steps as in any others in double precision. Everything else is decided as in exact
arithmetic, rows that empty groups take included.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from assay.solvers.kmeans import kmeans

Array = np.ndarray[Any, Any]
Point = list[Fraction]


class Exact:
    """Lloyd's steps in fractions; `tied` tells whether two distances that mattered were equal."""

    def __init__(self, X: Array, start: Array) -> None:
        self.rows = [[Fraction(int(value)) for value in row] for row in X]
        self.centers = [[Fraction(int(value)) for value in center] for center in start]
        self.tied, self.moved = False, 0
        self.labels = self.nearest()

    def nearest(self) -> list[int]:
        found = []
        for row in self.rows:
            apart = [squared(row, center) for center in self.centers]
            self.tied |= apart.count(min(apart)) > 1 and hasattr(self, "labels")
            found.append(apart.index(min(apart)))
        return found

    def run(self, most: int = 100) -> list[int]:
        for _ in range(most):
            for k in [k for k in range(len(self.centers)) if not self.to_mean(k)]:
                self.fill(k)
            again = self.nearest()
            if again == self.labels:
                return again
            self.labels = again
        raise AssertionError("the steps do not end")

    def to_mean(self, k: int) -> bool:
        own = [row for row, label in zip(self.rows, self.labels, strict=True) if label == k]
        if own:
            self.centers[k] = [sum(column, Fraction(0)) / len(own) for column in zip(*own, strict=True)]
        return bool(own)

    def fill(self, k: int) -> None:
        """An empty group takes the farthest row, the first of several."""
        pairs = zip(self.rows, self.labels, strict=True)
        apart = [squared(row, self.centers[label]) for row, label in pairs]
        if max(apart) == 0:
            return
        self.tied |= apart.count(max(apart)) > 1
        row = apart.index(max(apart))
        left, self.labels[row] = self.labels[row], k
        self.moved += 1
        self.to_mean(k)
        self.to_mean(left)


def squared(one: Point, two: Point) -> Fraction:
    return sum(((a - b) ** 2 for a, b in zip(one, two, strict=True)), Fraction(0))


def test_groups_are_those_of_exact_arithmetic_unless_distances_are_equal() -> None:
    decided = filled = 0
    for seed in range(240):
        draw = np.random.default_rng(seed)
        n, width = int(draw.integers(5, 25)), int(draw.integers(1, 4))
        groups = int(draw.integers(2, min(n, 8)))
        X = draw.integers(0, int(draw.choice([6, 50, 1000])), (n, width)).astype(float)
        away = 2000.0 * (draw.random((groups, 1)) < 0.4) * (seed % 2)  # groups that begin without rows
        start = X[draw.integers(0, n, groups)] + away
        exact = Exact(X, start)
        wanted = exact.run()
        if exact.tied:
            continue
        found = kmeans(X, start)
        assert found.labels.tolist() == wanted and found.moved == exact.moved, f"seed {seed}"
        decided, filled = decided + 1, filled + (exact.moved > 0)
    assert decided > 100 and filled > 30


def test_equal_distances_that_floats_hold_go_to_the_first() -> None:
    """Quarters and halves have floats: 1 is as far from 0 as from 2, and the rows 0 and 4 are the farthest alike."""
    found = kmeans(np.array([[0.0], [1.0], [2.0]]), [[0.0], [2.0]])
    assert found.labels.tolist() == [0, 0, 1]
    found = kmeans(np.array([[0.0], [4.0], [1.0], [3.0]]), [[2.0], [50.0]])
    assert found.labels.tolist() == [1, 0, 1, 0] and found.moved == 1
