"""Columns that keep their unit: which tables have one, and candidates that try them as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.pipeline import make_pipeline

from assay import KernelSVM, KFold, KNeighborsClassifier, LinearSVM, Standardize, catalog, evaluate, read
from assay.models.features.scale import one_unit
from assay.models.table.build import build
from tests.contract.registry import shown

PIXELS = np.random.default_rng(0).uniform(-1, 1, (40, 9)).clip(-0.8, 0.8)


def texts() -> dict[str, Any]:
    return {f"x{j}": np.random.default_rng(j).poisson(1.0, 50).astype(float) for j in range(8)}


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (load_digits(return_X_y=True)[0], True),
        (PIXELS, True),
        (texts(), True),
        ({**texts(), "colour": list("abcde") * 10}, False),
        ({**texts(), "age": np.linspace(18.0, 71.5, 50)}, False),
        (load_wine(return_X_y=True)[0], False),
        (load_iris(return_X_y=True)[0], False),
        (PIXELS * np.arange(1, 10), False),
    ],
)
def test_columns_of_one_unit_are_recognised(table: Any, expected: bool) -> None:
    assert one_unit(read(table)) == expected


def test_columns_that_stay_as_they_are() -> None:
    X = load_iris(return_X_y=True)[0]
    np.testing.assert_array_equal(Standardize("none").fit_transform(X), X)


@pytest.mark.parametrize("model", [KNeighborsClassifier(3), LinearSVM(0.01), KernelSVM()], ids=shown)
def test_folds_share_them_as_rows_without_the_step(model: Any) -> None:
    X, y = load_iris(return_X_y=True)
    step, bare = (evaluate(m, X, y, KFold(4)) for m in (make_pipeline(Standardize("none"), model), model))
    np.testing.assert_allclose(step.tested.scores, bare.tested.scores, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("name", ["knn", "linear_svm", "kernel_svm", "calibrated_svm"])
def test_candidates_try_both_where_there_is_one_unit(name: str) -> None:
    card = catalog.entry(name)
    pixels, others = card.for_table(read(PIXELS)), card.for_table(read(load_wine(return_X_y=True)[0]))
    assert others.settings() == card.settings()
    assert [s["scaling"] for s in pixels.settings()].count("none") == len(card.settings())
    steps = [build(pixels, setting).steps[-1] for setting in pixels.settings()[:2]]
    assert [step.method for step in steps] == ["zscore", "none"]
    given = card.over({next(iter(card.settings()[0])): [1]}).for_table(read(PIXELS))
    assert len(given.settings()) == 1
