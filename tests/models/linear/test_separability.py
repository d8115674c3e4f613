"""The public answer: labels of any type, names of columns, units, sentences, bad input."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from assay.models.linear.separability import separability
from tests.raised import Expected, raises

CORNERS = [[0, 0], [0, 1], [1, 0], [1, 1]]


@pytest.mark.parametrize("labels", [["n", "n", "n", "y"], ["n", "y", "y", "y"]])
def test_and_and_or_are_separable(labels: list[str]) -> None:
    found = separability(CORNERS, labels)
    assert found.separable and found.kind == "complete" and found.residual is None
    assert found.columns == (0, 1)
    assert found.sentence.code == "M363" and found.sentence.values["columns"] == (0, 1)
    assert str(found) == str(found.sentence)
    side = np.array(CORNERS) @ found.coef[0] + found.intercept[0]
    assert ((side > 0) == (np.array(labels) == "y")).all()
    assert np.abs(side).min() / np.linalg.norm(found.coef) == pytest.approx(found.margin)


def test_exclusive_or_is_not_and_there_is_a_proof() -> None:
    found = separability(CORNERS, [True, False, False, True])
    assert not found.separable and found.kind == "none"
    assert found.residual is not None and found.residual < 1e-12
    assert found.margin == 0.0 and not found.coef.any()
    proof = found.sentence.values["proof"]
    assert found.sentence.code == "M366" and proof.code == "M367"
    assert (proof.values["first"], proof.values["n_first"]) == (False, 2)
    assert (proof.values["second"], proof.values["n_second"]) == (True, 2)


def test_planes_are_in_the_units_of_the_columns() -> None:
    X, y = load_iris(return_X_y=True, as_frame=True)
    X = X * np.array([1e6, 1.0, 1e-6, 1.0]) + np.array([1e8, 0.0, 0.0, -50.0])
    found = separability(X[:100], y[:100])
    side = X[:100].to_numpy() @ found.coef[0] + found.intercept[0]
    assert ((side > 0) == (y[:100] == 1)).all()
    assert found.columns == ("petal length (cm)",)
    assert found.sentence.values["columns"] == ("petal length (cm)",)


def test_three_classes_of_which_one_is_apart() -> None:
    X, y = load_iris(return_X_y=True)
    found = separability(X, np.array(["s", "c", "v"])[y])
    assert found.kind == "quasi" and found.coef.shape == (3, 4)
    assert found.sentence.code == "M365"
    assert (found.sentence.values["free"], found.sentence.values["rows"]) == (50, 150)


def test_three_classes_apart() -> None:
    X = np.array([[0, 0], [0.1, 0.2], [5, 0], [5.2, 0.1], [0, 5], [0.3, 5.5]])
    y = np.array([0, 0, 1, 1, 2, 2])
    found = separability(X, y)
    assert found.separable and found.margin > 0
    assert (found.classes[(X @ found.coef.T + found.intercept).argmax(axis=1)] == y).all()


@pytest.mark.parametrize(
    ("X", "y", "expected"),
    [
        ([[1.0], [np.nan]], [0, 1], Expected("N028", where="row 1, column 0")),
        ([[1.0], [np.inf]], [0, 1], Expected("N026", where="row 1, column 0")),
        ([[1.0], [2.0]], [0, 0], Expected("M128")),
        ([[1.0], [2.0]], [0, 1, 1], Expected("M032", n_rows=2, n_labels=3)),
        ([[1.0], [2.0]], None, Expected("M031")),
    ],
)
def test_bad_input(X: object, y: object, expected: Expected) -> None:
    with raises(expected):
        separability(X, y)


def test_names_in_messages() -> None:
    frame = pd.DataFrame({"a": [1.0, 2.0], "b": [0.0, np.nan]})
    with raises("N028"):
        separability(frame, [0, 1])
