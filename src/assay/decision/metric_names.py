"""The metrics by their names, and the class that those of one class are about."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from assay.decision.confusion_metrics import (
    Accuracy,
    ClassAverage,
    ClassRatio,
    CohenKappa,
    ConfusionMetric,
    Kind,
    MatthewsCorrelation,
)
from assay.decision.function_metric import FunctionMetric
from assay.decision.metrics import (
    DecisionMetric,
    Metric,
    PosteriorMetric,
    RankingMetric,
    ranked_area,
    squared_distances,
)
from assay.notes import Note
from assay.notes.hints import name_hint
from assay.types import Codes, Label, Labels

MetricLike = str | Metric | Callable[..., float]  # what serves as `metric=`

TITLES: dict[Kind, str] = {
    "precision": "precision",
    "recall": "recall",
    "specificity": "specificity",
    "f1": "F1",
}
AVERAGES: dict[str, tuple[str, ConfusionMetric]] = {
    "accuracy": ("accuracy", Accuracy()),
    "balanced_accuracy": ("balanced accuracy", ClassAverage("recall")),
    "mcc": ("MCC", MatthewsCorrelation()),
    "kappa": ("Cohen's kappa", CohenKappa()),
    "precision_macro": ("macro precision", ClassAverage("precision")),
    "recall_macro": ("macro recall", ClassAverage("recall")),
    "f1_macro": ("macro F1", ClassAverage("f1")),
    "precision_weighted": ("weighted precision", ClassAverage("precision", weighted=True)),
    "recall_weighted": ("weighted recall", ClassAverage("recall", weighted=True)),
    "f1_weighted": ("weighted F1", ClassAverage("f1", weighted=True)),
}
ERROR = "error"  # what is minimised unless a metric is named
NAMES = (ERROR, *TITLES, *AVERAGES, "average_precision", "auc", "log_loss", "brier")
INSTEAD: dict[str, str] = {"specificity": "balanced_accuracy"}  # of more than two classes; others: macro


def class_metric(kind: Kind, positive: int) -> Metric:
    """A metric of one class."""
    of = ClassRatio(kind, positive)
    return DecisionMetric(kind, TITLES[kind], positive, of=of)


def metric_named(name: str, positive: int | None) -> Metric:
    """The metric of a name; `positive` is the class of those that are about one.

    >>> metric_named("balanced_accuracy", None).title
    'balanced accuracy'
    """
    for kind in TITLES:
        if name == kind and positive is not None:
            return class_metric(kind, positive)
    if name in AVERAGES:
        title, of = AVERAGES[name]
        return DecisionMetric(name, title, lowest=of.lowest, of=of)
    if name == "average_precision":
        return RankingMetric(name, "average precision", positive)
    if name == "auc":
        return RankingMetric(name, "AUC", of=ranked_area)
    if name == "log_loss":
        return PosteriorMetric(name, "log loss")
    if name == "brier":
        return PosteriorMetric(name, "Brier score", of=squared_distances)
    raise ValueError(Note("L100", name=name, hint=name_hint(name, NAMES)))


def metric_of(metric: MetricLike | None, classes: Labels, positive: int | None) -> Metric | None:
    """The metric that is asked for; None where it is the error rate.

    Parameters
    ----------
    metric : str, callable, FunctionMetric or None
    classes : (K,)
    positive : number of the positive class, where there are two classes or one was named
    """
    if metric is None or metric == ERROR:
        return None
    if isinstance(metric, Metric):
        return metric
    if callable(metric):
        return FunctionMetric(metric)
    if not isinstance(metric, str):
        raise TypeError(Note("L101", metric=metric, names=NAMES))
    if metric in TITLES and positive is None:
        instead = INSTEAD.get(metric, f"{metric}_macro")
        raise ValueError(Note("L102", name=metric, n_classes=len(classes), instead=instead))
    return metric_named(metric, positive)


def positive_class(given: Label | None, codes: Codes, classes: Labels) -> int | None:
    """The number of the positive class: the one that is named, or of two classes the rarer, of equal ones the second.

    None of more than two classes if none is named.

    >>> positive_class(None, np.array([0, 0, 1]), np.array(["fair", "fraud"]))
    1
    """
    if given is not None:
        for code, label in enumerate(classes.tolist()):
            if label == given or str(label) == str(given):
                return code
        hint = name_hint(str(given), [str(label) for label in classes.tolist()])
        raise ValueError(Note("L103", label=given, hint=hint))
    if len(classes) != 2:
        return None
    rows = np.bincount(codes, minlength=2)
    return int(rows[1] <= rows[0])
