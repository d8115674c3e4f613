"""Models that compare columns with each other say so where the columns are on unequal scales, all by one rule."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline

from assay import (
    PCA,
    GaussianClassifier,
    GaussianMixtureClassifier,
    GaussianNB,
    Hierarchy,
    KernelSVM,
    KMeans,
    KNeighborsClassifier,
    Standardize,
)
from assay.notes import Note
from tests.contract.registry import shown
from tests.noted import noted

DRAW = np.random.default_rng(0)
X = DRAW.normal(size=(40, 3)) * [1.0, 200.0, 5.0] + [0.0, 10.0, 1e3]
Y = np.arange(40) % 2
MEASURED = [
    KNeighborsClassifier(),
    KernelSVM(),
    KMeans(2),
    Hierarchy(2),
    Hierarchy(2, linkage="average", metric="manhattan"),
    Hierarchy(2, direction="top-down"),
    PCA(),
    PCA(1),
    GaussianClassifier("spherical"),
    GaussianClassifier("shared_spherical"),
    GaussianMixtureClassifier(1, covariance="spherical"),
]


def unequal(model: Any) -> list[Note]:
    """Notes of a fitted model about columns of unequal scales."""
    return [*noted(model.diagnostics_, "M307"), *noted(model.diagnostics_, "M308")]


@pytest.mark.parametrize("model", MEASURED, ids=shown)
def test_unscaled_columns_are_told_by_name_and_scaled_ones_are_not(model: Any) -> None:
    frame = pd.DataFrame(X, columns=["age", "income", "height"])
    (note,) = unequal(model.fit(frame, Y))
    assert (note.values["wide"], note.values["narrow"]) == ("income", "age") and note.values["ratio"] > 10
    piped = make_pipeline(Standardize(), model).fit(X, Y)
    assert not unequal(piped[-1])


@pytest.mark.parametrize(
    "model",
    [GaussianNB(), GaussianClassifier("full"), GaussianClassifier("diagonal"), KernelSVM("linear")],
    ids=shown,
)
def test_models_that_do_not_measure_distances_say_nothing(model: Any) -> None:
    assert not unequal(model.fit(X, Y))


@pytest.mark.parametrize("model", [KMeans(2), PCA(), GaussianClassifier("spherical")], ids=shown)
def test_a_constant_column_has_no_scale(model: Any) -> None:
    rows = np.column_stack([DRAW.normal(size=(40, 2)), np.full(40, 0.1)])
    assert not unequal(model.fit(rows, Y))


def test_fewer_rows_than_columns() -> None:
    wide = DRAW.normal(size=(6, 9)) * np.where(np.arange(9) == 4, 1000.0, 1.0)
    assert noted(PCA().fit(wide).diagnostics_, "M308", wide=4)
