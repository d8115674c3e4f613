"""What an evaluation keeps: the scores of every tested row under the model that did not see it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.models.base import Classifier
from assay.sharing.forms import Pairs, Posteriors, Together, normalize
from assay.statistics import Filling

Array = NDArray[np.float64]
Winners = Callable[[Array], NDArray[np.intp]]  # the class of each row, by its scores


@dataclass(frozen=True)
class Tested:
    """Scores of M tested (row, split) pairs.

    scores are log posteriors where the model has them, otherwise margins. `rows` is None when every row is
    tested once, in order.
    """

    rows: NDArray[np.int64] | None
    split: NDArray[np.int32]
    scores: Array
    predicted: NDArray[np.int32]
    priors: Array  # (splits, K) class probabilities each training part used
    notes: tuple[str, ...] = ()


def posterior_or_margin(
    scores: Array, probabilistic: bool, n_jobs: int | None, winners: Winners | None = None
) -> tuple[NDArray[np.int32], int]:
    """Normalise joint log likelihoods in place; the largest class of each row and the count of unusable rows.

    Margins of two classes become half their difference and its negative, as `decision_function` of a refit gives them.
    The margin of a class that training never saw is put below all others: it is never chosen.
    """
    if probabilistic:
        return normalize(scores, n_jobs)
    absent = np.isneginf(scores)
    if absent.any() and not absent.all():
        scores[absent] = scores[~absent].min() - 1.0
    best = scores.argmax(axis=1) if winners is None else winners(scores)
    predicted, unusable = best.astype(np.int32), (~np.isfinite(scores)).any(axis=1)
    if scores.shape[1] == 2:
        with np.errstate(invalid="ignore"):
            scores -= scores.mean(axis=1, keepdims=True)
    return predicted, int(unusable.sum())


def posteriors_or_margins(
    forms: Together,
    models: Sequence[Classifier],
    X: NDArray[np.floating],
    pairs: Pairs,
    filling: Filling | None,
    n_jobs: int | None,
) -> list[Posteriors]:
    """The same of every form, whose scores are posteriors or margins of its model."""
    if all(model.probabilistic for model in models):
        return forms.log_posteriors(X, pairs, filling, n_jobs)
    found = forms.scores(X, pairs, filling, n_jobs)
    return [
        Posteriors(scores, *posterior_or_margin(scores, model.probabilistic, n_jobs, model.winners))
        for scores, model in zip(found, models, strict=True)
    ]
