"""From a posterior to an action: the least expected loss ``R(a | x) = Σ_k P(k | x) · loss[k, a]``.

Inference ends with the posterior; what follows here knows costs and priors but no data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from assay.decision.loss import LossLike, LossMatrix, plain
from assay.decision.measures import check_codes, check_weight
from assay.decision.priors import check_posterior, reweight
from assay.notes import Note
from assay.types import Array, Codes, Labels


@dataclass(frozen=True, eq=False)
class Decision:
    """The chosen action of every row.

    Attributes
    ----------
    actions : array of shape (N,)
        Names of the chosen actions.
    labels : array of shape (N,)
        The predicted class labels; None where the action predicts no class (the row is rejected).
    codes : int32 array of shape (N,)
        Codes of the predicted classes; -1 where the row is rejected.
    action_codes : int32 array of shape (N,)
        Columns of the loss matrix that were chosen.
    risk : array of shape (N,)
        Expected loss of the chosen action.
    risks : array of shape (N, A)
        Expected loss of every action.
    loss : LossMatrix
        The costs that were applied.

    Examples
    --------
    >>> decision = decide([[0.9, 0.1], [0.6, 0.4]], LossMatrix.zero_one(["a", "b"], reject=0.3))
    >>> decision.actions, decision.codes
    (array(['a', 'reject'], dtype=object), array([ 0, -1], dtype=int32))
    """

    action_codes: Codes
    risks: Array
    loss: LossMatrix

    @property
    def codes(self) -> Codes:
        """Codes of the predicted classes, -1 where the row is rejected."""
        return self.loss.class_of_action[self.action_codes]

    @property
    def risk(self) -> Array:
        """Expected loss of the chosen action."""
        return np.take_along_axis(self.risks, self.action_codes[:, None], axis=1)[:, 0]

    @property
    def labels(self) -> Labels:
        """Predicted class labels in their own dtype, or as objects with None where rows are rejected."""
        codes = self.codes
        if (codes >= 0).all():
            return self.loss.classes[codes]
        labels = _objects([plain(label) for label in self.loss.classes])[codes]
        labels[codes < 0] = None
        return labels

    @property
    def actions(self) -> Labels:
        """Names of the chosen actions, in the dtype of the classes if no other action was chosen."""
        if (self.codes >= 0).all():
            return self.labels
        return _objects(self.loss.actions)[self.action_codes]

    @property
    def n_rejected(self) -> int:
        """How many rows received an action that predicts no class."""
        return int((self.codes < 0).sum())


@dataclass(frozen=True, eq=False)
class ErrorRejectCurve:
    """Errors left when rows of low confidence are rejected; one entry a threshold, from no reject upwards.

    Attributes
    ----------
    thresholds : array of shape (T,)
        Rows whose largest posterior is at least the threshold are accepted.
    reject_rate : array of shape (T,)
        Proportion of all rows (by weight) that is rejected.
    error : array of shape (T,)
        Proportion of wrong rows among the accepted ones.
    accepted, errors : arrays of shape (T,)
        Weight of the accepted rows and of the wrong ones among them: counts if no weights were given.

    Examples
    --------
    >>> curve = error_reject_curve([[0.9, 0.1], [0.6, 0.4]], [0, 1])
    >>> curve.reject_rate, curve.error
    (array([0. , 0.5]), array([0.5, 0. ]))
    """

    thresholds: Array
    reject_rate: Array
    error: Array
    accepted: Array
    errors: Array


def expected_risk(
    posterior: npt.ArrayLike, loss: LossLike = None, *, classes: npt.ArrayLike | None = None
) -> Array:
    """Expected loss of every action for every row, shape (N, A).

    `loss` takes every form of :meth:`LossMatrix.of`; `classes` are 0 to K-1 unless given.

    Examples
    --------
    >>> expected_risk([[0.75, 0.25]], [[0, 1], [10, 0]])
    array([[2.5 , 0.75]])
    """
    values = check_posterior(posterior)
    return values @ _matrix(loss, classes, values.shape[1]).values


def decide(
    posterior: npt.ArrayLike,
    loss: LossLike = None,
    priors: npt.ArrayLike | None = None,
    *,
    classes: npt.ArrayLike | None = None,
    trained_priors: npt.ArrayLike | None = None,
) -> Decision:
    """Choose the action of least expected loss for every row.

    Of equal risks the first action in the matrix is chosen, and risks that differ only by rounding are equal. Where
    all errors cost the same, the class of the largest posterior is chosen, however small its lead.

    Parameters
    ----------
    posterior : array of shape (N, K)
    loss : any form accepted by LossMatrix.of, default zero-one
        Zero-one loss chooses the largest posterior.
    priors : array of shape (K,), optional
        Priors to use in place of `trained_priors`, which must then be given.
    classes : array of shape (K,), optional
        Labels of the posterior's columns; those of a LossMatrix, or 0 to K-1, unless given.
    trained_priors : array of shape (K,), optional
        The priors under which the posterior was computed.

    Examples
    --------
    >>> decide([[0.75, 0.25]], classes=["well", "ill"]).labels
    array(['well'], dtype='<U4')
    >>> decision = decide([[0.75, 0.25]], [[0, 1], [10, 0]], classes=["well", "ill"])
    >>> decision.labels, decision.risk
    (array(['ill'], dtype='<U4'), array([0.75]))
    """
    values = check_posterior(posterior)
    matrix = _matrix(loss, classes, values.shape[1])
    if priors is not None:
        if trained_priors is None:
            raise ValueError(Note("C033"))
        values = reweight(values, trained_priors, priors)
    return Decision(least_risk(values, matrix), values @ matrix.values, matrix)


def error_reject_curve(
    posterior: npt.ArrayLike, codes: npt.ArrayLike, weight: npt.ArrayLike | None = None
) -> ErrorRejectCurve:
    """Error among accepted rows against the proportion rejected, for every threshold on the largest posterior.

    Parameters
    ----------
    posterior : array of shape (N, K)
    codes : int array of shape (N,)
        True classes.
    weight : array of shape (N,), optional

    Examples
    --------
    >>> curve = error_reject_curve([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]], [0, 1, 1])
    >>> curve.thresholds, curve.errors
    (array([0.6, 0.8, 0.9]), array([1., 0., 0.]))
    """
    values = check_posterior(posterior)
    truth = check_codes(codes, len(values), values.shape[1])
    weights = check_weight(weight, len(values))
    counted = np.flatnonzero(weights > 0)
    confidence = values[counted].max(axis=1)
    order = np.argsort(-confidence, kind="stable")
    wrong = values[counted].argmax(axis=1) != truth[counted]
    accepted = np.cumsum(weights[counted][order])
    errors = np.cumsum((weights[counted] * wrong)[order])
    # A threshold accepts all rows of equal confidence together: keep the last of each run, then least first.
    ranked = confidence[order]
    last = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True))[::-1]
    reject_rate = 1.0 - accepted[last] / accepted[-1]
    error = errors[last] / accepted[last]
    return ErrorRejectCurve(ranked[last], reject_rate, error, accepted[last], errors[last])


def log_odds(posterior: npt.ArrayLike) -> Array:
    """``log P(class 1) - log P(class 0)`` of a two-class posterior; above 0 exactly where P(class 1) > 0.5.

    Examples
    --------
    >>> log_odds([[0.5, 0.5], [0.2, 0.8]]).round(4)
    array([0.    , 1.3863])
    """
    values = check_posterior(posterior)
    if values.shape[1] != 2:
        raise ValueError(Note("L057", n_classes=values.shape[1]))
    with np.errstate(divide="ignore"):
        return np.log(values[:, 1]) - np.log(values[:, 0])


def threshold(loss: LossLike) -> float:
    """The posterior of class 1 above which a 2 x 2 loss matrix predicts class 1 (at it, class 0).

    With a = loss[0, 1] - loss[0, 0] and b = loss[1, 0] - loss[1, 1] it is a / (a + b), so the log odds are
    compared with log(a / b).

    Examples
    --------
    >>> threshold([[0, 1], [9, 0]])
    0.1
    """
    matrix = loss if isinstance(loss, LossMatrix) else _matrix(loss, None, 2)
    codes = matrix.class_of_action.tolist()
    if len(matrix.classes) != 2 or sorted(codes) != [0, 1]:
        raise ValueError(Note("L058"))
    costs = matrix.values[:, np.argsort(codes)]
    false_one = float(costs[0, 1] - costs[0, 0])
    false_zero = float(costs[1, 0] - costs[1, 1])
    if min(false_one, false_zero) < 0 or false_one + false_zero == 0:
        raise ValueError(Note("L059"))
    return false_one / (false_one + false_zero)


def _matrix(loss: LossLike, classes: npt.ArrayLike | None, n_classes: int) -> LossMatrix:
    """The loss in the order of the posterior's columns."""
    if classes is None:
        classes = loss.classes if isinstance(loss, LossMatrix) else np.arange(n_classes)
    matrix = LossMatrix.of(loss, classes)
    if len(matrix.classes) != n_classes:
        raise ValueError(Note("L060", n_classes=len(matrix.classes), n_columns=n_classes))
    return matrix


