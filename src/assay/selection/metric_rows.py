"""The tested rows of an evaluation as metrics read them, and the metrics of an evaluation with their intervals.

Decisions and posteriors are those of the tested pairs, the tests of a row in equal parts; where a row was tested
several times, its tests depend on each other and the row is the unit. Metrics of scores rank the mean score of each
row, as AUC does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import NamedTuple

import numpy as np

from assay.decision import t_interval
from assay.decision.intervals import Estimate, Interval
from assay.decision.metric_interval import metric_estimate
from assay.decision.metric_names import AVERAGES, TITLES, class_metric, metric_named
from assay.decision.metric_table import MetricRow, MetricTable
from assay.decision.metrics import LabelledScores, Metric, one_vs_rest_log_odds
from assay.selection.scored_pairs import ScoredPairs
from assay.types import Array, Codes

Intervals = Callable[
    [str, float], Interval
]  # of metrics that an evaluation has of its own, by name and level

MOST_CLASSES = 30  # whose own metrics are listed


class MetricRows(NamedTuple):
    """What a metric reads, and which of these rows depend on each other."""

    rows: LabelledScores
    groups: Codes | None


def metric_rows(evaluation: ScoredPairs, metric: Metric) -> MetricRows:
    """The rows for a metric: of scores one per tested row, of anything else one per tested pair."""
    if metric.reads == "scores":
        return _row_scores(evaluation)
    if metric.reads == "posterior":
        evaluation.log_posterior  # noqa: B018 (a model of margins has none, and says so)
    groups = evaluation.row_units(metric)
    once = evaluation.tested.rows is None
    if groups is None and not once:
        groups = np.arange(len(evaluation.codes), dtype=np.int32)
    rows = LabelledScores(
        evaluation.truth_codes,
        evaluation.predicted_codes,
        evaluation.scores,
        evaluation.probabilistic,
        evaluation.pair_share,
        evaluation.classes,
    )
    return MetricRows(rows, groups if groups is None or once else groups[evaluation.rows])


def _row_scores(evaluation: ScoredPairs) -> MetricRows:
    probabilistic = evaluation.probabilistic
    scores = one_vs_rest_log_odds(evaluation.log_posterior) if probabilistic else evaluation.scores
    if probabilistic and evaluation.tested.uninformative:
        # A fold that lacks a class has more of it to test: it would be ranked backwards.
        scores = np.zeros_like(scores)
    columns = [evaluation.row_means(column) for column in scores.T]
    means, weight = np.stack([column[0] for column in columns], axis=1), columns[0][1]
    tested = (
        evaluation.codes if evaluation.tested.rows is None else evaluation.codes[np.unique(evaluation.rows)]
    )
    rows = LabelledScores(tested, tested, means, False, weight, evaluation.classes)
    return MetricRows(rows, evaluation.row_groups)


def estimate_of(evaluation: ScoredPairs, metric: Metric, level: float = 0.95) -> Estimate:
    """A metric of an evaluation."""
    rows, groups = metric_rows(evaluation, metric)
    return metric_estimate(metric, rows, groups, level, evaluation.variance_factor())


def metric_loss(evaluation: ScoredPairs, metric: Metric) -> float:
    """What the metric lacks of its best value; of a metric that is not defined, that of its worst."""
    value = metric.value(metric_rows(evaluation, metric).rows)
    return metric.worst_loss if np.isnan(value) else metric.loss(value)


def loss_interval(evaluation: ScoredPairs, metric: Metric, level: float) -> Interval:
    """The interval of the metric as one of what it lacks of its best value."""
    ends = estimate_of(evaluation, metric, level).interval
    low, high = sorted(metric.loss(end) for end in ends)
    return Interval(low, high)


def linearised_losses(evaluation: ScoredPairs, metric: Metric) -> Array:
    """A loss of each pair, whose mean is what the metric lacks of its best value: what rows add to it, linearised.

    A paired test of two such losses is one of the difference of the metrics.
    """
    rows, groups = metric_rows(evaluation, metric)
    added = metric.influence(rows, groups)
    losses = metric_loss(evaluation, metric) + (-added if metric.larger_is_better else added)
    if metric.reads != "scores" or evaluation.tested.rows is None:
        return np.asarray(losses)
    place = np.searchsorted(np.unique(evaluation.rows), evaluation.rows)
    return np.asarray(losses[place])


def metric_table(
    evaluation: ScoredPairs, positive: int | None, level: float, intervals: Intervals
) -> MetricTable:
    """Every metric that the model and the rows have; `intervals` are those that the evaluation has anyway."""
    lines = (
        *_decisions(evaluation, positive, level, intervals),
        *_scores(evaluation, positive, level, intervals),
    )
    return MetricTable(lines)


def _decisions(
    evaluation: ScoredPairs, positive: int | None, level: float, intervals: Intervals
) -> Iterator[MetricRow]:
    """Metrics of predicted classes."""
    wrong, weight = evaluation.per_row(evaluation.wrong)
    error = t_interval(wrong, weight, level, evaluation.row_groups)
    estimate = error._replace(value=1.0 - estimate_of(evaluation, metric_named("accuracy", None)).value)
    yield MetricRow.from_estimate(
        "error", "error", None, estimate._replace(interval=intervals("error", level))
    )
    labels = evaluation.classes.tolist()
    codes = range(len(labels)) if positive is None else [positive]
    for kind, title in TITLES.items():
        for k in codes if len(codes) <= MOST_CLASSES else ():
            estimate = estimate_of(evaluation, class_metric(kind, k), level)
            yield MetricRow.from_estimate(kind, title, labels[k], estimate)
    for name in AVERAGES:
        metric = metric_named(name, None)
        yield MetricRow.from_estimate(name, metric.title, None, estimate_of(evaluation, metric, level))


def _scores(
    evaluation: ScoredPairs, positive: int | None, level: float, intervals: Intervals
) -> Iterator[MetricRow]:
    """Metrics of scores and posteriors."""
    ranking = metric_named("average_precision", positive)
    of = None if positive is None else evaluation.classes.tolist()[positive]
    yield MetricRow.from_estimate(ranking.name, ranking.title, of, estimate_of(evaluation, ranking, level))
    for name in ("auc", "log_loss", "brier") if evaluation.probabilistic else ("auc",):
        metric = metric_named(name, None)
        estimate = estimate_of(evaluation, metric, level)
        with suppress(ValueError):  # of the area, where a class has one row
            estimate = estimate._replace(interval=intervals(name, level))
        yield MetricRow.from_estimate(name, metric.title, None, estimate)
