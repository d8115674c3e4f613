r"""Logistic regression: posteriors that are the softmax of linear scores.

    P(C_k | x) = exp(w_kᵀx + w_k0) / Σ_j exp(w_jᵀx + w_j0);    two classes: P(C_1 | x) = 1 / (1 + exp(-wᵀx - w_0))

    minimise  -(1/N) Σ_n s_n ln P(class of n | x_n) + (l2 / 2) |W|²,    s_n the weight of row n, N their sum

Newton's method (iteratively reweighted least squares), with the second derivatives of all classes together. Columns
are centred and scaled inside; weights are given, and penalised, in the units of the columns.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from assay.engines.local import thread_count
from assay.models.base import PosteriorClassifier
from assay.models.class_weight import weighted
from assay.models.forms import Linear
from assay.models.linear.parameters import LOGISTIC
from assay.models.linear_geometry import LinearBoundaries
from assay.models.params import Param
from assay.models.pathwise import PathClassifier, Standard, standardised
from assay.models.validation import TrainingData, check_training
from assay.numerics.blas import single_threaded
from assay.solvers.fold_newton import FoldNewton
from assay.solvers.parts import Parts
from assay.solvers.passes import Passes
from assay.solvers.result import PathSolution

Array = NDArray[np.float64]


class LogisticRegression(PathClassifier, PosteriorClassifier, LinearBoundaries):
    """Logistic regression of two classes or more.

    Parameters
    ----------
    l2 : float
        Penalty l2/2 |W|² beside the mean log loss; the intercept is free. scikit-learn's C is 1/(l2 N).
    class_weight : None, "balanced" or dict
        Weight of each class, times the weights of the rows.
    tol : float
        Largest entry of the gradient at the solution, relative to that of the model without features.

    Attributes
    ----------
    classes_, class_prior_, diagnostics_
    coef_, intercept_
        (K, D) and (K,); with two classes one row, for the second class.
    history_ : list of (loss, gradient)
        Objective and relative gradient, pass by pass.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = LogisticRegression(l2=0.001).fit(X, y)
    >>> int((model.predict(X) != y).sum())
    2
    >>> model.history_[-1][1] <= 1e-6
    True
    """

    params: ClassVar[tuple[Param, ...]] = LOGISTIC

    def __init__(self, l2: float = 0.0, *, class_weight: Any = None, tol: float = 1e-6) -> None:
        self.l2 = l2
        self.class_weight = class_weight
        self.tol = tol

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Minimise the penalised log loss.

        Parameters
        ----------
        X : array (N, D)
        y : array (N,)
            Labels of any type.
        sample_weight : array (N,), optional
        """
        self._check_params()
        data = weighted(check_training(self, X, y, sample_weight), self.class_weight)
        if len(data.classes) < 2:
            raise ValueError(
                f"y has one class ({data.classes.tolist()[0]!r}); a classifier needs at least two classes."
            )
        with single_threaded():
            standard = standardised(data)
            found = self._solve(data, standard)
        return self._keep(data, standard, found)

    def _solve(self, data: TrainingData, standard: Standard) -> PathSolution:
        everyone = np.zeros(len(data.codes), dtype=np.int32)
        parts = Parts(np.ones((1, 1), dtype=bool), standard.penalty[None], standard.active[None])
        with Passes(standard.rows(data.X), data.codes, data.weight, everyone, 1, thread_count()) as passes:
            return self._solve_parts(passes, parts, data.n_classes, np.array([self.l2]))

    def _solve_parts(self, passes: Passes, parts: Parts, n_classes: int, l2: Array) -> PathSolution:
        return FoldNewton(passes, parts, n_classes, self.tol).path(l2)

    def _keep(self, data: TrainingData, standard: Standard, found: PathSolution) -> Self:
        self.classes_ = data.classes
        counts = np.bincount(data.codes, data.weight, data.n_classes)
        self.class_prior_ = counts / counts.sum()
        self.history_ = [(loss, gradient) for _, loss, gradient in found.history]
        self._score_form: Linear = standard.form(found.B[0])
        self._keep_linear()
        return self

    def _class_scores(self, X: NDArray[np.floating]) -> Array:
        return self._score_form.scores(X)
