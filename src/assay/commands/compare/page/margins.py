"""Margin, support vectors and C of a support vector machine."""

from __future__ import annotations

from assay.charts.document import Facts, Part
from assay.commands.compare.page.context import PageContext
from assay.notes.numbers import count, number, percent
from assay.notes.phrases import page_plural as plural

LISTED = 20


def margin_parts(s: PageContext) -> list[Part]:
    """What a fitted SVM says about itself; nothing for other models."""
    if s.winner.entry.family != "svm":
        return []
    found = s.model.model_
    machine = getattr(found, "model_", found)  # the margins of a calibrated one
    n_rows = len(s.problem.codes)
    support = len(machine.support_)
    shown = f"{count(support)} of {plural(n_rows, 'row')} ({percent(support / n_rows)})"
    penalty = f"{number(machine.C_)}, with l2 = {number(1.0 / (machine.C_ * _rows(s)))}"
    return [Facts((*_margins(s, machine), ("Support vectors", shown), ("C = 1 / (l2 N)", penalty)))]


def _rows(s: PageContext) -> float:
    """N: the number of rows, or the sum of their weights."""
    return float(len(s.problem.codes) if s.problem.weight is None else s.problem.weight.sum())


def _margins(s: PageContext, machine: object) -> list[tuple[str, str]]:
    """The distance from each boundary to f = 1, on the columns that the model sees; a kernel's space has none here."""
    margins = getattr(machine, "margin_", None)
    if margins is None:
        return []
    if len(margins) == 1:
        return [("Margin 1 / |a|, on scaled columns", number(float(margins[0])))]
    pairs = zip(s.class_names, margins.tolist(), strict=True)
    return [(f"Margin of {name} against the rest", number(margin)) for name, margin in list(pairs)[:LISTED]]
