"""Criteria of choice: one standard error, and AIC = 2k - 2 ln L, BIC = k ln N - 2 ln L at the likeliest fit."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.models.base import parts_of

Array = NDArray[np.float64]
RULES = ("min", "one_se")


def within_one_se(losses: Array, errors: Array) -> NDArray[np.bool_]:
    """Which losses are within one standard error of the least one: no worse, for all that these rows can tell.

    Where the standard error is unknown (NaN) only the least are.
    """
    best = int(np.argmin(losses))
    error = errors[best] if np.isfinite(errors[best]) else 0.0
    return np.asarray(losses <= losses[best] + error)


def choose(losses: Array, errors: Array, rule: str) -> int:
    """Place of the least loss ("min"), or of the first within one standard error of it ("one_se"): list simple first.

    >>> choose(np.array([0.3, 0.21, 0.2]), np.array([0.02, 0.02, 0.02]), "one_se")
    1
    """
    least = check_rule(rule) == "min"
    return int(losses.argmin() if least else within_one_se(losses, errors).argmax())


def check_rule(rule: str) -> str:
    """The rule, if it is one."""
    if rule not in RULES:
        raise ValueError(f"rule={rule!r} is unknown; give 'min' or 'one_se'.")
    return rule


def aic(model: Any) -> float:
    """Akaike's criterion of a fitted model; smaller is better.

    Only models of the same likelihood may be ranked: joint p(x, y) for generative models, conditional p(y | x)
    for discriminative ones.

    >>> from sklearn.datasets import load_iris
    >>> from assay import GaussianNB
    >>> round(aic(GaussianNB().fit(*load_iris(return_X_y=True))), 2)
    704.1
    """
    likelihood, parameters, _ = _ingredients(model)
    return 2.0 * parameters - 2.0 * likelihood


def bic(model: Any) -> float:
    """Schwarz's criterion of a fitted model; smaller is better.

    >>> from sklearn.datasets import load_iris
    >>> from assay import GaussianNB
    >>> round(bic(GaussianNB().fit(*load_iris(return_X_y=True))), 2)
    782.38
    """
    likelihood, parameters, rows = _ingredients(model)
    return parameters * math.log(rows) - 2.0 * likelihood


class Criteria(NamedTuple):
    """Both criteria of a fitted model, what they rest on, and which likelihood it is: "joint" or "conditional"."""

    aic: float
    bic: float
    n_parameters: int
    log_likelihood: float
    likelihood: str


def criteria(model: Any) -> Criteria | None:
    """AIC, BIC and their ingredients; None of a model without a likelihood, or with one that is not finite.

    >>> from sklearn.datasets import load_iris
    >>> from assay import GaussianNB
    >>> found = criteria(GaussianNB().fit(*load_iris(return_X_y=True)))
    >>> found.n_parameters, round(found.bic, 2), found.likelihood
    (26, 782.38, 'joint')
    """
    try:
        likelihood, parameters, rows = _ingredients(model)
    except (ValueError, AttributeError, NotImplementedError):
        return None
    if not math.isfinite(likelihood):
        return None
    kind = "conditional" if getattr(type(model), "conditional_likelihood", False) else "joint"
    double = 2.0 * likelihood
    return Criteria(
        2.0 * parameters - double, parameters * math.log(rows) - double, parameters, likelihood, kind
    )


def _ingredients(model: Any) -> tuple[float, int, float]:
    if parts := parts_of(model):
        raise ValueError(
            "The likelihood of a pipeline is that of its last part, of the rows as the steps hand them on: give that "
            f"part, model[-1], a {type(parts[-1][1]).__name__}."
        )
    if not hasattr(type(model), "n_parameters_"):
        raise ValueError(
            f"{type(model).__name__} has no likelihood, so no AIC or BIC; compare it by its error instead."
        )
    if not hasattr(model, "classes_"):
        raise ValueError(f"This {type(model).__name__} is not fitted yet; call fit first.")
    rows = model.statistics_.weight.sum() if hasattr(model, "statistics_") else model.n_rows_
    return model.log_likelihood_, model.n_parameters_, float(rows)
