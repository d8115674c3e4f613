"""Criteria of choice: one standard error, and AIC = 2k - 2 ln L, BIC = k ln N - 2 ln L at the likeliest fit."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.models.base.estimators import check_is_fitted, clone, fit_weighted, parts_of
from assay.notes import Note
from assay.types import Array, MatrixLike, RowClassifier

RULES = ("min", "one_se")
TIE = 1e-9  # share of a loss below which a difference is that of rounding


def least(losses: Array) -> int:
    """Place of the least loss; of those that differ by rounding alone the first.

    >>> least(np.array([0.3, 0.1 + 0.2, 0.3 - 1e-16]))
    0
    """
    return int(tied(losses).argmax())


def tied(losses: Array) -> NDArray[np.bool_]:
    """Which losses are the least one, but for rounding."""
    best = float(np.nanmin(losses))
    return np.asarray(losses <= best + TIE * abs(best))


def within_one_se(losses: Array, errors: Array) -> NDArray[np.bool_]:
    """Which losses are within one standard error of the least one: no worse, for all that these rows can tell.

    Where the standard error is unknown (NaN) only the least are.
    """
    best = least(losses)
    error = errors[best] if np.isfinite(errors[best]) else 0.0
    return np.asarray((losses <= losses[best] + error) | tied(losses))


def choose(losses: Array, errors: Array, rule: str) -> int:
    """Place of the least loss ("min"), or of the first within one standard error of it ("one_se"): list simple first.

    >>> choose(np.array([0.3, 0.21, 0.2]), np.array([0.02, 0.02, 0.02]), "one_se")
    1
    """
    return least(losses) if check_rule(rule) == "min" else int(within_one_se(losses, errors).argmax())


def check_rule(rule: str) -> str:
    """The rule, if it is one."""
    if rule not in RULES:
        raise ValueError(Note("S077", rule=rule))
    return rule


def aic(
    model: RowClassifier,
    X: MatrixLike | None = None,
    y: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Akaike's criterion of a model at its maximum-likelihood fit; smaller is better.

    Only models of the same likelihood may be ranked: joint p(x, y) for generative models, conditional p(y | x)
    for discriminative ones. Smoothing, blending, shrinkage and variance floors have no effect: the likelihood is the
    maximum, so that settings that differ only in them have the same AIC, which cannot rank them.

    Parameters
    ----------
    model : estimator
        Fitted, and without a penalty; or any model with a likelihood where rows are given.
    X, y, sample_weight : arrays, optional
        Rows to fit a copy to, without penalty and class weights.

    >>> from sklearn.datasets import load_iris
    >>> from assay import GaussianNB, LogisticRegression
    >>> X, y = load_iris(return_X_y=True)
    >>> round(aic(GaussianNB(variance_floor=0.1).fit(X, y)), 2)
    704.1
    >>> round(aic(LogisticRegression(l2=0.1), X, y), 2)
    33.12
    """
    return _figures(_checked(model, X, y, sample_weight)).aic


def bic(
    model: RowClassifier,
    X: MatrixLike | None = None,
    y: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Schwarz's criterion of a model at its maximum-likelihood fit; smaller is better. Arguments as those of `aic`.

    >>> from sklearn.datasets import load_iris
    >>> from assay import GaussianNB
    >>> round(bic(GaussianNB().fit(*load_iris(return_X_y=True))), 2)
    782.38
    """
    return _figures(_checked(model, X, y, sample_weight)).bic


class Criteria(NamedTuple):
    """Both criteria of a fitted model, what they rest on, and which likelihood it is: "joint" or "conditional"."""

    aic: float
    bic: float
    n_parameters: int
    log_likelihood: float
    likelihood: str


def criteria(model: RowClassifier) -> Criteria | Note | None:
    """AIC, BIC and their ingredients, or the reason why there are none; None of a model without a likelihood.

    >>> from sklearn.datasets import load_iris
    >>> from assay import GaussianNB, LogisticRegression
    >>> X, y = load_iris(return_X_y=True)
    >>> figures = criteria(GaussianNB().fit(X, y))
    >>> figures.n_parameters, round(figures.bic, 2), figures.likelihood
    (26, 782.38, 'joint')
    >>> criteria(LogisticRegression(l2=0.1).fit(X, y))
    'l2=0.1 keeps it from the maximum of its likelihood'
    """
    try:
        _check_likelihood(model)
    except ValueError:
        return None
    if moved := _moved(model):
        return Note("P701", parameters=moved)
    figures = _figures(model)
    return figures if math.isfinite(figures.log_likelihood) else Note("P702")


def _figures(model: Any) -> Criteria:
    rows = float(model.statistics_.in_rows().weight.sum() if hasattr(model, "statistics_") else model.n_rows_)
    likelihood, parameters = float(model.log_likelihood_), int(model.n_parameters_)
    kind = "conditional" if getattr(type(model), "conditional_likelihood", False) else "joint"
    lack = -2.0 * likelihood
    return Criteria(2.0 * parameters + lack, parameters * math.log(rows) + lack, parameters, likelihood, kind)


def _checked(
    model: RowClassifier, X: MatrixLike | None, y: ArrayLike | None, sample_weight: ArrayLike | None
) -> Any:
    """The model at its maximum-likelihood fit, fitted to the rows where they are given."""
    if X is not None:
        _check_kind(model)
        likeliest = clone(model).set_params(**_at_maximum(model))
        weight = None if sample_weight is None else np.asarray(sample_weight)
        return fit_weighted(likeliest, X, y, weight)
    _check_likelihood(model)
    if moved := _moved(model):
        raise ValueError(Note("S078", moved=" and ".join(moved), kind=type(model).__name__))
    return model


def _check_kind(model: RowClassifier) -> None:
    if parts := parts_of(model):
        raise ValueError(Note("S079", kind=type(parts[-1][1]).__name__))
    if not hasattr(type(model), "n_parameters_"):
        raise ValueError(Note("S080", kind=type(model).__name__))


def _check_likelihood(model: RowClassifier) -> None:
    _check_kind(model)
    check_is_fitted(model, msg="This %(name)s is not fitted yet; call fit first.")


def _at_maximum(model: Any) -> dict[str, object]:
    """Values of the parameters under which a discriminative model maximises its likelihood.

    Models of moments and counts need none: their `log_likelihood_` is that of the maximum whatever the setting.
    """
    if not getattr(type(model), "conditional_likelihood", False):
        return {}
    return {**dict.fromkeys(type(model).penalties, 0.0), "class_weight": None}


def _moved(model: RowClassifier) -> tuple[str, ...]:
    """The parameters that keep a model from the maximum of its likelihood, as they were given."""
    values = model.get_params(deep=False)
    return tuple(
        f"{name}={values[name]!r}" for name, value in _at_maximum(model).items() if values[name] != value
    )
