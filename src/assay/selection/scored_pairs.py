"""The tested (row, split) pairs of one model under one plan: their labels, scores and weights."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.decision import LossMatrix
from assay.engines.local import thread_count
from assay.selection.tested import Tested
from assay.selection.under_priors import log_posterior_under, row_weights
from assay.sharing.forms import posteriors

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ScoredPairs:
    """Out-of-sample scores of every tested pair, and what each row counts; `Evaluation` adds the metrics."""

    name: str
    classes: NDArray[Any]
    codes: NDArray[np.int32]
    weight: Array | None
    tested: Tested
    probabilistic: bool
    n_splits: int
    strategy: str
    seconds: float
    plan: Any = None
    loss: LossMatrix | None = None
    priors: Array | None = None
    notes: tuple[str, ...] = ()
    training: Tested | None = field(default=None, repr=False)
    groups: NDArray[np.int32] | None = field(default=None, repr=False)  # (N,), rows that depend on each other

    # -- pairs ---------------------------------------------------------------------------------

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """Row of each tested pair."""
        rows = self.tested.rows
        return np.arange(len(self.codes), dtype=np.int64) if rows is None else rows

    @property
    def split(self) -> NDArray[np.int32]:
        """Split in which each pair was tested."""
        return self.tested.split

    @cached_property
    def truth_codes(self) -> NDArray[np.int32]:
        """Number of the true class of each pair: a position in `classes`."""
        return self.codes if self.tested.rows is None else self.codes[self.tested.rows]

    @property
    def truth(self) -> NDArray[Any]:
        """Label of the true class of each pair."""
        return np.asarray(self.classes[self.truth_codes])

    @property
    def scores(self) -> Array:
        """Class scores of each pair: log posteriors, or margins where the model has no posteriors."""
        return self._log_posterior if self.probabilistic else self.tested.scores

    @cached_property
    def _log_posterior(self) -> Array:
        return log_posterior_under(self.tested, self.priors)

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
    def predicted_codes(self) -> NDArray[np.int32]:
        """Number of the predicted class of each pair: a position in `classes`."""
        if self.priors is None or not self.probabilistic:
            return self.tested.predicted
        return np.asarray(self._log_posterior.argmax(axis=1), dtype=np.int32)

    @property
    def predicted(self) -> NDArray[Any]:
        """Label of the predicted class of each pair."""
        return np.asarray(self.classes[self.predicted_codes])

    @property
    def wrong(self) -> Array:
        """1 for each misclassified pair, 0 for the others."""
        return np.asarray(self.predicted_codes != self.truth_codes, dtype=np.float64)

    def _need_posterior(self, what: str) -> None:
        if not self.probabilistic:
            raise ValueError(
                f"{what} needs posteriors, and {self.name} gives margins only; put it into Calibrated, or use "
                "a probabilistic model."
            )

    # -- rows ---------------------------------------------------------------------------------------------

    @cached_property
    def row_weight(self) -> Array | None:
        """What each row of the data counts in every figure, (N,): its weight, times prior / share of its class."""
        if self.priors is None:
            return self.weight
        return row_weights(self.codes, self.weight, self.priors, self._there)

    @cached_property
    def _there(self) -> NDArray[np.bool_] | slice:
        """Which rows of the data were tested."""
        return slice(None) if self.tested.rows is None else self._tests > 0

    def per_row(self, values: Array) -> tuple[Array, Array | None]:
        """Mean of a pair's value over the tests of each tested row, and what the rows count in every metric.

        That is their weight; where a plan averages over splits, a row counts by how often it was tested, too.
        """
        if self._split_share is None:
            return self.row_means(values)
        _, weight = self.row_means(values)
        share = np.bincount(self.rows, self._split_share, len(self.codes))[self._there].astype(np.float64)
        sums = np.bincount(self.rows, self._split_share * values, len(self.codes))[self._there]
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
            raise ValueError(
                "No tested row counts: every one has weight zero, or none was tested; use other splits."
            )
        if self.tested.rows is None:
            return values, weight
        sums, there = np.bincount(self.rows, weights=values, minlength=len(self.codes)), self._there
        return sums[there] / self._tests[there], None if weight is None else weight[there]

    @cached_property
    def row_groups(self) -> NDArray[np.int32] | None:
        """Group of each tested row, in the order of `per_row`."""
        return None if self.groups is None else self.groups[self._there]

    @cached_property
    def _tests(self) -> NDArray[np.intp]:
        """How often each row of the data was tested."""
        return np.bincount(self.rows, minlength=len(self.codes))

    @property
    def _pair_weight(self) -> Array | None:
        return None if self.row_weight is None else self.row_weight[self.rows]

    def _mean(self, values: Array) -> float:
        rows, weight = self.per_row(values)
        # A plain mean where all count alike: as many mistakes are the same error to the last bit, wherever they are.
        if self._split_share is not None and (self._split_share == self._split_share[0]).all():
            return float(np.average(values, weights=self._pair_weight))
        return float(rows.mean() if weight is None else np.average(rows, weights=weight))
