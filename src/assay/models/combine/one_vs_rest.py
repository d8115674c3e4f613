r"""Many classes from two, each class against all others: the largest score wins.

    class of x = argmax_k f_k(x),    f_k > 0: "x is of class k", f_k <= 0: "it is not"

K classifiers. Where none of them claims a row, or several do, the answer is ambiguous although the largest score still
decides (Bishop, *Pattern Recognition and Machine Learning*, 4.1.2). Scores of different classifiers are compared, so
they should be on one scale, as margins of one model and log-odds are.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.models.base.estimators import check_is_fitted
from assay.models.base.params import REQUIRED, Param
from assay.models.base.stored import COMBINED, Field
from assay.models.combine.base import Combined, fit_part, margin, odds
from assay.models.combine.input_rows import adopt_columns, labelled
from assay.models.combine.inside import BinaryProblem, from_two
from assay.sharing.dispatch import Dispatched
from assay.sharing.refit import log_posterior
from assay.sharing.settings import Settings, model_of
from assay.sharing.study import Study
from assay.types import Array, Mask, MatrixLike, RowClassifier, RowWeights

ONE_VS_REST = (
    Param(
        "estimator",
        "estimator",
        REQUIRED,
        (
            "Two-class classifier of Assay or scikit-learn, or a pipeline. It is trained on labels 1 (the "
            "class) and 0."
        ),
    ),
)


class OneVsRest(Combined):
    """Classify many classes by K two-class classifiers, each of one class against the rest.

    Attributes
    ----------
    classes_, class_prior_, diagnostics_
    estimators_ : list
        One fitted classifier per class; with two classes a single one, for the second.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import LinearSVC
    >>> X, y = load_iris(return_X_y=True)
    >>> model = OneVsRest(LinearSVC(C=1.0)).fit(X, y)
    >>> len(model.estimators_), model.decision_function(X[:2]).shape
    (3, (2, 3))
    >>> model.claims(X[:1]).tolist()
    [[True, False, False]]
    """

    params: ClassVar[tuple[Param, ...]] = ONE_VS_REST
    stored: ClassVar[tuple[Field, ...]] = (*COMBINED, Field("estimators_", "models"))

    def __init__(self, estimator: RowClassifier) -> None:
        self.estimator = estimator

    def _inner(self) -> Any:
        return self.estimators_[0] if hasattr(self, "estimators_") else self.estimator

    def fit(self, X: MatrixLike, y: ArrayLike, sample_weight: RowWeights = None) -> Self:
        """Fit a classifier for each class.

        Parameters
        ----------
        X : table (N, D)
            Anything that the estimator takes.
        y : array (N,)
            Labels of any type.
        sample_weight : array (N,), optional
            Where the estimator takes weights.
        """
        self._check_params()
        data = labelled(self, X, y, sample_weight)
        positive = data.present[1:] if len(data.present) == 2 else data.present
        parts = [
            fit_part(self.estimator, data.X, (data.codes == k).astype(np.int64), data.weight)
            for k in positive
        ]
        self.classes_, self.estimators_ = data.classes, parts
        self.class_prior_ = data.shares()
        self.diagnostics_ = data.absences()
        adopt_columns(self, parts[0])
        return self

    def claims(self, X: MatrixLike) -> NDArray[np.bool_]:
        """Which classifiers say "this row is of my class", (N, K)."""
        check_is_fitted(self)
        return np.asarray(self._scores(X) > 0)

    def ambiguous(self, X: MatrixLike) -> NDArray[np.bool_]:
        """Rows that no class claims, or several do, (N,); with two classes there are none."""
        claims = self.claims(X)
        if len(self._present) == 2:
            return np.zeros(len(claims), dtype=bool)
        return np.asarray(claims.sum(axis=1) != 1)

    def _scores(self, X: MatrixLike) -> Array:
        return self._spread(_sides(np.stack([margin(part, X) for part in self.estimators_], axis=1)))

    def _log_posterior(self, X: MatrixLike) -> Array:
        return self._spread(_divided(np.stack([log_posterior(part, X) for part in self.estimators_], axis=1)))

    # -- sharing ------------------------------------------------------------------------------------------

    def inside(self, settings: Settings, study: Study) -> Dispatched:
        """All classifiers of all settings, by what they share."""
        classes = study.dataset.classes.tolist()
        problems = [
            BinaryProblem.of(
                f"{classes[k]!r} against the rest", study, np.eye(len(classes), dtype=np.int32)[k]
            )
            for k in range(int(len(classes) == 2), len(classes))
        ]
        return from_two(settings, study, problems, from_classes=True)

    def combined(self, binary: Array, present: Mask, posterior: bool) -> tuple[Array, NDArray[np.intp]]:
        """Scores (N, classes) of the present classes from those of all parts (N, parts, 2), and which class wins."""
        classes = np.flatnonzero(present)
        part_scores = binary[:, classes[1:] if len(classes) == 2 else classes] if len(present) > 2 else binary
        margins = _sides(odds(model_of(self.estimator), part_scores, posterior))
        return _divided(part_scores) if posterior else margins, margins.argmax(axis=1)


def _sides(margins: Array) -> Array:
    """Scores of the classes, (N, K), from the margins of their classifiers; a single one speaks for both."""
    if margins.shape[1] > 1:
        return margins
    return np.concatenate([-0.5 * margins, 0.5 * margins], axis=1)


def _divided(logs: Array) -> Array:
    r"""p_k / Σ_j p_j from log posteriors (N, parts, 2): exact where they are those of a true model."""
    if logs.shape[1] == 1:
        return np.asarray(logs[:, 0])
    class_logs = logs[:, :, 1].copy()
    class_logs[np.isneginf(class_logs).all(axis=1)] = 0.0  # no class has any probability: all are equal
    return np.asarray(class_logs - np.logaddexp.reduce(class_logs, axis=1, keepdims=True))
