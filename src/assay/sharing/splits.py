"""Who is trained on what and tested by whom: cells of rows, and two matrices over them.

Every row has one cell in each layer; a repeat or a bootstrap replicate is a layer. A model sees every row of cell c of
its layer `copies[model, c]` times. A test is a set of cells of its model's layer, tested by the model on behalf of its
parent: `ROOT` for the tests of the plan, a model for the choice or the calibration inside its training set, the model
itself for its own training rows. Every scheme is a constructor of this one type, and nothing else knows schemes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.plans import (
    ALWAYS_TRAIN,
    UNUSED,
    Bootstrap,
    LeaveOneOut,
    Partition,
    Plan,
    draw_partitions,
)
from assay.plans.base import encode
from assay.types import Codes, Index, Mask

ROOT = -1


@dataclass(frozen=True, eq=False)
class Splits:
    """Models and tests of L layers, M models, T tests and C cells.

    Attributes
    ----------
    cell : (L, N)
        Cell of each row in each layer; -1: the layer leaves the row out.
    layer : (M,)
        Layer of each model.
    copies : (M, C)
        How often a model sees each row of a cell.
    model, parent, series : (T,)
        By which model a test is made, for whom, for which purpose.
    tested : (T, C)
        Cells that are tested.
    inside : int
        The series that `deeper` added.
    deeper : function, optional
        The same models and tests, followed by tests inside the training set of every tested model.
    row_by_row : bool
        Every row is a cell, a model that leaves it out and a test; `copies` and `tested` are implied and empty.
    mean_of_splits : bool
        Whether a metric is the mean over splits, not over rows.
    """

    cell: NDArray[Any]
    layer: Codes
    copies: NDArray[np.uint16]
    model: Codes
    parent: Codes
    series: Codes
    tested: Mask
    inside: int = 0
    deeper: Callable[[], Splits] | None = None
    row_by_row: bool = False
    mean_of_splits: bool = False

    @property
    def n_layers(self) -> int:
        return len(self.cell)

    @property
    def n_models(self) -> int:
        return len(self.layer)

    @property
    def n_tests(self) -> int:
        return len(self.model)

    @property
    def n_cells(self) -> int:
        return self.n_models if self.row_by_row else self.copies.shape[1]

    @cached_property
    def outer(self) -> Codes:
        """The tests of the plan itself: its splits."""
        return np.flatnonzero(self.parent == ROOT).astype(np.int32)

    @property
    def scheme(self) -> Splits:
        """Without what is as long as the rows: this travels, and cells lie beside the rows."""
        return replace(self, cell=self.cell[:, :0], deeper=None)

    def copies_in(self, models: ArrayLike, cells: NDArray[Any], start: int = 0) -> NDArray[np.int64]:
        """How often each model sees each row, (models, rows), of rows that lie in these cells (L, rows)."""
        some = np.asarray(models)
        if self.row_by_row:
            return np.asarray(some[:, None] != cells[0], dtype=np.int64)
        own = cells[self.layer[some]]
        seen = np.take_along_axis(self.copies[some].astype(np.int64), np.maximum(own, 0), 1)
        return np.where(own >= 0, seen, 0)

    def pairs(self, cells: NDArray[Any], only: Mask | None = None) -> tuple[NDArray[np.int64] | None, Codes]:
        """Every (row, test) of a block with these cells (L, rows), by layer, then row, then test.

        only : (T,) tests that are asked for
        Returns places of the rows in the block (None: every row once, in order) and the tests.
        """
        if self.row_by_row:
            test = cells[0].astype(np.int32)
            if only is None:
                return None, test
            place = np.flatnonzero(only[test])
            return place, test[place]
        found = [self._pairs_of(layer, cells[layer], only) for layer in range(len(cells))]
        if len(found) == 1:
            return found[0]
        everyone = np.arange(cells.shape[1])
        rows = [everyone if rows is None else rows for rows, _ in found]
        return np.concatenate(rows), np.concatenate([tests for _, tests in found])

    def _pairs_of(
        self, layer: int, cells: NDArray[Any], only: Mask | None
    ) -> tuple[NDArray[np.int64] | None, Codes]:
        first, tests = self._tests_of_cells(layer) if only is None else self._listed(layer, only)
        count = np.diff(first)
        each = count[cells] if not (cells < 0).any() else np.where(cells >= 0, count[cells], 0)
        if (each == 1).all():
            return None, tests[first[cells]]
        rows = np.repeat(np.arange(len(cells)), each)
        start = np.cumsum(each) - each
        place = np.arange(len(rows)) - start[rows] + first[cells[rows]]
        return rows, tests[place]

    def _tests_of_cells(self, layer: int) -> tuple[NDArray[np.intp], Codes]:
        if layer not in self._of_layers:
            self._of_layers[layer] = self._listed(layer, None)
        return self._of_layers[layer]

    @cached_property
    def _of_layers(self) -> dict[int, tuple[NDArray[np.intp], Codes]]:
        return {}

    def _listed(self, layer: int, only: Mask | None) -> tuple[NDArray[np.intp], Codes]:
        """The tests of every cell of a layer one after the other, and where each cell's begin."""
        asked = self.layer[self.model] == layer
        tests = np.flatnonzero(asked if only is None else asked & only)
        cell, place = np.nonzero(self.tested[tests].T)
        first = np.searchsorted(cell, np.arange(self.n_cells + 1))
        return first, tests[place].astype(np.int32)

    def train_rows(self, m: int) -> Index:
        """Rows of a model's training set, ascending, each as often as the model sees it."""
        copies = self.copies_in([m], self.cell)[0]
        rows = np.flatnonzero(copies)
        return rows if (copies[rows] == 1).all() else np.repeat(rows, copies[rows])

    def test_rows(self, t: int) -> Index:
        """Rows of a test, ascending."""
        if self.row_by_row:
            return np.flatnonzero(self.cell[0] == t)
        own = self.cell[self.layer[self.model[t]]]
        return np.flatnonzero((own >= 0) & self.tested[t][own])

    # -- constructors ------------------------------------------------------------------------------------

    @classmethod
    def of(cls, plan: Plan, codes: Codes, groups: Any = None, copies: bool = False) -> Splits:
        """The splits of a plan; `copies`: groups are sets of equal rows (see `draw_partitions`)."""
        if isinstance(plan, LeaveOneOut):
            return (
                one_out(len(codes))
                if groups is None
                else folds(
                    Partition(encode(groups, "groups", len(codes)), len(np.unique(np.asarray(groups))))
                )
            )
        if isinstance(plan, Bootstrap):
            return bootstrap(_drawn(plan, len(codes), groups))
        found = joined([folds(partition) for partition in draw_partitions(plan, codes, groups, copies)])
        return replace(found, mean_of_splits=plan.averages_splits)


