r"""A single-layer network: K units, each a linear function of the features behind an output function g.

    y_k = g(w_kᵀx + w_k0),    minimise  (1/N) Σ_n s_n Σ_k loss(y_nk, t_nk) + (l2 / 2) |W|²

by gradient descent. Two classes need one unit (but softmax has two): its target is 1 for the second class and 0 or -1
for the first, and it is cut halfway between. With more classes the unit of the largest activation wins.

Outputs, losses and their slopes: `assay.solvers.outputs`; descent: `assay.solvers.single_layer`.
"""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.engines.local import thread_count
from assay.models.base.card import POSTERIOR, ModelCard, Range
from assay.models.base.column_notes import column_keys
from assay.models.base.estimators import available_if, check_is_fitted
from assay.models.base.linear_boundary import LinearBoundaries
from assay.models.base.params import CLASS_WEIGHT, Param
from assay.models.base.stored import TRAINED, Field
from assay.models.base.validation import check_rows
from assay.models.network.inputs import Inputs, network_inputs
from assay.notes import Note
from assay.numerics.blas import single_threaded
from assay.numerics.random_state import RandomState, as_seed
from assay.sharing.forms import Linear, normalize, posteriors
from assay.solvers.outputs import softmax_of
from assay.solvers.single_layer import SingleLayerFit, UnitProblem, batch, stochastic
from assay.types import Array, ClassWeights, MatrixLike, RowWeights


def _has_posteriors(model: SingleLayerNetwork) -> bool:
    return model.output in ("sigmoid", "softmax")


OUTPUTS = ("linear", "step", "sigmoid", "softmax")
SURROGATES = ("squared_error", "absolute_error", "cross_entropy")
SINGLE_LAYER = (
    Param("output", "choice", "softmax", "What units make of their activation.", choices=OUTPUTS),
    Param(
        "surrogate",
        "choice",
        None,
        (
            "Training loss; when not given, cross-entropy for sigmoid and softmax outputs, squared error "
            "for the others."
        ),
        choices=SURROGATES,
        optional=True,
    ),
    Param(
        "solver",
        "choice",
        "batch",
        "One step for all rows, or one step per row, in a new random order in every epoch.",
        choices=("batch", "stochastic"),
    ),
    Param(
        "learning_rate",
        "float",
        None,
        (
            "Step length along the gradient of the mean loss, for standardised columns; adapted when not "
            "given."
        ),
        low=1e-12,
        optional=True,
    ),
    Param("epochs", "int", 1000, "Largest number of passes over the rows.", low=1),
    Param(
        "l2",
        "float",
        0.0,
        (
            "Penalty l2/2 |W|^2 on the weights of standardised columns, added to the mean loss. Intercepts "
            "are not penalised."
        ),
        low=0.0,
    ),
    Param(
        "targets",
        "choice",
        "01",
        "Targets 0 and 1 with the threshold 1/2, or -1 and 1 with the threshold 0.",
        choices=("01", "pm1"),
    ),
    CLASS_WEIGHT,
    Param(
        "tol",
        "float",
        1e-4,
        (
            "Largest entry of the gradient, relative to the start, at which batch descent stops. Stochastic: "
            "relative change of the objective in an epoch."
        ),
        low=1e-12,
    ),
    Param("random_state", "seed", 0, "Seed of the first weights and of the order of the rows."),
)


