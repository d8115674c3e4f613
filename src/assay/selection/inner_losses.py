"""Mean losses of the inner tests of every outer split, and what is taken from evaluations that hold both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.models.sharing import Tested
from assay.plans import Partition
from assay.selection.evaluation import Evaluation
from assay.selection.inner import Tests
from assay.selection.under_priors import untested
from assay.statistics.solve_diagnostics import absences

Array = NDArray[np.float64]


class InnerLosses:
    """Sums of w, w·l, w², w²·l and w²·l² over the losses l of the inner tests, by outer split, setting and class.

    Means and standard errors follow from them, as `Evaluation` has them; losses themselves are not kept, of which a
    split has nearly as many as there are rows.
    """

    def __init__(self, n_splits: int, n_settings: int, n_classes: int) -> None:
        self._sums = np.zeros((n_splits, n_settings, n_classes, 5))
        self._priors: Array | None = None

    def add(self, results: Sequence[Evaluation], tests: Sequence[Tests], first: int = 0) -> None:
        """The tests as every setting was evaluated on them; theirs are the splits from number `first` on."""
        of_test = np.repeat(np.arange(len(tests)), [test.partition.n_folds for test in tests])
        split = np.stack([test.split for test in tests])
        splits, _, classes, _ = self._sums.shape
        for s, result in enumerate(results):
            inner = result.split >= first
            rows, losses = result.rows[inner], result.losses()[inner]
            weight = np.ones(len(rows)) if result.weight is None else result.weight[rows]
            cell = split[of_test[result.split[inner] - first], rows] * classes + result.codes[rows]
            weighted = (weight, weight * losses, weight**2, weight**2 * losses, (weight * losses) ** 2)
            for p, values in enumerate(weighted):
                self._sums[:, s, :, p] += np.bincount(cell, values, splits * classes).reshape(splits, classes)
            self._priors = result.priors

    @property
    def figures(self) -> tuple[Array, Array]:
        """Mean losses and their standard errors, (splits, settings) each."""
        sums = self._sums
        if self._priors is not None:  # class shares are those of the rows tested inside the same split
            amount = sums[..., 0]
            ratio = np.divide(self._priors, amount, out=np.zeros(amount.shape), where=amount > 0)[..., None]
            sums = sums * np.concatenate([ratio, ratio, ratio**2, ratio**2, ratio**2], axis=-1)
        total, losses, squares, crossed, spread = np.moveaxis(sums.sum(axis=2), -1, 0)
        if not total.all():
            raise ValueError(
                "No tested row counts inside a fold: every one has weight or prior zero; use other folds."
            )
        mean = losses / total  # whole numbers of mistakes stay exact
        size = total**2 / squares
        variance = np.maximum(spread - 2.0 * mean * crossed + mean**2 * squares, 0.0) / total**2
        factor = np.divide(size, size - 1, out=np.full(size.shape, np.nan), where=size > 1)
        return mean, np.sqrt(variance * factor)


def first_partitions(result: Evaluation, partitions: list[Partition]) -> Evaluation:
    """Of neighbours in many partitions, the evaluation of the first ones alone."""
    n_splits, tested = sum(partition.n_folds for partition in partitions), result.tested
    keep = result.split < n_splits
    rows: NDArray[Any] | None = result.rows[keep]
    if len(partitions) == 1 and keep.sum() == len(result.codes):
        rows = None  # every row once, in order
    priors = tested.priors[:n_splits]
    told = absences(tested.priors, result.classes)
    notes = (*absences(priors, result.classes), *(note for note in tested.notes if note not in told))
    part = Tested(rows, tested.split[keep], tested.scores[keep], tested.predicted[keep], priors, notes)
    further = untested(result.codes, rows, result.classes, result.priors)
    return replace(result, tested=part, n_splits=n_splits, notes=(*notes, *further))
