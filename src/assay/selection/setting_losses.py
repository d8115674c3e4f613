"""Losses of settings on the tests of a plan and inside its training sets, from one reduction of their scores.

Inside a training set every row is tested once, so that sums of w, w l, w², w² l and w² l² over its tests give the mean
loss and its standard error. The same holds for the tests of a plan of one layer. Where rows are tested repeatedly, the
losses of each row are averaged first: rows stay the unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from assay.decision import LossMatrix, effective_size, t_interval
from assay.decision.metrics import Metric
from assay.notes import Note
from assay.selection.metric_losses import MetricChoice
from assay.selection.pair_rows import RowsInPairs
from assay.selection.prior_shift import row_weights
from assay.sharing.dispatch import Dispatched
from assay.sharing.reductions import Losses, LossesAnd, Parts, RowLosses, Several, SomeParts
from assay.sharing.row_figures import Kept
from assay.sharing.splits import ROOT, FoldPairs
from assay.sharing.study import Study
from assay.types import Array, Codes, Index, Mask

ROOM = 16  # part of the memory in which scores may wait until it is known which setting is chosen


class PairSums(NamedTuple):
    """What tests by models that were trained without two folds gave.

    rows : which tests these are, and of which rows
    sums : (S, T, K, 5) of each of all tests, as `Losses` has them; 0 for those of the plan
    stored : losses of these rows, of settings whose scores were made and stored
    """

    rows: RowsInPairs
    sums: Array
    stored: Kept


class SettingLosses(NamedTuple):
    """Of S settings under F splits.

    losses, standard_errors, errors : (S,) on the splits
    inner, inner_errors : (F, S) mean losses inside each training set and their standard errors
    parts : scores of the splits, of settings whose scores were made and stored
    pairs : of tests inside that leave out pairs of folds; None where the inner folds are others
    notes : difficulties of the metric that is chosen by
    """

    losses: Array
    standard_errors: Array
    errors: Array
    inner: Array
    inner_errors: Array
    parts: Parts
    pairs: PairSums | None = None
    notes: tuple[Note, ...] = ()


def setting_losses(
    solved: Dispatched,
    deep: Study,
    settings: int,
    loss: LossMatrix | None,
    priors: Array | None,
    choice: MetricChoice | None = None,
) -> SettingLosses:
    """Losses of all settings; scores of the plan's tests are stored as far as memory allows.

    choice : what the losses are of, in place of the loss matrix
    """
    classes, splits = deep.dataset.n_classes, deep.splits
    outer, repeated = splits.parent == ROOT, splits.n_layers > 1
    pair_rows = None if choice is not None else RowsInPairs.of(deep, loss, priors)
    rows = RowMeans(deep, splits.outer, splits.mean_of_splits, priors)
    number = np.cumsum(~outer) if pair_rows is not None else _split_numbers(deep)
    group = np.where(outer, -1 if repeated else 0, number).astype(np.int32)
    others: list[Any] = [SomeParts(outer & _have_room(deep, settings))]
    if pair_rows is not None and pair_rows.nbytes * settings <= deep.dataset.engine.memory // ROOM:
        others.append(pair_rows.wanted)
    reductions: list[Any] = [LossesAnd(settings, classes, group, loss, priors, tuple(others))]
    rows_kept = rows.reductions(settings, loss) if repeated else []
    if repeated:
        reductions += rows_kept
    elif loss is not None:
        mistakes = np.where(outer, 0, -1).astype(np.int32)
        reductions.append(Losses(settings, classes, mistakes, None, priors))
    if choice is not None:
        reductions.append(choice.reduction)
    # Alone, a reduction may be served without scores.
    results = (
        [solved.reduce(reductions[0])] if len(reductions) == 1 else solved.reduce(Several(tuple(reductions)))
    )
    sums, (parts, *kept) = results[0]
    of_tests = np.concatenate([np.zeros_like(sums[:, :1]), sums[:, 1:]], axis=1)[:, np.where(outer, 0, group)]
    of_splits = sums[:, 1:] if pair_rows is None else _by_split(of_tests, pair_rows.folds)
    inner, inner_errors = mean_losses(of_splits, priors)
    if repeated:
        losses, standard_errors, errors = rows.figures(results[1 : 1 + len(rows_kept)])
    else:
        losses, standard_errors = (values[:, 0] for values in mean_losses(sums[:, :1], priors))
        errors = losses if loss is None else mean_losses(results[1], priors)[0][:, 0]
    pairs = None if pair_rows is None else PairSums(pair_rows, of_tests, kept[0] if kept else {})
    figures = SettingLosses(losses, standard_errors, errors, inner.T, inner_errors.T, parts, pairs)
    return figures if choice is None else _by_metric(figures, choice, results[-1])


def _by_metric(figures: SettingLosses, choice: MetricChoice, kept: Array | Parts) -> SettingLosses:
    """The losses of a metric in place of others."""
    found = choice.losses(kept)
    return figures._replace(
        losses=found.losses[:, 0],
        standard_errors=found.standard_errors[:, 0],
        inner=found.losses[:, 1:].T,
        inner_errors=found.standard_errors[:, 1:].T,
        notes=choice.notes(found),
    )


def metric_choice(
    metric: Metric, deep: Study, settings: int, priors: Array | None, rule: str
) -> MetricChoice:
    """The choice by a metric; inside training sets standard errors are computed where the rule looks at them."""
    group = np.where(deep.splits.parent == ROOT, 0, _split_numbers(deep)).astype(np.int32)
    return MetricChoice(metric, deep, settings, group, priors, lambda g: g == 0 or rule == "one_se")


def _split_numbers(deep: Study) -> Index:
    """Of each test inside a training set 1 + the split that this belongs to."""
    splits = deep.splits
    split = np.zeros(splits.n_models, dtype=np.int64)
    split[splits.model[splits.outer]] = np.arange(len(splits.outer))
    return np.asarray(1 + split[splits.parent])


def _by_split(of_tests: Array, folds: FoldPairs) -> Array:
    """Sums (S, T, K, 5) of tests as those of the splits on whose behalf they are, (S, F, K, 5)."""
    behalf = folds.folds[1]
    return np.stack([of_tests[:, behalf == f].sum(axis=1) for f in range(folds.n_folds)], axis=1)


def _have_room(deep: Study, settings: int) -> bool:
    """Whether the scores of the plan's own tests may be kept, of all settings."""
    data, pairs = deep.dataset, deep.splits.n_layers * deep.dataset.n_rows
    return 8 * (data.n_classes + 3) * settings * pairs <= data.engine.memory // ROOM


