"""Rows that repeat an earlier row in all features and the label: with a copy in the training set, no tested row is new.

Rows of a few categories agree by chance, and new rows will agree with old ones as well. Copies cannot be chance where
the table has a text column, or a numeric one with at least half as many different values as there are different rows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.schema import Schema
from assay.data.table import Table
from assay.notes import Note
from assay.types import Label
from assay.workbench.row_hashes import Hashes, hash_rows, join_labels


@dataclass(frozen=True, eq=False)
class Repeats:
    """Rows that repeat others.

    Attributes
    ----------
    codes : array of int32, shape (n_rows,)
        The set of each row: rows of one set agree in all features and the label.
    together : bool
        Whether a set is in one fold and counts once in intervals; otherwise it is only counted here.
    """

    codes: NDArray[np.int32]
    together: bool

    @property
    def count(self) -> int:
        """Rows that repeat an earlier one."""
        return len(self.codes) - self.different

    @property
    def different(self) -> int:
        return int(self.codes.max()) + 1

    @property
    def figures(self) -> dict[str, Any]:
        """Plain values."""
        return {"rows": self.count, "different_rows": self.different, "together": self.together}

    @property
    def note(self) -> Note:
        """How many there are."""
        return self._note("P142")

    @property
    def in_folds(self) -> Note:
        """How many there are, and what becomes of them in folds."""
        return self._note("P143" if self.together else "P142")

    @property
    def in_test(self) -> Note:
        """How many there are, and what becomes of them where all rows are tested by one model."""
        return self._note("P144" if self.together else "P142")

    def _note(self, code: str) -> Note:
        return Note(code, repeated=self.count, rows=len(self.codes))


def row_keys(features: Table, codes: NDArray[np.int32], classes: Iterable[Label]) -> Hashes:
    """A hash of each row's features and label; identifiers are not features."""
    names = [column.name for column in features.schema if column.type != "identifier"]
    return join_labels(hash_rows(features, names), codes, classes)


def repeated_rows(keys: Hashes, schema: Schema, blocks: Iterable[Table]) -> NDArray[np.int32] | None:
    """The set of each row by its key; None where no two rows agree, or where they may agree by chance.

    Parameters
    ----------
    keys : array of uint64, shape (n_rows,)
    schema : Schema
        The features.
    blocks : iterable of Table
        The rows again, read only where numeric columns decide.
    """
    different, codes = np.unique(keys, return_inverse=True)
    if len(different) == len(keys):
        return None
    if not any(column.type == "text" for column in schema):
        numeric = [column.name for column in schema if column.type == "numeric"]
        if not _tell_rows_apart(blocks, numeric, len(different)):
            return None
    return codes.astype(np.int32)


def _tell_rows_apart(blocks: Iterable[Table], numeric: list[str], different: int) -> bool:
    """Whether a numeric column has at least half as many different values as there are different rows."""
    values = {name: np.empty(0) for name in numeric}
    for block in blocks:
        for name in numeric:
            values[name] = np.union1d(values[name], block[name])
            if 2 * len(values[name]) >= different:
                return True
    return False