def _drawn(plan: Bootstrap, n_rows: int, groups: Any) -> NDArray[np.uint16]:
    """How often each replicate draws each row; rows of a group are drawn together."""
    if groups is None:
        return plan.multiplicities(n_rows)
    member = encode(groups, "groups", n_rows)
    return plan.multiplicities(int(member.max()) + 1)[:, member]


def _one_layer(
    cell: NDArray[Any], copies: NDArray[Any], tests: Sequence[tuple[int, int, Any]], n_cells: int
) -> Splits:
    """Models of one layer, and tests (model, parent, cells)."""
    return Splits(
        cell[None],
        np.zeros(len(copies), dtype=np.int32),
        np.asarray(copies, dtype=np.uint16).reshape(-1, n_cells),
        np.array([model for model, _, _ in tests], dtype=np.int32),
        np.array([parent for _, parent, _ in tests], dtype=np.int32),
        np.zeros(len(tests), dtype=np.int32),
        np.array([cells for _, _, cells in tests], dtype=bool).reshape(len(tests), n_cells),
    )


def folds(partition: Partition) -> Splits:
    """Every fold is tested by the model of the others; rows of no fold may be trained on by all."""
    F = partition.n_folds
    cell = np.where(partition.fold == ALWAYS_TRAIN, F, partition.fold)
    cell = np.where(cell == UNUSED, -1, cell)
    width = F + int((partition.fold == ALWAYS_TRAIN).any())
    trained = np.ones(width, dtype=bool)
    if partition.untrained is not None:  # tested where they are, trained on nowhere: cells of their own
        cell = np.where((cell >= 0) & partition.untrained, cell + width, cell)
        trained = np.repeat([True, False], width)
        width *= 2
    group = np.arange(len(trained)) % (width if partition.untrained is None else width // 2)
    copies = trained & (group != np.arange(F)[:, None])
    tests = [(f, ROOT, group == f) for f in range(F)]
    return _one_layer(cell.astype(np.int32), copies, tests, len(trained))


def joined(parts: Sequence[Splits]) -> Splits:
    """Layers side by side, such as repeats: models and tests of the first part, then of the next."""
    if len(parts) == 1:
        return parts[0]
    C = max(part.n_cells for part in parts)
    first_layer = np.cumsum([0, *(part.n_layers for part in parts)])
    first_model = np.cumsum([0, *(part.n_models for part in parts)])

    def wide(array: NDArray[Any]) -> NDArray[Any]:
        return np.pad(array, ((0, 0), (0, C - array.shape[1])))

    return Splits(
        np.concatenate([part.cell for part in parts]),
        np.concatenate([part.layer + at for part, at in zip(parts, first_layer, strict=False)]).astype(
            np.int32
        ),
        np.concatenate([wide(part.copies) for part in parts]),
        np.concatenate([part.model + at for part, at in zip(parts, first_model, strict=False)]).astype(
            np.int32
        ),
        np.concatenate(
            [
                np.where(part.parent == ROOT, ROOT, part.parent + at)
                for part, at in zip(parts, first_model, strict=False)
            ]
        ).astype(np.int32),
        np.concatenate([part.series for part in parts]),
        np.concatenate([wide(part.tested) for part in parts]),
        max(part.inside for part in parts),
    )


def given(pairs: Sequence[tuple[Index, Index]], n_rows: int) -> Splits:
    """Any list of (training rows, tested rows); rows that all splits treat alike are one cell."""
    M = len(pairs)
    seen = np.stack([np.bincount(train, minlength=n_rows) for train, _ in pairs])
    tested = np.stack([np.bincount(test, minlength=n_rows) > 0 for _, test in pairs])
    if M > 1:
        pattern, cell = np.unique(np.concatenate([seen, tested]), axis=1, return_inverse=True)
        if pattern.shape[1] > 4 * M + 4:  # hardly any two rows are treated alike: a layer for each split
            return joined([given([pair], n_rows) for pair in pairs])
    else:
        pattern, cell = np.unique(np.concatenate([seen, tested]), axis=1, return_inverse=True)
    tests = [(m, ROOT, pattern[M + m] > 0) for m in range(M)]
    return _one_layer(cell.reshape(-1).astype(np.int32), pattern[:M], tests, pattern.shape[1])


def one_out(n_rows: int) -> Splits:
    """Every row is tested by the model of all others."""
    rows = np.arange(n_rows, dtype=np.int32)
    nothing = np.zeros((0, 0), dtype=np.uint16)
    return Splits(
        rows[None], np.zeros(n_rows, dtype=np.int32), nothing, rows, np.full(n_rows, ROOT, dtype=np.int32),
        np.zeros(n_rows, dtype=np.int32), nothing.astype(bool), row_by_row=True,
    )  # fmt: skip


def bootstrap(multiplicity: NDArray[np.uint16]) -> Splits:
    """Replicates (B, N): a row's cell is how often it was drawn, and rows of cell 0 are tested.

    One more model is trained on all rows and tests them: the .632 estimates need its errors.
    """
    B, N = multiplicity.shape
    C = max(int(multiplicity.max(initial=0)), 1) + 1
    once = np.ones((1, N), dtype=multiplicity.dtype)
    every = np.arange(B, dtype=np.int32)
    copies = np.tile(np.arange(C, dtype=np.uint16), (B + 1, 1))
    tested = np.tile(np.arange(C) == 0, (B + 1, 1))
    tested[B] = np.arange(C) == 1
    return Splits(
        np.concatenate([multiplicity, once]).astype(np.int16), np.append(every, B).astype(np.int32), copies,
        np.append(every, B).astype(np.int32), np.append(np.full(B, ROOT), B).astype(np.int32),
        np.zeros(B + 1, dtype=np.int32), tested,
    )  # fmt: skip


def whole(n_rows: int) -> Splits:
    """One model of all rows, which tests nothing: a fit."""
    return _one_layer(np.zeros(n_rows, dtype=np.int32), np.ones((1, 1)), [], 1)


def resubstitution(n_rows: int) -> Splits:
    """One model of all rows, which tests them."""
    return _one_layer(np.zeros(n_rows, dtype=np.int32), np.ones((1, 1)), [(0, 0, [True])], 1)


def with_training(splits: Splits) -> Splits:
    """The same, and every model of the plan's tests tests its own training rows, too."""
    models = np.unique(splits.model[splits.outer])
    return replace(
        splits,
        model=np.concatenate([splits.model, models]).astype(np.int32),
        parent=np.concatenate([splits.parent, models]).astype(np.int32),
        series=np.concatenate([splits.series, np.zeros(len(models), dtype=np.int32)]),
        tested=np.concatenate([splits.tested, splits.copies[models] > 0]),
        deeper=None,
    )
