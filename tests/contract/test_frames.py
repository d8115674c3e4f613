"""Frames, Arrow tables and typed tables instead of arrays: the same answers, and the names of the columns are kept."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from assay import (
    PCA,
    BasisExpansion,
    Calibrated,
    CategoricalNB,
    GaussianNB,
    Impute,
    KNeighborsClassifier,
    LinearSVM,
    LogisticRegression,
    MixedNB,
    NeuralNetwork,
    OneHot,
    OneVsOne,
    OneVsRest,
    OrdinalCodes,
    ParametricClassifier,
    Perceptron,
    SelectColumns,
    SingleLayerNetwork,
    Standardize,
    read,
)
from tests.contract.registry import clusterings, counting_estimators, estimators, shown
from tests.models.parametric.softmax import Softmax, Start
from tests.raised import raises

NAMES = ["a", "b", "c", "d"]
y = np.arange(90) % 3
NUMBERS = np.random.default_rng(5).poisson(2.0 + y[:, None], size=(90, 4)).astype(np.float64)
FORMS = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "arrow": pa.table,
    "batch": pa.record_batch,
    "table": lambda columns: read(columns, types=dict.fromkeys(columns, "numeric")),
}


READERS_OF_NUMBERS = [
    *(model for model in estimators() + counting_estimators() if not isinstance(model, MixedNB)),
    *clusterings(),
    LinearSVM(),
    NeuralNetwork(epochs=2),
    Perceptron(epochs=5),
    SingleLayerNetwork(epochs=2),
    Calibrated(LinearSVM()),
    ParametricClassifier(Softmax(), Start(), l2=0.1),
    OneVsOne(GaussianNB()),
    OneVsRest(LogisticRegression(0.1)),
    make_pipeline(Impute(), SelectColumns([0, 2]), Standardize(), PCA(2), LogisticRegression(0.1)),
    make_pipeline(BasisExpansion(degree=2), Standardize(), GaussianNB()),
]


def answers(model: Any, X: Any) -> list[Any]:
    """Everything that a fitted model says of rows."""
    methods = ("predict", "predict_proba", "decision_function", "transform", "score_samples", "fit_predict")
    found = [getattr(model, name)(X) for name in methods if hasattr(model, name)]
    return [np.asarray(each.toarray() if sparse.issparse(each) else each) for each in found]


@pytest.mark.parametrize("estimator", READERS_OF_NUMBERS, ids=shown)
def test_every_form_of_a_table_of_numbers(estimator: Any) -> None:
    expected = answers(clone(estimator).fit(NUMBERS, y), NUMBERS)
    assert expected
    for form in FORMS.values():
        X, renamed = (form(dict(zip(names, NUMBERS.T, strict=True))) for names in (NAMES, "wxyz"))
        model = clone(estimator).fit(X, y)
        assert list(model.feature_names_in_) == NAMES
        for found, plain in zip(answers(model, X), expected, strict=True):
            np.testing.assert_allclose(found, plain, rtol=1e-12, atol=1e-12)
        if hasattr(model, "predict") or hasattr(model, "transform"):
            with pytest.raises(ValueError, match="feature names"):
                answers(model, renamed)


def with_dictionary(columns: dict[str, Any]) -> pa.Table:
    """The first column as pandas and Parquet write categories."""
    table = pa.table(columns)
    return table.set_column(0, table.column_names[0], table.column(0).dictionary_encode())


@pytest.mark.parametrize(
    "estimator",
    [
        CategoricalNB(),
        KNeighborsClassifier(metric="mixed"),
        MixedNB(),
        make_pipeline(OneHot(), Impute(), Standardize(), LogisticRegression(0.1)),
        make_pipeline(OrdinalCodes(), CategoricalNB()),
    ],
    ids=shown,
)
def test_every_form_of_a_table_of_categories(estimator: Any) -> None:
    rng = np.random.default_rng(6)
    columns = {
        "color": np.array(["red", "blue", None])[(y + (rng.random(90) < 0.3)) % 3],
        "size": rng.integers(1, 4, 90),
    }
    expected = answers(clone(estimator).fit(pd.DataFrame(columns), y), pd.DataFrame(columns))
    for form in (pl.DataFrame, pa.table, pa.record_batch, read, with_dictionary):
        X = form({name: values.tolist() for name, values in columns.items()})
        model = clone(estimator).fit(X, y)
        assert list(model.feature_names_in_) == ["color", "size"]
        for found, plain in zip(answers(model, X), expected, strict=True):
            np.testing.assert_allclose(found, plain, rtol=1e-12, atol=1e-12)


def test_estimators_of_scikit_learn_read_typed_tables() -> None:
    columns = dict(zip(NAMES, NUMBERS.T, strict=True))
    table = FORMS["table"](columns)
    theirs = make_pipeline(StandardScaler(), DecisionTreeClassifier(random_state=0))
    np.testing.assert_array_equal(
        theirs.fit(table, y).predict(table), theirs.fit(NUMBERS, y).predict(NUMBERS)
    )


def test_text_in_a_typed_table_is_named() -> None:
    table = read({"color": ["red", "blue"] * 6, "size": list(range(12))})
    with raises("M045", row=0, where="column 'color'", value="red"):
        GaussianNB().fit(table, np.arange(12) % 2)
