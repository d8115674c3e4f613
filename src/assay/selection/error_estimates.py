"""The error of the tested pairs, and the estimates that combine it with that of the training rows (bootstrap)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from assay.notes import Note
from assay.selection.prior_shift import row_weights
from assay.selection.scored_pairs import ScoredPairs
from assay.types import Array, Integers


@dataclass(frozen=True, eq=False)
class ErrorEstimates(ScoredPairs):
    """Tested pairs with their error, and under the bootstrap the .632 estimates."""

    @cached_property
    def error(self) -> float:
        """Proportion of misclassified rows (bootstrap: out of bag; random subsampling: mean over splits)."""
        return self._mean(self.wrong)

    @property
    def training_error(self) -> float:
        """Error on the training rows themselves (of the bootstrap only)."""
        predicted, weight = self._resubstitution
        return float(np.average(predicted != self.codes, weights=weight))

    @property
    def no_information_error(self) -> float:
        """Error if predictions and classes were independent: Σ p_k (1 - q_k)."""
        predicted, weight = self._resubstitution
        classes = len(self.classes)
        truth, guess = (np.bincount(codes, weight, classes) for codes in (self.codes, predicted))
        return float((truth / truth.sum() * (1.0 - guess / guess.sum())).sum())

    @property
    def error_632(self) -> float:
        """0.368 of the training error and 0.632 of the out-of-bag error."""
        return 0.368 * self.training_error + 0.632 * self.error

    @property
    def error_632_plus(self) -> float:
        """The .632 estimate with the weight moved towards the out-of-bag error as the model overfits.

        The overfitting rate R = (out - train) / (chance - train), from 0 to 1, gives the out-of-bag error the weight
        0.632 / (1 - 0.368 R) (Efron and Tibshirani, JASA 92, 1997).
        """
        train, chance = self.training_error, self.no_information_error
        out = min(self.error, chance)
        overfit = (out - train) / (chance - train) if out > train and chance > train else 0.0
        weight = 0.632 / (1.0 - 0.368 * overfit)
        return (1.0 - weight) * train + weight * out

    @cached_property
    def _resubstitution(self) -> tuple[Integers, Array | None]:
        """Predicted classes of the training rows, and their weights; both re-weighted under priors."""
        if self.training is None:
            raise ValueError(Note("S089"))
        if self.priors is None:
            return self.training.predicted, self.weight
        weight = row_weights(self.codes, self.weight, self.priors, slice(None))
        if not self.probabilistic:
            return self.training.predicted, weight
        return self.training.log_posterior(self.priors).argmax(axis=1), weight
