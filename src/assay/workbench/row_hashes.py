"""A hash of each row of a table by its values: equal rows have equal hashes, whatever the order of the levels."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from assay.data.schema import Column
from assay.data.table import Table, Values
from assay.numerics.row_hash import row_hashes
from assay.types import Cells, Label

Hashes = NDArray[np.uint64]


def hash_rows(table: Table, names: Sequence[str]) -> Hashes:
    """A 64-bit hash of each row's values in these columns; missing values are equal to each other.

    >>> from assay.data import Column, Schema
    >>> table = Table(Schema((Column("a", "numeric"),)), {"a": np.array([0.5, -0.0, 0.5, 0.0, np.nan, np.nan])})
    >>> np.unique(hash_rows(table, ["a"]), return_inverse=True)[1]
    array([0, 2, 0, 2, 1, 1])
    """
    hashes = np.zeros(table.n_rows, dtype=np.uint64)
    for name in names:
        hashes = join_hashes(hashes, _value_bits(table.schema[name], table[name]))
    return hashes


def join_hashes(hashes: Hashes, values: Cells) -> Hashes:
    """The hashes of rows that have one value more, each a whole number."""
    return row_hashes(0, hashes ^ values.astype(np.uint64))


def join_labels(hashes: Hashes, codes: NDArray[np.integer], classes: Iterable[Label]) -> Hashes:
    """The hashes of rows with their labels, by the labels' spelling."""
    return join_hashes(hashes, _text_bits([str(label) for label in classes])[codes])


def _value_bits(column: Column, values: Values) -> Hashes:
    """64 bits for each value of a column, the same for equal values."""
    if not isinstance(values, np.ndarray):  # Arrow texts
        encoded = values.dictionary_encode()
        texts, codes = encoded.dictionary.to_pylist(), encoded.indices.fill_null(-1)
        return _text_bits(texts)[np.asarray(codes.to_numpy(zero_copy_only=False), dtype=np.intp)]
    if values.dtype.kind == "i":
        return _text_bits([str(level) for level in column.levels])[np.asarray(values, dtype=np.intp)]
    numbers = np.where(np.isnan(values), np.nan, np.add(values, 0.0))  # one NaN, and no negative zero
    return np.ascontiguousarray(numbers, dtype=np.float64).view(np.uint64)


def _text_bits(texts: list[str]) -> Hashes:
    """The bits of each text, and behind them those of an unseen category and of a missing value: codes -2 and -1."""
    digests = [
        int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little") for text in texts
    ]
    return np.array([*digests, 1, 0], dtype=np.uint64)
