r"""A user's own model y(x; θ): any function of rows and parameters, fitted by minimising an error.

    minimise  E(θ) = Σ_n s_n e(y(x_n; θ), t_n) + (l2 / 2) |θ|²,    s_n the weight of row n, as a share of all

by quasi-Newton steps (BFGS; with limited memory where there are many parameters). Derivatives are those given, or
central differences.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.models.base.class_weight import absent_classes
from assay.models.base.estimators import Classifier, available_if, check_is_fitted
from assay.models.base.params import Param
from assay.models.base.validation import (
    TrainingData,
    check_rows,
    check_several,
    check_training,
    explain_rows,
    feature_names,
)
from assay.models.parametric.losses import Measured, log_loss, own, squared_error, targets
from assay.notes import Note
from assay.numerics.blas import single_threaded
from assay.solvers.quasi_newton import minimise
from assay.types import Array, MatrixLike, RowWeights

SUM_OF_ONE = 1e-6  # by how much probabilities of a row may miss 1


def _gives_probabilities(self: Any) -> bool:
    return bool(self.output == "probability")


ERRORS = ("log_loss", "squared_error")


@dataclass(frozen=True)
class Given(Param):
    """A function, one of some names (`choices`), or numbers (kind "numbers")."""

    def _fits(self, value: Any) -> bool:
        if callable(value) or (isinstance(value, str) and value in self.choices):
            return True
        return self.kind == "numbers" and not isinstance(value, str)  # their number is known with the data

    def expectation(self) -> str:
        """What may be given, in words."""
        if self.choices:
            return f"one of {', '.join(map(repr, self.choices))} or a function"
        if self.kind == "numbers":
            return "a list of numbers, or a function of (n_features, n_classes) that returns one"
        return "a function of (X, theta)" + (", or None" if self.optional else "")


PARAMETRIC = (
    Given(
        "function",
        "function",
        None,
        "y(x; theta): takes rows and parameters, returns probabilities or scores. X is (N, D), theta "
        '(P,). Probabilities: (N,) of the second class of two, or (N, K). With ``output="score"`` scores: '
        "(N,) positive for the second class, or (N, K) of which the largest wins.",
    ),
    Given(
        "start",
        "numbers",
        None,
        "Initial parameters, or a function of the numbers of features and classes that returns them.",
    ),
    Given(
        "error",
        "error",
        "log_loss",
        "What is minimised; a function takes (output, target, weight). Targets have the shape of the "
        "outputs: 1 for the true class, 0 for others ((N,) scores: 1 and -1); weights sum to 1. A "
        "function that returns ``(value, slope)``, the derivatives by the outputs, can use "
        "`gradient`.",
        choices=ERRORS,
    ),
    Given(
        "gradient",
        "function",
        None,
        "Derivatives of `function` by theta, (N, P) or (N, K, P); None uses central differences of "
        "the error.",
        optional=True,
    ),
    Param(
        "output",
        "choice",
        "probability",
        (
            "What y is: probabilities, or scores of which the largest wins. Scores have a "
            "decision_function and no predict_proba."
        ),
        choices=("probability", "score"),
    ),
    Param("l2", "float", 0.0, "Penalty l2/2 |theta|^2, added to the mean error.", low=0.0),
    Param("tol", "float", 1e-6, "Largest entry of the gradient at the solution.", low=1e-12),
    Param("max_iter", "int", 1000, "Most steps of the minimiser.", low=1),
)


class ParametricClassifier(Classifier):
    """Make a classifier of any function y(x; θ) by minimising a loss.

    Attributes
    ----------
    theta_ : (P,)
    error_ : float
        The objective at theta_.
    n_iter_, converged_, classes_, class_prior_, diagnostics_

    Examples
    --------
    >>> import numpy as np
    >>> def bump(X, theta):  # the second class within about e^theta[1] of theta[0]
    ...     return np.exp(-((X[:, 0] - theta[0]) / np.exp(theta[1])) ** 2)
    >>> X = np.linspace(-3, 3, 61)[:, None]
    >>> model = ParametricClassifier(bump, start=[0.5, 0.0]).fit(X, np.abs(X[:, 0] - 1) < 1)
    >>> round(float(model.theta_[0]), 1), round(float(model.predict_proba([[1.0]])[0, 1]), 2)
    (1.0, 1.0)
    """

    params: ClassVar[tuple[Param, ...]] = PARAMETRIC
    class_prior_: Array

    def __init__(
        self,
        function: Any = None,
        start: Any = None,
        *,
        error: Any = "log_loss",
        gradient: Any = None,
        output: str = "probability",
        l2: float = 0.0,
        tol: float = 1e-6,
        max_iter: int = 1000,
    ) -> None:
        self.function = function
        self.start = start
        self.error = error
        self.gradient = gradient
        self.output = output
        self.l2 = l2
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: MatrixLike, y: ArrayLike, sample_weight: RowWeights = None) -> Self:
        """Minimise the error.

        Parameters
        ----------
        X : array (N, D)
        y : array (N,)
            Labels of any type.
        sample_weight : array (N,), optional
        """
        self._check_params()
        if self.error == "log_loss" and self.output == "score":
            raise ValueError(Note("M172"))
        data = check_training(self, X, y, sample_weight)
        check_several(data.classes)
        objective = self._objective(data)
        with single_threaded(), np.errstate(all="ignore"):
            theta = self._start(data.X.shape[1], data.n_classes)
            objective.check(theta)
            result = minimise(objective.value, objective.slope(), theta, tol=self.tol, max_iter=self.max_iter)
            objective.check(result.solution)
        return self._keep(data, result)

    def _objective(self, data: TrainingData) -> _ParametricObjective:
        error = explain_rows(data.names, data.X)
        if error is not None:
            raise error
        rows = np.arange(len(data.codes)) if data.weight is None else np.flatnonzero(data.weight)
        weight = np.ones(len(rows)) if data.weight is None else data.weight[rows]
        named = {"log_loss": log_loss, "squared_error": squared_error}
        measure = named[self.error] if isinstance(self.error, str) else own(self.error)
        X = np.asarray(data.X[rows], dtype=np.float64)
        signed = self.output == "score"
        return _ParametricObjective(
            self, X, data.codes[rows], data.n_classes, weight / weight.sum(), measure, signed
        )

    def _start(self, n_features: int, n_classes: int) -> Array:
        given = self.start(n_features, n_classes) if callable(self.start) else self.start
        try:
            theta = np.asarray(given, dtype=np.float64)
        except (TypeError, ValueError):
            theta = np.empty(0)
        if theta.ndim != 1 or not len(theta) or not np.isfinite(theta).all():
            raise ValueError(Note("M173", given=given))
        return theta

    def _keep(self, data: TrainingData, result: Any) -> Self:
        self.classes_ = data.classes
        counts = np.bincount(data.codes, data.weight, data.n_classes)
        self.class_prior_ = counts / counts.sum()
        self.theta_, self.error_ = result.solution, result.value
        self.n_iter_, self.converged_ = result.n_iter, result.converged
        absent = absent_classes(self.classes_, self.class_prior_, "M301")
        open_ = Note("M315", steps=result.n_iter, gradient=float(result.gradient))
        self.diagnostics_ = absent if result.converged else (*absent, open_)
        return self

    def _class_scores(self, X: NDArray[np.floating]) -> Array:
        error = explain_rows(feature_names(self), X)
        if error is not None:
            raise error
        with np.errstate(all="ignore"):
            output = called(self, np.asarray(X, dtype=np.float64), self.theta_, len(self.classes_))
            known = self.class_prior_ > 0
            if self.output == "score":
                scores = np.column_stack([-0.5 * output, 0.5 * output]) if output.ndim == 1 else output
                return np.where(known, scores, -np.inf)
            shares = np.column_stack([1.0 - output, output]) if output.ndim == 1 else output
            if not known.all():
                shares = np.where(known, shares, 0.0) / shares[:, known].sum(axis=1, keepdims=True)
            return np.asarray(np.log(shares))

    @available_if(_gives_probabilities)
    def predict_log_proba(self, X: MatrixLike) -> Array:
        """Logarithm of the posterior of each class, (N, K)."""
        check_is_fitted(self)
        return self._class_scores(check_rows(self, X, reset=False))

    @available_if(_gives_probabilities)
    def predict_proba(self, X: MatrixLike) -> Array:
        """Posterior of each class, (N, K)."""
        return np.exp(self.predict_log_proba(X))


class _ParametricObjective(NamedTuple):
    """The error as a function of theta."""

    model: ParametricClassifier
    X: Array
    codes: NDArray[np.integer]
    n_classes: int
    weight: Array
    measure: Callable[[Array, Array, Array], Measured]
    signed: bool

    def check(self, theta: Array) -> None:
        """One sentence if the function cannot be used at these parameters."""
        output = called(self.model, self.X, theta, self.n_classes)
        value, slope = self._measured(output)
        if not np.isfinite(value):
            raise ValueError(Note("M174", value=value, shown=shown(theta)))
        if self.model.gradient is not None:
            if slope is None:
                raise ValueError(Note("M178"))
            self._derivatives(theta, output)

    def _measured(self, output: Array) -> Measured:
        flat = output.ndim == 1
        return self.measure(
            output, targets(self.codes, self.n_classes, flat=flat, signed=self.signed), self.weight
        )

    def value(self, theta: Array) -> float:
        """The penalised error; infinite where the function has no value, so that steps turn back."""
        output = np.asarray(self.model.function(self.X, theta), dtype=np.float64)
        if not np.isfinite(output).all():
            return np.inf
        value = self._measured(output)[0] + 0.5 * self.model.l2 * float(theta @ theta)
        return value if np.isfinite(value) else np.inf

    def slope(self) -> Callable[[Array], Array] | None:
        return None if self.model.gradient is None else self._gradient

    def _gradient(self, theta: Array) -> Array:
        output = called(self.model, self.X, theta, self.n_classes)
        slope = self._measured(output)[1]
        assert slope is not None
        derivatives = self._derivatives(theta, output)
        return np.asarray(slope.ravel() @ derivatives.reshape(slope.size, len(theta)) + self.model.l2 * theta)

    def _derivatives(self, theta: Array, output: Array) -> Array:
        derivatives = np.asarray(self.model.gradient(self.X, theta), dtype=np.float64)
        if derivatives.shape != (*output.shape, len(theta)):
            raise ValueError(Note("M175", shape=derivatives.shape, wanted=(*output.shape, len(theta))))
        if not np.isfinite(derivatives).all():
            raise ValueError(Note("M176", shown=shown(theta)))
        return derivatives


def called(model: ParametricClassifier, X: Array, theta: Array, n_classes: int) -> Array:
    """Outputs of the user's function, checked."""
    output = np.asarray(model.function(X, theta), dtype=np.float64)
    allowed = [(len(X), n_classes)] + ([(len(X),)] if n_classes == 2 else [])
    if output.shape not in allowed:
        raise ValueError(
            Note(
                "M169",
                shape=output.shape,
                n_rows=len(X),
                n_classes=n_classes,
                wanted=" or ".join(map(str, allowed)),
            )
        )
    bad = ~np.isfinite(output)
    if bad.any():
        row = int(np.argwhere(bad)[0][0])
        raise ValueError(Note("M170", output=output[bad][0], row=row, shown=shown(theta)))
    if model.output == "probability":
        _check_probabilities(output)
    return output


def _check_probabilities(output: Array) -> None:
    outside = (output < 0) | (output > 1)
    if outside.any():
        row = int(np.argwhere(outside)[0][0])
        raise ValueError(Note("M171", output=output[outside][0], row=row))
    if output.ndim == 2 and len(output):
        away = np.abs(output.sum(axis=1) - 1.0)
        if away.max() > SUM_OF_ONE:
            row = int(away.argmax())
            raise ValueError(Note("M177", row=row, sum=output[row].sum()))


def shown(theta: Array) -> str:
    """The first parameters, for a message."""
    return "[" + ", ".join(f"{value:.4g}" for value in theta[:4]) + (", ...]" if len(theta) > 4 else "]")
