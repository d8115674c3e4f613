"""Losses of settings by a metric: pooled over the tested rows of folds, with the jackknife's standard error.

What is minimised is what the metric lacks of its best value. Inside a training set the rows of all inner folds make one
value. Leaving out one fold after the other gives m values t, and the standard error sqrt((m - 1) / m Σ (t - mean t)²).
Where rows are tested in several repeats, values and standard errors are the means over repeats.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from assay.decision.metrics import LabelledScores, Metric
from assay.notes import Note
from assay.selection.prior_shift import row_weights
from assay.selection.scored_pairs import ScoredPairs
from assay.sharing.metric_reductions import Confusions, EveryScore
from assay.sharing.part import Part, predicted_of, with_priors
from assay.sharing.reductions import Parts
from assay.sharing.study import Study
from assay.types import Array, Codes, Index, Mask

ROUNDING = 1e-12  # part of all weight that is nothing


class MetricLosses(NamedTuple):
    """Losses of S settings on G groups of tests, their standard errors, and how many values were not defined."""

    losses: Array  # (S, G)
    standard_errors: Array
    undefined: int


def jackknife(values: Array) -> Array:
    """Standard errors (...) of values without each of m folds, (..., m); those that are not defined are left out.

    >>> float(jackknife(np.array([1.0, 2.0, 3.0])).round(4))
    1.1547
    """
    known = np.isfinite(values)
    count = known.sum(axis=-1)
    filled = np.where(known, values, 0.0)
    mean = filled.sum(axis=-1) / np.maximum(count, 1)
    squares = (np.where(known, values - mean[..., None], 0.0) ** 2).sum(axis=-1)
    return np.where(count > 1, np.sqrt(squares * (count - 1) / np.maximum(count, 1)), np.nan)


@dataclass(frozen=True, eq=False)
class MetricChoice:
    """How settings are compared by a metric.

    Attributes
    ----------
    metric : Metric
    study : Study
    settings : int
    group : (T,)
        Group of each test, 0 and up; -1: left out.
    priors : (K,), optional
        Class probabilities to decide under, and to weigh rows by.
    precise : groups whose standard errors are wanted
    """

    metric: Metric
    study: Study
    settings: int
    group: Codes
    priors: Array | None
    precise: Callable[[int], bool] = bool

    @property
    def reduction(self) -> Confusions | EveryScore:
        """What to keep of the scores."""
        data, splits = self.study.dataset, self.study.splits
        if self.metric.confusion is None:
            return EveryScore()
        return Confusions(self.settings, splits.n_tests, data.n_classes, self.priors)

    def losses(self, kept: Array | Parts) -> MetricLosses:
        """From what the reduction kept."""
        n_groups = int(self.group.max()) + 1
        values, errors = np.zeros((2, self.settings, n_groups))
        undefined = 0
        for g in range(n_groups):
            by_layer = [self._pooled(kept, tests, self.precise(g)) for tests in self._layers(g)]
            value, error = (np.mean([pair[i] for pair in by_layer], axis=0) for i in (0, 1))
            undefined += int(np.isnan(value).sum())
            values[:, g], errors[:, g] = value, error
        losses = self.metric.best - values if self.metric.larger_is_better else values
        return MetricLosses(np.where(np.isnan(losses), self.metric.worst_loss, losses), errors, undefined)

    def notes(self, found: MetricLosses) -> tuple[Note, ...]:
        """That values were not defined, where some were not."""
        if not found.undefined:
            return ()
        return (Note("S300", metric=self.metric.title, undefined=found.undefined, of=found.losses.size),)

    def _layers(self, group: int) -> list[Index]:
        """The tests of a group: all together, or by layer where they test rows repeatedly."""
        splits, tests = self.study.splits, np.flatnonzero(self.group == group)
        layer = splits.layer[splits.model[tests]]
        if len(np.unique(layer)) > 1:
            rows = np.concatenate([splits.test_rows(int(t)) for t in tests])
            if len(np.unique(rows)) == len(rows):
                return [tests]
        return [tests[layer == which] for which in np.unique(layer)]

    def _pooled(self, kept: Array | Parts, tests: Index, precise: bool) -> tuple[Array, Array]:
        """The values of all settings on some tests together, and their standard errors."""
        if not isinstance(kept, dict):
            return self._of_counts(kept[:, tests], precise)
        both = [self._of_parts(kept[s], tests, precise) for s in range(self.settings)]
        values, errors = np.array(both).T
        return values, errors

    def _of_counts(self, counts: Array, precise: bool) -> tuple[Array, Array]:
        """Of confusion matrices (S, tests, K, K)."""
        confusion = self.metric.confusion
        assert confusion is not None
        if self.priors is not None:
            rows = counts.sum(axis=(1, 3))
            ratio = np.divide(self.priors, rows, out=np.zeros(rows.shape), where=rows > 0)
            counts = counts * ratio[:, None, :, None]
        total = counts.sum(axis=1)
        values = confusion.values(total)
        if not precise:
            return values, np.full(len(values), np.nan)
        left = total[:, None] - counts
        left[left < ROUNDING * total.sum(axis=(1, 2))[:, None, None, None]] = 0.0
        return values, jackknife(confusion.values(left))

    def _of_parts(self, parts: Sequence[Part], tests: Index, precise: bool) -> tuple[float, float]:
        """Of the scores of one setting."""
        part = Part.joined(parts)
        part = part.take(np.isin(part.test, tests))
        rows = labelled_scores(part, self.metric, self.priors, self.study)
        return pooled(self.metric, rows, part.test, precise)


def labelled_scores(part: Part, metric: Metric, priors: Array | None, study: Study) -> LabelledScores:
    """The pairs of a part as a metric reads them."""
    data = study.dataset
    if metric.reads == "posterior" and not part.posterior:
        raise ValueError(Note("S123", what=f"The metric {metric.name}", name="a model of margins"))
    scores, weight = part.scores, part.weight
    if priors is not None:
        scores = with_priors(scores, part.test, part.priors, priors) if part.posterior else scores
        weight = row_weights(part.codes, weight, priors, slice(None))
    changed = priors is not None and part.posterior
    predicted = scores.argmax(axis=1).astype(np.int32) if changed else predicted_of(part)
    return LabelledScores(part.codes, predicted, scores, part.posterior, weight, data.classes)


def pooled(metric: Metric, rows: LabelledScores, fold: Codes, precise: bool = True) -> tuple[float, float]:
    """The metric of all rows, and its standard error by leaving out one fold after the other."""
    value = metric.value(rows)
    folds = np.unique(fold) if precise else ()
    left = [_without(metric, rows, fold == f) for f in folds]
    return value, float(jackknife(np.array(left))) if len(left) > 1 else float("nan")


def metric_by_folds(evaluation: ScoredPairs, study: Study) -> tuple[float, float]:
    """The loss of an evaluation by its metric, as `MetricChoice` has it, and its standard error."""
    metric, splits = evaluation.metric, study.splits
    assert metric is not None
    if metric.reads == "posterior":
        evaluation.log_posterior  # noqa: B018 (a model of margins has none, and says so)
    layer = splits.layer[splits.model[splits.outer]][evaluation.split]
    if len(np.unique(evaluation.rows)) == len(evaluation.rows):
        layer = np.zeros_like(layer)
    scores, predicted, weight = evaluation.scores, evaluation.predicted_codes, evaluation.row_weight
    by_layer = []
    for which in np.unique(layer):
        pairs = np.flatnonzero(layer == which)
        rows = LabelledScores(
            evaluation.truth_codes[pairs],
            predicted[pairs],
            scores[pairs],
            evaluation.probabilistic,
            None if weight is None else weight[evaluation.rows[pairs]],
            evaluation.classes,
        )
        by_layer.append(pooled(metric, rows, evaluation.split[pairs]))
    value, error = np.mean(by_layer, axis=0).tolist()
    return metric.loss(value), error


def _without(metric: Metric, rows: LabelledScores, out: Mask) -> float:
    return metric.value(rows.take(~out))
