r"""Absolute penalties: which columns a model uses, and the penalty from which on it uses none.

At the model without features the gradient by the weight of class k and column j is (1/N) Σ_n s_n (p_k - t_nk) x_nj.
While l1 is at least the largest of them in size, no column is worth its weight.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from assay.models.base.class_weight import weighted
from assay.models.base.estimators import clone
from assay.models.base.path_classifier import passes_of, standardised
from assay.models.base.validation import check_training, check_two_classes
from assay.notes import Note
from assay.numerics.blas import single_threaded
from assay.solvers.logistic_objective import LogisticObjective
from assay.types import Array, MatrixLike, RowWeights


def largest_l1(model: Any, X: MatrixLike, y: ArrayLike, sample_weight: RowWeights = None) -> float:
    """The smallest l1 at which every weight of a logistic regression is 0; useful penalties lie below it.

    Parameters
    ----------
    model : LogisticRegression
        Its `class_weight` is used, its penalties are not.
    X, y, sample_weight
        As for its `fit`; scale the columns as for the fit.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from assay import LogisticRegression, largest_l1
    >>> X, y = load_iris(return_X_y=True)
    >>> most = largest_l1(LogisticRegression(), X, y)
    >>> [int((LogisticRegression(l1=share * most).fit(X, y).coef_ != 0).sum()) for share in (1.001, 0.5, 0.01)]
    [0, 2, 4]
    """
    data = weighted(check_training(clone(model), X, y, sample_weight), model.class_weight)
    check_two_classes(data)
    with single_threaded():
        standard = standardised(data)
        part = standard.one_part()
        with passes_of(standard, data) as passes:
            problem = LogisticObjective(passes, data.n_classes)
            theta = problem.start(part)
            summed, _ = passes.gradients(theta, part.share)
        gradient = problem.gradient(part, theta, summed, 0.0)[0, :, :-1]
    return float((np.abs(gradient) * standard.scale).max())


def used_columns(coef: Array, l1: float) -> Note:
    """How many columns have a weight that is not 0."""
    used = int((coef != 0).any(axis=0).sum())
    return Note("M355", used=used, n_columns=coef.shape[1], l1=float(l1))
