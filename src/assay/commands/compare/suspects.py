"""Leak suspects of a comparison: it runs without them, and then with them on the same folds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from assay.notes.phrases import listed, spell_columns
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
        What the first run leaves out.
    findings : tuple of Finding
        What there is to say about them there.
    notes : tuple of str
    """

    columns: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()


NO_SUSPECTS = Suspects()


def find_suspects(problem: Problem, keep: bool | None) -> Suspects:
    """The columns that `leak_suspects` warns about, unless they are to be kept or nothing would be left.

    Where nobody was asked whether to keep them (None), they are.
    """
    if keep is None:
        return NO_SUSPECTS
    features = problem.features
    suspected = [
        finding
        for finding in leak_suspects(features, problem.codes, problem.n_classes, problem.classes.tolist())
        if finding.warn
    ]
    columns = tuple(name for name in features.schema.names if name in {each.column for each in suspected})
    if keep:
        unneeded = "No column is a leak suspect, so keep_suspects= (--keep-suspects) changes nothing."
        return Suspects(notes=() if columns else (unneeded,))
    if not columns:
        return NO_SUSPECTS
    if not any(usable(column) or column.type == "text" for column in features.without(*columns).schema):
        return Suspects(findings=(_nothing_left(columns),))
    return Suspects(columns, (_left_out(columns), *suspected))


def without_columns(problem: Problem, names: Sequence[str]) -> Problem:
    """The problem of the other columns, in the same rows."""
    return replace(problem, table=problem.table.without(*names), features=problem.features.without(*names))


def _left_out(columns: tuple[str, ...]) -> Finding:
    verb = "is" if len(columns) == 1 else "are"
    return Finding(
        title="Leak suspects, left out",
        observed=None,
        expected=None,
        sentence=f"{spell_columns([repr(name) for name in columns])} {verb} left out, since such columns are often "
        "filled in after the outcome is known; a second comparison on the same folds (with_suspects) has them, and "
        "keep_suspects= (--keep-suspects) makes only that one.",
        warn=True,
    )


def _nothing_left(columns: tuple[str, ...]) -> Finding:
    return Finding(
        title="Nothing but leak suspects",
        observed=None,
        expected=None,
        sentence=f"No column would be left without the leak suspects ({listed([repr(name) for name in columns])}), so "
        "they are kept: the figures hold only if these columns are known before the outcome.",
        warn=True,
    )
