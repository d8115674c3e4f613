"""What combined classifiers share: rows go to the parts as they are, and posteriors exist where the parts have them."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.models.base.estimators import (
    Classifier,
    Tags,
    available_if,
    check_is_fitted,
    clone,
    fit_weighted,
    tags_of,
)
from assay.notes import Note
from assay.sharing.refit import log_posterior, take_rows
from assay.statistics.weights import subset_weight
from assay.types import (
    Array,
    Estimator,
    Labels,
    MatrixLike,
    RowClassifier,
    has_margins,
    has_posteriors,
    infers,
)

# Odds of a posterior of exactly 0 or 1, which would be infinite.
SURE = 1e-300
# Margin of a part that is certain: above every finite one, and sums of it stay finite.
CERTAIN = 1e300


class Combined(Classifier):
    """A classifier of classifiers; subclasses give the scores of rows that nobody has looked at yet."""

    class_prior_: Array

    def _scores(self, X: MatrixLike) -> Array:
        """Score of every row and class, (N, K)."""
        raise NotImplementedError

    def _log_posterior(self, X: MatrixLike) -> Array:
        """Logarithm of the posterior of every row and class, (N, K)."""
        raise NotImplementedError

    def _inner(self) -> Any:
        """The estimator that stands for all parts: a fitted one where there is one."""
        raise NotImplementedError

    @property
    def _present(self) -> NDArray[np.intp]:
        """Classes that had rows."""
        return np.flatnonzero(self.class_prior_ > 0)

    def _spread(self, values: Array) -> Array:
        """Values of the present classes as those of all: an absent class has none."""
        out = np.full((len(values), len(self.classes_)), -np.inf)
        out[:, self._present] = values
        return out

    def _has_posterior(self) -> bool:
        return infers(self._inner())

    def _may_infer(self) -> bool:
        return self._has_posterior()

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        if (inside := tags_of(self._inner())) is not None:
            tags.input_tags = copy(inside.input_tags)
        return tags

    def _nearest_rows(self, rows: Array) -> Array:
        inner = self._inner()
        return np.asarray(inner._nearest_rows(rows)) if hasattr(inner, "_nearest_rows") else rows

    def _checked_scores(self, X: MatrixLike) -> Array:
        check_is_fitted(self)
        scores = self._scores(X)
        bad = np.flatnonzero(np.isnan(scores).any(axis=1))
        if len(bad):
            raise ValueError(Note("M054", row=bad[0]))
        return scores

    @available_if(_may_infer)
    def predict_log_proba(self, X: MatrixLike) -> Array:
        """Logarithm of the posterior of each class, (N, K)."""
        check_is_fitted(self)
        return self._log_posterior(X)

    @available_if(_may_infer)
    def predict_proba(self, X: MatrixLike) -> Array:
        """Posterior of each class, (N, K)."""
        return np.asarray(np.exp(self.predict_log_proba(X)))


def fit_part(
    estimator: RowClassifier,
    X: MatrixLike,
    y: Labels,
    weight: Array | None,
    rows: NDArray[np.intp] | None = None,
) -> Any:
    """A fitted clone, of some rows or of all."""
    part = clone(estimator)
    if rows is not None:
        X, y, weight = take_rows(X, rows), y[rows], subset_weight(weight, rows)
    return fit_weighted(part, X, y, weight)


def margin(part: Any, X: MatrixLike) -> Array:
    """Score of the second of two classes against the first, (N,), positive where the part says yes.

    The part's decision function; where it has none the log-odds of its posterior; where it only predicts, 1 or -1. An
    infinite one, of a posterior of exactly 0 or 1, is beyond all others.
    """
    if has_margins(part):
        scores = np.asarray(part.decision_function(X), dtype=np.float64)
        if scores.ndim == 2:
            scores = scores[:, -1] - scores[:, 0] if scores.shape[1] > 1 else scores[:, 0]
        return np.clip(scores, -CERTAIN, CERTAIN)
    if has_posteriors(part):
        posterior = np.maximum(np.asarray(part.predict_proba(X), dtype=np.float64), SURE)
        return np.asarray(np.log(posterior[:, 1]) - np.log(posterior[:, 0]))
    if infers(part):
        logs = np.maximum(log_posterior(part, X), np.log(SURE))
        return np.asarray(logs[:, 1] - logs[:, 0])
    return np.where(np.asarray(part.predict(X)) == part.classes_[1], 1.0, -1.0)


def odds(model: object, scores: Array, posterior: bool) -> Array:
    """The same from scores of both classes (..., 2) as sharers give them: log posteriors, or margins."""
    if posterior and getattr(model, "decides_by_shares", False):
        return np.asarray(np.exp(scores[..., 1]) - np.exp(scores[..., 0]))
    if posterior and not has_margins(model):
        scores = np.maximum(scores, np.log(SURE))
    with np.errstate(invalid="ignore"):
        return np.clip(scores[..., 1] - scores[..., 0], -CERTAIN, CERTAIN)


def shown(estimator: Estimator) -> str:
    """The name of an estimator's class for a message."""
    return type(estimator).__name__


def class_scores(model: Any, X: MatrixLike, classes: Labels) -> Array:
    """Log posteriors where a model has them, otherwise its margins, (N, K); -inf for classes it does not know."""
    place = np.searchsorted(classes, model.classes_)
    if infers(model):
        values = log_posterior(model, X)
    elif has_margins(model):
        values = np.asarray(model.decision_function(X), dtype=np.float64)
        if values.ndim == 1:
            values = np.stack([-0.5 * values, 0.5 * values], axis=1)
    else:
        raise ValueError(Note("M055", shown=shown(model)))
    if values.shape[1] != len(place):
        raise ValueError(Note("M053", shown=shown(model), n_scores=values.shape[1], n_classes=len(place)))
    out = np.full((len(values), len(classes)), -np.inf)
    out[:, place] = values
    return out
