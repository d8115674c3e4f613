"""A metric that a function of the user's own computes from true classes and predictions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from assay.decision.metrics import LabelledScores, Metric, Reads
from assay.notes import Note
from assay.types import Array, Codes, Index, Labels

GROUPS = 100  # of rows, each of which is left out once for the standard error


@dataclass(frozen=True, init=False)
class FunctionMetric(Metric):
    """A function as a metric to choose by: ``function(y_true, predicted)`` or ``function(y_true, posterior)``.

    Labels are those of the data. Where rows have weights, or `priors` re-weigh them, the function is also given
    ``sample_weight=``, as the metrics of scikit-learn take it. It must return a finite number.

    Parameters
    ----------
    function : callable
    of : "predicted" or "posterior"
        The second argument: labels (N,), or probabilities (N, K) with one column per class, in sorted order.
    larger_is_better : bool
    name : str, optional
        What tables call it; the name of the function by default.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from assay import FunctionMetric, GaussianClassifier, tune
    >>> def worst_recall(y_true, predicted):
    ...     return min((predicted[y_true == label] == label).mean() for label in set(y_true))
    >>> result = tune(
    ...     GaussianClassifier(), *load_iris(return_X_y=True), metric=FunctionMetric(worst_recall),
    ...     covariance=["spherical", "shared"],
    ... )
    >>> result.setting
    {'covariance': 'shared'}
    """

    function: Callable[..., float] = float
    by_groups: ClassVar[bool] = True

    def __init__(
        self,
        function: Callable[..., float],
        of: Literal["predicted", "posterior"] = "predicted",
        *,
        larger_is_better: bool = True,
        name: str | None = None,
    ) -> None:
        if of not in ("predicted", "posterior"):
            raise ValueError(Note("L106", of=of))
        called = name or str(getattr(function, "__name__", type(function).__name__))
        values = {"name": called, "title": called, "positive": None, "lowest": None, "function": function}
        reads: Reads = "decisions" if of == "predicted" else "posterior"
        for field, value in {**values, "larger_is_better": larger_is_better, "reads": reads}.items():
            object.__setattr__(self, field, value)

    def value(self, rows: LabelledScores) -> float:
        truth = rows.classes[rows.codes]
        second: Labels | Array = (
            np.exp(rows.scores) if self.reads == "posterior" else rows.classes[rows.predicted]
        )
        weight = {} if rows.weight is None else {"sample_weight": rows.weight}
        try:
            value = self.function(truth, second, **weight)
        except Exception as error:  # whatever a user's own function raises
            reason = " ".join(str(error).split())
            raise ValueError(Note("L104", name=self.name, kind=type(error).__name__, reason=reason)) from None
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = float("nan")
        if not np.isfinite(number):
            raise ValueError(Note("L105", name=self.name, value=value, rows=len(truth)))
        return number

    def influence(self, rows: LabelledScores, groups: Codes | None = None) -> Array:
        """By the jackknife, which leaves out one group of rows after the other."""
        if groups is None:
            groups = jackknife_groups(np.arange(len(rows.codes)))
        count = int(groups.max()) + 1
        whole = self.value(rows)
        left = np.array([self.value(rows.take(groups != group)) for group in range(count)])
        change = (count - 1) * (whole - left)
        return np.asarray((change - change.mean())[groups])


def jackknife_groups(order: Index, units: Codes | None = None) -> Codes:
    """At most GROUPS groups of rows, which are neighbours in an order (N,) of the rows; units stay together.

    >>> jackknife_groups(np.array([2, 0, 1]), np.array([5, 7, 7]))
    array([1, 0, 0], dtype=int32)
    """
    names = np.arange(len(order)) if units is None else units
    _, first, member = np.unique(names[order], return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))  # of the units, by where they are met first
    groups = np.empty(len(order), dtype=np.int32)
    groups[order] = (rank * min(GROUPS, len(first)) // len(first))[member]
    return groups
