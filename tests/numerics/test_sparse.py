"""Sparse matrices whose indices do not fit their shape, and others that only look unusual."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from assay.numerics.sparse import canonical, check_indices
from tests.raised import Expected, raises

DENSE = np.array([[1.0, 0.0, 2.0], [0.0, 0.0, 0.0], [0.0, 3.0, 4.0], [5.0, 0.0, 0.0]])


def changed(name: str, change: Callable[[Any], Any]) -> Callable[[Any], None]:
    """A change of one of the arrays of a matrix."""

    def damage(X: Any) -> None:
        setattr(X, name, change(getattr(X, name)))

    return damage


def put(place: int, value: int) -> Callable[[Any], Any]:
    """An array with another value at one place."""

    def change(values: Any) -> Any:
        values = values.copy()
        values[place] = value
        return values

    return change


COMPRESSED = [
    (changed("indices", put(2, 9)), "{major} {at} of the sparse matrix X has {minor} index 9"),
    (changed("indices", put(0, -1)), "{major} 0 of the sparse matrix X has {minor} index -1"),
    (
        changed("indices", lambda a: a.astype(np.int64) + 2**40),
        "{major} 0 of the sparse matrix X has {minor} index 1099511627776",
    ),
    (
        changed("indptr", put(1, -7)),
        "{major} pointer 1 of the sparse matrix X is -7 instead of 0 to 5",
    ),
    (changed("indptr", put(-1, 10**9)), "is 1000000000 instead of"),
    (changed("indptr", put(0, 1)), "{major} pointer 0 of the sparse matrix X is 1 instead of 0;"),
    (changed("indptr", put(-1, 0)), "is 0 instead of"),
    (changed("indptr", lambda a: a[:-1]), "{minors} pointers for"),
    (changed("indptr", lambda a: a.astype(float)), "pointers of the sparse matrix X are not a list of whole"),
    (changed("indices", lambda a: a[:-1]), "has 4 {minor} indices and 5 values"),
    (changed("data", lambda a: a[:-1]), "has 5 {minor} indices and 4 values"),
    (changed("indices", lambda a: a.astype(float)), "indices of the sparse matrix X are not a list of whole"),
]


@pytest.mark.parametrize("kind", ["csr", "csc"])
@pytest.mark.parametrize("case", range(len(COMPRESSED)))
def test_compressed_matrices(kind: str, case: int) -> None:
    damage, sentence = COMPRESSED[case]
    X = sparse.csr_array(DENSE).asformat(kind)
    damage(X)
    with pytest.raises(ValueError) as caught:
        check_indices(X)
    major, minor = ("Row", "column") if kind == "csr" else ("Column", "row")
    words = {"major": major, "minor": minor, "minors": major.lower(), "at": 2 if kind == "csr" else 1}
    assert sentence.format(**words) in str(caught.value)
    assert str(caught.value).endswith("; build the matrix again from indices that fit its shape.")


@pytest.mark.parametrize(
    ("damage", "expected"),
    [
        (
            changed("row", put(1, 4)),
            Expected("N018", owner="Entry 1 of the sparse matrix X", kind="row", index=4, size=4),
        ),
        (
            changed("col", put(3, -3)),
            Expected("N018", owner="Entry 3 of the sparse matrix X", kind="column", index=-3, size=3),
        ),
        (changed("data", lambda a: a[:2]), Expected("N022", n_indices=5, kind="row", n_values=2)),
    ],
)
def test_coordinates(damage: Any, expected: Expected) -> None:
    X = sparse.coo_array(DENSE)
    damage(X)
    with raises(expected):
        check_indices(X)


def test_other_formats() -> None:
    lists = sparse.lil_array(DENSE)
    lists.rows[2] = [1, 8]
    with raises("N018", owner="Row 2 of the sparse matrix X", index=8):
        check_indices(lists)
    lists.rows[2] = [1]
    with raises("N023", owner="Row 2 of the sparse matrix X", n_columns=1, n_values=2):
        check_indices(lists)
    lists.rows = lists.rows[:2]
    with raises("N020", n_rows=2, size=4):
        check_indices(lists)
    diagonals = sparse.dia_array(DENSE)
    diagonals.offsets = diagonals.offsets[:1]
    with raises("N024", n_offsets=1):
        check_indices(diagonals)
    blocks = sparse.bsr_array(DENSE[:, :2], blocksize=(2, 2))
    check_indices(blocks)
    blocks.indices = blocks.indices + 1
    with raises("N018", index=1, size=1):
        check_indices(blocks)


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "bsr", "lil", "dok", "dia"])
@pytest.mark.parametrize("dense", [DENSE, np.zeros((0, 3)), np.zeros((3, 0)), np.zeros((2, 2))])
def test_what_fits_is_let_through(kind: str, dense: Any) -> None:
    check_indices(sparse.csr_array(dense).asformat(kind))


def test_canonical_rows_are_handed_on_as_they_are() -> None:
    X = sparse.csr_array(DENSE)
    assert canonical(X) is X


def test_other_rows_are_put_in_order() -> None:
    X = sparse.csr_array(DENSE)
    longer = X.copy()
    longer.data, longer.indices = np.append(longer.data, 9.0), np.append(longer.indices, np.int32(0))
    mixed = X.copy()
    mixed.indptr = mixed.indptr.astype(np.int64)
    narrow = X.copy()
    narrow.indices = narrow.indices.astype(np.uint16)
    strided = X.copy()
    strided.indices = np.repeat(strided.indices, 2)[::2]
    twice = sparse.csr_array(
        (np.repeat(X.data / 2, 2), np.repeat(X.indices, 2)[::1], X.indptr * 2), shape=X.shape
    )
    backwards = sparse.csr_array(
        (X.data[[1, 0, 3, 2, 4]], X.indices[[1, 0, 3, 2, 4]], X.indptr), shape=X.shape
    )
    for other in (longer, mixed, narrow, strided, twice, backwards):
        check_indices(other)
        before = other.indices.copy()
        found = canonical(other)
        assert found is not other and np.array_equal(other.indices, before)
        for name in ("data", "indices", "indptr"):
            assert np.array_equal(getattr(found, name), getattr(X, name))
        assert found.indices.dtype == found.indptr.dtype == np.int32
