r"""Many classes from two, each pair of classes by itself: a vote, or a posterior that agrees with all pairs.

    votes_k(x) = number of the K - 1 pairs with class k that it wins

K(K-1)/2 classifiers. In a small region each of several classes may win as often (Bishop, *Pattern Recognition and
Machine Learning*, 4.1.2): the sum of a class's margins decides then, and of equal sums the first class in sorted order.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from assay.models.base import check_is_fitted
from assay.models.combine.combined import Combined, fit_part, margin, shown
from assay.models.combine.coupling import couple
from assay.models.combine.parameters import ONE_VS_ONE
from assay.models.combine.rows import Array, Labelled, adopt_columns, labelled
from assay.models.params import Param
from assay.sharing.refit import log_posterior


class OneVsOne(Combined):
    """K(K-1)/2 classifiers, one for each pair of classes.

    Parameters
    ----------
    estimator : classifier
        Of two classes, Assay's or scikit-learn's, or a pipeline. It is trained on labels 0 (the first class of a pair)
        and 1 (the second).
    vote : {"majority", "coupling"}
        The class with most votes, or the one with the largest posterior; the latter needs an estimator with posteriors.

    Attributes
    ----------
    classes_, class_prior_, diagnostics_
    estimators_ : list
        A fitted classifier for each pair of classes.
    pairs_ : list of (int, int)
        Positions in `classes_` of the two classes of each.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from assay import GaussianClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = OneVsOne(GaussianClassifier("shared")).fit(X, y)
    >>> model.pairs_, model.votes(X[:1]).tolist()
    ([(0, 1), (0, 2), (1, 2)], [[2, 1, 0]])
    >>> model.predict_proba(X[:1]).round(3).tolist()
    [[1.0, 0.0, 0.0]]
    """

    params: ClassVar[tuple[Param, ...]] = ONE_VS_ONE

    def __init__(self, estimator: Any, *, vote: str = "majority") -> None:
        self.estimator = estimator
        self.vote = vote

    def _inner(self) -> Any:
        return self.estimators_[0] if hasattr(self, "estimators_") else self.estimator

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit a classifier for each pair of classes to the rows of both.

        Parameters
        ----------
        X : table (N, D)
            Anything that the estimator takes, as long as rows can be taken from it.
        y : array (N,)
            Labels of any type.
        sample_weight : array (N,), optional
            Where the estimator takes weights.
        """
        self._check_params()
        if self.vote == "coupling" and not hasattr(self.estimator, "predict_proba"):
            raise ValueError(
                f"OneVsOne(vote='coupling') needs posteriors and {shown(self.estimator)} has none; use "
                "vote='majority', or Calibrated around it."
            )
        data = labelled(self, X, y, sample_weight)
        self.classes_, self.class_prior_ = data.classes, data.shares()
        self.estimators_ = [_fit_pair(self.estimator, data, j, k) for j, k in self.pairs_]
        self.diagnostics_ = data.absences()
        adopt_columns(self, self.estimators_[0])
        return self

    @property
    def pairs_(self) -> list[tuple[int, int]]:
        """The classes of each pair, by position."""
        return [(int(j), int(k)) for j, k in combinations(self._present, 2)]

    def votes(self, X: Any) -> NDArray[np.int64]:
        """How many pairs each class wins, (N, K)."""
        check_is_fitted(self)
        return self._tally(self._margins(X))[0]

    def ambiguous(self, X: Any) -> NDArray[np.bool_]:
        """Rows with most votes for several classes, (N,)."""
        votes = self.votes(X)
        return np.asarray((votes == votes.max(axis=1, keepdims=True)).sum(axis=1) > 1)

    def _margins(self, X: Any) -> Array:
        """Margin of the second class of each pair against the first, (N, pairs)."""
        return np.stack([margin(part, X) for part in self.estimators_], axis=1)

    def _tally(self, margins: Array) -> tuple[NDArray[np.int64], Array]:
        """Votes, and sums of margins, of every class."""
        votes = np.zeros((len(margins), len(self.classes_)), dtype=np.int64)
        sums = np.zeros(votes.shape)
        for (j, k), f in zip(self.pairs_, margins.T, strict=True):
            votes[:, k] += f > 0
            votes[:, j] += f <= 0
            sums[:, k] += f
            sums[:, j] -= f
        return votes, sums

    def _scores(self, X: Any) -> Array:
        present = self._present
        if self.vote == "coupling":
            return self._log_posterior(X)
        votes, sums = self._tally(self._margins(X))
        out = np.full(votes.shape, -np.inf)
        if len(present) == 2:
            out[:, present] = 0.5 * sums[:, present]
            return out
        # Less than a third of a vote either way: margins decide between equal votes and never against a vote.
        part = sums / (3.0 * (np.abs(sums) + 1.0))
        out[:, present] = (votes + part)[:, present]
        return out

    def _log_posterior(self, X: Any) -> Array:
        present = self._present
        if len(self.estimators_) == 1:
            logs = log_posterior(self.estimators_[0], X)
        else:
            second = [np.asarray(part.predict_proba(X), dtype=np.float64)[:, 1] for part in self.estimators_]
            places = list(combinations(range(len(present)), 2))
            logs = np.log(couple(np.stack(second, axis=1), places, len(present)))
        out = np.full((len(logs), len(self.classes_)), -np.inf)
        out[:, present] = logs
        return out


def _fit_pair(estimator: Any, data: Labelled, j: int, k: int) -> Any:
    rows = np.flatnonzero((data.codes == j) | (data.codes == k))
    return fit_part(estimator, data.X, (data.codes == k).astype(np.int64), data.weight, rows)
