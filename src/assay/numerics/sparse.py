"""Sparse matrices of SciPy, checked before compiled code follows their indices.

SciPy believes the arrays a matrix is made of, and so do its conversions: an index that does not fit the shape is read
and written wherever it points. One pass over the indices rules that out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.notes import Note
from assay.types import Integers

if TYPE_CHECKING:
    from scipy.sparse import bsr_array, csc_array, csr_array, lil_array, sparray, spmatrix


def check_indices(X: sparray | spmatrix) -> None:
    """Raise one sentence if the indices, row pointers or lengths of a sparse matrix do not fit its shape."""
    if X.format in ("csr", "csc", "bsr"):
        _check_compressed(X)
    elif X.format == "coo":
        for axis, numbers in enumerate(X.coords):
            _check_length(numbers, len(X.data), ("row", "column")[min(axis, 1)])
            _check_range(numbers, X.shape[axis], ("row", "column")[min(axis, 1)], None)
    elif X.format == "lil":
        _check_lists(X)
    elif X.format == "dia" and len(X.offsets) != len(X.data):
        raise ValueError(Note("N024", n_offsets=len(X.offsets), n_data=len(X.data)))


def canonical(X: csr_array) -> csr_array:
    """Compressed rows, checked, with each entry once and in order, and indices of one type; X itself where it is so."""
    types = {X.indptr.dtype, X.indices.dtype}
    plain = len(types) == 1 and types <= {np.dtype(np.int32), np.dtype(np.int64)}
    whole = X.indptr[-1] == len(X.indices) and X.indices.flags.c_contiguous and X.indptr.flags.c_contiguous
    if plain and whole and X.has_canonical_format:
        return X
    kind = np.int32 if max(len(X.indices), *X.shape) < 2**31 else np.int64
    end = X.indptr[-1]
    parts = X.data[:end].copy(), X.indices[:end].astype(kind), X.indptr.astype(kind)
    alone = type(X)(parts, shape=X.shape)
    alone.sum_duplicates()
    return alone


def _check_compressed(X: csr_array | csc_array | bsr_array) -> None:
    """Pointers never fall and end among the indices, which lie inside the other axis."""
    blocks = X.blocksize if X.format == "bsr" else (1, 1)
    rows, columns = (size // block for size, block in zip(X.shape, blocks, strict=True))
    kinds = ("column", "row") if X.format == "csc" else ("row", "column")
    major, minor = (columns, rows) if X.format == "csc" else (rows, columns)
    _check_integers(X.indptr, f"{kinds[0]} pointers")
    _check_length(X.indices, len(X.data), kinds[1])
    if len(X.indptr) != major + 1:
        raise ValueError(Note("N019", n_indptr=len(X.indptr), kind=kinds[0], size=major, wanted=major + 1))
    _check_pointers(X.indptr, len(X.indices), kinds[0])
    _check_range(X.indices[: X.indptr[-1]], minor, kinds[1], (kinds[0], X.indptr))


def _check_pointers(indptr: Integers, entries: int, kind: str) -> None:
    """Pointers begin at 0, never fall and end among the entries."""
    falls = np.flatnonzero(indptr[1:] < indptr[:-1])
    if indptr[0] != 0:
        place, allowed = 0, "0"
    elif len(falls) or indptr[-1] > entries:
        place = int(falls[0]) + 1 if len(falls) else len(indptr) - 1
        allowed = f"{indptr[place - 1]} to {entries}"
    else:
        return
    raise ValueError(
        Note(
            "N017",
            kind=kind.capitalize(),
            place=place,
            value=indptr[place],
            allowed=allowed,
        )
    )


def _check_lists(X: lil_array) -> None:
    """A list of columns and one of values for each row."""
    if not len(X.rows) == len(X.data) == X.shape[0]:
        raise ValueError(Note("N020", n_rows=len(X.rows), size=X.shape[0]))
    for row, (columns, values) in enumerate(zip(X.rows, X.data, strict=True)):
        owner = f"Row {row} of the sparse matrix X"
        if len(columns) != len(values):
            raise ValueError(Note("N023", owner=owner, n_columns=len(columns), n_values=len(values)))
        for column in columns:
            if not 0 <= column < X.shape[1]:
                raise _outside(column, X.shape[1], "column", owner)


def _check_integers(numbers: Integers, what: str) -> None:
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu":
        raise ValueError(Note("N021", what=what))


def _check_length(indices: Integers, values: int, kind: str) -> None:
    _check_integers(indices, f"{kind} indices")
    if len(indices) != values:
        raise ValueError(Note("N022", n_indices=len(indices), kind=kind, n_values=values))


def _check_range(indices: Integers, size: int, kind: str, within: tuple[str, Integers] | None) -> None:
    """Every index lies in 0 .. size - 1. As unsigned numbers negative ones are large, so that one pass finds both."""
    unsigned = indices.view(f"u{indices.dtype.itemsize}")
    if not len(indices) or int(unsigned.max()) < size:
        return
    entry = int(np.flatnonzero(unsigned >= size)[0]) if size < 2 ** (8 * indices.dtype.itemsize) else 0
    owner = f"Entry {entry} of the sparse matrix X"
    if within is not None:
        major = int(np.searchsorted(within[1], entry, side="right")) - 1
        owner = f"{within[0].capitalize()} {major} of the sparse matrix X"
    raise _outside(int(indices[entry]), size, kind, owner)


def _outside(index: int, size: int, kind: str, owner: str) -> ValueError:
    return ValueError(Note("N018", owner=owner, kind=kind, index=index, size=size))
