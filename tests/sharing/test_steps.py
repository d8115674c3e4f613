"""What stands before a model is learned inside each fold and never applied to X: equal to scikit-learn's pipelines."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pytest
from sklearn import decomposition, impute, preprocessing
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.model_selection import cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline

from assay import (
    PCA,
    FisherDiscriminant,
    GaussianClassifier,
    GaussianNB,
    Impute,
    KFold,
    LeastSquaresClassifier,
    LogisticRegression,
    SelectColumns,
    Standardize,
    evaluate,
)
from tests.contract.registry import blobs, shown
from tests.noted import noted
from tests.sharing.tables import assert_same, refitted

MODELS = [
    GaussianNB(),
    GaussianClassifier("full"),
    GaussianClassifier("full", blend=0.5, shrinkage=0.2),
    GaussianClassifier("shared"),
    GaussianClassifier("diagonal"),
    GaussianClassifier("shared_spherical"),
    LeastSquaresClassifier(l2=0.1),
    FisherDiscriminant(),
]
CHEAP = [MODELS[0], MODELS[3], MODELS[5]]  # where refits are compared, too: one of each shape of scores
FOLDS = KFold(5, random_state=3)


def picked(columns: list[int]) -> Any:
    return ColumnTransformer([("kept", "passthrough", columns)])


def mean_imputer(indicator: bool) -> Any:
    return impute.SimpleImputer(add_indicator=indicator, keep_empty_features=True)


# Ours beside scikit-learn's, for tables without gaps and with them.
COMPLETE: dict[str, tuple[list[Any], list[Any]]] = {
    "zscore": ([Standardize(variance="ml")], [preprocessing.StandardScaler()]),
    "range": ([Standardize("range")], [preprocessing.MinMaxScaler()]),
    "columns": ([SelectColumns([3, 0, 1])], [picked([3, 0, 1])]),
    "one column": ([SelectColumns([2])], [picked([2])]),
    "nothing missing": ([Impute(indicator=True)], [mean_imputer(True)]),
    "pca": ([PCA(n_components=3)], [decomposition.PCA(3, svd_solver="full")]),
    "zscore, pca": (
        [Standardize(variance="ml"), PCA(n_components=2)],
        [preprocessing.StandardScaler(), decomposition.PCA(2, svd_solver="full")],
    ),
    "columns, zscore": (
        [SelectColumns([4, 2, 0]), Standardize(variance="ml")],
        [picked([4, 2, 0]), preprocessing.StandardScaler()],
    ),
    "columns, range": (
        [SelectColumns([4, 2, 0]), Standardize("range")],
        [picked([4, 2, 0]), preprocessing.MinMaxScaler()],
    ),
    "zscore, range, columns": (
        [Standardize(variance="ml"), Standardize("range"), SelectColumns([1, 3])],
        [preprocessing.StandardScaler(), preprocessing.MinMaxScaler(), picked([1, 3])],
    ),
    "range, pca": (
        [Standardize("range"), PCA(n_components=2)],
        [preprocessing.MinMaxScaler(), decomposition.PCA(2, svd_solver="full")],
    ),
}
WITH_GAPS: dict[str, tuple[list[Any], list[Any]]] = {
    "impute": ([Impute()], [mean_imputer(False)]),
    "impute, zscore": (
        [Impute(), Standardize(variance="ml")],
        [mean_imputer(False), preprocessing.StandardScaler()],
    ),
    "impute, columns, zscore": (
        [Impute(), SelectColumns([4, 1]), Standardize(variance="ml")],
        [mean_imputer(False), picked([4, 1]), preprocessing.StandardScaler()],
    ),
    "impute, pca": (
        [Impute(), PCA(n_components=3)],
        [mean_imputer(False), decomposition.PCA(3, svd_solver="full")],
    ),
}
FLAGGED: dict[str, tuple[list[Any], list[Any]]] = {
    "impute with flags": ([Impute(indicator=True)], [mean_imputer(True)]),
    "impute with flags, zscore": (
        [Impute(indicator=True), Standardize(variance="ml")],
        [mean_imputer(True), preprocessing.StandardScaler()],
    ),
}


def table(gaps: bool = False) -> tuple[Any, Any]:
    X, y = blobs(rows=80, width=5, seed=11)
    X = X * np.array([1.0, 30.0, 1e-3, 1.0, 5.0]) + np.array([0.0, 1e3, 0.0, -7.0, 2.0])
    if gaps:
        rng = np.random.default_rng(12)
        X[rng.random(80) < 0.2, 1] = np.nan
        X[rng.random(80) < 0.3, 4] = np.nan
    return X, y


def checksum(X: Any) -> str:
    return hashlib.sha256(np.ascontiguousarray(X).tobytes()).hexdigest()


def compare_with_sklearn(ours: list[Any], theirs: list[Any], model: Any, gaps: bool) -> None:
    X, y = table(gaps)
    before = checksum(X)
    result = evaluate(make_pipeline(*(clone(step) for step in ours), model), X, y, FOLDS)
    assert result.strategy == "statistics"
    assert checksum(X) == before
    pipeline = make_pipeline(*(clone(step) for step in theirs), clone(model))
    method = "predict_log_proba" if result.probabilistic else "decision_function"
    expected = cross_val_predict(pipeline, X, y, cv=FOLDS, method=method)
    np.testing.assert_allclose(result.scores, expected, rtol=1e-8, atol=1e-8)
    if model in CHEAP:
        accuracy = cross_val_score(pipeline, X, y, cv=FOLDS)
        np.testing.assert_allclose(result.split_errors, 1.0 - accuracy, atol=1e-12)


@pytest.mark.parametrize("model", MODELS, ids=shown)
@pytest.mark.parametrize("steps", COMPLETE)
def test_steps_equal_scikit_learns(steps: str, model: Any) -> None:
    compare_with_sklearn(*COMPLETE[steps], model, gaps=False)


@pytest.mark.parametrize("model", MODELS, ids=shown)
@pytest.mark.parametrize("steps", WITH_GAPS)
def test_imputed_tables_equal_scikit_learns(steps: str, model: Any) -> None:
    compare_with_sklearn(*WITH_GAPS[steps], model, gaps=True)


@pytest.mark.parametrize("model", MODELS, ids=shown)
@pytest.mark.parametrize("steps", FLAGGED)
def test_flags_for_gaps_equal_scikit_learns(steps: str, model: Any) -> None:
    compare_with_sklearn(*FLAGGED[steps], model, gaps=True)


def test_unbiased_scaling_equals_refits() -> None:
    X, y = table()
    pipeline = make_pipeline(Standardize(), GaussianClassifier("spherical"))
    assert_same(evaluate(pipeline, X, y, FOLDS), refitted(pipeline, X, y, FOLDS))


def test_a_column_that_is_constant_in_one_training_part() -> None:
    X, y = table()
    X[:, 2] = 4.0
    X[FOLDS.partitions(y)[0].test_rows(1), 2] = np.arange(16.0)
    for step, twin in ((Standardize(variance="ml"), preprocessing.StandardScaler()),
                       (Standardize("range"), preprocessing.MinMaxScaler())):  # fmt: skip
        compare = evaluate(make_pipeline(step, GaussianNB()), X, y, FOLDS)
        expected = cross_val_predict(
            make_pipeline(twin, GaussianNB()), X, y, cv=FOLDS, method="predict_log_proba"
        )
        np.testing.assert_allclose(compare.scores, expected, rtol=1e-8, atol=1e-8)


def test_a_column_missing_from_one_training_part() -> None:
    X, y = table()
    X[:, 2] = np.nan
    X[FOLDS.partitions(y)[0].test_rows(1), 2] = np.arange(16.0)
    pipeline = make_pipeline(Impute(), GaussianClassifier("shared"))
    assert_same(evaluate(pipeline, X, y, FOLDS), refitted(pipeline, X, y, FOLDS), places=1e-8)


@pytest.mark.parametrize("model", [LogisticRegression(l2=0.01), GaussianClassifier("shared")])
def test_a_column_of_zeros_once_its_gaps_are_filled(model: Any) -> None:
    """Where the known values of a training part are all 0, filling leaves a constant and nothing to scale up."""
    X, y = blobs(rows=40)
    X[:20, 2], X[[0, 4, 6], 2] = np.nan, 0.0
    X[20:, 2] += 1000.0
    estimator = make_pipeline(Impute(), Standardize(), model)
    plan = [(np.arange(20), np.arange(20, 40))]
    assert_same(evaluate(estimator, X, y, plan), refitted(estimator, X, y, plan), places=1e-5)


def test_flags_that_are_learned_in_one_training_part_only() -> None:
    """A gap in a single row: the fold that tests it has no such flag."""
    X, y = table()
    X[7, 3] = np.nan
    pipeline = make_pipeline(Impute(indicator=True), GaussianClassifier("shared"))
    assert_same(evaluate(pipeline, X, y, FOLDS), refitted(pipeline, X, y, FOLDS), places=1e-8)


@pytest.mark.parametrize("model", [GaussianNB(), GaussianClassifier("full")], ids=shown)
def test_range_behind_steps_that_mix_columns(model: Any) -> None:
    X, y = table(gaps=True)
    for steps in (
        [Impute(), Standardize("range")],
        [Impute(indicator=True), PCA(n_components=2), Standardize("range")],
    ):
        pipeline = make_pipeline(*steps, model)
        assert_same(evaluate(pipeline, X, y, FOLDS), refitted(pipeline, X, y, FOLDS), places=1e-8)


def test_fisher_directions_as_a_step() -> None:
    X, y = table()
    pipeline = make_pipeline(FisherDiscriminant(n_components=1), GaussianClassifier("full"))
    assert_same(evaluate(pipeline, X, y, FOLDS), refitted(pipeline, X, y, FOLDS), places=1e-8)


def test_steps_given_by_name_on_a_frame() -> None:
    import pandas as pd

    X, y = table()
    frame = pd.DataFrame(X, columns=list("abcde"))
    by_name = evaluate(make_pipeline(SelectColumns(["e", "a"]), GaussianNB()), frame, y, FOLDS)
    by_place = evaluate(make_pipeline(SelectColumns([4, 0]), GaussianNB()), X, y, FOLDS)
    np.testing.assert_allclose(by_name.scores, by_place.scores, rtol=1e-12)


def test_scaling_is_learned_inside_the_fold() -> None:
    """One wild row: scaling that saw it outside its own fold would change every other fold's scores."""
    X, y = table()
    model = GaussianClassifier("shared_spherical")
    honest = evaluate(make_pipeline(Standardize(), model), X, y, FOLDS)
    wild = X.copy()
    wild[0, 2] = 1e6
    fold_of_wild = honest.split[0]
    again = evaluate(make_pipeline(Standardize(), model), wild, y, FOLDS)
    others_of_fold = (honest.split == fold_of_wild) & (np.arange(len(y)) != 0)
    np.testing.assert_allclose(again.scores[others_of_fold], honest.scores[others_of_fold], rtol=1e-9)
    assert (
        np.abs(again.scores[honest.split != fold_of_wild] - honest.scores[honest.split != fold_of_wild]).max()
        > 0.1
    )


def test_foreign_steps_are_refitted_and_say_so() -> None:
    X, y = table()
    pipeline = make_pipeline(preprocessing.StandardScaler(), GaussianNB())
    result = evaluate(pipeline, X, y, FOLDS)
    assert result.strategy == "refit" and noted(result.notes, "S003", subject="StandardScaler")
    shared = evaluate(make_pipeline(Standardize(variance="ml"), GaussianNB()), X, y, FOLDS)
    assert_same(shared, (result.tested, True), places=1e-8)
