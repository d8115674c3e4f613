"""What must not matter does not: order of rows, columns and labels, origin and unit, weights against copies."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from tests.contract.answers import outputs
from tests.contract.registry import blobs, normal_classifiers, shown, statistics_classifiers

Array = np.ndarray[Any, Any]
SHIFT_FREE = [
    c for c in statistics_classifiers() if not (getattr(c, "l2", 0.0) or getattr(c, "shrinkage", 0.0))
]
UNIT_FREE = [c for c in SHIFT_FREE if "spherical" not in str(getattr(c, "covariance", ""))]


def agree(one: Array, two: Array, places: float = 1e-9) -> None:
    np.testing.assert_allclose(one, two, rtol=places, atol=places)


@pytest.mark.parametrize("classifier", statistics_classifiers(), ids=shown)
def test_order_of_rows(classifier: Any) -> None:
    X, y = blobs(seed=1)
    order = np.random.default_rng(2).permutation(len(X))
    agree(outputs(clone(classifier).fit(X, y), X), outputs(clone(classifier).fit(X[order], y[order]), X))


@pytest.mark.parametrize("classifier", statistics_classifiers(), ids=shown)
def test_order_of_columns(classifier: Any) -> None:
    X, y = blobs(seed=2)
    order = np.array([2, 0, 3, 1])
    one, two = clone(classifier).fit(X, y), clone(classifier).fit(X[:, order], y)
    agree(outputs(one, X), outputs(two, X[:, order]), 1e-8)


@pytest.mark.parametrize("classifier", statistics_classifiers(), ids=shown)
def test_names_and_order_of_labels(classifier: Any) -> None:
    X, y = blobs(seed=3)
    names = np.array(["c", "a", "b"])
    one, two = clone(classifier).fit(X, y), clone(classifier).fit(X, names[y])
    assert (names[one.predict(X)] == two.predict(X)).all()
    agree(outputs(one, X), outputs(two, X)[:, [2, 0, 1]], 1e-8)


@pytest.mark.parametrize("classifier", SHIFT_FREE, ids=shown)
def test_constant_shift_of_a_column(classifier: Any) -> None:
    X, y = blobs(seed=4)
    moved = X + np.array([1e4, 0.0, -3e3, 0.5])
    agree(outputs(clone(classifier).fit(X, y), X), outputs(clone(classifier).fit(moved, y), moved), 1e-7)


@pytest.mark.parametrize("classifier", UNIT_FREE, ids=shown)
def test_unit_of_a_column(classifier: Any) -> None:
    X, y = blobs(seed=5)
    scaled = X * np.array([1e6, 1.0, 2.0**-20, 60.0])
    one, two = clone(classifier).fit(X, y), clone(classifier).fit(scaled, y)
    agree(outputs(one, X), outputs(two, scaled), 1e-7)


@pytest.mark.parametrize("classifier", statistics_classifiers(), ids=shown)
@pytest.mark.parametrize("seed", range(3))
def test_integer_weight_is_a_repeated_row(classifier: Any, seed: int) -> None:
    X, y = blobs(rows=40, seed=seed)
    weight = np.random.default_rng(seed).integers(0, 4, len(X))
    repeated = np.repeat(np.arange(len(X)), weight)
    one = clone(classifier).fit(X, y, sample_weight=weight)
    two = clone(classifier).fit(X[repeated], y[repeated])
    agree(outputs(one, X), outputs(two, X), 1e-8)
    agree(one.class_count_, two.class_count_)


@pytest.mark.parametrize("classifier", statistics_classifiers(), ids=shown)
def test_one_row_of_weight_three_is_three_equal_rows(classifier: Any) -> None:
    X, y = blobs(rows=40, classes=2)
    X = np.vstack([X, [[9.0, 8.0, 7.1, 6.3]]])
    y = np.append(y, 2)
    weight = np.ones(len(y))
    weight[-1] = 3.0
    one = clone(classifier).fit(X, y, weight)
    two = clone(classifier).fit(np.vstack([X, X[-1:], X[-1:]]), np.append(y, [2, 2]))
    agree(outputs(one, X), outputs(two, X), 1e-8)


@pytest.mark.parametrize("classifier", statistics_classifiers(), ids=shown)
def test_weight_zero_is_an_absent_row(classifier: Any) -> None:
    X, y = blobs(rows=60, seed=7)
    weight = np.ones(len(X))
    weight[::5] = 0.0
    spoiled = X.copy()
    spoiled[::5] = 1e6
    kept = weight > 0
    one, two = clone(classifier).fit(spoiled, y, weight), clone(classifier).fit(X[kept], y[kept])
    agree(outputs(one, X), outputs(two, X), 1e-8)


@pytest.mark.parametrize(
    "classifier", [c for c in statistics_classifiers() if getattr(c, "variance", "ml") == "ml"], ids=shown
)
@pytest.mark.parametrize("factor", [1e-3, 1e3, 1.0 / 90])
def test_a_common_factor_of_the_weights(classifier: Any, factor: float) -> None:
    X, y = blobs(seed=8)
    weight = np.random.default_rng(8).uniform(0.5, 2.0, len(X))
    one, two = clone(classifier).fit(X, y, weight), clone(classifier).fit(X, y, factor * weight)
    agree(outputs(one, X), outputs(two, X), 1e-8)


@pytest.mark.parametrize("classifier", normal_classifiers(), ids=shown)
def test_class_of_weight_zero_is_never_predicted(classifier: Any) -> None:
    X, y = blobs(seed=9)
    model = clone(classifier).fit(X, y, sample_weight=(y != 1).astype(float))
    assert model.classes_.tolist() == [0, 1, 2]
    assert (model.predict_proba(X)[:, 1] == 0).all()
    assert any("Class 1" in sentence for sentence in model.diagnostics_)