def _objects(names: Sequence[object]) -> NDArray[np.object_]:
    """Names as an object array of one dimension, whatever they are."""
    array = np.empty(len(names), dtype=object)
    array[:] = names
    return array


def least_risk(posterior: Array, loss: LossMatrix) -> Codes:
    """Column of least risk for each row, by posteriors that were checked."""
    predicts = loss.class_of_action >= 0
    # Taking one number off each class's row shifts all risks of a case alike.  The row's largest cost of a
    # prediction turns zero-one loss into minus the posterior, so that no rounding of 1 - p can disagree with
    # the largest posterior.
    shift = loss.values[:, predicts].max(axis=1, keepdims=True) if predicts.any() else 0.0
    costs = loss.values - shift
    risks = posterior @ costs
    tolerance = max(16, len(loss.classes)) * np.finfo(np.float64).eps * float(np.abs(loss.values).max())
    among_classes = 0.0 if _orders_posteriors(costs[:, predicts]) else tolerance
    if predicts.all():
        return _first_least(risks, among_classes)
    if not predicts.any():
        return _first_least(risks, tolerance)
    predicting, other = np.flatnonzero(predicts), np.flatnonzero(~predicts)
    a = predicting[_first_least(risks[:, predicting], among_classes)]
    b = other[_first_least(risks[:, other], tolerance)]
    rows = np.arange(len(risks))
    more = risks[rows, a] - risks[rows, b]
    chosen: Codes = np.where(np.abs(more) <= tolerance, np.minimum(a, b), np.where(more < 0, a, b))
    return chosen.astype(np.int32)


def _first_least(risks: Array, tolerance: float) -> Codes:
    """The first action of each row whose risk is the least, or above it by no more than the tolerance."""
    if tolerance == 0.0:
        first: Codes = risks.argmin(axis=1).astype(np.int32)
    else:
        first = (risks <= risks.min(axis=1, keepdims=True) + tolerance).argmax(axis=1).astype(np.int32)
    return first


def _orders_posteriors(costs: Array) -> bool:
    """Whether every risk is one posterior times the same number, so that nothing is rounded differently."""
    there = costs != 0
    single = (there.sum(axis=0) <= 1).all() and (there.sum(axis=1) <= 1).all()
    return bool(single and len(np.unique(costs[there])) <= 1)
