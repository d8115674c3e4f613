"""A model tested on its own training rows, and the .632 estimates that mix this with the rows left out.

    .632    0.368 train + 0.632 out
    .632+   (1 - w) train + w min(out, chance),   w = 0.632 / (1 - 0.368 R),   R = (out - train) / (chance - train)

chance is the error if predictions and classes were independent; R, the overfitting rate, is 0 where out is no larger
than train and at most 1 (Efron and Tibshirani, JASA 92, 1997).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.selection.tested import Tested
from assay.selection.under_priors import log_posterior_under, row_weights

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Resubstitution:
    """True and predicted classes of the training rows, and what each row counts."""

    codes: NDArray[np.int32]
    guess: NDArray[Any]
    weight: Array | None
    n_classes: int

    @classmethod
    def of(
        cls,
        training: Tested,
        codes: NDArray[np.int32],
        weight: Array | None,
        priors: Array | None,
        probabilistic: bool,
        n_classes: int,
    ) -> Resubstitution:
        """Under priors rows are re-weighted, and so are the posteriors of a model that has them."""
        guess: NDArray[Any] = training.predicted
        if priors is not None:
            weight = row_weights(codes, weight, priors, slice(None))
            if probabilistic:
                guess = log_posterior_under(training, priors).argmax(axis=1)
        return cls(codes, guess, weight, n_classes)

    @property
    def error(self) -> float:
        return float(np.average(self.guess != self.codes, weights=self.weight))

    @property
    def chance(self) -> float:
        """Σ p_k (1 - q_k), with p the shares of the classes and q those of the predictions."""
        shares = [
            np.bincount(codes, weights=self.weight, minlength=self.n_classes)
            for codes in (self.codes, self.guess)
        ]
        truth, named = (amount / amount.sum() for amount in shares)
        return float((truth * (1.0 - named)).sum())

    def mixed(self, out: float) -> float:
        """The .632 estimate, from the error of rows left out."""
        return 0.368 * self.error + 0.632 * out

    def mixed_plus(self, out: float) -> float:
        """The .632+ estimate: its weight moves towards the rows left out as the model overfits."""
        train, chance = self.error, self.chance
        tested = min(out, chance)
        overfit = (tested - train) / (chance - train) if tested > train and chance > train else 0.0
        weight = 0.632 / (1.0 - 0.368 * overfit)
        return (1.0 - weight) * train + weight * tested
