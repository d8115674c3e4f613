"""The tested (row, split) pairs of one model under one plan: their labels, scores and weights."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from assay.decision import Instability, LossMatrix
from assay.decision.function_metric import jackknife_groups
from assay.decision.metrics import Metric
from assay.engines.local import thread_count
from assay.notes import Note
from assay.selection.prior_shift import row_weights
from assay.sharing.forms import posteriors
from assay.sharing.part import with_priors
from assay.sharing.reductions import Scored
from assay.sharing.splits import ROOT, Splits
from assay.types import Array, Codes, Index, Labels, Mask

CONSTANT = 1e-9  # largest difference between a posterior and the priors that counts as rounding


@dataclass(frozen=True)
class SplitScores:
    """Scores of M tested (row, split) pairs.

    Scores are log posteriors where the model has them, otherwise margins. `rows` is None when every row is tested once,
    in order. `decided` are the classes that least-risk actions name, where they are known of scores of several kinds.
    """

    rows: Index | None
    split: Codes
    scores: Array
    predicted: Codes
    priors: Array  # (splits, K) class probabilities that each training set used
    notes: tuple[str, ...] = ()
    decided: Codes | None = None

    def log_posterior(self, priors: Array | None) -> Array:
        """Log posteriors (M, K) with other priors in place of those of each training set."""
        return self.scores if priors is None else with_priors(self.scores, self.split, self.priors, priors)

    @property
    def uninformative(self) -> bool:
        """Whether every posterior is the class proportions of its training set: such a model ranks no rows."""
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = np.log(self.priors)[self.split]
            return bool(((self.scores == shares) | (np.abs(self.scores - shares) <= CONSTANT)).all())


@dataclass(frozen=True, eq=False)
class ScoredPairs:
    """Out-of-sample scores of every tested pair, and what each row counts; `Evaluation` adds the metrics."""

    name: str
    classes: Labels
    codes: Codes
    weight: Array | None
    tested: SplitScores
    probabilistic: bool
    n_splits: int
    strategy: str
    seconds: float
    plan: Any = None
    loss: LossMatrix | None = None
    priors: Array | None = None
    notes: tuple[str, ...] = ()
    training: SplitScores | None = field(default=None, repr=False)
    groups: Codes | None = field(default=None, repr=False)  # (N,), rows that depend on each other
    instability: Instability | None = field(default=None, repr=False)  # of a procedure that chooses
    metric: Metric | None = None  # what is chosen by, in place of the loss

    @property
    def by_error(self) -> bool:
        """Whether models are compared by their errors, not by a loss matrix or a metric."""
        return self.loss is None and self.metric is None

    # -- pairs ---------------------------------------------------------------------------------

    @cached_property
    def rows(self) -> Index:
        """Row of each tested pair."""
        rows = self.tested.rows
        return np.arange(len(self.codes), dtype=np.int64) if rows is None else rows

    @property
    def split(self) -> Codes:
        """Split in which each pair was tested."""
        return self.tested.split

    @cached_property
    def truth_codes(self) -> Codes:
        """Number of the true class of each pair: a position in `classes`."""
        return self.codes if self.tested.rows is None else self.codes[self.tested.rows]

    @property
    def truth(self) -> Labels:
        """Label of the true class of each pair."""
        return np.asarray(self.classes[self.truth_codes])

    @property
    def scores(self) -> Array:
        """Class scores of each pair: log posteriors, or margins where the model has no posteriors."""
        return self._log_posterior if self.probabilistic else self.tested.scores

    @cached_property
    def _log_posterior(self) -> Array:
        return self.tested.log_posterior(self.priors)

    @property
    def log_posterior(self) -> Array:
        """Logarithm of the posterior of each pair, (M, K)."""
        self._need_posterior("The log posterior")
        return self._log_posterior

    @cached_property
    def posterior(self) -> Array:
        """Posterior of each pair, (M, K)."""
        return posteriors(self.log_posterior, threads=thread_count())

    @cached_property
    def predicted_codes(self) -> Codes:
        """Number of the predicted class of each pair: a position in `classes`."""
        if self.priors is None or not self.probabilistic:
            return self.tested.predicted
        return np.asarray(self._log_posterior.argmax(axis=1), dtype=np.int32)

    @property
    def decided_codes(self) -> Codes:
        """Number of the class that each pair's action names, under the evaluation's own loss, without posteriors."""
        return self.predicted_codes if self.tested.decided is None else self.tested.decided

    @property
    def predicted(self) -> Labels:
        """Label of the predicted class of each pair."""
        return np.asarray(self.classes[self.predicted_codes])

    @property
    def wrong(self) -> Array:
        """1 for each misclassified pair, 0 for the others."""
        return np.asarray(self.predicted_codes != self.truth_codes, dtype=np.float64)

    def _need_posterior(self, what: str) -> None:
        if not self.probabilistic:
            raise ValueError(Note("S123", what=what, name=self.name))

    def first_splits(self, count: int) -> Self:
        """The same of the first splits alone."""
        pairs, tested = self.split < count, self.tested
        if pairs.all():
            return self
        chosen = replace(
            tested, rows=self.rows[pairs], split=self.split[pairs], scores=tested.scores[pairs],
            predicted=tested.predicted[pairs], decided=None if tested.decided is None else tested.decided[pairs],
        )  # fmt: skip
        return replace(self, tested=chosen)

    # -- rows ---------------------------------------------------------------------------------------------

    @cached_property
    def row_weight(self) -> Array | None:
        """What each row of the data counts in every figure, (N,): its weight, times prior / share of its class."""
        if self.priors is None:
            return self.weight
        return row_weights(self.codes, self.weight, self.priors, self._tested_rows)

    @cached_property
    def _tested_rows(self) -> Mask | slice:
        """Which rows of the data were tested."""
        return slice(None) if self.tested.rows is None else self._tests > 0

    def per_row(self, values: Array) -> tuple[Array, Array | None]:
        """Mean of a pair's value over the tests of each tested row, and what the rows count in every metric.

        That is their weight; where a plan averages over splits, a row counts by how often it was tested, too.
        """
        if self._split_share is None:
            return self.row_means(values)
        _, weight = self.row_means(values)
        share = np.bincount(self.rows, self._split_share, len(self.codes))[self._tested_rows].astype(
            np.float64
        )
        sums = np.bincount(self.rows, self._split_share * values, len(self.codes))[self._tested_rows]
        means = np.divide(sums, share, out=np.zeros(len(share)), where=share > 0)
        return means, share if weight is None else share * weight

    @cached_property
    def _split_share(self) -> Array | None:
        """What a row of weight 1 is of the split that each pair is of, (M,); None: splits do not count alike."""
        if not getattr(self.plan, "averages_splits", False):
            return None
        weight = np.ones(len(self.rows)) if self._pair_weight is None else self._pair_weight
        total = np.bincount(self.split, weight, self.n_splits)
        return np.divide(1.0, total, out=np.zeros(len(total)), where=total > 0)[self.split]

    def row_means(self, values: Array) -> tuple[Array, Array | None]:
        """Mean of a pair's value over the tests of each tested row, and the rows' weights."""
        weight = self.row_weight
        if not len(values) or (weight is not None and not weight[self.rows].any()):
            raise ValueError(Note("S111"))
        if self.tested.rows is None:
            return values, weight
        sums, tested = np.bincount(self.rows, weights=values, minlength=len(self.codes)), self._tested_rows
        return sums[tested] / self._tests[tested], None if weight is None else weight[tested]

    @cached_property
    def row_groups(self) -> Codes | None:
        """Group of each tested row, in the order of `per_row`."""
        units = self.groups if self.metric is None else self.row_units(self.metric)
        return None if units is None else units[self._tested_rows]

    def row_units(self, metric: Metric) -> Codes | None:
        """The group of each row of the data: its own, or one to leave out at a time where a metric goes by groups."""
        if not metric.by_groups:
            return self.groups
        first = np.zeros(len(self.codes), dtype=np.int32)
        first[self.rows[::-1]] = self.split[::-1]
        return jackknife_groups(np.argsort(first, kind="stable"), self.groups)

    @cached_property
    def _tests(self) -> NDArray[np.intp]:
        """How often each row of the data was tested."""
        return np.bincount(self.rows, minlength=len(self.codes))

    @property
    def _pair_weight(self) -> Array | None:
        return None if self.row_weight is None else self.row_weight[self.rows]

    @cached_property
    def pair_share(self) -> Array | None:
        """What each pair counts where the tests of a row count as much as the row, (M,); None: all alike."""
        if self._split_share is not None:
            return self._split_share if self._pair_weight is None else self._split_share * self._pair_weight
        if self.tested.rows is None:
            return self.row_weight
        weight = np.ones(len(self.rows)) if self._pair_weight is None else self._pair_weight
        return np.asarray(weight / self._tests[self.rows])

    def variance_factor(self, measure: str = "error") -> float:
        """What multiplies the variance of a measure whose interval treats tested rows as independent."""
        return 1.0

    def _mean(self, values: Array) -> float:
        rows, weight = self.per_row(values)
        # A plain mean where all count alike: as many mistakes are the same error to the last bit, wherever they are.
        if self._split_share is not None and (self._split_share == self._split_share[0]).all():
            return float(np.average(values, weights=self._pair_weight))
        return float(rows.mean() if weight is None else np.average(rows, weights=weight))


def split_scores_of(
    scored: Scored, splits: Splits, notes: tuple[str, ...]
) -> tuple[SplitScores, SplitScores | None]:
    """Pairs of the tests that the plan makes, whose numbers are those of the splits; and of training rows, if any."""
    if len(splits.outer) == splits.n_tests:
        return SplitScores(
            scored.row, scored.test, scored.scores, scored.predicted, scored.priors, notes
        ), None
    outside = splits.parent == ROOT
    number = np.where(outside, np.cumsum(outside) - 1, -1).astype(np.int32)  # among the tests of the plan
    rows = np.arange(len(scored.test)) if scored.row is None else scored.row

    def part(pairs: Mask | slice, split: Codes, priors: Array) -> SplitScores:
        return SplitScores(rows[pairs], split, scored.scores[pairs], scored.predicted[pairs], priors, notes)

    split = number[scored.test]
    outer, training = _outer_and_rest(split >= 0)
    seen = np.flatnonzero(~outside)
    place = np.searchsorted(seen, scored.test[training]).astype(np.int32)
    return (
        part(outer, split[outer], scored.priors[outside]),
        part(training, place, scored.priors[seen]),
    )


def _outer_and_rest(outer: Mask) -> tuple[Mask | slice, Mask | slice]:
    """Pairs of the plan's tests, and the others; without copies where these come last."""
    count = int(outer.sum())
    return (slice(0, count), slice(count, None)) if outer[:count].all() else (outer, ~outer)
