"""Other priors than those of training: ``P'(k | x)`` is proportional to ``P(k | x) · new[k] / trained[k]``.

Replacing the priors needs the posterior only, nothing is refitted (Saerens, Latinne and Decaestecker,
Neural Computation 14, 2002).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from assay.notes import Note
from assay.types import Array, Numbers, PriorsLike

_SUM_TOLERANCE = 1e-6
# float32 posteriors of many classes miss 1 by a few 1e-6; typing errors miss it by far more.
_ROW_TOLERANCE = 1e-5


def check_priors(priors: npt.ArrayLike, n_classes: int, name: str = "priors") -> Array:
    """The priors as a float64 copy: `n_classes` finite numbers, none negative, with sum 1 within 1e-6.

    Examples
    --------
    >>> check_priors([0.25, 0.75], 2)
    array([0.25, 0.75])
    """
    try:
        values = np.array(priors, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(Note("L055", name=name)) from None
    if values.shape != (n_classes,):
        raise ValueError(Note("L048", name=name, shape=values.shape, n_classes=n_classes))
    for k in np.flatnonzero(~(np.isfinite(values) & (values >= 0)))[:1]:
        raise ValueError(Note("L049", position=k, name=name, value=values[k]))
    total = float(values.sum())
    if abs(total - 1.0) > _SUM_TOLERANCE:
        raise ValueError(Note("L050", name=name, total=total))
    return values


def check_posterior(posterior: npt.ArrayLike) -> Array:
    """The posterior as float64 of shape (N, K), N and K at least 1; every row is a distribution.

    Examples
    --------
    >>> check_posterior([[1, 0]])
    array([[1., 0.]])
    """
    values = _as_rows(posterior, "posterior")
    sums = values.sum(axis=1)
    # NaN and inf make the sum NaN or inf, and a negative entry shows in the minimum: two passes check all.
    wrong = ~(np.abs(sums - 1.0) <= _ROW_TOLERANCE)
    if values.min() < 0:
        wrong |= (values < 0).any(axis=1)
    for i in np.flatnonzero(wrong)[:1]:
        bad = values[i][~(np.isfinite(values[i]) & (values[i] >= 0))]
        raise ValueError(
            Note("N702", row=i, value=bad[0]) if len(bad) else Note("L051", row=i, total=sums[i])
        )
    return values


def check_log_posterior(log_posterior: npt.ArrayLike) -> Array:
    """The log posterior as float64 of shape (N, K): no NaN, nothing above 0 (-inf is probability zero).

    Examples
    --------
    >>> check_log_posterior([[0, -float("inf")]])
    array([[  0., -inf]])
    """
    values = _as_rows(log_posterior, "log posterior")
    if not values.max() <= _ROW_TOLERANCE:
        i, k = np.argwhere(~(values <= _ROW_TOLERANCE))[0]
        raise ValueError(Note("L052", row=i, value=values[i, k]))
    return values


def reweight(posterior: npt.ArrayLike, trained_priors: npt.ArrayLike, priors: npt.ArrayLike) -> Array:
    """The posterior under other priors.

    A class with trained prior 0 was never seen and keeps probability 0.  A row whose whole probability lies
    on classes that the new priors exclude says nothing about the others: it receives the new priors.

    Parameters
    ----------
    posterior : array of shape (N, K)
    trained_priors : array of shape (K,)
        The priors under which the posterior was computed.
    priors : array of shape (K,)
        The priors to use instead.

    Examples
    --------
    >>> reweight([[0.5, 0.5]], [0.5, 0.5], [0.9, 0.1])
    array([[0.9, 0.1]])
    """
    values = check_posterior(posterior)
    old, new = _prior_pair(trained_priors, priors, values.shape[1])
    result = values * np.divide(new, old, out=np.zeros_like(new), where=old > 0)
    totals = result.sum(axis=1, keepdims=True)
    lost = totals[:, 0] == 0
    if lost.any():
        result[lost] = new
        totals[lost] = new.sum()
    result /= totals
    return result


def reweight_log(log_posterior: npt.ArrayLike, trained_priors: npt.ArrayLike, priors: npt.ArrayLike) -> Array:
    """:func:`reweight` for log posteriors, which keeps probabilities too small for the linear form.

    Examples
    --------
    >>> np.exp(reweight_log(np.log([[0.5, 0.5]]), [0.5, 0.5], [0.9, 0.1])).round(12)
    array([[0.9, 0.1]])
    """
    values = check_log_posterior(log_posterior)
    old, new = _prior_pair(trained_priors, priors, values.shape[1])
    with np.errstate(divide="ignore"):
        log_new = np.log(new)
        shift = np.where(old > 0, log_new - np.log(np.where(old > 0, old, 1.0)), -np.inf)
    result = values + shift
    lost = np.isneginf(result.max(axis=1))
    if lost.any():
        result[lost] = log_new
    result -= result.max(axis=1, keepdims=True)
    result -= np.log(np.exp(result).sum(axis=1, keepdims=True))
    return result


def _as_rows(values: npt.ArrayLike, name: str) -> Array:
    """A two-dimensional float64 view or copy with at least one row and one column."""
    try:
        rows = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(Note("L056", name=name)) from None
    if rows.ndim != 2 or 0 in rows.shape:
        raise ValueError(Note("L053", name=name, shape=rows.shape))
    return rows


def _prior_pair(trained_priors: npt.ArrayLike, priors: npt.ArrayLike, n_classes: int) -> tuple[Array, Array]:
    """Both priors checked, the new ones set to 0 where nothing was trained."""
    old = check_priors(trained_priors, n_classes, "trained priors")
    new = check_priors(priors, n_classes)
    new[old == 0] = 0.0
    if not new.any():
        raise ValueError(Note("L054"))
    return old, new


def estimates_priors(priors: PriorsLike) -> bool:
    """Whether class probabilities are the shares of the data; None means "ml", as in scikit-learn."""
    return priors is None or (isinstance(priors, str) and priors == "ml")


def class_priors(priors: PriorsLike, weight: Numbers) -> Array:
    """Class probabilities (G, K): shares of the weight, equal over the classes, or as given."""
    n_classes = weight.shape[-1]
    if priors is None or isinstance(priors, str):
        if estimates_priors(priors):
            return np.asarray(weight / weight.sum(axis=-1, keepdims=True))
        return np.full(weight.shape, 1.0 / n_classes)
    return np.broadcast_to(check_priors(priors, n_classes), weight.shape)


def log_priors(priors: PriorsLike, weight: Numbers) -> Array:
    """Logarithm of the class probabilities; a class never seen gets -inf whatever its prior."""
    with np.errstate(divide="ignore"):
        return np.where(weight > 0, np.log(class_priors(priors, weight)), -np.inf)
