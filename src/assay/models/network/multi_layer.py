r"""A network of layers: hidden units in any number of layers, softmax outputs, trained by back-propagation.

    A_0 = z,    A_l = g(A_{l-1} W_l + b_l),    P(C_k | x) = softmax_k(A_{L-1} W_L + b_L)

    minimise  (1/N) Σ_n s_n loss_n + (l2 / 2) Σ_l |W_l|²

where z are the columns of x, each less its mean and over its deviation: weights belong to z. Before hidden units, what
lies beyond two deviations is drawn in towards three (`assay.solvers.standard_rows`): a pixel that is lit in one of ten
thousand images would be a hundred deviations bright there, and outshine all others. Gradients:
`assay.solvers.backprop`; steps, epochs and stopping: `assay.solvers.epochs`.

A table that is mostly zeros, as levels in columns of 0 and 1 are, is trained on by its other entries alone: with z = z⁰
+ d, z⁰ what a row of zeros becomes, the first layer needs zW = z⁰W + dW and its gradient Σ zδᵀ = z⁰(Σ δ)ᵀ + Σ dδᵀ. That
is the same training but for the rounding of sums; which way it goes depends on the table alone, not on its layout in
memory or on threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.engines.local import thread_count
from assay.models.base.card import POSTERIOR, ModelCard
from assay.models.base.column_notes import column_keys
from assay.models.base.estimators import PosteriorClassifier, check_is_fitted
from assay.models.base.params import CLASS_WEIGHT, Param
from assay.models.base.stored import TRAINED, Field
from assay.models.network.inputs import Inputs, network_inputs
from assay.notes import Note
from assay.numerics.blas import single_threaded
from assay.numerics.random_state import RandomState, as_seed
from assay.numerics.scalars import is_whole
from assay.plans import HoldOut
from assay.solvers.backprop import NetworkLayout, Task, network_scores
from assay.solvers.epochs import TrainedNetwork, TrainingOptions, train
from assay.solvers.standard_rows import Places, StandardRows
from assay.types import Array, ClassWeights, Floats, MatrixLike, RowWeights

LIMIT = 3.0  # deviations towards which inputs of hidden units are drawn in
RATES = {"adam": 0.001, "momentum": 0.05, "sgd": 0.1}


@dataclass(frozen=True)
class Sizes(Param):
    """A list of whole numbers of at least 1; it may be empty."""

    def _fits(self, value: Any) -> bool:
        if not isinstance(value, Sequence) or isinstance(value, str):
            return False
        return all(is_whole(part, 1) for part in value)

    def expectation(self) -> str:
        return "a tuple of whole numbers of at least 1, such as (100,) or (64, 32)"


ACTIVATIONS = ("tanh", "relu", "sigmoid")
MULTI_LAYER = (
    Sizes("hidden", "sizes", (100,), "Units of each hidden layer, from the inputs on. () is a single layer."),
    Param("activation", "choice", "relu", "What hidden units make of their activation.", choices=ACTIVATIONS),
    Param(
        "surrogate",
        "choice",
        "cross_entropy",
        "Training loss of the softmax outputs.",
        choices=("squared_error", "cross_entropy"),
    ),
    Param("solver", "choice", "adam", "How a gradient becomes a step.", choices=("adam", "momentum", "sgd")),
    Param(
        "learning_rate",
        "float",
        None,
        "Size of a step: when not given 0.001 (adam), 0.05 (momentum) or 0.1 (sgd).",
        low=1e-12,
        optional=True,
    ),
    Param(
        "momentum",
        "float",
        0.9,
        "Fraction of the last step that is added to the next.",
        low=0.0,
        high=1.0,
        only_if=(("solver", ("momentum",)),),
    ),
    Param(
        "batch_size",
        "int",
        200,
        "Largest number of rows per step; None: a tenth of them, 16 to 200.",
        low=1,
        optional=True,
    ),
    Param("epochs", "int", 200, "Largest number of passes over the rows.", low=1),
    Param(
        "l2",
        "float",
        1e-4,
        (
            "Penalty l2/2 |W|^2 on the weights of standardised columns, added to the mean loss. Intercepts "
            "are not penalised."
        ),
        low=0.0,
    ),
    Param(
        "early_stopping",
        "bool",
        False,
        (
            "Whether to set aside a stratified proportion of the rows and to keep the weights that are "
            "best on them. Otherwise training stops when the training loss no longer falls."
        ),
    ),
    Param(
        "validation_share",
        "float",
        0.1,
        "Proportion of the rows set aside.",
        low=1e-6,
        high=0.9,
        only_if=(("early_stopping", (True,)),),
    ),
    Param("patience", "int", 10, "Epochs without an improvement after which training stops.", low=1),
    Param(
        "dtype",
        "choice",
        "float64",
        "Precision of training; float32 is faster. Predictions are made in float64.",
        choices=("float64", "float32"),
    ),
    CLASS_WEIGHT,
    Param("random_state", "seed", 0, "Seed of the first weights and of the order of the rows."),
)


class NeuralNetwork(PosteriorClassifier):
    """Neural network with hidden layers and softmax outputs.

    Attributes
    ----------
    classes_, class_prior_, diagnostics_, n_iter_
    coefs_, intercepts_
        Weights (inputs, units) and intercepts (units,) of each layer, for standardised columns; views of
        `parameters_`, divided by `widths_` (inputs, hidden layers, classes).
    center_, scale_
        Means and scales by which columns are standardised.
    limit_ : float
        3: standardised values beyond 2 are compressed below it, from z to sign(z) (3 - 1 / (|z| - 1)). Only with
        hidden layers: without any, boundaries are flat.
    history_ : list of (training loss, validation error or None), epoch by epoch

    Examples
    --------
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "yes", "yes", "no"]
    >>> model = NeuralNetwork((8,), activation="tanh", learning_rate=0.1).fit(X, y)
    >>> model.predict(X).tolist()
    ['no', 'yes', 'yes', 'no']
    """

    params: ClassVar[tuple[Param, ...]] = MULTI_LAYER
    stored: ClassVar[tuple[Field, ...]] = (
        *TRAINED,
        Field("scale_", "positive", ("D",)),
        Field("limit_", "reach", optional=True),
        Field("widths_", "places", ("L",)),
        Field("parameters_", "numbers", ("P",)),
    )

    def __init__(
        self,
        hidden: tuple[int, ...] = (100,),
        *,
        activation: str = "relu",
        surrogate: str = "cross_entropy",
        solver: str = "adam",
        learning_rate: float | None = None,
        momentum: float = 0.9,
        batch_size: int | None = 200,
        epochs: int = 200,
        l2: float = 1e-4,
        early_stopping: bool = False,
        validation_share: float = 0.1,
        patience: int = 10,
        dtype: str = "float64",
        class_weight: ClassWeights = None,
        random_state: RandomState = 0,
    ) -> None:
        self.hidden = hidden
        self.activation = activation
        self.surrogate = surrogate
        self.solver = solver
        self.learning_rate = learning_rate
        self.momentum = momentum
        self.batch_size = batch_size
        self.epochs = epochs
        self.l2 = l2
        self.early_stopping = early_stopping
        self.validation_share = validation_share
        self.patience = patience
        self.dtype = dtype
        self.class_weight = class_weight
        self.random_state = random_state

    def fit(self, X: MatrixLike, y: ArrayLike, sample_weight: RowWeights = None) -> Self:
        """Train by back-propagation.

        Parameters
        ----------
        X : array (N, D)
        y : array (N,)
            Labels of any type.
        sample_weight : array (N,), optional
        """
        self._check_params()
        inputs = network_inputs(self, X, y, sample_weight, self.class_weight)
        rows, validation = self._parts(inputs.data.codes)
        limit = LIMIT if self.hidden else np.inf
        columns = inputs.rows(1.0 / inputs.scale, self.dtype, limit=limit, compiled=True)
        layout = NetworkLayout((columns.width, *(int(width) for width in self.hidden), inputs.data.n_classes))
        task = Task(columns, inputs.data.codes, inputs.weight, self.surrogate)
        rng = np.random.default_rng(as_seed(self.random_state))
        with single_threaded():
            result = train(task, layout, self._options(len(rows)), rng, rows, validation)
        return self._keep(inputs, layout, result)

    def _options(self, n_rows: int) -> TrainingOptions:
        return TrainingOptions(
            activation=self.activation,
            solver=self.solver,
            rate=RATES[self.solver] if self.learning_rate is None else self.learning_rate,
            momentum=self.momentum,
            batch_size=_batch(n_rows) if self.batch_size is None else self.batch_size,
            epochs=self.epochs,
            l2=self.l2,
            patience=self.patience,
            threads=thread_count(),
        )

    def _parts(self, codes: NDArray[np.int32]) -> tuple[Places, Places | None]:
        """Rows to train on, and rows to judge epochs by."""
        if not self.early_stopping:
            return np.arange(len(codes)), None
        if len(codes) < 2:
            raise ValueError(Note("M163", n_rows=len(codes)))
        share = float(self.validation_share)
        fold = HoldOut(share, random_state=self.random_state).partitions(codes)[0].fold
        return np.flatnonzero(fold < 0), np.flatnonzero(fold == 0)

    def _keep(self, inputs: Inputs, layout: NetworkLayout, result: TrainedNetwork) -> Self:
        self.classes_, self.class_prior_ = inputs.data.classes, inputs.shares
        self.center_, self.scale_ = inputs.center, inputs.scale
        if self.hidden:
            self.limit_ = LIMIT
        else:
            self.__dict__.pop("limit_", None)
        self.history_, self.n_iter_ = result.history, len(result.history)
        # Constant columns get weights of 0, so that what is kept belongs to all columns.
        self.widths_ = np.array([len(inputs.center), *layout.widths[1:]], dtype=np.int64)
        first = np.zeros((len(inputs.center), layout.widths[1]))
        first[inputs.active] = layout.weights(result.parameters)[0]
        others = result.parameters[layout.widths[0] * layout.widths[1] :]
        self.parameters_ = np.concatenate([first.ravel(), others])
        keys = column_keys(self, len(inputs.center))
        self.diagnostics_ = (*inputs.notes(keys), *self._progress(result))
        return self

    @property
    def _layout(self) -> NetworkLayout:
        check_is_fitted(self, "widths_")
        return NetworkLayout(tuple(self.widths_.tolist()))

    @property
    def coefs_(self) -> list[Floats]:
        """Weights (inputs, units) of each layer."""
        return self._layout.weights(self.parameters_)

    @property
    def intercepts_(self) -> list[Floats]:
        """Constants (units,) of each layer."""
        return self._layout.biases(self.parameters_)

    def _progress(self, result: TrainedNetwork) -> tuple[Note, ...]:
        if result.settled:
            return ()
        return (Note("M312" if self.early_stopping else "M311", epochs=len(result.history)),)

    def _class_scores(self, X: NDArray[np.floating]) -> Array:
        everything = np.arange(len(self.center_))
        limit = getattr(self, "limit_", np.inf)  # the first files of networks have none
        rows = StandardRows(X, everything, self.center_, 1.0 / self.scale_, np.dtype(np.float64), limit=limit)
        with single_threaded(), np.errstate(all="ignore"):
            scores = network_scores(rows, self._layout, self.activation, self.parameters_, thread_count())
        scores[:, self.class_prior_ == 0] = -np.inf
        return scores


def _batch(n_rows: int) -> int:
    """A tenth of the rows, at least 16 and at most 200: small tables get enough steps, large ones large products."""
    return min(200, max(16, n_rows // 10))


CARDS = (
    ModelCard(
        name="neural_network",
        title="Neural network",
        estimator=NeuralNetwork,
        family="network",
        parameters=MULTI_LAYER,
        encoding="onehot-reference",
        capabilities=POSTERIOR,
        reading="hidden weights",
        interpretability="One hidden layer of 32 units; not interpretable.",
        complexity=3,
        fixed={"hidden": (32,), "epochs": 100, "early_stopping": True, "batch_size": None},
    ),
)
