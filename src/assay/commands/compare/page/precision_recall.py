"""Section: precision and recall of the positive class, at the decisions and at any threshold."""

from __future__ import annotations

from assay.charts.document import Figure, Panel, Paragraph, Section, data_table
from assay.charts.precision_recall import precision_recall_chart
from assay.commands.compare.page.context import PageContext
from assay.commands.compare.rare_class import rare_class
from assay.decision.metric_names import TITLES, class_metric
from assay.notes.numbers import LEVEL, number, number_range, percent
from assay.notes.phrases import shorten
from assay.selection.curves import precision_recall_curves
from assay.selection.metric_rows import estimate_of


def precision_recall_section(s: PageContext) -> Section | None:
    """The curve of the winner, and its metrics per class."""
    metrics = s.comparison.bench.metrics
    positive = rare_class(s.comparison) if metrics.positive is None else metrics.positive
    codes = s.coloured if positive is None else [positive]
    curves = precision_recall_curves(s.evaluation, codes)
    if not curves:
        return None
    names = [s.short_classes[curve.code] for curve in curves]
    first = curves[0]
    if len(curves) == 1:
        name = shorten(s.class_names[first.code], 40)
        text = (
            f"Among the rows that score highest for {name}, how many are of it (precision), and which share of all its "
            f"rows they are (recall). Average precision {first.average:.3f}; a model that ranks nothing has "
            f"{percent(first.share)}, the dashed line."
        )
    else:
        text = "One class against the rest: precision among the rows that score highest, against recall."
    rows = []
    for curve in curves:
        estimates = [estimate_of(s.evaluation, class_metric(kind, curve.code)) for kind in TITLES]
        cells = [f"{number(value)} ({number_range(interval)})" for value, _, interval in estimates]
        rows.append((s.class_names[curve.code], *cells, f"{curve.average:.3f}"))
    heads = ("class", *(f"{title} ({LEVEL} CI)" for title in TITLES.values()), "average precision")
    figure = Figure(
        "precision-recall",
        (Panel(precision_recall_chart(curves, names), shape="square"),),
        f"Precision-recall curve of {s.titles[s.best]}. {text}",
        "Towards the upper right is better.",
        data_table("Precision and recall of the predicted classes", heads, rows, range(1, len(heads))),
    )
    return Section("precision-recall", "Precision and recall", "Precision-recall", (Paragraph(text), figure))
