"""A rare class in the verdict: an error rate below its share says little about it."""

from __future__ import annotations

import numpy as np

from assay.commands.compare.result import ComparisonResult
from assay.decision.metric_names import class_metric
from assay.notes import Note
from assay.notes.names import spell_name
from assay.selection.metric_rows import estimate_of
from assay.workbench.experiment.procedure import BASELINE

RARE = 0.1  # share of the rows from which on a class is not rare
MOST_MISSED = 0.5  # share of its rows beyond which a verdict warns
COST = 10  # of the suggested loss


def rare_class(result: ComparisonResult) -> int | None:
    """The class whose rows may be missed: the positive one if it is rare, else the rarest of more than two."""
    rows = np.bincount(result.bench.problem.codes, result.bench.problem.weight, len(result.classes))
    shares = rows / rows.sum() if result.priors is None else result.priors
    positive = result.bench.metrics.positive
    code = int(shares.argmin()) if positive is None else positive
    return code if shares[code] < RARE else None


def rare_class_notes(result: ComparisonResult) -> list[Note]:
    """Precision and recall of the rare class in the nested estimate, and what to do where most of it is missed."""
    code = rare_class(result)
    if code is None or result.best_name == BASELINE:
        return []
    recall, precision = (
        estimate_of(result.nested, class_metric(kind, code)) for kind in ("recall", "precision")
    )
    labels = result.classes.tolist()
    rows = int((result.bench.problem.codes == code).sum())
    values = {
        "label": labels[code],
        "rows": rows,
        "recall": recall.value,
        "recall_interval": tuple(recall.interval),
        "precision": precision.value,
        "precision_interval": tuple(precision.interval),
    }
    if result.loss is not None or result.metric is not None or recall.value >= 1.0 - MOST_MISSED:
        return [] if np.isnan(precision.value) else [Note("C222", values=values)]
    other = next(label for k, label in enumerate(labels) if k != code)
    several = len(labels) > 2
    costs = f"{spell_name(str(labels[code]))}:{'*' if several else spell_name(str(other))}={COST}"
    advice = {
        "title": result.results[result.best_name].title,
        "costs": costs,
        "metric": "f1_macro" if several else "f1",
    }
    if recall.value == 0.0:
        return [Note("C221", label=labels[code], rows=rows, values=advice)]
    return [Note("C220", values={**values, **advice}, missed=1.0 - recall.value)]