def mean_losses(sums: Array, priors: Array | None) -> tuple[Array, Array]:
    """Mean losses and their standard errors, (S, G) each, from sums (S, G, K, 5) as `Losses` has them."""
    if priors is not None:  # prevalences are those of the rows tested in the same group
        amount = sums[..., 0]
        ratio = np.divide(priors, amount, out=np.zeros(amount.shape), where=amount > 0)[..., None]
        sums = sums * np.concatenate([ratio, ratio, ratio**2, ratio**2, ratio**2], axis=-1)
    total, lost, squares, crossed, spread = np.moveaxis(sums.sum(axis=2), -1, 0)
    if not total.all():
        raise ValueError(Note("S124"))
    mean = lost / total  # whole numbers of mistakes stay exact
    size = total**2 / squares
    variance = np.maximum(spread - 2.0 * mean * crossed + mean**2 * squares, 0.0) / total**2
    factor = np.divide(size, size - 1, out=np.full(size.shape, np.nan), where=size > 1)
    return mean, np.sqrt(variance * factor)


@dataclass(frozen=True, eq=False)
class RowMeans:
    """Mean losses over rows that are tested repeatedly, so that rows stay the unit.

    Attributes
    ----------
    study : Study
    tests : numbers of the tests
    mean_of_splits : whether every test counts alike, however many rows it has
    priors : (K,), optional
        Class probabilities to decide under, and to weigh rows by.
    """

    study: Study
    tests: Codes | Index
    mean_of_splits: bool
    priors: Array | None

    @cached_property
    def rows(self) -> list[tuple[int, Index]]:
        return [(int(t), self.study.splits.test_rows(t)) for t in self.tests]

    @cached_property
    def weight(self) -> Array:
        """Weight of each row, re-weighted under priors, (N,)."""
        data, tested = self.study.dataset, self._sums(np.ones(self.study.splits.n_tests)) > 0
        if self.priors is not None:
            return row_weights(data.codes, data.weight, self.priors, tested)
        return np.ones(data.n_rows) if data.weight is None else data.weight

    @cached_property
    def factor(self) -> Array:
        """What each test counts, (T,): as much as any other, or the same for each of its splits' means."""
        factor = np.zeros(self.study.splits.n_tests)
        factor[self.tests] = 1.0
        if self.mean_of_splits:
            totals = np.array([self.weight[rows].sum() for _, rows in self.rows])
            if (totals != totals[0]).any():
                factor[self.tests] = np.divide(1, totals, np.zeros(len(totals)), where=totals > 0)
        return factor

    @cached_property
    def share(self) -> Array:
        """How much the tests of each row count together, (N,)."""
        return self._sums(self.factor)

    def _sums(self, factor: Array) -> Array:
        sums = np.zeros(self.study.dataset.n_rows)
        for t, rows in self.rows:
            sums[rows] += factor[t]
        return sums

    def reductions(self, settings: int, loss: LossMatrix | None) -> list[RowLosses]:
        """Of the losses, and of the mistakes where these are something else."""
        matrices = [None] if loss is None else [loss, None]
        n_rows = self.study.dataset.n_rows
        return [RowLosses(settings, n_rows, self.factor, matrix, self.priors) for matrix in matrices]

    def figures(self, sums: Sequence[Array]) -> tuple[Array, Array, Array]:
        """Mean losses of the settings, their standard errors, and the errors, from what the reductions gave."""
        losses, standard_errors = self._means(sums[0])
        return losses, standard_errors, losses if len(sums) == 1 else self._means(sums[1])[0]

    def _means(self, sums: Array) -> tuple[Array, Array]:
        """Means of the settings and their standard errors, from the sums (S, N) of the rows."""
        tested: Mask = self.share > 0
        share, weight = self.share[tested], self.weight[tested]
        if self.mean_of_splits:
            weight = weight * share
        if not weight.any():
            raise ValueError(Note("S111"))
        means = sums[:, tested] / share
        mean = np.array([np.average(values, weights=weight) for values in means])
        if not effective_size(weight) > 1:
            return mean, np.full(len(mean), np.nan)
        return mean, np.array([t_interval(values, weight).standard_error for values in means])
