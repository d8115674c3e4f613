"""What follows from the cells of rows: sums, copies and tested pairs, against loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from assay import _core

DTYPES = pytest.mark.parametrize("dtype", [np.int16, np.int32])
LAYERS, ROWS, CELLS = 3, 50, 4


def cells_as(dtype: Any, seed: int = 0) -> NDArray[Any]:
    """Cells of rows, some of which a layer leaves out."""
    return np.random.default_rng(seed).integers(-1, CELLS, (LAYERS, ROWS)).astype(dtype)


@DTYPES
@pytest.mark.parametrize("weighted", [False, True])
def test_sums_of_cells_add_the_rows_of_each_class(dtype: Any, weighted: bool) -> None:
    rng, cells = np.random.default_rng(1), cells_as(dtype)
    codes, weight = rng.integers(0, 2, ROWS).astype(np.int32), rng.random(ROWS) if weighted else None
    found, expected = np.full((LAYERS, CELLS, 2), np.nan), np.zeros((LAYERS, CELLS, 2))
    _core.folds.cell_sums(cells, codes, weight, found)
    for layer, row in np.argwhere(cells >= 0):
        expected[layer, cells[layer, row], codes[row]] += 1.0 if weight is None else weight[row]
    assert np.array_equal(found, expected)


@DTYPES
def test_copies_are_those_of_the_cell_in_the_layer_of_the_model(dtype: Any) -> None:
    cells, layer = cells_as(dtype), np.array([2, 0, 0, 1], dtype=np.int32)
    table = np.random.default_rng(2).integers(0, 60_000, (4, CELLS)).astype(np.uint16)
    found = np.ones((4, ROWS), dtype=np.uint16)
    _core.folds.cell_copies(cells, layer, table, found)
    for m, r in np.ndindex(found.shape):
        cell = cells[layer[m], r]
        assert found[m, r] == (0 if cell < 0 else table[m, cell])


@DTYPES
@pytest.mark.parametrize("most", [0, 1, 3])
def test_pairs_are_listed_by_layer_then_row_then_test(dtype: Any, most: int) -> None:
    cells = cells_as(dtype)
    count = np.random.default_rng(3).integers(0, most + 1, LAYERS * CELLS)
    count[-1] = 0  # rows of the last cell have no test to read
    first = np.concatenate([[0], np.cumsum(count)])
    tests = np.random.default_rng(4).permutation(first[-1]).astype(np.int32)
    expected = [
        (row, test, layer)
        for layer in range(LAYERS)
        for row in range(ROWS)
        if (cell := int(cells[layer, row])) >= 0
        for test in tests[first[layer * CELLS + cell] : first[layer * CELLS + cell + 1]]
    ]
    ends = np.empty(LAYERS, dtype=np.int64)
    _core.folds.count_pairs(cells, first, ends)
    assert ends.tolist() == [sum(of <= layer for _, _, of in expected) for layer in range(LAYERS)]
    row, test = np.empty(ends[-1], dtype=np.int64), np.empty(ends[-1], dtype=np.int32)
    _core.folds.list_pairs(cells, first, tests, ends, row, test)
    assert list(zip(row.tolist(), test.tolist(), strict=True)) == [(r, t) for r, t, _ in expected]


@given(st.data())
@settings(max_examples=60)
def test_pairs_ascend_by_layer_then_row_then_test(data: Any) -> None:
    layer = np.array(data.draw(st.lists(st.integers(0, 2), min_size=1, max_size=4)), dtype=np.int32)
    pair = st.tuples(st.integers(0, 3), st.integers(0, len(layer) - 1))
    pairs = data.draw(st.lists(pair, max_size=5, unique=True))
    if data.draw(st.booleans()):
        pairs.sort(key=lambda pair: (layer[pair[1]], *pair))
    row, test = np.array([*map(list, pairs)], dtype=np.int64).reshape(-1, 2).T.copy()
    keys = [(layer[t], r, t) for r, t in pairs]
    assert _core.folds.pairs_ascend(layer, row, test.astype(np.int32)) == (keys == sorted(keys))


@pytest.mark.parametrize("rows", [0, 1, 5000])
def test_the_numbers_of_all_rows_in_order_are_recognised(rows: int) -> None:
    row = np.arange(rows)
    assert _core.folds.every_row_once(row)
    for at in {0, rows // 2, rows - 1} if rows else ():
        wrong = row.copy()
        wrong[at] += 1
        assert not _core.folds.every_row_once(wrong)


def test_cells_beyond_the_tables_are_refused() -> None:
    cells, first = cells_as(np.int32), np.zeros(LAYERS * (CELLS - 1) + 1, dtype=np.int64)
    with pytest.raises(ValueError, match="beyond the cells"):
        _core.folds.count_pairs(cells, first, np.empty(LAYERS, dtype=np.int64))
    with pytest.raises(ValueError, match="beyond the cells"):
        _core.folds.count_pairs(
            np.where(cells < 0, np.int32(-2), cells), first, np.empty(LAYERS, dtype=np.int64)
        )
    with pytest.raises(ValueError, match="beyond the cells"):
        _core.folds.cell_sums(cells, np.zeros(ROWS, dtype=np.int32), None, np.empty((LAYERS, CELLS - 1, 1)))


@pytest.mark.parametrize("threads", [2, 8])
def test_many_cells_are_the_same_for_any_number_of_threads(threads: int) -> None:
    rng = np.random.default_rng(5)
    cells = rng.integers(-1, CELLS, (40, 10_000)).astype(np.int16)
    codes, layer = rng.integers(0, 2, 10_000).astype(np.int32), np.arange(40, dtype=np.int32)
    first = np.arange(40 * CELLS + 1)
    tests, table = first[:-1].astype(np.int32), rng.integers(0, 9, (40, CELLS)).astype(np.uint16)

    def all_of(number: int) -> list[NDArray[Any]]:
        sums, copies = np.empty((40, CELLS, 2)), np.empty((40, 10_000), dtype=np.uint16)
        ends = np.empty(40, dtype=np.int64)
        _core.folds.cell_sums(cells, codes, None, sums, threads=number)
        _core.folds.cell_copies(cells, layer, table, copies, threads=number)
        _core.folds.count_pairs(cells, first, ends, threads=number)
        row, test = np.empty(ends[-1], dtype=np.int64), np.empty(ends[-1], dtype=np.int32)
        _core.folds.list_pairs(cells, first, tests, ends, row, test, threads=number)
        return [sums, copies, ends, row, test]

    assert all(map(np.array_equal, all_of(1), all_of(threads)))
