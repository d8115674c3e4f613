r"""Inference for maximum-likelihood weights: their covariance is the inverse of the information matrix.

    Cov(w) = (Zᵀ R Z)⁻¹,    z = w / se,    p = 2 (1 - Φ(|z|)),    deviance = -2 ln L

With several classes, weights are relative to the first one. All of it assumes many rows, no penalty and finite
weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from assay.models.base.path_classifier import passes_of
from assay.models.base.validation import TrainingData
from assay.notes import Note
from assay.sharing.path.standard import ColumnScaling
from assay.types import Array

SMALLEST = 1e-12  # share of its own variance that is left of a column once the others are known
MOST_UNKNOWNS = 1000
DEPENDENT = "M362"  # the note about columns that are linear combinations of others


@dataclass(frozen=True)
class Inference:
    """Tests of every weight, (C, D+1), the intercept last; C is 1 for two classes, else K-1 against the first.

    Attributes
    ----------
    names : of the columns and the intercept
    classes : that the rows of weights belong to
    coef, standard_error, z, p : arrays
    deviance, null_deviance, aic, bic : float
    """

    names: tuple[str, ...]
    classes: tuple[Any, ...]
    coef: Array
    standard_error: Array
    deviance: float
    null_deviance: float
    aic: float
    bic: float

    @property
    def z(self) -> Array:
        return np.asarray(self.coef / self.standard_error)

    @property
    def p(self) -> Array:
        """Two-sided p-values of weights that are really 0."""
        return np.asarray(2.0 * ndtr(-np.abs(self.z)))

    def interval(self, level: float = 0.95) -> tuple[Array, Array]:
        """Lower and upper ends, by the normal distribution."""
        if not 0.0 < level < 1.0:
            raise ValueError(Note("M125", confidence=level))
        away = float(ndtri(0.5 + level / 2.0)) * self.standard_error
        return self.coef - away, self.coef + away


def standard_errors(
    data: TrainingData,
    standard: ColumnScaling,
    B: Array,
    *,
    penalised: bool,
    reweighted: bool,
    separated: bool,
) -> Array | Note:
    """Standard errors of the weights B (C, D+1) in the units of the columns, or why there are none."""
    if penalised:
        return Note("M357")
    if separated:
        return Note("M358")
    if reweighted:
        return Note("M359")
    if B.size > MOST_UNKNOWNS:
        return Note("M360", n_weights=int(B.size))
    if not standard.active.all():
        return Note("M361")
    with passes_of(standard, data) as passes:
        gram = passes.fold_grams(B)[0]
    covariance = _inverse(_information(gram, len(B)))
    if covariance is None:
        return Note(DEPENDENT)
    return _in_units(standard, covariance)


def wald_tests(model: Any) -> Inference:
    """The inference of a fitted model that has standard errors."""
    coef = np.append(model.coef_, model.intercept_[:, None], axis=1)
    deviance, count = -2.0 * model.log_likelihood_, model.n_parameters_
    known = model.class_prior_ > 0
    share, classes = model.class_prior_[known], model.classes_[known]
    coef = coef if len(coef) == 1 else coef[known][1:] - coef[known][:1]
    return Inference(
        names=(*model._names(), "(intercept)"),
        classes=tuple(classes.tolist()[1:]),
        coef=coef,
        standard_error=model._standard_error,
        deviance=deviance,
        null_deviance=float(-2.0 * model.n_rows_ * (share * np.log(share)).sum()),
        aic=deviance + 2.0 * count,
        bic=deviance + count * float(np.log(model.n_rows_)),
    )


def _information(gram: Array, classes: int) -> Array:
    """Σ w p_k (δ_kl - p_l) z zᵀ over classes 1.. against class 0, from the sums of pairs."""
    width = gram.shape[-1]
    if classes == 1:
        return np.asarray(gram[0])
    out = np.zeros((classes, width, classes, width))
    pairs = [(k, j) for k in range(classes) for j in range(k + 1, classes)]
    for at, (k, j) in enumerate(pairs):
        out[k, :, k, :] += gram[at]
        out[j, :, j, :] += gram[at]
        out[k, :, j, :] -= gram[at]
        out[j, :, k, :] -= gram[at]
    return out[1:, :, 1:, :].reshape((classes - 1) * width, (classes - 1) * width)


def _inverse(matrix: Array) -> Array | None:
    """Inverse of a positive definite matrix, None where it is singular to rounding."""
    scale = np.sqrt(np.diag(matrix))
    if not (scale > 0).all():
        return None
    values, vectors = np.linalg.eigh(matrix / scale / scale[:, None])
    if values[0] <= SMALLEST * len(matrix):
        return None
    return np.asarray((vectors / values) @ vectors.T / scale / scale[:, None])


def _in_units(standard: ColumnScaling, covariance: Array) -> Array:
    """From standardised units to those of the columns; the intercept takes part in every centre."""
    width = len(standard.center) + 1
    back = np.eye(width)
    back[:-1, :-1] = np.diag(standard.unit)
    back[-1, :-1] = -standard.center * standard.unit
    rows = len(covariance) // width
    blocks = [covariance[c * width : (c + 1) * width, c * width : (c + 1) * width] for c in range(rows)]
    return np.asarray(np.sqrt(np.stack([np.einsum("ij,jk,ik->i", back, block, back) for block in blocks])))
