"""Who is trained on what and tested by whom: cells of rows, and two matrices over them.

Every row has one cell in each layer; a repeat or a bootstrap replicate is a layer. A model sees every row of cell c of
its layer `copies[model, c]` times. A test is a set of cells of its model's layer, tested by the model on behalf of its
parent: `ROOT` for the tests of the plan, a model for the choice or the calibration inside its training set, the model
itself for its own training rows. Every scheme is a constructor of this one type, and nothing else knows schemes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay import _core
from assay.types import Array, CellCodes, Codes, Index, Integers, Mask

ROOT = -1  # the parent of the tests of the plan


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
    n_sizes : int
        Sizes of the training sets; the tests of the plan and their models are numbered split · n_sizes + size.
    chosen_only : bool
        Whether the tests of the plan are made by what was chosen inside alone: a test part is looked at once.
    rule : str
        What the inner folds are, in words, where they were decided.
    called : str
        What the tests of the plan are called.
    """

    cell: CellCodes
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
    n_sizes: int = 1
    chosen_only: bool = False
    rule: str = ""
    called: str = "folds"

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

    def copies_in(self, models: ArrayLike, cells: CellCodes, start: int = 0) -> NDArray[np.int64]:
        """How often each model sees each row, (models, rows), of rows that lie in these cells (L, rows)."""
        numbers = np.asarray(models)
        if self.row_by_row:
            return np.asarray(numbers[:, None] != cells[0], dtype=np.int64)
        return self.drawn(numbers, cells).astype(np.int64)

    def drawn(self, models: Integers | slice, cells: CellCodes, threads: int = 1) -> NDArray[np.uint16]:
        """The same where models share cells, in two bytes each as kernels take it; not to be subtracted."""
        layer, table = self.layer[models], self.copies[models]
        if _cells_count(cells, layer, table):
            return np.ascontiguousarray(cells).view(np.uint16)
        copies = np.empty((len(layer), cells.shape[1]), dtype=np.uint16)
        _core.folds.cell_copies(cells, layer, table, copies, threads)
        return copies

    def sums_of_cells(self, codes: Codes, n_classes: int, weight: Array | None, threads: int = 1) -> Array:
        """Sums of the weight by class over the rows of every cell, (L, C, K), in the order of the rows."""
        sums = np.empty((self.n_layers, self.n_cells, n_classes))
        _core.folds.cell_sums(self.cell, codes, weight, sums, threads)
        return sums

    def pairs(
        self, cells: CellCodes, only: Mask | None = None, threads: int = 1
    ) -> tuple[NDArray[np.int64] | None, Codes]:
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
        first, tests = self._tests_of_cells if only is None else self._listed(np.flatnonzero(only))
        ends = np.empty(len(cells), dtype=np.int64)
        _core.folds.count_pairs(cells, first, ends, threads)
        row, test = np.empty(ends[-1], dtype=np.int64), np.empty(ends[-1], dtype=np.int32)
        _core.folds.list_pairs(cells, first, tests, ends, row, test, threads)
        every_row_once = len(row) == cells.shape[1] and _core.folds.every_row_once(row)
        return None if every_row_once else row, test

    def models_of(self, tests: Codes) -> Codes:
        """The model that makes each of these tests: the very array where both are numbered alike."""
        return tests if self._numbered_alike else self.model[tests]

    @cached_property
    def _numbered_alike(self) -> bool:
        return np.array_equal(self.model, np.arange(self.n_tests))

    @cached_property
    def _tests_of_cells(self) -> tuple[NDArray[np.int64], Codes]:
        return self._listed(np.arange(self.n_tests))

    def _listed(self, tests: Index) -> tuple[NDArray[np.int64], Codes]:
        """The tests of every (layer, cell) one after the other, and where those of each cell begin and the last end."""
        number, cell = np.nonzero(self.tested[tests])
        test = tests[number]
        place = self.layer[self.model[test]] * np.int64(self.n_cells) + cell
        order = np.argsort(place, kind="stable")
        first = np.searchsorted(place[order], np.arange(self.n_layers * self.n_cells + 1))
        return first, test[order].astype(np.int32)

    def in_turn(self, only: Mask | None = None) -> tuple[Codes, Codes] | None:
        """Where all tested rows of the one layer have as many tests, and several: which, in their order.

        Returns the kind of each cell, (C,), -1 where its rows are not tested, and the tests of each kind, (kinds, N).
        None: rows have different numbers of tests, or one each.
        """
        if self.row_by_row or self.n_layers > 1:
            return None
        first, tests = self._tests_of_cells if only is None else self._listed(np.flatnonzero(only))
        count = np.diff(first)
        most, tested = int(count.max(initial=0)), count > 0
        if most < 2 or (count[tested] < most).any():
            return None
        lists = tests[first[:-1][tested][:, None] + np.arange(most)]
        kinds, kind_of_cell = np.unique(lists, axis=0, return_inverse=True)
        kind = np.full(len(count), -1, dtype=np.int32)
        kind[tested] = kind_of_cell.reshape(-1)
        return kind, kinds

    @cached_property
    def trained(self) -> Index:
        """Rows of each model's training set, copies included, (M,)."""
        if self.row_by_row:
            return np.full(self.n_models, self.n_models - 1)
        return np.asarray((self.copies * self.rows_of_cells[self.layer]).sum(axis=1))

    @cached_property
    def rows_of_cells(self) -> Index:
        """Rows of every cell of each layer, (L, C)."""
        everyone = np.zeros(self.cell.shape[1], dtype=np.int32)
        return self.sums_of_cells(everyone, 1, None)[..., 0].astype(np.int64)

    def tasks(self, only: Mask | None = None) -> list[tuple[int, Codes]]:
        """Models, each with the tests that it makes, or with those asked for: only (T,)."""
        tests = np.arange(self.n_tests) if only is None else np.flatnonzero(only)
        tests = tests[np.argsort(self.model[tests], kind="stable")]
        parts = np.split(tests, np.flatnonzero(np.diff(self.model[tests])) + 1) if len(tests) else []
        return [(int(self.model[part[0]]), part.astype(np.int32)) for part in parts]

    def train_rows(self, m: int) -> Index:
        """Rows of a model's training set, ascending, each as often as the model sees it."""
        copies = self.copies_in([m], self.cell)[0]
        rows = np.flatnonzero(copies)
        return rows if (copies[rows] == 1).all() else np.repeat(rows, copies[rows])

    def test_rows(self, t: int) -> Index:
        """Rows of a test, ascending."""
        if self.row_by_row:
            return np.flatnonzero(self.cell[0] == t)
        cell = self.cell[self.layer[self.model[t]]]
        return np.flatnonzero((cell >= 0) & self.tested[t][cell])

    def rows_of(self, tests: Codes) -> tuple[Index, Codes]:
        """Rows of some tests, one test after the other, and the test of each."""
        rows = [self.test_rows(t) for t in tests]
        return np.concatenate(rows), np.repeat(tests, [len(of_test) for of_test in rows])

    def key_of(self, m: int, tests: Codes) -> tuple[Any, ...]:
        """The same for splits of the very same cells, whatever else they hold, where a model and its tests are."""
        if self.row_by_row:
            return m, tests.tobytes()
        return int(self.layer[m]), self.copies[m].tobytes(), self.tested[tests].tobytes()


def _cells_count(cells: CellCodes, layer: Codes, copies: NDArray[np.uint16]) -> bool:
    """Whether the number of a row's cell is how often the model of its layer sees it, as in a bootstrap."""
    return (
        cells.dtype == np.int16
        and np.array_equal(layer, np.arange(len(cells)))
        and bool((copies == np.arange(copies.shape[1])).all())
        and int(cells.min(initial=0)) >= 0
    )
