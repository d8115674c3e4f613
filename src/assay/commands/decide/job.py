"""Posteriors and a loss to actions."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike

import numpy as np

from assay.data.write.rows import Block
from assay.decision import Decision, LossLike, decide
from assay.notes import Note, note_of
from assay.types import Array
from assay.workbench.posterior_columns import ACTION, posterior_columns
from assay.workbench.syntax.loss import ClassPriors, parse_loss, parse_priors

ROUNDING = 1e-6  # of probabilities in files
NO_NUMBER = ("D235", "D701")  # a column read as numbers has a value that is not one


def decide_source(
    source: object,
    loss: LossLike | PathLike[str] = None,
    priors: ClassPriors = None,
    trained_priors: ClassPriors = None,
    *,
    query: str | None = None,
) -> Decision:
    """The action of least expected loss for every row of a table of posteriors.

    Parameters
    ----------
    source : anything `assay.read` takes
        One column per class, named after it or ``P(class)``; in the latter case other columns are ignored.
    loss, priors, trained_priors
        As `parse_loss` and `parse_priors` take them; new priors need those of training.
    """
    from assay.data import scan

    scanned = scan(source, query=query)
    columns = posterior_columns(scanned.schema.names)
    if len(columns) < 2:
        raise ValueError(Note("C031"))
    posterior = _posterior(source, columns, query, scanned.stream.name)
    classes = np.array(list(columns))
    if priors is not None and trained_priors is None:
        raise ValueError(Note("C033"))
    return decide(
        posterior,
        parse_loss(loss, classes),
        parse_priors(priors, classes),
        classes=classes,
        trained_priors=parse_priors(trained_priors, classes, "trained priors"),
    )


def _posterior(source: object, columns: dict[str, str], query: str | None, title: str) -> Array:
    """The posteriors (N, K) in these columns, by class; a table of something else is recognised as such."""
    from assay.data import read

    names = list(columns.values())
    named = list(columns) != names  # P(class), so that other columns are none of ours
    try:
        # Columns that look like categories (only 0 and 1) or constants are numbers here.
        table = read(source, types=dict.fromkeys(names, "numeric"), query=query)
    except ValueError as error:
        note = note_of(error)
        if note is None or note.code not in NO_NUMBER:
            raise
        where = {name: note.values[name] for name in ("place", "source", "value")}
        raise ValueError(Note("C065" if named else "C064", column=note.subject, values=where)) from None
    posterior = np.column_stack([np.asarray(table[name], dtype=np.float64) for name in names])
    for i, k in np.argwhere((posterior < 0) | (posterior > 1 + ROUNDING))[:1]:
        if not named:
            cell = {"place": f"row {i + 1}", "value": float(posterior[i, k])}
            raise ValueError(Note("C064", source=title, column=names[k], values=cell))
    for i, k in np.argwhere(np.isnan(posterior))[:1]:
        raise ValueError(Note("C032", row=int(i) + 1, column=names[k]))
    return posterior


def decided_rows(decision: Decision, size: int = 65536) -> Iterator[Block]:
    """Action and expected loss of each row, in blocks."""
    actions = [decision.loss.actions[code] for code in decision.action_codes.tolist()]
    risk = decision.risk.tolist()
    for start in range(0, max(1, len(actions)), size):
        yield {ACTION: actions[start : start + size], "risk": risk[start : start + size]}


def summary(decision: Decision) -> dict[str, object]:
    """How often each action was chosen, how many rows were rejected, and the mean expected loss."""
    counts = np.bincount(decision.action_codes, minlength=len(decision.loss.actions)).tolist()
    return {
        "rows": len(decision.action_codes),
        "actions": dict(zip(map(str, decision.loss.actions), counts, strict=True)),
        "rejected": decision.n_rejected,
        "mean_risk": float(decision.risk.mean()),
    }
