"""Leakage suspects of a comparison: it runs without them, and then with them on the same folds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from assay.notes import Note
from assay.workbench.diagnosis.dimensionality import usable
from assay.workbench.diagnosis.findings import Finding
from assay.workbench.diagnosis.leakage import leak_suspects
from assay.workbench.problem import Problem


@dataclass(frozen=True)
class Suspects:
    """Columns that look as if they were filled in after the outcome was known.

    Attributes
    ----------
    columns : tuple of str
        Those that the first run excludes.
    findings : tuple of Finding
        The warnings about them.
    notes : tuple of str
    """

    columns: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()


NO_SUSPECTS = Suspects()


def find_suspects(problem: Problem, keep: bool | None) -> Suspects:
    """The columns that `leak_suspects` warns about, unless `keep` is set or no usable column would be left.

    With `keep` None they are kept, and nothing is said.
    """
    if keep is None:
        return NO_SUSPECTS
    features = problem.features
    suspected = [
        finding
        for finding in leak_suspects(features, problem.codes, problem.n_classes, problem.classes.tolist())
        if finding.warn
    ]
    columns = tuple(
        name for name in features.schema.names if name in {finding.column for finding in suspected}
    )
    if keep:
        return Suspects(notes=() if columns else (Note("C172"),))
    if not columns:
        return NO_SUSPECTS
    if not any(usable(column) or column.type == "text" for column in features.without(*columns).schema):
        return Suspects(findings=(_warning("Only leakage suspects", "C171", columns),))
    return Suspects(columns, (_warning("Possible leakage, excluded", "C170", columns), *suspected))


def without_columns(problem: Problem, names: Sequence[str]) -> Problem:
    """The problem of the other columns, in the same rows."""
    return replace(problem, table=problem.table.without(*names), features=problem.features.without(*names))


def _warning(title: str, code: str, columns: tuple[str, ...]) -> Finding:
    note = Note(code, columns=tuple(repr(name) for name in columns))
    return Finding(title=title, observed=None, expected=None, sentence=note, warn=True)
