"""Parameters of the networks, apart from the classes so that the catalog can show them without loading them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay.models.base.params import Param
from assay.numerics.scalars import is_whole


@dataclass(frozen=True)
class Sizes(Param):
    """A list of whole numbers of at least 1; it may be empty."""

    def _fits(self, value: Any) -> bool:
        if not isinstance(value, Sequence) or isinstance(value, str):
            return False
        return all(is_whole(part, 1) for part in value)

    def expectation(self) -> str:
        return "a tuple of whole numbers of at least 1, such as (100,) or (64, 32)"


OUTPUTS = ("linear", "step", "sigmoid", "softmax")
SURROGATES = ("squared_error", "cross_entropy")
ACTIVATIONS = ("tanh", "relu", "sigmoid")
RATE = Param("learning_rate", "float", None, "size of a step; None: chosen", low=1e-12, optional=True)
CLASS_WEIGHT = Param(
    "class_weight", "class_weight", None, "weight of each class: balanced, or given by label", optional=True
)
SEED = Param("random_state", "seed", 0, "seed of the first weights and of the order of the rows")

SINGLE_LAYER = (
    Param("output", "choice", "softmax", "what units make of their activation", choices=OUTPUTS),
    Param(
        "surrogate",
        "choice",
        None,
        "training loss; None: cross-entropy where outputs are probabilities, else squared error",
        choices=SURROGATES,
        optional=True,
    ),
    Param("solver", "choice", "batch", "a step for all rows, or for each", choices=("batch", "stochastic")),
    RATE,
    Param("epochs", "int", 1000, "most passes over the rows", low=1),
    Param("l2", "float", 0.0, "penalty on the squared weights, beside the mean training loss", low=0.0),
    Param(
        "targets", "choice", "01", "targets 0 and 1, cut at 1/2; or -1 and 1, cut at 0", choices=("01", "pm1")
    ),
    CLASS_WEIGHT,
    Param("tol", "float", 1e-4, "relative gradient, or change of an epoch, at which to stop", low=1e-12),
    SEED,
)

MULTI_LAYER = (
    Sizes("hidden", "sizes", (100,), "units of each hidden layer, from the inputs on"),
    Param("activation", "choice", "relu", "what hidden units make of their activation", choices=ACTIVATIONS),
    Param("surrogate", "choice", "cross_entropy", "training loss of the softmax outputs", choices=SURROGATES),
    Param("solver", "choice", "adam", "how a gradient becomes a step", choices=("adam", "momentum", "sgd")),
    RATE,
    Param(
        "momentum",
        "float",
        0.9,
        "share of the last step that goes on",
        low=0.0,
        high=1.0,
        only_if=(("solver", ("momentum",)),),
    ),
    Param(
        "batch_size",
        "int",
        200,
        "most rows behind one step; None: a tenth of them, 16 to 200",
        low=1,
        optional=True,
    ),
    Param("epochs", "int", 200, "most passes over the rows", low=1),
    Param("l2", "float", 1e-4, "penalty on the squared weights, beside the mean training loss", low=0.0),
    Param("early_stopping", "bool", False, "set validation rows aside and keep the weights best on them"),
    Param(
        "validation_share",
        "float",
        0.1,
        "share of the rows set aside",
        low=1e-6,
        high=0.9,
        only_if=(("early_stopping", (True,)),),
    ),
    Param("patience", "int", 10, "epochs without a better one before training stops", low=1),
    Param("dtype", "choice", "float64", "precision of training", choices=("float64", "float32")),
    CLASS_WEIGHT,
    SEED,
)
