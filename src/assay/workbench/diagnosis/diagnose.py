"""Checks of a table before any model is fitted: leakage, repeated texts and the curse of dimensionality.

>>> import numpy as np
>>> from assay.data import Column, Schema, Table
>>> y = np.arange(400) % 2
>>> columns = {"answer": 10.0 * y, "noise": np.random.default_rng(0).normal(size=400)}
>>> table = Table(Schema(tuple(Column(name, "numeric") for name in columns)), columns)
>>> diagnosis = diagnosis_of(table, y, 2)
>>> [finding.column for finding in diagnosis.leaks]
['answer']
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.table import Table
from assay.notes import Note, as_note
from assay.types import Json, Label
from assay.workbench.diagnosis import leakage as leaks
from assay.workbench.diagnosis.dimensionality import MOST_ROWS, dimension_findings, sparse_warning
from assay.workbench.diagnosis.duplicates import repeat_findings
from assay.workbench.diagnosis.findings import Finding
from assay.workbench.diagnosis.hypercube import Cube
from assay.workbench.diagnosis.row_order import order_findings
from assay.workbench.diagnosis.suspected_groups import group_findings

__all__ = ["Diagnosis", "Finding", "diagnosis_of"]


@dataclass(frozen=True)
class Diagnosis:
    """Findings about a table: how its rows fill their space, which columns to distrust, and how it was examined."""

    dimension: tuple[Finding, ...]
    leaks: tuple[Finding, ...]
    notes: tuple[str, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, those to act on first, leaks before dimension."""
        return tuple(sorted((*self.leaks, *self.dimension), key=lambda finding: not finding.warn))

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """The findings to act on."""
        return tuple(finding for finding in self.findings if finding.warn)

    def to_json(self) -> dict[str, Json]:
        """Plain values; `from_json` gives the diagnosis back."""
        return {
            "dimension": [finding.to_json() for finding in self.dimension],
            "leaks": [finding.to_json() for finding in self.leaks],
            "notes": list(self.notes),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Diagnosis:
        return cls(
            tuple(Finding.from_json(part) for part in data["dimension"]),
            tuple(Finding.from_json(part) for part in data["leaks"]),
            tuple(map(as_note, data["notes"])),
        )


def diagnosis_of(
    features: Table,
    codes: NDArray[np.integer],
    n_classes: int,
    *,
    classes: Sequence[Label] | None = None,
    grouped: bool = False,
    copies: NDArray[np.integer] | None = None,
    time: str | None = None,
) -> Diagnosis:
    """Leak suspects, repeated texts and dimension diagnostics of a table.

    Parameters
    ----------
    features : Table
        All columns but the target.
    codes : array of int, shape (n_rows,)
        The class of each row, 0 to n_classes - 1.
    n_classes : int
    classes : sequence, optional
        The labels, by which notes name the classes; without them classes have numbers.
    grouped : bool
        Whether somebody has said which rows belong together.
    copies : array of int, shape (n_rows,), optional
        Sets of equal rows that stay in one fold, so that there is no warning about their texts.
    time : str, optional
        The column that brings the rows in order.
    """
    codes = np.asarray(codes)
    if len(codes) != features.n_rows:
        raise ValueError(Note("P001", n_codes=len(codes), n_rows=features.n_rows))
    measured = dimension_findings(features, codes, n_classes, classes)
    return Diagnosis(
        dimension=(*sparse_warning(features, measured), *measured),
        leaks=(
            *leaks.leak_suspects(features, codes, n_classes, classes),
            *repeat_findings(features, copies),
            *(() if grouped else group_findings(features, codes, n_classes)),
            *order_findings(features, codes, list(range(n_classes) if classes is None else classes), time),
        ),
        notes=_notes(features, codes),
    )


def _notes(features: Table, codes: NDArray[np.integer]) -> tuple[Note, ...]:
    """What was not examined, and how the rest was."""
    cube = Cube.of(features)
    notes = [Note("P119", columns=cube.d) if cube.d else Note("P118")]
    if cube.d and features.n_rows > MOST_ROWS:
        notes.append(Note("P147", rows=MOST_ROWS))
    if features.n_rows > leaks.MOST_ROWS:
        notes.append(Note("P120", rows=leaks.MOST_ROWS))
    others = len(codes) - int(np.bincount(codes).max(initial=0)) if len(codes) else 0
    if others < leaks.FEWEST_ERRORS:
        notes.append(Note("P121", rows=others))
    return tuple(notes)
