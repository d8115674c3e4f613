"""Losses of settings on the tests of a plan and inside its training sets, from one reduction of their scores.

Inside a training set every row is tested once, so that sums of w, w l, w², w² l and w² l² over its tests give the mean
loss and its standard error. The same holds for the tests of a plan of one layer. Where rows are tested repeatedly, the
losses of each row are averaged first: rows stay the unit.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from assay.decision import LossMatrix, effective_size, t_interval
from assay.selection.under_priors import row_weights
from assay.sharing.dispatch import Dispatched
from assay.sharing.reductions import Losses, LossesAndParts, Parts, RowLosses, Several
from assay.sharing.splits import ROOT
from assay.sharing.study import Study
from assay.types import Codes, Floats, Index, Mask

ROOM = 16  # part of the memory in which scores may wait until it is known which setting is chosen


class SettingLosses(NamedTuple):
    """Of S settings under F splits.

    losses, standard_errors, errors : (S,) on the splits
    inner, inner_errors : (F, S) mean losses inside each training set and their standard errors
    parts : scores of the splits, of settings whose scores were made and kept
    """

    losses: Floats
    standard_errors: Floats
    errors: Floats
    inner: Floats
    inner_errors: Floats
    parts: Parts


def setting_losses(
    solved: Dispatched, deep: Study, settings: int, loss: LossMatrix | None, priors: Floats | None
) -> SettingLosses:
    """Losses of all settings; scores of the plan's own tests are kept as far as memory allows."""
    classes, splits = deep.dataset.n_classes, deep.splits
    outer = splits.parent == ROOT
    rows = None if splits.n_layers == 1 else _Rows(deep, priors)
    group = _groups(deep)
    of = group if rows is None else np.where(outer, -1, group).astype(np.int32)
    wrong = np.where(outer, 0, -1).astype(np.int32)
    kept = outer & _have_room(deep, settings)
    reductions: list[Any] = [LossesAndParts(settings, classes, of, loss, priors, kept)]
    if rows is not None:
        reductions += [rows.reduction(settings, loss)] + [rows.reduction(settings, None)] * (loss is not None)
    elif loss is not None:
        reductions.append(Losses(settings, classes, wrong, None, priors))
    if len(reductions) == 1:
        found = [solved.reduce(reductions[0])]
    else:
        found = solved.reduce(Several(tuple(reductions)))
    sums, parts = found[0]
    inner, inner_errors = mean_losses(sums[:, 1:], priors)
    if rows is None:
        losses, errors = (each[:, 0] for each in mean_losses(sums[:, :1], priors))
        mistakes = losses if loss is None else mean_losses(found[1], priors)[0][:, 0]
    else:
        losses, errors = rows.means(found[1])
        mistakes = losses if loss is None else rows.means(found[2])[0]
    return SettingLosses(losses, errors, mistakes, inner.T, inner_errors.T, parts)


def _groups(deep: Study) -> Codes:
    """Of each test 0, if it is one of the plan, or 1 + the split in whose training set it is."""
    splits = deep.splits
    split = np.zeros(splits.n_models, dtype=np.int32)
    split[splits.model[splits.outer]] = np.arange(len(splits.outer), dtype=np.int32)
    return np.where(splits.parent == ROOT, 0, 1 + split[splits.parent]).astype(np.int32)


def _have_room(deep: Study, settings: int) -> bool:
    """Whether the scores of the plan's own tests may be kept, of all settings."""
    data, pairs = deep.dataset, deep.splits.n_layers * deep.dataset.n_rows
    return 8 * (data.n_classes + 3) * settings * pairs <= data.engine.memory // ROOM


def mean_losses(sums: Floats, priors: Floats | None) -> tuple[Floats, Floats]:
    """Mean losses and their standard errors, (S, G) each, from sums (S, G, K, 5) as `Losses` has them."""
    if priors is not None:  # prevalences are those of the rows tested in the same group
        amount = sums[..., 0]
        ratio = np.divide(priors, amount, out=np.zeros(amount.shape), where=amount > 0)[..., None]
        sums = sums * np.concatenate([ratio, ratio, ratio**2, ratio**2, ratio**2], axis=-1)
    total, lost, squares, crossed, spread = np.moveaxis(sums.sum(axis=2), -1, 0)
    if not total.all():
        raise ValueError(
            "No tested row counts inside a fold: every one has weight or prior zero; use other folds."
        )
    mean = lost / total  # whole numbers of mistakes stay exact
    size = total**2 / squares
    variance = np.maximum(spread - 2.0 * mean * crossed + mean**2 * squares, 0.0) / total**2
    factor = np.divide(size, size - 1, out=np.full(size.shape, np.nan), where=size > 1)
    return mean, np.sqrt(variance * factor)


@dataclass(frozen=True, eq=False)
class _Rows:
    """The rows that the plan tests, some of them repeatedly, and what each of them counts."""

    study: Study
    priors: Floats | None

    @cached_property
    def tests(self) -> list[tuple[int, Index]]:
        splits = self.study.splits
        return [(int(t), splits.test_rows(t)) for t in splits.outer]

    @cached_property
    def weight(self) -> Floats:
        """Weight of each row, re-weighted under priors, (N,)."""
        data, tested = self.study.dataset, self._sums(np.ones(self.study.splits.n_tests)) > 0
        if self.priors is not None:
            return row_weights(data.codes, data.weight, self.priors, tested)
        return np.ones(data.n_rows) if data.weight is None else data.weight

    @cached_property
    def factor(self) -> Floats:
        """What each test counts, (T,): as much as any other, or the same for each of its splits' means."""
        factor = np.zeros(self.study.splits.n_tests)
        factor[self.study.splits.outer] = 1.0
        if self.study.splits.mean_of_splits:
            totals = np.array([self.weight[rows].sum() for _, rows in self.tests])
            if (totals != totals[0]).any():
                factor[self.study.splits.outer] = np.divide(
                    1, totals, np.zeros(len(totals)), where=totals > 0
                )
        return factor

    @cached_property
    def share(self) -> Floats:
        """How much the tests of each row count together, (N,)."""
        return self._sums(self.factor)

    def _sums(self, factor: Floats) -> Floats:
        sums = np.zeros(self.study.dataset.n_rows)
        for t, rows in self.tests:
            sums[rows] += factor[t]
        return sums

    def reduction(self, settings: int, loss: LossMatrix | None) -> RowLosses:
        return RowLosses(settings, self.study.dataset.n_rows, self.factor, loss, self.priors)

    def means(self, sums: Floats) -> tuple[Floats, Floats]:
        """Mean losses of the settings and their standard errors, from the sums (S, N) of the rows."""
        tested: Mask = self.share > 0
        share, weight = self.share[tested], self.weight[tested]
        if self.study.splits.mean_of_splits:
            weight = weight * share
        if not weight.any():
            raise ValueError(
                "No tested row counts: every one has weight zero, or none was tested; use other splits."
            )
        values = sums[:, tested] / share
        mean = np.array([np.average(each, weights=weight) for each in values])
        if not effective_size(weight) > 1:
            return mean, np.full(len(mean), np.nan)
        return mean, np.array([t_interval(each, weight).standard_error for each in values])
