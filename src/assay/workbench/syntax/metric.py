"""Metrics as callers give them: which one chooses, of which class, and which ones are shown."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assay.decision import LossMatrix
from assay.decision.function_metric import FunctionMetric
from assay.decision.metric_names import MetricLike, metric_of, positive_class
from assay.decision.metrics import Metric
from assay.notes import Note
from assay.types import Codes, Label, Labels

SCORED = (
    "average_precision",
    "auc",
    "log_loss",
    "brier",
)  # metrics that compare posteriors of several models


@dataclass(frozen=True)
class ChosenMetrics:
    """The metric that candidates are chosen by (None: the loss), the positive class, and the metrics that are shown."""

    metric: Metric | None = None
    positive: int | None = None
    shown: tuple[Metric, ...] = ()


@dataclass(frozen=True)
class MetricRequest:
    """What was asked for.

    Attributes
    ----------
    metric : name, function, FunctionMetric, "module:function" or None
    positive : label of the positive class, or its text
    show : names of further metrics, or one text of them
    """

    metric: MetricLike | None = None
    positive: Label | None = None
    show: str | Sequence[str] = ()

    @property
    def function(self) -> bool:
        """Whether a function of the caller chooses, which has no address."""
        return self.metric is not None and not isinstance(self.metric, str)

    @property
    def needs_posteriors(self) -> bool:
        """Whether the metric compares what models without posteriors do not have."""
        if isinstance(self.metric, str):
            return self.metric in SCORED
        return isinstance(self.metric, Metric) and self.metric.reads != "decisions"

    @property
    def text(self) -> str | None:
        """The metric in a word."""
        if self.metric is None or isinstance(self.metric, str):
            return self.metric
        return self.metric.name if isinstance(self.metric, Metric) else FunctionMetric(self.metric).name

    @property
    def names(self) -> list[str]:
        """The metrics to show."""
        names: Iterable[str] = self.show.split(",") if isinstance(self.show, str) else self.show
        return [name.strip() for name in names if name.strip()]

    def of(self, codes: Codes, classes: Labels, loss: LossMatrix | None) -> ChosenMetrics:
        """The metrics for these rows."""
        positive = positive_class(self.positive, codes, classes)
        metric = self.metric
        if isinstance(metric, str) and ":" in metric:
            metric = function_at(metric)
        chosen = metric_of(metric, classes, positive)
        if chosen is not None and loss is not None:
            raise ValueError(Note("S301"))
        shown = [metric_of(name, classes, positive) for name in self.names]
        return ChosenMetrics(chosen, positive, tuple(dict.fromkeys(filter(None, [chosen, *shown]))))


def function_at(address: str) -> FunctionMetric:
    """The function at "module:function"; modules of this folder are found."""
    module, _, name = address.partition(":")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        function = getattr(importlib.import_module(module), name)
    except Exception as error:  # whatever a user's own module raises
        reason = " ".join(str(error).split())
        raise ValueError(Note("C200", address=address, kind=type(error).__name__, reason=reason)) from None
    return function if isinstance(function, FunctionMetric) else FunctionMetric(function)
