r"""Many classes from two, each pair of classes by itself: a vote, or a posterior that agrees with all pairs.

    votes_k(x) = number of the K - 1 pairs with class k that it wins

K(K-1)/2 classifiers. In a small region each of several classes may win as often (Bishop, *Pattern Recognition and
Machine Learning*, 4.1.2): the sum of a class's margins decides then, and of equal sums the first class in sorted order.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.models.base.estimators import check_is_fitted
from assay.models.base.params import REQUIRED, Param
from assay.models.base.stored import COMBINED, Field
from assay.models.combine.base import Combined, fit_part, margin, odds, shown
from assay.models.combine.input_rows import Labelled, adopt_columns, labelled
from assay.models.combine.inside import BinaryProblem, from_two
from assay.models.combine.pairwise_coupling import couple
from assay.notes import Note
from assay.sharing.dispatch import Dispatched
from assay.sharing.refit import log_posterior
from assay.sharing.settings import Settings, model_of
from assay.sharing.splits.restriction import cells_by_kind, trained_on
from assay.sharing.study import Study
from assay.types import Array, Mask, MatrixLike, RowClassifier, RowWeights, infers

ONE_VS_ONE = (
    Param(
        "estimator",
        "estimator",
        REQUIRED,
        (
            "Two-class classifier of Assay or scikit-learn, or a pipeline. It is trained on labels 0 (the "
            "first class of a pair) and 1 (the second)."
        ),
    ),
    Param(
        "vote",
        "choice",
        "majority",
        (
            "The class with most votes, or the one with the largest coupled posterior. The latter needs "
            "an estimator with posteriors."
        ),
        choices=("majority", "coupling"),
    ),
)


class OneVsOne(Combined):
    """Classify many classes by K(K-1)/2 two-class classifiers, one per pair of classes.

    Attributes
    ----------
    classes_, class_prior_, diagnostics_
    estimators_ : list
        One fitted classifier per pair of classes.
    pairs_ : list of (int, int)
        Positions in `classes_` of the two classes of each pair.

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
    stored: ClassVar[tuple[Field, ...]] = (*COMBINED, Field("estimators_", "models"))

    def __init__(self, estimator: RowClassifier, *, vote: str = "majority") -> None:
        self.estimator = estimator
        self.vote = vote

    def _inner(self) -> Any:
        return self.estimators_[0] if hasattr(self, "estimators_") else self.estimator

    def fit(self, X: MatrixLike, y: ArrayLike, sample_weight: RowWeights = None) -> Self:
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

    def votes(self, X: MatrixLike) -> NDArray[np.int64]:
        """How many pairs each class wins, (N, K)."""
        check_is_fitted(self)
        out = np.zeros((len(margins := self._margins(X)), len(self.classes_)), dtype=np.int64)
        out[:, self._present] = _tally(margins, len(self._present))[0]
        return out

    def ambiguous(self, X: MatrixLike) -> NDArray[np.bool_]:
        """Rows with most votes for several classes, (N,)."""
        votes = self.votes(X)
        return np.asarray((votes == votes.max(axis=1, keepdims=True)).sum(axis=1) > 1)

    def _check_params(self) -> None:
        super()._check_params()
        if self.vote == "coupling" and not infers(self.estimator):
            raise ValueError(Note("M059", shown=shown(self.estimator)))

    def _margins(self, X: MatrixLike) -> Array:
        """Margin of the second class of each pair against the first, (N, pairs)."""
        return np.stack([margin(part, X) for part in self.estimators_], axis=1)

    def _scores(self, X: MatrixLike) -> Array:
        if self.vote == "coupling":
            return self._log_posterior(X)
        return self._spread(_voted(self._margins(X), len(self._present)))

    def _log_posterior(self, X: MatrixLike) -> Array:
        logs = np.stack([log_posterior(part, X) for part in self.estimators_], axis=1)
        return self._spread(_coupled(logs, len(self._present)))

    # -- sharing ------------------------------------------------------------------------------------------

    def inside(self, settings: Settings, study: Study) -> Dispatched:
        """All classifiers of all settings, by what they share; cells tell classes apart, so that pairs share them."""
        problems = [_pair(study, j, k) for j, k in combinations(range(study.dataset.n_classes), 2)]
        return from_two(settings, study, problems, from_classes=study.dataset.n_classes == 2)

    def combined(self, binary: Array, present: Mask, posterior: bool) -> tuple[Array, NDArray[np.intp]]:
        """Scores (N, classes) of the present classes from those of all parts (N, parts, 2), and which class wins."""
        present_pairs = [present[j] and present[k] for j, k in combinations(range(len(present)), 2)]
        pair_scores, count = binary[:, present_pairs], int(present.sum())
        logs = _coupled(pair_scores, count) if posterior else None
        if logs is not None and self.vote == "coupling":
            return logs, logs.argmax(axis=1)
        votes = _voted(odds(model_of(self.estimator), pair_scores, posterior), count)
        return votes if logs is None else logs, votes.argmax(axis=1)


def _pair(study: Study, j: int, k: int) -> BinaryProblem | None:
    """Two classes, trained on rows of both alone; None where splits leave out single rows, which have no cells."""
    data, splits = study.dataset, study.splits
    if data.n_classes > 2 and splits.row_by_row:
        return None
    numbers = np.arange(data.n_classes)
    if data.n_classes > 2:
        cell = study.once(
            ("by class", id(splits.cell)), lambda: cells_by_kind(splits, data.codes, data.n_classes)
        )
        pair = (numbers == j) | (numbers == k)
        splits = study.once(
            ("pair", id(splits), j, k), lambda: trained_on(study.splits, data.codes, pair, cell)
        )
    title = f"{data.classes.tolist()[k]!r} against {data.classes.tolist()[j]!r}"
    return BinaryProblem.of(title, study, (numbers == k).astype(np.int32), splits)


def _tally(margins: Array, n_classes: int) -> tuple[NDArray[np.int64], Array]:
    """Votes, and sums of margins, of every class, from the margins of all pairs."""
    votes = np.zeros((len(margins), n_classes), dtype=np.int64)
    sums = np.zeros(votes.shape)
    for (j, k), f in zip(combinations(range(n_classes), 2), margins.T, strict=True):
        votes[:, k] += f > 0
        votes[:, j] += f <= 0
        sums[:, k] += f
        sums[:, j] -= f
    return votes, sums


def _voted(margins: Array, n_classes: int) -> Array:
    """Scores of every class; with two classes half the margin either way."""
    votes, sums = _tally(margins, n_classes)
    if n_classes == 2:
        return 0.5 * sums
    # Less than a third of a vote either way: margins decide between equal votes and never against a vote.
    return np.asarray(votes + sums / (3.0 * (np.abs(sums) + 1.0)))


def _coupled(logs: Array, n_classes: int) -> Array:
    """Log posteriors of every class from those of all pairs, (N, pairs, 2)."""
    if logs.shape[1] == 1:
        return np.asarray(logs[:, 0])
    return np.log(couple(np.exp(logs[:, :, 1]), list(combinations(range(n_classes), 2)), n_classes))


def _fit_pair(estimator: RowClassifier, data: Labelled, j: int, k: int) -> Any:
    rows = np.flatnonzero((data.codes == j) | (data.codes == k))
    return fit_part(estimator, data.X, (data.codes == k).astype(np.int64), data.weight, rows)
