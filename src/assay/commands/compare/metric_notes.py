"""What the verdict says where a metric is chosen by, in place of error rates and costs."""

from __future__ import annotations

from assay.commands.compare.result import ComparisonResult
from assay.decision.metrics import Metric
from assay.notes import Note
from assay.selection.evaluation import Evaluation
from assay.selection.metric_rows import estimate_of

# Codes of sentences about error rates, and those that say the same of a metric.
OF_METRIC = {
    "C101": "C204",
    "C103": "C205",
    "C106": "C206",
    "C108": "C207",
    "C110": "C208",
    "C112": "C209",
    "C122": "C210",
    "C133": "C213",
    "C135": "C214",
    "C137": "C215",
    "C139": "C216",
}


def metric_note(
    result: ComparisonResult, metric: Metric, code: str, evaluation: Evaluation, **values: object
) -> Note:
    """The sentence about the metric that says what that of a code says about the error rate.

    Losses among the values, which are what the metric lacks of its best value, are given as values of the metric.
    """
    estimate = estimate_of(evaluation, metric)
    for name in ("baseline", "best"):
        if name in values:
            values[name] = metric.loss(float(str(values[name])))
    if "interval" in values:
        values["interval"] = tuple(estimate.interval)
    return Note(OF_METRIC[code], values=values, metric=metric_name(result, metric), value=estimate.value)


def metric_name(result: ComparisonResult, metric: Metric) -> str:
    """The metric, with the class that it is about."""
    return (
        metric.title
        if metric.positive is None
        else f"{metric.title} of {str(result.classes[metric.positive])!r}"
    )
