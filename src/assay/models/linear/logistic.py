r"""Logistic regression: posteriors that are the softmax of linear scores.

    P(C_k | x) = exp(w_kᵀx + w_k0) / Σ_j exp(w_jᵀx + w_j0);    two classes: P(C_1 | x) = 1 / (1 + exp(-wᵀx - w_0))

    minimise  -(1/N) Σ_n s_n ln P(class of n | x_n) + (l2 / 2) |W|² + l1 Σ |W|,    s_n the weight of row n, N their sum

Newton's method (iteratively reweighted least squares), with the second derivatives of all classes together, or
conjugate gradients inside it where there are too many columns; coordinate descent inside it under l1. Columns are
centred and scaled inside; weights are given, and penalised, in the units of the columns.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from assay.models.base.card import PATH, POSTERIOR, ModelCard, Range
from assay.models.base.class_weight import absent_classes, among_known, weighted
from assay.models.base.column_notes import column_keys
from assay.models.base.estimators import PosteriorClassifier, check_is_fitted, clone
from assay.models.base.params import CLASS_WEIGHT, START, Param
from assay.models.base.path_classifier import PathClassifier, passes_of, standardised
from assay.models.base.stored import LINEAR, SHARES, Field
from assay.models.base.suitability import products_unsuited
from assay.models.base.validation import TrainingData, check_training, check_two_classes
from assay.models.features.select_words import WORD_CHOICE
from assay.models.features.tf_idf import TEXT_L2
from assay.models.linear.approximate_leave_one_out import approximate_leave_one_out
from assay.models.linear.inference import DEPENDENT, Inference, standard_errors, wald_tests
from assay.models.linear.l1_penalty import used_columns
from assay.models.linear.separation import explain_separation
from assay.notes import Note
from assay.numerics.blas import single_threaded
from assay.sharing.path.standard import ColumnScaling
from assay.solvers.fold_krylov import FoldKrylov
from assay.solvers.fold_lasso import FoldLasso
from assay.solvers.fold_newton import FoldNewton
from assay.solvers.parts import Parts
from assay.solvers.passes import Passes
from assay.solvers.result import PathSolution, merged
from assay.solvers.wide_lasso import WideLasso
from assay.types import Array, ClassWeights, MatrixLike, RowWeights

MOST_UNKNOWNS = 1000  # weights of all classes whose second derivatives are held and factorised
TOLERANCE = Param(
    "tol",
    "float",
    1e-6,
    (
        "Largest entry of the gradient at the solution, relative to that of the model without features. "
        "Under l1 the largest violation of the conditions of a minimum, by the same measure."
    ),
    low=1e-12,
)
LOGISTIC = (
    Param(
        "l2",
        "float",
        0.0,
        (
            "Penalty on the squared weights, l2/2 |W|^2, added to the mean log loss. The intercept is not "
            "penalised. scikit-learn's C is 1/(l2 N)."
        ),
        low=0.0,
    ),
    Param(
        "l1",
        "float",
        0.0,
        "Penalty on the absolute weights, l1 |W|, which makes many of them exactly 0. Standardise the "
        "columns first.",
        low=0.0,
    ),
    CLASS_WEIGHT,
    TOLERANCE,
    START,
)


class LogisticRegression(PathClassifier, PosteriorClassifier):
    """Logistic regression for two classes or more.

    Attributes
    ----------
    classes_, class_prior_, diagnostics_
    coef_, intercept_
        (K, D) and (K,); with two classes one row, for the second class.
    history_ : (passes, 2)
        Objective and relative gradient, pass by pass; in large tables in single precision until near the end.
    log_likelihood_ : float
        Log likelihood of the classes given the rows, at the solution.
    inference_ : Inference
        Standard errors, tests and intervals, if there is no penalty, no column is redundant and the classes are not
        separated; otherwise an error gives the reason.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = LogisticRegression(l2=0.001).fit(X, y)
    >>> int((model.predict(X) != y).sum())
    2
    >>> bool(model.history_[-1, 1] <= 1e-6)
    True
    """

    params: ClassVar[tuple[Param, ...]] = LOGISTIC
    stored: ClassVar[tuple[Field, ...]] = (
        *LINEAR,
        SHARES,
        Field("history_", "numbers", ("P", "Q")),
        Field("n_rows_", "number"),
        Field("log_likelihood_", "number"),
        Field("_standard_error", "numbers", ("C", "W"), optional=True),
        Field("_no_inference", "text", optional=True),
    )
    penalties: ClassVar[tuple[str, ...]] = ("l2", "l1")
    conditional_likelihood: ClassVar[bool] = True  # p(y | x), never ranked against p(x, y)
    sparse_ok = True

    def __init__(
        self,
        l2: float = 0.0,
        *,
        l1: float = 0.0,
        class_weight: ClassWeights = None,
        tol: float = 1e-6,
        start: Any = None,
    ) -> None:
        self.l2 = l2
        self.l1 = l1
        self.class_weight = class_weight
        self.tol = tol
        self.start = start

    def fit(self, X: MatrixLike, y: ArrayLike, sample_weight: RowWeights = None) -> Self:
        """Minimise the penalised log loss.

        Parameters
        ----------
        X : array or sparse matrix (N, D)
        y : array (N,)
            Labels of any type.
        sample_weight : array (N,), optional
        """
        self._check_params()
        data = weighted(check_training(self, X, y, sample_weight), self.class_weight)
        check_two_classes(data)
        problem, known = among_known(data)
        start = self._start(data, known)
        with single_threaded():
            standard = standardised(data)
            with passes_of(standard, problem) as passes:
                solution = self._solved(passes, standard, problem.n_classes, start)
            self._keep(data, standard, solution.B[0], known)
            self._report(problem, standard, solution)
        return self

    def _solved(
        self, passes: Passes, standard: ColumnScaling, n_classes: int, start: Array | None
    ) -> PathSolution:
        """The solution of all rows; where steps from `start` do not reach it, they begin without features."""
        problem = passes, standard.one_part(), n_classes, np.array([self.l2]), np.array([self.l1])
        if start is not None:
            with np.errstate(over="ignore", invalid="ignore"), suppress(ValueError):  # it may lie far away
                solution = self.solve_parts(*problem, start=standard.of_columns(start)[None])
                if solution.converged.all():
                    return solution
        return self.solve_parts(*problem)

    def solve_parts(
        self,
        passes: Passes,
        parts: Parts,
        n_classes: int,
        *penalties: Array,
        start: Array | None = None,
    ) -> PathSolution:
        l2, l1 = penalties
        unknowns = (1 if n_classes == 2 else n_classes) * (parts.penalty.shape[1] + 1)
        wide = unknowns > MOST_UNKNOWNS
        smooth, lasso = (FoldKrylov, WideLasso) if wide else (FoldNewton, FoldLasso)
        sharp = l1 > 0
        if not sharp.any():
            return smooth(passes, parts, n_classes, self.tol).path(l2, start)
        lasso_path = lasso(passes, parts, n_classes, self.tol).path(l2[sharp], l1[sharp], start)
        if sharp.all():
            return lasso_path
        return merged(sharp, lasso_path, smooth(passes, parts, n_classes, self.tol).path(l2[~sharp], start))

    def _report(self, data: TrainingData, standard: ColumnScaling, solution: PathSolution) -> None:
        """What the solver says of its way, and statistics of the solution."""
        self.history_ = np.array([(value, gradient) for _, value, gradient in solution.history])
        self.n_rows_ = float(len(data.codes) if data.weight is None else data.weight.sum())
        self.log_likelihood_ = -float(solution.loss[0, 0]) * self.n_rows_
        torn = solution.separated is not None and bool(solution.separated[0, 0])
        keys = column_keys(self)
        notes = [*standard.notes(keys), *absent_classes(self.classes_, self.class_prior_, "M301")]
        if self.l1 > 0:
            notes.append(used_columns(self.coef_, self.l1))
        if torn:
            notes.append(explain_separation(data, standard, solution.B[0, 0], keys))
        elif not solution.converged[0, 0]:
            notes.append(Note("M354", gradient=float(solution.gradient[0, 0]), tol=self.tol))
        errors = standard_errors(
            data, standard, solution.B[0, 0],
            penalised=self.l2 > 0 or self.l1 > 0, reweighted=self.class_weight is not None, separated=torn,
        )  # fmt: skip
        for name in ("_standard_error", "_no_inference"):
            self.__dict__.pop(name, None)
        if isinstance(errors, Note):
            self._no_inference = errors
            if errors.code == DEPENDENT:
                notes.append(Note("M356"))
        else:
            self._standard_error = errors
        self.diagnostics_ = tuple(notes)

    def approximate_leave_one_out(
        self, X: MatrixLike, y: ArrayLike, sample_weight: RowWeights = None
    ) -> Array:
        """Posteriors of each row by the model of the other rows, approximately: one fit and a Newton step a row.

        See `assay.models.linear.approximate_leave_one_out`; ``evaluate(model, X, y, LeaveOneOut())`` fits all of
        them in full.

        Returns
        -------
        (N, K) array; NaN for the only row of a class.
        """
        self._check_params()
        return approximate_leave_one_out(clone(self), X, y, sample_weight)

    @property
    def inference_(self) -> Inference:
        """Standard errors, z, p and intervals of every weight."""
        check_is_fitted(self)
        if not hasattr(self, "_standard_error"):
            raise AttributeError(self._no_inference)
        return wald_tests(self)

    @property
    def n_parameters_(self) -> int:
        """(K-1)(D+1): the weights of one class follow from the others. Under l1 those that are not 0 count."""
        check_is_fitted(self)
        if self.l1 > 0:
            return len(self.classes_) - 1 + int((self.coef_ != 0).sum())
        return (int((self.class_prior_ > 0).sum()) - 1) * (self.n_features_in_ + 1)


L2_TUNING = (0.1, 0.01, 1e-3, 1e-4, 1e-6)
CARDS = (
    ModelCard(
        name="logistic",
        title="Logistic regression",
        estimator=LogisticRegression,
        family="linear",
        parameters=LOGISTIC,
        encoding="onehot-reference",
        capabilities=POSTERIOR | PATH,
        reading="sum over columns",
        interpretability="A weighted sum of the columns per class, fitted for its probabilities.",
        tuning=(Range("l2", L2_TUNING),),
        scaled=True,
        all_rounder=True,
    ),
    ModelCard(
        name="lasso",
        title="Logistic regression, L1",
        estimator=LogisticRegression,
        family="linear",
        parameters=LOGISTIC,
        encoding="onehot-reference",
        capabilities=POSTERIOR | PATH,
        reading="sum over few columns",
        interpretability="A weighted sum of the selected columns; the others have weight 0.",
        # Without a penalty it would be a plain logistic regression; columns are scaled, so one value suits most tables.
        defaults={"l1": 0.01},
        tuning=(Range("l1", (0.1, 0.03, 0.01, 3e-3, 1e-3, 1e-4)),),
        scaled=True,
    ),
    ModelCard(
        name="tfidf_logistic",
        title="Logistic regression on TF-IDF",
        estimator=LogisticRegression,
        family="linear",
        parameters=LOGISTIC,
        encoding="words-tfidf",
        capabilities=POSTERIOR | PATH,
        reading="sum over words",
        interpretability="A weight for each word and class, fitted for its probabilities.",
        defaults={"l2": 1e-4},
        tuning=(Range("l2", TEXT_L2),),
        word_parameters=WORD_CHOICE,
        column_types=("text",),
    ),
    ModelCard(
        name="quadratic",
        title="Logistic regression, quadratic",
        estimator=LogisticRegression,
        family="linear",
        parameters=LOGISTIC,
        encoding="products-reference",
        capabilities=POSTERIOR | {"path"},
        reading="sum over columns, pairs",
        interpretability="A weighted sum of the columns, their squares and products: boundaries are curved.",
        complexity=2,
        defaults={"l2": 1e-3},
        tuning=(Range("l2", L2_TUNING),),
        scaled=True,
        unsuited=products_unsuited,
    ),
)
