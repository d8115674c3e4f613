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
from tests.contract.registry import shown

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


@pytest.mark.parametrize("model", MEASURED, ids=shown)
def test_unscaled_columns_are_told_by_name_and_scaled_ones_are_not(model: Any) -> None:
    frame = pd.DataFrame(X, columns=["age", "income", "height"])
    (said,) = [line for line in model.fit(frame, Y).diagnostics_ if "Standardize()" in line]
    assert said.startswith("Column income varies ") and " times as much as column age, and " in said
    piped = make_pipeline(Standardize(), model).fit(X, Y)
    assert not any("Standardize()" in line for line in piped[-1].diagnostics_)


@pytest.mark.parametrize(
    "model",
    [GaussianNB(), GaussianClassifier("full"), GaussianClassifier("diagonal"), KernelSVM("linear")],
    ids=shown,
)
def test_models_that_do_not_measure_distances_say_nothing(model: Any) -> None:
    assert not any("Standardize()" in line for line in model.fit(X, Y).diagnostics_)


@pytest.mark.parametrize("model", [KMeans(2), PCA(), GaussianClassifier("spherical")], ids=shown)
def test_a_constant_column_has_no_scale(model: Any) -> None:
    rows = np.column_stack([DRAW.normal(size=(40, 2)), np.full(40, 0.1)])
    assert not any("Standardize()" in line for line in model.fit(rows, Y).diagnostics_)


def test_fewer_rows_than_columns() -> None:
    wide = DRAW.normal(size=(6, 9)) * np.where(np.arange(9) == 4, 1000.0, 1.0)
    said = PCA().fit(wide).diagnostics_[-1]
    assert "Column 4 varies" in said and "principal components are mostly those of wider columns" in said
