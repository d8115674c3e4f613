"""Advice that can be followed: a parameter that a model's message names is one that the model has."""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

import assay
from assay import LinearSVM, NeuralNetwork, OneVsOne, ParametricClassifier, Perceptron, SingleLayerNetwork
from assay.models.base.params import Param
from tests.contract.registry import clusterings, counting_classifiers, estimators, shown

# English words that are also names of parameters somewhere; a message may use them as words.
WORDS = {
    "bins", "columns", "count", "covariance", "degree", "direction", "error", "estimator", "function", "gradient",
    "kernel", "kind", "kinds", "linkage", "loss", "means", "method", "metric", "model", "norm", "output", "penalty",
    "plan", "prediction", "priors", "products", "scale", "shared", "similarity", "solver", "start", "steps",
    "surrogate", "threshold", "unseen", "variance", "vote", "weights", "tokens", "features", "binary", "classes",
    "groups", "m", "e",
}  # fmt: skip


def parameters(model: Any) -> set[str]:
    return {name.rpartition("__")[2] for name in model.get_params(deep=True)}


def known() -> set[str]:
    """Names that stand for a parameter of some public estimator, and for nothing else."""
    public = (getattr(assay, name) for name in assay.__all__)
    listed = (getattr(cls, "params", ()) for cls in public if isinstance(cls, type))
    return {param.name for params in listed for param in params if isinstance(param, Param)} - WORDS


def advised(message: str) -> set[str]:
    """Parameters that a message names."""
    return set(re.findall(r"[A-Za-z]\w*", message)) & known()


def tables() -> dict[str, tuple[Any, Any]]:
    """Rows that are difficult in one way or another."""
    draw = np.random.default_rng(0)
    y = np.arange(24) % 2
    plain = np.abs(draw.normal(size=(24, 3))) + y[:, None]
    alike = plain.copy()
    alike[y == 1] = 2.0
    wide = np.abs(draw.normal(size=(8, 12)))
    return {
        "plain": (plain, y),
        "noise": (np.abs(draw.normal(size=(24, 3))), y),
        "equal rows in a class": (alike, y),
        "a column twice": (np.column_stack([plain, plain[:, 0]]), y),
        "wider than long": (wide, np.arange(8) % 2),
        "separated": (plain + 50.0 * y[:, None], y),
        "a class of one row": (plain, np.where(np.arange(24) == 0, 2, y)),
        "unequal scales": (plain * [1.0, 1e4, 1.0], y),
        "constant": (np.column_stack([plain, np.ones(24)]), y),
        "one place": (np.ones((24, 3)), y),
    }


MODELS = [
    *estimators(),
    *counting_classifiers(),
    *clusterings(),
    LinearSVM(),
    LinearSVM(solver="sgd", epochs=1),
    Perceptron(epochs=1),
    SingleLayerNetwork(epochs=1),
    NeuralNetwork(epochs=1),
    OneVsOne(assay.GaussianNB()),
    ParametricClassifier(lambda X, t: 1 / (1 + np.exp(-X[:, 0] * t[0])), start=[9.0], max_iter=1),
]


@pytest.mark.parametrize("model", MODELS, ids=shown)
def test_a_model_is_advised_to_use_what_it_has(model: Any) -> None:
    for name, (X, y) in tables().items():
        fitted = clone(model)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                fitted.fit(X, y)
                messages = [str(line) for line in getattr(fitted, "diagnostics_", ())]
            except ValueError as error:
                messages = [str(error)]
        for message in messages:
            assert advised(message) <= parameters(model), (name, message)


def test_the_words_are_read() -> None:
    assert advised("their variance was raised; blend, shrinkage or fewer features would help.") == {
        "blend",
        "shrinkage",
    }
    assert advised("raise max_iter or tol=1e-3") == {"max_iter", "tol"}


@pytest.mark.parametrize("model", [assay.GaussianNB(), assay.FisherDiscriminant()], ids=shown)
def test_singular_classes_are_advised_a_higher_floor(model: Any) -> None:
    X = np.column_stack([np.arange(8.0), np.arange(8.0) // 4])
    X = np.column_stack([X, X[:, 0]])
    notes = model.fit(X, X[:, 1].astype(int)).diagnostics_
    assert any(note.values.get("remedies") == ("a higher variance_floor", "fewer features") for note in notes)
