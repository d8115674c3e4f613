"""Mistakes of a grid of settings against plain NumPy, where single precision is enough and where it is not."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from assay import _core

Array = np.ndarray


class Grid:
    """A random problem: models of two bases and two lines, and rows sorted by fold and class."""

    def __init__(self, seed: int, rows: int = 500, width: int = 7, classes: int = 3, folds: int = 3) -> None:
        rng = np.random.default_rng(seed)
        models, bases, most, lines = 4, 2, 3, 2
        self.X = rng.normal(size=(rows, width)) * np.exp2(rng.integers(-20, 20, width)) + rng.normal(
            size=width
        )
        self.codes, self.fold = rng.integers(0, classes, rows), rng.integers(0, folds, rows)
        self.tests = np.array([[0, 3, -1], [1, 0, 3], [2, -1, -1]], dtype=np.int32)[:folds]
        self.center, scale = self.X.mean(axis=0), self.X.std(axis=0)
        self.unit = np.exp2(-np.round(np.log2(scale)))
        self.settings = np.array([3, 1], dtype=np.int32)
        self.turn = rng.normal(size=(models, bases, classes, width, width)) / scale[:, None] / np.sqrt(width)
        self.start = rng.normal(size=(models, bases, classes, width))
        self.share = rng.uniform(0.0, 1.0, (models, bases, classes, width, most))
        self.bias = rng.normal(size=(models, bases, most, classes))
        self.slope = rng.normal(size=(models, lines, classes, width)) / scale
        self.level = rng.normal(size=(models, lines, classes))
        self.weight: Array | None = None

    def scores(self, model: int, rows: Array) -> Array:
        """(slots, rows, classes)."""
        z = np.asarray(rows, dtype=np.float64) - self.center
        out = []
        for b in range(len(self.settings)):
            u = np.einsum("nd,kde->nke", z, self.turn[model, b]) + self.start[model, b]
            q = np.einsum("nke,kes->snk", u**2, self.share[model, b])
            out.append(self.bias[model, b][:, None, :] - 0.5 * q)
        lines = np.einsum("nd,lkd->lnk", z, self.slope[model]) + self.level[model][:, None, :]
        return np.concatenate([*out, lines])

    def twin(self) -> Array:
        weight = np.ones(len(self.X)) if self.weight is None else self.weight
        classes = self.bias.shape[-1]
        slots = self.bias.shape[1] * self.bias.shape[2] + self.level.shape[1]
        out = np.zeros((*self.tests.shape, classes, slots, 2))
        for f, t in np.argwhere(self.tests >= 0):
            rows = np.flatnonzero(self.fold == f)
            wrong = self.scores(self.tests[f, t], self.X[rows]).argmax(axis=-1) != self.codes[rows]
            for k in range(classes):
                mine = self.codes[rows] == k
                for power in (1, 2):
                    out[f, t, k, :, power - 1] = wrong[:, mine] @ weight[rows[mine]] ** power
        return out

    def found(self, threads: int = 2) -> tuple[int, Array]:
        classes, folds = self.bias.shape[-1], len(self.tests)
        cell = self.fold * classes + self.codes
        first = np.append(0, np.cumsum(np.bincount(cell, minlength=folds * classes))).astype(np.int64)
        fold, own = np.divmod(np.arange(folds * classes, dtype=np.int32), np.int32(classes))
        slots = self.bias.shape[1] * self.bias.shape[2] + self.level.shape[1]
        sums = np.full((*self.tests.shape, classes, slots, 2), np.nan)
        bases = _core.scores.GridBases(self.settings, self.turn, self.start, self.share, self.bias)
        unusable = _core.scores.grid_mistakes(
            self.X, None, None, first, np.argsort(cell, kind="stable"), fold, own, self.weight, self.tests,
            self.center, self.unit, bases, self.slope, self.level, threads, sums,
        )  # fmt: skip
        return unusable, sums

    def check(self) -> None:
        unusable, sums = self.found()
        expected = self.twin()
        there = np.arange(self.share.shape[-1]) < self.settings[:, None]  # a basis may have fewer settings
        used = np.append(there.ravel(), np.ones(self.level.shape[1], dtype=bool))
        assert unusable == 0
        np.testing.assert_allclose(sums[..., used, :], expected[..., used, :], rtol=1e-12)


@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("width", [1, 6, 7, 31])
def test_mistakes_are_those_of_plain_scores(width: int, classes: int) -> None:
    Grid(width, width=width, classes=classes).check()


def test_weights_and_tables_of_other_kinds() -> None:
    grid = Grid(1)
    grid.weight = np.random.default_rng(0).uniform(0.0, 3.0, len(grid.X))
    grid.check()
    grid.X = np.asfortranarray(grid.X)
    grid.check()
    grid.X = grid.X.astype(np.float32)
    grid.check()


def test_rows_that_single_precision_cannot_tell_apart() -> None:
    """Two classes with the same squares: what is left of their scores is far below the rounding of a float."""
    for gap in (1e-6, 1e-9, -1e-9, 0.0, -1e-6):
        grid = Grid(2, classes=2)
        for values in (grid.turn, grid.start, grid.share, grid.slope):
            values[:] = np.take(values, [0, 0], axis=2)
        grid.bias[..., 1] = grid.bias[..., 0] + gap
        grid.level[..., 1] = grid.level[..., 0] + gap
        _, sums = grid.found()
        rows = np.stack([np.bincount(grid.codes[grid.fold == f], minlength=2) for f in range(3)])
        wrong = np.where(
            np.arange(2) == (0 if gap > 0 else 1), rows, 0
        )  # the first class where they are equal
        for f, t in np.argwhere(grid.tests >= 0):
            np.testing.assert_array_equal(sums[f, t, :, [0, 1, 2, 3, 6, 7], 0], np.tile(wrong[f], (6, 1)))


def test_rows_on_the_boundary_and_far_away() -> None:
    """Rows moved until two classes score alike, to a unit in the last place of a float and less."""
    grid = Grid(3, classes=2, rows=300)
    slope = grid.slope[0, 0, 1] - grid.slope[0, 0, 0]
    for i, row in enumerate(grid.X):
        apart = np.diff(grid.scores(0, row[None])[-2, 0])[0]
        row -= slope * (apart / (slope @ slope)) * (1.0 + (i % 7 - 3) * 1e-8)
    margin = np.abs(np.diff(grid.scores(0, grid.X)[-2], axis=-1))
    keep = margin[:, 0] > 1e-11  # the order of a sum may decide the others
    grid.X, grid.codes, grid.fold = np.ascontiguousarray(grid.X[keep]), grid.codes[keep], grid.fold[keep]
    assert (margin < 1e-5).mean() > 0.5
    grid.X[:10] *= 1e6
    grid.X[10:20] *= 1e25
    grid.check()


def test_classes_without_rows_never_win_and_rows_without_scores_are_counted() -> None:
    grid = Grid(4)
    grid.bias[..., 1] = grid.level[..., 1] = -np.inf
    grid.check()
    grid.X[3] = 1e200
    unusable, _ = grid.found()
    assert unusable > 0


def test_same_bits_for_any_number_of_threads() -> None:
    grid = Grid(5, rows=2000)
    grid.weight = np.random.default_rng(1).uniform(0.0, 3.0, len(grid.X))
    assert np.array_equal(grid.found(1)[1], grid.found(3)[1])


@pytest.mark.parametrize("isa", ["portable", "avx2"])
def test_every_kind_of_processor(isa: str) -> None:
    code = "from tests.core.scores.test_grid import Grid; [Grid(s, width=w).check() for s, w in ((6, 3), (7, 30))]"
    subprocess.run([sys.executable, "-c", code], env={**os.environ, "ASSAY_ISA": isa}, check=True)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"fold": np.array([9], dtype=np.int32)}, "fit together"),
        ({"tests": np.full((3, 3), 7, dtype=np.int32)}, "no such model"),
        ({"source": np.array([10**6])}, "fit together"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(change: dict[str, Any], said: str) -> None:
    grid = Grid(8)
    sums = np.zeros((3, 3, 3, 8, 2))
    given: dict[str, Any] = {
        "first": np.zeros(10, dtype=np.int64), "source": np.zeros(0, dtype=np.int64),
        "fold": np.zeros(9, dtype=np.int32), "own": np.zeros(9, dtype=np.int32), "tests": grid.tests, **change,
    }  # fmt: skip
    bases = _core.scores.GridBases(grid.settings, grid.turn, grid.start, grid.share, grid.bias)
    with pytest.raises(ValueError, match=said):
        _core.scores.grid_mistakes(
            grid.X, None, None, given["first"], given["source"], given["fold"], given["own"], None, given["tests"],
            grid.center, grid.unit, bases, grid.slope, grid.level, 1, sums,
        )  # fmt: skip
