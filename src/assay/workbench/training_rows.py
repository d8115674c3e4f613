"""Hashes of the rows that a model was trained on, for its file: all rows at once, or block by block."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from assay.data.schema import Column
from assay.models.table.fingerprint import Fingerprint, FingerprintTally
from assay.models.table.table_classifier import TableClassifier
from assay.workbench.problem import Problem
from assay.workbench.repeated_rows import row_keys


def fingerprint_of(model: TableClassifier, problem: Problem) -> Fingerprint:
    """Hashes of the rows of a problem by the columns that the fitted model uses."""
    features = problem.features.select(model.schema_.names)
    keys = row_keys(features, problem.codes, problem.classes.tolist())
    return FingerprintTally(model.schema_).add(keys).fingerprint()


@dataclass
class HashedBlocks:
    """Blocks on their way to a model; each is hashed when the model has learned it and so knows its columns."""

    model: TableClassifier
    target: Column
    blocks: Iterator[Any]
    tally: FingerprintTally | None = field(default=None, init=False)

    def __iter__(self) -> Iterator[Any]:
        for block in self.blocks:
            yield block
            self._add(block[0])

    def _add(self, table: Any) -> None:
        names = self.model.schema_.names
        self.tally = self.tally or FingerprintTally(self.model.schema_)
        self.tally.add(row_keys(table.select(names), table[self.target.name], self.target.levels))

    def fingerprint(self) -> Fingerprint | None:
        return None if self.tally is None else self.tally.fingerprint()
