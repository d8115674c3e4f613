"""Categories of new rows that were never seen in training, column by column."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from assay.data.missing_values import ABSENT
from assay.data.schema import Column, Schema
from assay.data.table import MISSING, UNSEEN, Table
from assay.notes import Note


class UnseenValueWarning(UserWarning):
    """New rows have categories that were never seen in training."""


@contextmanager
def counted_here() -> Iterator[None]:
    """No warnings about unseen values: the caller counts them over all rows."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenValueWarning)
        yield


@dataclass
class UnseenValues:
    """Counts of values that a schema does not know, added table by table.

    Examples
    --------
    >>> from assay.data import read
    >>> schema = read({"sex": ["female", "male", "male"]}).schema
    >>> unseen = UnseenValues(schema).add(read({"sex": ["Male", "Female", "male"]}, schema=schema))
    >>> [(note.code, note.subject, note.values["examples"]) for note in unseen.sentences]
    [('D229', 'sex', ['Male', 'Female'])]
    """

    schema: Schema
    counts: dict[str, int] = field(default_factory=dict)
    present: dict[str, int] = field(default_factory=dict)
    values: dict[str, dict[str, None]] = field(default_factory=dict)  # as sets that keep their order

    def add(self, table: Table) -> Self:
        """Count the values of a table that has the columns of the schema."""
        for column in self.schema:
            if column.type in ("categorical", "binary"):
                codes, name = table.columns[column.name], column.name
                self.counts[name] = self.counts.get(name, 0) + int(np.count_nonzero(codes == UNSEEN))
                self.present[name] = self.present.get(name, 0) + int(np.count_nonzero(codes != MISSING))
                self.values.setdefault(name, {}).update(dict.fromkeys(table.unseen.get(name, ())))
        return self

    @property
    def sentences(self) -> tuple[str, ...]:
        """One note for each column with such values."""
        return tuple(self._note(column) for column in self.schema if self.counts.get(column.name))

    def _note(self, column: Column) -> Note:
        name = column.name
        known = [str(category) for category in column.levels if category != ABSENT]
        values = {"unseen": self.counts[name], "present": self.present[name], "known": known}
        examples = list(self.values[name])
        return Note("D229", name, values, examples=examples) if examples else Note("D230", name, values)
