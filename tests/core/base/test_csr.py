"""Products with a sparse matrix, by rows and by columns."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import random_array

from assay import _core


@pytest.mark.parametrize("count", [1, 2, 3, 7, 17])
@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("squared", [False, True])
def test_products_with_every_number_of_models(count: int, index: type, squared: bool) -> None:
    X = random_array((1200, 90), density=0.05, rng=np.random.default_rng(1), format="csr")
    right = np.random.default_rng(2).normal(size=(count, 90))
    matrix = _core.base.SparseMatrix(X.indptr.astype(index), X.indices.astype(index), X.data, 90)
    found = [np.full((count, 1200), np.nan) for _ in range(2)]
    for threads, out in zip((1, 3), found, strict=True):
        matrix.products(right, squared, threads, out)
    dense = X.toarray() ** 2 if squared else X.toarray()
    np.testing.assert_allclose(found[0], right @ dense.T, rtol=1e-13, atol=1e-13)
    assert np.array_equal(*found)


def test_a_matrix_without_rows_or_entries() -> None:
    nothing = np.zeros(0, dtype=np.int32)
    out = np.ones((2, 3))
    _core.base.SparseMatrix(np.zeros(4, dtype=np.int32), nothing, np.zeros(0), 5).products(
        np.ones((2, 5)), False, 2, out
    )
    assert not out.any()
    _core.base.SparseMatrix(np.zeros(1, dtype=np.int32), nothing, np.zeros(0), 5).products(
        np.ones((2, 5)), False, 2, np.ones((2, 0))
    )


def test_the_matrix_outlives_its_arrays() -> None:
    matrix = _core.base.SparseMatrix(np.array([0, 1, 2]), np.array([0, 1]), np.array([2.0, 3.0]), 2)
    out = np.empty((1, 2))
    matrix.products(np.array([[5.0, 7.0]]), False, 1, out)
    assert out.tolist() == [[10.0, 21.0]]


@pytest.mark.parametrize(
    ("first", "column", "columns", "sentence"),
    [
        ([0, 1, 2], [0, 2], 2, "in no column"),
        ([0, 1, 2], [0, -1], 2, "in no column"),
        ([0, 2, 1], [0, 1], 2, "left over|in order"),
        ([0, 3, 2], [0, 1], 2, "in order"),
        ([1, 1, 2], [0, 1], 2, "left over"),
        ([0, 1, 1], [0, 1], 2, "left over"),
        ([], [0, 1], 2, "first entry"),
        ([0, 1, 2], [0], 2, "do not fit"),
    ],
)
def test_matrices_that_do_not_fit(first: list[int], column: list[int], columns: int, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        _core.base.SparseMatrix(np.array(first, dtype=np.int64), np.array(column), np.ones(2), columns)


def test_sides_that_do_not_fit() -> None:
    matrix = _core.base.SparseMatrix(np.array([0, 1, 2]), np.array([0, 1]), np.ones(2), 2)
    for right, out in (((1, 3), (1, 2)), ((1, 2), (2, 2)), ((1, 2), (1, 3))):
        with pytest.raises(ValueError, match="fit|as many"):
            matrix.products(np.ones(right), False, 1, np.ones(out))