class SingleLayerNetwork(LinearBoundaries):
    """Single-layer network of linear, step, sigmoid or softmax units, trained by gradient descent.

    Attributes
    ----------
    classes_, class_prior_, diagnostics_, n_iter_
    weights_, bias_
        w_k (units, D) and w_k0 (units,) in the units of the columns.
    coef_, intercept_
        The same if there are several units; for two classes one row, positive on the side of the second.
    history_ : list of float
        Objective before the first epoch and after each.

    Examples
    --------
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["off", "off", "off", "on"]
    >>> model = SingleLayerNetwork("step").fit(X, y)
    >>> model.predict(X).tolist(), model.outputs(X).ravel().tolist(), model.diagnostics_
    (['off', 'off', 'off', 'on'], [0.0, 0.0, 0.0, 1.0], ())
    """

    params: ClassVar[tuple[Param, ...]] = SINGLE_LAYER
    stored: ClassVar[tuple[Field, ...]] = (
        *TRAINED,
        Field("weights_", "numbers", ("U", "D")),
        Field("_at_center", "numbers", ("U",)),
    )

    def __init__(
        self,
        output: str = "softmax",
        *,
        surrogate: str | None = None,
        solver: str = "batch",
        learning_rate: float | None = None,
        epochs: int = 1000,
        l2: float = 0.0,
        targets: str = "01",
        class_weight: ClassWeights = None,
        tol: float = 1e-4,
        random_state: RandomState = 0,
    ) -> None:
        self.output = output
        self.surrogate = surrogate
        self.solver = solver
        self.learning_rate = learning_rate
        self.epochs = epochs
        self.l2 = l2
        self.targets = targets
        self.class_weight = class_weight
        self.tol = tol
        self.random_state = random_state

    def fit(self, X: MatrixLike, y: ArrayLike, sample_weight: RowWeights = None) -> Self:
        """Descend along the gradient.

        Parameters
        ----------
        X : array (N, D)
        y : array (N,)
            Labels of any type.
        sample_weight : array (N,), optional
        """
        self._check_params()
        self._check_combination()
        inputs = network_inputs(self, X, y, sample_weight, self.class_weight)
        # A penalty bends the objective too: columns are scaled so that both together bend it alike everywhere.
        unit = 1.0 / np.sqrt(inputs.scale**2 + self.l2)
        problem = self._problem(inputs, unit)
        with single_threaded(), np.errstate(all="ignore"):
            result = self._descend(problem)
        return self._keep(inputs, unit, result)

    def _check_combination(self) -> None:
        owner, entropy = type(self).__name__, self.surrogate == "cross_entropy"
        probable = self.output in ("sigmoid", "softmax")
        if entropy and not probable:
            raise ValueError(Note("M164", owner=owner, output=self.output))
        if self.targets == "pm1" and probable:
            raise ValueError(Note("M165", owner=owner, output=self.output))
        if self.l2 > 0 and self.output == "step":
            raise ValueError(Note("M166", owner=owner, l2=self.l2))

    def _problem(self, inputs: Inputs, unit: Array) -> UnitProblem:
        n_classes, probable = inputs.data.n_classes, self.output in ("sigmoid", "softmax")
        return UnitProblem(
            rows=inputs.rows(unit, np.float64),
            codes=inputs.data.codes,
            weight=inputs.weight,
            units=1 if n_classes == 2 and self.output != "softmax" else n_classes,
            low=0.0 if self.targets == "01" else -1.0,
            output="sign" if self.output == "step" and self.targets == "pm1" else self.output,
            surrogate=self.surrogate or ("cross_entropy" if probable else "squared_error"),
            penalty=self.l2 * unit[inputs.active] ** 2,
        )

    def _descend(self, problem: UnitProblem) -> SingleLayerFit:
        start = np.zeros((problem.units, problem.rows.width + 1))
        if self.output == "linear":
            # w0 = mean(t) - Σ w mean(x): about the means of the columns, just the mean of the targets.
            start[:, -1] = problem.target_means()
        if self.solver == "batch":
            return batch(problem, start, self.learning_rate, self.epochs, self.tol)
        rng = np.random.default_rng(as_seed(self.random_state))
        return stochastic(problem, start, self.learning_rate, self.epochs, self.tol, rng)

    def _keep(self, inputs: Inputs, unit: Array, result: SingleLayerFit) -> Self:
        self.classes_, self.class_prior_ = inputs.data.classes, inputs.shares
        self.history_, self.n_iter_ = result.history, result.epochs
        self.center_, self._at_center = inputs.center, result.U[:, -1]
        self.weights_ = np.zeros((len(result.U), len(inputs.center)))
        self.weights_[:, inputs.active] = result.U[:, :-1] * unit[inputs.active]
        self._derive()
        keys = column_keys(self, len(inputs.center))
        self.diagnostics_ = (*inputs.notes(keys), *self._progress(result))
        return self

    def _restored(self) -> None:
        """What follows from the attributes that a file keeps."""
        self._derive()

    def _derive(self) -> None:
        """All that follows from classes_, class_prior_, center_, weights_ and the activations at the center."""
        self.bias_ = self._at_center - self.weights_ @ self.center_
        self._score_form = self._form()
        self._keep_linear()

    def _form(self) -> Linear:
        """Scores of the classes; a single unit f gives -f/2 and f/2 about its cut, doubled for 0/1 targets."""
        weights, bias = self.weights_, self._at_center
        if len(weights) == 1:
            cut, factor = (0.5, 1.0) if self.output == "linear" and self.targets == "01" else (0.0, 0.5)
            signs = factor * np.array([[-1.0], [1.0]])
            weights, bias = signs * weights, (signs * (bias - cut)).ravel()
        bias = np.where(self.class_prior_ > 0, bias, -np.inf)
        return Linear(self.center_[None], weights[None], bias[None])

    def _progress(self, result: SingleLayerFit) -> tuple[Note, ...]:
        if result.converged:
            return ()
        if self.output == "step":
            return (Note("M313", epochs=result.epochs),)
        if self.output == "linear" and self.surrogate == "absolute_error" and self.solver == "batch":
            return (Note("M722", epochs=result.epochs, remaining=float(result.remaining)),)
        return (Note("M314", epochs=result.epochs, remaining=float(result.remaining)),)

    def _class_scores(self, X: NDArray[np.floating]) -> Array:
        return np.asarray(self._score_form.scores(X, threads=thread_count()))

    def outputs(self, X: MatrixLike) -> Array:
        """Outputs y_k of the units, (N, units); K sigmoids do not sum to 1, softmax does."""
        check_is_fitted(self)
        rows = check_rows(self, X, reset=False)
        # The kernel that scores classes, about the center: a large origin costs no digits.
        A = Linear(self.center_[None], self.weights_[None], self._at_center[None]).scores(
            rows, threads=thread_count()
        )
        if not np.isfinite(A).all():
            raise self._explain(rows)
        if self.output == "step":
            return np.where(A > 0, 1.0, 0.0 if self.targets == "01" else -1.0)
        if self.output == "linear":
            return A
        return np.exp(-np.logaddexp(0.0, -A)) if self.output == "sigmoid" else softmax_of(A)

    @available_if(_has_posteriors)
    def predict_log_proba(self, X: MatrixLike) -> Array:
        """Logarithm of the posterior of each class, (N, K); outputs of three or more sigmoids over their sum."""
        check_is_fitted(self)
        rows = check_rows(self, X, reset=False)
        scores = self._class_scores(rows)
        if self.output == "sigmoid" and len(self.classes_) > 2:
            scores = -np.logaddexp(0.0, -scores)
        _, unusable = normalize(scores, threads=thread_count())
        if unusable:
            raise self._explain(rows)
        return scores

    @available_if(_has_posteriors)
    def predict_proba(self, X: MatrixLike) -> Array:
        """Posterior of each class, (N, K)."""
        return posteriors(self.predict_log_proba(X), threads=thread_count())


CARDS = (
    ModelCard(
        name="single_layer",
        title="Single-layer network",
        estimator=SingleLayerNetwork,
        family="network",
        parameters=SINGLE_LAYER,
        encoding="onehot-reference",
        capabilities=POSTERIOR | {"contributions"},
        reading="sum over columns",
        interpretability="A weighted sum of the columns per class; "
        "probabilities by squared error, which outliers hardly change.",
        fixed={"output": "softmax", "surrogate": "squared_error", "solver": "batch", "targets": "01"},
        defaults={"l2": 1e-3, "tol": 1e-3},
        tuning=(Range("l2", (1e-2, 1e-3, 1e-4)),),
        scaled=True,
    ),
)
