"""Posteriors and a loss to actions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from assay.data.write.rows import Block
from assay.decision import Decision, decide
from assay.notes import Note
from assay.workbench.posterior_columns import ACTION, posterior_columns
from assay.workbench.syntax.loss import parse_loss, parse_priors


def decide_source(
    source: Any, loss: Any = None, priors: Any = None, trained_priors: Any = None, *, query: str | None = None
) -> Decision:
    """The action of least expected loss for every row of a table of posteriors.

    Parameters
    ----------
    source : anything `assay.read` takes
        One column per class, named after it or ``P(class)``; in the latter case other columns are ignored.
    loss, priors, trained_priors
        As `parse_loss` and `parse_priors` take them; new priors need those of training.
    """
    from assay.data import read, scan

    columns = posterior_columns(scan(source, query=query).schema.names)
    if len(columns) < 2:
        raise ValueError(Note("C031"))
    # Columns that look like categories (only 0 and 1) or constants are numbers here.
    table = read(source, types=dict.fromkeys(columns.values(), "numeric"), query=query)
    posterior = np.column_stack([np.asarray(table[name], dtype=np.float64) for name in columns.values()])
    for i, k in np.argwhere(np.isnan(posterior))[:1]:
        raise ValueError(Note("C032", row=int(i) + 1, column=list(columns.values())[k]))
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


def decided_rows(decision: Decision, size: int = 65536) -> Iterator[Block]:
    """Action and expected loss of each row, in blocks."""
    actions = [decision.loss.actions[code] for code in decision.action_codes.tolist()]
    risk = decision.risk.tolist()
    for start in range(0, max(1, len(actions)), size):
        yield {ACTION: actions[start : start + size], "risk": risk[start : start + size]}


def summary(decision: Decision) -> dict[str, Any]:
    """How often each action was chosen, how many rows were rejected, and the mean expected loss."""
    counts = np.bincount(decision.action_codes, minlength=len(decision.loss.actions)).tolist()
    return {
        "rows": len(decision.action_codes),
        "actions": dict(zip(map(str, decision.loss.actions), counts, strict=True)),
        "rejected": decision.n_rejected,
        "mean_risk": float(decision.risk.mean()),
    }
