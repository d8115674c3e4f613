"""Grids of hyperparameters: what can be tuned, and one sentence for what cannot."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine

from assay import (
    GaussianClassifier,
    KFold,
    LogisticRegression,
    nested,
    tune,
)
from tests.raised import Expected, raises

PLAN = KFold(5, random_state=0)


@pytest.mark.parametrize(
    ("ranges", "expected"),
    [
        ({}, Expected("S117")),
        ({"l2": []}, Expected("M001", name="l2")),
        ({"l2": 0.1}, Expected("S119", name="l2", given=0.1)),
        ({"penalty": [1]}, Expected("S118", name="penalty")),
        ({"zz": [1]}, Expected("S118", name="zz")),
        ({"l_2": [1]}, Expected("S118", name="l_2")),
        ({"l2": [-1.0]}, Expected("M023", name="l2", value=-1.0)),
        ({"rule": "best", "l2": [1.0]}, Expected("S077", rule="best")),
    ],
)
def test_bad_ranges(ranges: dict[str, Any], expected: Expected) -> None:
    with raises(expected):
        tune(LogisticRegression(), *load_iris(return_X_y=True), plan=PLAN, **ranges)


@pytest.mark.parametrize(
    ("model", "ranges", "expected"),
    [
        (GaussianClassifier(), {"blend": []}, Expected("M001", name="blend")),
        (GaussianClassifier(), {"blend": [0.5, 2.0]}, Expected("M023", name="blend", value=2.0)),
        (LogisticRegression(), {"l2": [-1.0]}, Expected("M023", name="l2")),
        (GaussianClassifier(), {}, Expected("S117")),
    ],
)
def test_ranges_that_cannot_be_tuned_are_named_with_their_bounds(
    model: Any, ranges: dict[str, Any], expected: Expected
) -> None:
    X, y = load_wine(return_X_y=True)
    for choose in (tune, nested):
        with raises(expected):
            choose(model, X, y, **ranges)


def test_what_is_no_model_is_told() -> None:
    X, y = load_wine(return_X_y=True)
    for choose in (tune, nested):
        with raises("M008", TypeError, kind="GaussianClassifier"):
            choose(GaussianClassifier, X, y, blend=[0.5])
        with raises("M009", TypeError, shown="'knn'"):
            choose("knn", X, y, blend=[0.5])


def test_numbers_of_numpy_are_told_as_numbers() -> None:
    found = tune(GaussianClassifier(), *load_wine(return_X_y=True), plan=PLAN, blend=np.array([0.5]))
    assert found.settings == [{"blend": 0.5}] and repr(found).startswith("Tuned(blend=0.5; ")
