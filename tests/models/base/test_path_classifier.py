"""Starting weights of linear models: bad ones are refused in one sentence, others cloned, stored and evaluated."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris

from assay import KFold, LinearSVM, LogisticRegression, Perceptron, evaluate, load, save
from tests.raised import raises

X, Y = load_iris(return_X_y=True)
MODELS = [LogisticRegression(0.01), LinearSVM(0.01, solver="sgd"), Perceptron(epochs=5)]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
@pytest.mark.parametrize(
    ("start", "sentence"),
    [
        (
            np.zeros((1, 5)),
            "has shape (1, 5); 3 classes and 4 columns need (3, 5): in each row the weights of the columns, then the "
            "intercept.",
        ),
        (np.zeros((3, 4)), "has shape (3, 4); 3 classes and 4 columns need (3, 5)"),
        (np.zeros(5), "has shape (5,); 3 classes and 4 columns need (3, 5)"),
        ([[0.0], [1.0, 2.0]], "has shape (0,); 3 classes and 4 columns need (3, 5)"),
        (np.full((3, 5), np.nan), "holds nan in row 0, column 0; give finite numbers."),
        (np.where(np.eye(3, 5) * [[0], [1], [0]], -np.inf, 0.0), "holds -inf in row 1, column 1"),
    ],
)
def test_a_start_that_does_not_fit(model: Any, start: Any, sentence: str) -> None:
    with pytest.raises(ValueError) as caught:
        clone(model).set_params(start=start).fit(X, Y)
    assert f"{type(model).__name__}(start=...) {sentence}" in str(caught.value)


def test_two_classes_have_one_row() -> None:
    with raises("M025", n_classes=2, n_columns=4):
        Perceptron(start=np.zeros((2, 5))).fit(X[:100], Y[:100])


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_a_start_is_a_parameter_like_any_other(model: Any, tmp_path: Path) -> None:
    begun = clone(model).set_params(start=np.arange(15.0).reshape(3, 5) / 15)
    fitted = clone(begun).fit(X, Y)
    assert np.array_equal(fitted.start, begun.start)
    save(fitted, tmp_path / "m.assay")
    for other in (pickle.loads(pickle.dumps(fitted)), load(tmp_path / "m.assay")):
        assert np.array_equal(other.start, begun.start)
        assert np.array_equal(other.predict(X), fitted.predict(X))
    found = evaluate(begun, X, Y, KFold(3))
    for train, test in KFold(3).split(X, Y):
        assert np.array_equal(found.predicted[test], clone(begun).fit(X[train], Y[train]).predict(X[test]))
