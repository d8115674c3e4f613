"""Scores of one setting, and what is decided by them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from assay.decision.loss import LossMatrix
from assay.decision.risk import least_risk
from assay.engines.local import thread_count
from assay.notes import Note
from assay.sharing.forms import normalize, posteriors
from assay.types import Array, Codes, Index, Mask


class Part(NamedTuple):
    """Scores of P (row, test) pairs of one setting, from a block or from a model.

    Scores are log posteriors, or margins where `posterior` is False; -inf where the training set has no weight of the
    class. `predicted` is None where the largest score wins, the first of equals. `priors` (T, K) are the class
    probabilities of each test's model; lines of tests that are not in this part mean nothing.
    """

    setting: int
    row: Index
    test: Codes
    scores: Array
    predicted: Codes | None
    codes: Codes
    weight: Array | None
    priors: Array
    posterior: bool

    def take(self, pairs: Mask | Index) -> Part:
        """Some of the pairs, by a mask, or all in another order."""
        if pairs.dtype == bool:
            if pairs.all():
                return self
            pairs = np.flatnonzero(pairs)  # few of many, as a rule
        return self._replace(
            row=self.row[pairs],
            test=self.test[pairs],
            scores=self.scores[pairs],
            predicted=None if self.predicted is None else self.predicted[pairs],
            codes=self.codes[pairs],
            weight=None if self.weight is None else self.weight[pairs],
        )

    @classmethod
    def joined(cls, parts: Sequence[Part]) -> Part:
        """Parts of one setting as one, with the decisions that they made."""
        if len(parts) == 1:
            return parts[0]
        names = ("row", "test", "scores", "codes")
        arrays = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
        predicted, weight = None, None
        if any(part.predicted is not None for part in parts):
            predicted = np.concatenate([predicted_of(part) for part in parts])
        if parts[0].weight is not None:
            weight = np.concatenate([part.weight for part in parts if part.weight is not None])
        priors = parts[0].priors
        if any(part.priors is not priors for part in parts):
            priors = priors.copy()
            for part in parts:
                tests = np.unique(part.test)
                priors[tests] = part.priors[tests]
        posterior = all(part.posterior for part in parts)
        return Part(
            parts[0].setting, **arrays, predicted=predicted, weight=weight, priors=priors, posterior=posterior
        )


def predicted_of(part: Part) -> Codes:
    """The class that each pair is given."""
    return part.scores.argmax(axis=1).astype(np.int32) if part.predicted is None else part.predicted


def decided_of(part: Part, loss: LossMatrix | None, priors: Array | None) -> Codes:
    """The action that each pair is given: that of least risk, or without a loss matrix the class of largest score."""
    scores = part.scores
    if part.posterior and priors is not None:
        scores = with_priors(scores, part.test, part.priors, priors)
    if loss is None:
        return predicted_of(part) if scores is part.scores else scores.argmax(axis=1).astype(np.int32)
    if not part.posterior:
        return _actions_of_classes(loss)[predicted_of(part)]
    return least_risk(posteriors(scores, threads=thread_count()), loss)


def with_priors(scores: Array, test: Codes, trained: Array, priors: Array) -> Array:
    """Log posteriors (P, K) under other priors than those (T, K) that the model of each test was trained with."""
    with np.errstate(divide="ignore", invalid="ignore"):
        change = np.log(priors) - np.log(trained)
        scores = scores + np.where(np.isnan(change), -np.inf, change)[test]
    scores[np.isnan(scores)] = -np.inf
    normalize(scores, threads=thread_count())
    return scores


def _actions_of_classes(loss: LossMatrix) -> Codes:
    """The action that stands for each class, where there is one for every class."""
    action = np.full(len(loss.classes), -1, dtype=np.int32)
    for a, k in enumerate(loss.class_of_action):
        if k >= 0:
            action[k] = a
    if (action < 0).any():
        raise ValueError(Note("S135"))
    return action


def losses_of(part: Part, loss: LossMatrix | None, priors: Array | None) -> Array:
    """Loss of each pair."""
    return lost_by(decided_of(part, loss, priors), part.codes, loss)


def lost_by(actions: Codes, codes: Codes, loss: LossMatrix | None) -> Array:
    """Loss of each action where the true classes are these."""
    if loss is None:
        return np.asarray(actions != codes, dtype=np.float64)
    return np.asarray(loss.values[codes, actions])
