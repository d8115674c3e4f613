"""Tables wider than long: folds solved among the rows are refits, with the same notes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assay import GaussianNB, HoldOut, KFold, LeastSquaresClassifier, evaluate
from tests.noted import noted
from tests.raised import raises
from tests.sharing.tables import assert_same, refitted
from tests.solvers.wide_table import wide


@pytest.mark.parametrize("plan", [KFold(5), KFold(4, repeats=2), HoldOut(0.3)], ids=repr)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_scores_are_those_of_refits(plan: Any, weighted: bool, dtype: Any) -> None:
    X, y = wide()
    X = X.astype(dtype)
    weight = np.random.default_rng(0).uniform(0.5, 2, len(y)) if weighted else None
    model = LeastSquaresClassifier(l2=0.05)
    found = evaluate(model, X, y, plan, sample_weight=weight)
    assert found.strategy == "gram"
    assert_same(found, refitted(model, X, y, plan, weight), 1e-6)


def test_models_of_both_ways_keep_their_places() -> None:
    X, y = wide()
    models = [
        LeastSquaresClassifier(l2=1.0),
        GaussianNB(),
        LeastSquaresClassifier(),
        LeastSquaresClassifier(l2=0.1),
    ]
    together = list(evaluate(models, X, y, KFold(5)).values())
    assert [found.strategy for found in together] == ["gram", "statistics", "statistics", "gram"]
    for model, found in zip(models, together, strict=True):
        alone = evaluate(model, X, y, KFold(5))
        np.testing.assert_allclose(found.tested.scores, alone.tested.scores, rtol=1e-9, atol=1e-12)


def test_constant_columns_and_absent_classes() -> None:
    X, y = wide()
    X[:, 5] = 2.0
    y[y == 2] = 1
    y[0] = 2
    model = LeastSquaresClassifier(l2=0.1)
    found = evaluate(model, X, y, KFold(5))
    assert len(found.notes) == 1 and noted(found.notes, "S208", label="2", count=1, total=5)
    assert_same(found, refitted(model, X, y, KFold(5)), 1e-6)


def test_a_penalty_that_rounding_would_eat_is_left_to_moments() -> None:
    X, y = wide()
    assert evaluate(LeastSquaresClassifier(l2=1e-12), X, y, KFold(5)).strategy == "statistics"


def test_only_wide_tables_and_ridge_models() -> None:
    X, y = wide()
    for model, rows in ((LeastSquaresClassifier(l2=0.1), X[:, :40]), (LeastSquaresClassifier(), X)):
        assert evaluate(model, rows, y, KFold(5)).strategy == "statistics"


def test_values_that_no_model_can_use_are_named() -> None:
    X, y = wide()
    X[3, 7] = np.nan
    with raises("N028", where="row 3, column 7"):
        evaluate(LeastSquaresClassifier(l2=0.1), X, y, KFold(5))


def test_projections_of_wide_tables_are_found_among_the_rows() -> None:
    from sklearn.pipeline import make_pipeline

    from assay import PCA, GaussianClassifier, Standardize, evaluate

    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    X = rng.normal(size=(40, 300))
    X[:, :20] += 2.0 * y[:, None]
    model = make_pipeline(Standardize(), PCA(2), GaussianClassifier("shared"))
    found = evaluate(model, X, y, 5)
    assert found.strategy == "refit" and noted(found.notes, "S006")
    narrow = evaluate(model, X[:, :30], y, 5)
    assert narrow.strategy == "statistics" and narrow.notes == ()
