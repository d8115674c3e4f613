r"""Posteriors for any classifier, from scores of rows that it did not see.

    P(k | x) = map(scores of x),    the map learned from pairs (out-of-fold score, class)

Margins have no unit and posteriors of wrong models are too sure. The plan's folds give every row a score by a model
that was not trained on it; a map from scores to posteriors is fitted to these; then the model is fitted to all rows.
Scores of training rows would not do: a model that has learned its rows by heart is sure of all of them
(Platt, 1999; Niculescu-Mizil and Caruana, ICML 2005).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from assay.decision.isotonic import IsotonicMap, fit_isotonic
from assay.decision.sigmoid import SigmoidMap, fit_sigmoid
from assay.models.combine.combined import Combined, fit_part, shown
from assay.models.combine.out_of_fold import OutOfFold, class_scores, out_of_fold
from assay.models.combine.parameters import CALIBRATED
from assay.models.combine.rows import Array, Labelled, adopt_columns, labelled
from assay.models.params import Param
from assay.numerics.blas import single_threaded
from assay.plans import KFold, Plan, as_plan
from assay.sharing.forms import Linear

Map = SigmoidMap | IsotonicMap
FITS: dict[str, Callable[..., Map]] = {"sigmoid": fit_sigmoid, "isotonic": fit_isotonic}
HALF = float(np.log(2.0))


class Calibrated(Combined):
    """A classifier with posteriors, made from one with margins or with posteriors that are too sure.

    Parameters
    ----------
    estimator : classifier
        Assay's or scikit-learn's, or a pipeline; with `decision_function` or `predict_proba`.
    method : {"sigmoid", "isotonic"}
        A logistic curve (one slope, an offset a class), or for each class the best rising curve, divided by their sum.
        The curve needs few rows; the other one a thousand or more, and then any shape is right.
    plan : plan, int or splitter, optional
        Where the scores come from; KFold(5) when not given.

    Attributes
    ----------
    classes_, class_prior_, diagnostics_
    model_ : the model, fitted to all rows
    map_ : from scores to posteriors

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import LinearSVC
    >>> X, y = load_iris(return_X_y=True)
    >>> model = Calibrated(LinearSVC()).fit(X, y)
    >>> model.predict_proba(X[:1]).round(2).tolist()
    [[0.97, 0.03, 0.0]]
    >>> model.decide(X[:1], priors=[0.01, 0.98, 0.01]).labels.tolist()
    [1]
    """

    params: ClassVar[tuple[Param, ...]] = CALIBRATED
    probabilistic = True
    map_: Map

    def __init__(self, estimator: Any, *, method: str = "sigmoid", plan: Any = None) -> None:
        self.estimator = estimator
        self.method = method
        self.plan = plan

    def _inner(self) -> Any:
        return getattr(self, "model_", self.estimator)

    def _has_posterior(self) -> bool:
        return True

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the map to out-of-fold scores, and the model to all rows.

        Parameters
        ----------
        X : table (N, D)
            Anything that the model takes, as long as rows can be taken from it.
        y : array (N,)
            Labels of any type.
        sample_weight : array (N,), optional
            Where the model takes weights.
        """
        self._check_params()
        data = labelled(self, X, y, sample_weight)
        plan = self._plan(data)
        found = _no_scores(data) if plan is None else out_of_fold(self.estimator, data, plan)
        model = fit_part(self.estimator, data.X, data.classes[data.codes], data.weight)
        self._floor, self._bounded = _bounds(found.scores, hasattr(model, "predict_proba"))
        weight = None if data.weight is None else data.weight[found.rows]
        scores = self._level(found.scores, found.rows)
        with single_threaded():
            self.map_ = FITS[self.method](scores, data.codes[found.rows], weight)
        self.classes_, self.model_ = data.classes, model
        self.class_prior_ = data.shares()
        self.diagnostics_ = (*data.absences(), *found.notes, *_told(self.map_))
        adopt_columns(self, model)
        return self

    def _plan(self, data: Labelled) -> Plan | None:
        """None where rows are too few: some training part of the usual folds would have a single class."""
        if self.plan is not None:
            return as_plan(self.plan)
        usual = KFold(max(2, min(5, len(data.codes))))
        (partition,) = usual.partitions(data.codes)
        trained = [np.unique(data.codes[partition.fold != f]) for f in range(usual.n_splits)]
        return usual if all(len(classes) > 1 for classes in trained) else None

    def _level(self, scores: Array, rows: NDArray[np.intp] | None = None) -> Array:
        """Finite scores; of two classes only the difference counts."""
        bad = np.flatnonzero(np.isnan(scores).any(axis=1) | (scores == np.inf).any(axis=1))
        if len(bad):
            row = bad[0] if rows is None else rows[bad[0]]
            raise ValueError(
                f"{shown(self.estimator)} gives row {row} a score that is not finite: it lies too far from the others."
            )
        level = np.where(np.isneginf(scores), self._floor, scores)
        if self._bounded:
            level = np.maximum(level, self._floor)
        if level.shape[1] == 2:
            half = 0.5 * (level[:, 1] - level[:, 0])
            return np.stack([-half, half], axis=1)
        return level

    def _log_posterior(self, X: Any) -> Array:
        logs = self.map_.log_posterior(self._level(class_scores(self.model_, X, self.classes_)))
        if (self.class_prior_ > 0).all():
            return logs
        logs[:, self.class_prior_ == 0] = -np.inf  # no row of these counted
        return np.asarray(logs - np.logaddexp.reduce(logs, axis=1, keepdims=True))

    def _scores(self, X: Any) -> Array:
        return self._log_posterior(X)

    @property
    def _score_form(self) -> Linear | None:
        """Slope times linear margins, plus offsets: log posteriors but for a term that the classes share."""
        form = getattr(self.model_, "_score_form", None)
        if not isinstance(form, Linear) or hasattr(self.model_, "predict_proba"):
            return None
        if not isinstance(self.map_, SigmoidMap) or (self.class_prior_ == 0).any():
            return None
        slope, offset = self.map_.slope, self.map_.offset
        return Linear(form.center, slope * form.weights, slope * form.bias + offset)


def _no_scores(data: Labelled) -> OutOfFold:
    """Scores that say nothing, so that the posteriors are the class shares."""
    rows = np.arange(len(data.codes))
    return OutOfFold(rows, np.zeros((len(rows), data.n_classes)), ())


def _bounds(scores: Array, posterior: bool) -> tuple[float, bool]:
    """What stands for -inf, and whether nothing may lie below it.

    Half of the smallest probability seen, or just below the smallest margin. Models that count, such as trees and
    neighbours, say exactly 0 for "less than I can tell": that and anything smaller is the half.
    """
    seen = np.isfinite(scores)
    return float(scores[seen].min()) - HALF, posterior and not bool(seen.all())


def _told(found: Map) -> tuple[str, ...]:
    if isinstance(found, SigmoidMap) and found.slope == 0.0:
        return (
            "The scores of unseen rows say nothing about the class: the posteriors are the class shares.",
        )
    return ()
