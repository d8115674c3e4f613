"""Values of new rows that training never showed, column by column."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from assay.data.missing_values import ABSENT
from assay.data.schema import Column, Schema
from assay.data.table import MISSING, UNSEEN, Table

MOST_SHOWN = 5


class UnseenValueWarning(UserWarning):
    """New rows have values that training never showed."""


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
    >>> UnseenValues(schema).add(read({"sex": ["Male", "Female", "male"]}, schema=schema)).sentences
    ("column sex: 2 of 3 values never seen in training ('Male', 'Female'; known: female, male)",)
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
        """What is to be said, for each column with such values."""
        return tuple(self._sentence(column) for column in self.schema if self.counts.get(column.name))

    def _sentence(self, column: Column) -> str:
        name = column.name
        known = f"known: {_listed([str(level) for level in column.levels if level != ABSENT])}"
        shown = _listed([repr(value) for value in self.values[name]])
        return (
            f"column {name}: {self.counts[name]} of {self.present[name]} values never seen in training "
            f"({'; '.join(part for part in (shown, known) if part)})"
        )


def _listed(parts: Sequence[str]) -> str:
    rest = f" and {len(parts) - MOST_SHOWN} more" if len(parts) > MOST_SHOWN else ""
    return ", ".join(parts[:MOST_SHOWN]) + rest
