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

PLAN = KFold(5, random_state=0)


@pytest.mark.parametrize(
    ("ranges", "said"),
    [
        ({}, "nothing to tune"),
        ({"l2": []}, "The range of l2 is empty"),
        ({"l2": 0.1}, "l2=0.1 is not a range"),
        ({"penalty": [1]}, "no parameter 'penalty' to tune; write l1 or l2"),
        ({"zz": [1]}, "no parameter 'zz' to tune; it has 'class_weight', 'l1', 'l2', 'start', 'tol'"),
        ({"l_2": [1]}, "no parameter 'l_2' to tune; did you mean 'l2'"),
        ({"l2": [-1.0]}, "l2=-1.0"),
        ({"rule": "best", "l2": [1.0]}, "rule='best'"),
    ],
)
def test_bad_ranges(ranges: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        tune(LogisticRegression(), *load_iris(return_X_y=True), plan=PLAN, **ranges)


@pytest.mark.parametrize(
    ("model", "ranges", "sentence"),
    [
        (GaussianClassifier(), {"blend": []}, "The range of blend is empty"),
        (GaussianClassifier(), {"blend": [0.5, 2.0]}, "blend=2.0.*at least 0 and at most 1"),
        (LogisticRegression(), {"l2": [-1.0]}, "l2.*0"),
        (GaussianClassifier(), {}, "nothing to tune"),
    ],
)
def test_ranges_that_cannot_be_tuned_are_named_with_their_bounds(
    model: Any, ranges: dict[str, Any], sentence: str
) -> None:
    X, y = load_wine(return_X_y=True)
    for choose in (tune, nested):
        with pytest.raises(ValueError, match=sentence):
            choose(model, X, y, **ranges)


def test_what_is_no_model_is_told() -> None:
    X, y = load_wine(return_X_y=True)
    for choose in (tune, nested):
        for model in (GaussianClassifier, "knn"):
            with pytest.raises(
                TypeError, match="GaussianClassifier is a class; give an instance|'knn' is not an"
            ):
                choose(model, X, y, blend=[0.5])


def test_numbers_of_numpy_are_told_as_numbers() -> None:
    found = tune(GaussianClassifier(), *load_wine(return_X_y=True), plan=PLAN, blend=np.array([0.5]))
    assert found.settings == [{"blend": 0.5}] and repr(found).startswith("Tuned(blend=0.5; ")
