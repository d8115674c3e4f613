"""Frames, Arrow tables and typed tables, with labels beside them or as one of their columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from assay import (
    BasisExpansion,
    BernoulliNB,
    CategoricalNB,
    GaussianNB,
    KernelSVM,
    KFold,
    KNeighborsClassifier,
    LogisticRegression,
    MultinomialNB,
    OneHot,
    Standardize,
    TextCounts,
    complexity_curve,
    evaluate,
    learning_curve,
    nested,
    rank_features,
    read,
    select_features,
    tune,
)
from assay.data.labels import features_and_labels
from tests.contract.registry import shown
from tests.raised import raises

X, codes = load_iris(return_X_y=True)
order = np.random.default_rng(0).permutation(150)
X, y = X[order], np.array(["setosa", "versicolor", "virginica"])[codes[order]]
COLUMNS: dict[str, Any] = {**dict(zip("abcd", X.T, strict=True)), "species": y.tolist()}
FORMS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "arrow": pa.table,
    "batch": pa.record_batch,
    "typed": read,
}
TREE, PLAN = DecisionTreeClassifier(max_depth=2, random_state=0), KFold(3)
MODELS = {
    "moments": GaussianNB(),
    "map": make_pipeline(Standardize(), GaussianNB()),
    "products": make_pipeline(BasisExpansion(degree=2), GaussianNB()),
    "path": LogisticRegression(0.01),
    "counts": CategoricalNB(),
    "neighbors": KNeighborsClassifier(),
    "gram": KernelSVM(),
    "refit": TREE,
}
FIGURES: dict[str, Callable[[Any, Any], Any]] = {
    "evaluate": lambda X, y: [result.error for result in evaluate(MODELS, X, y, PLAN).values()],
    "tune": lambda X, y: tune(KNeighborsClassifier(), X, y, plan=PLAN, n_neighbors=[1, 9]).losses,
    "nested": lambda X, y: nested(GaussianNB(), X, y, plan=PLAN, variance=["ml", "unbiased"]).error,
    "nested refits": lambda X, y: nested(TREE, X, y, plan=PLAN, max_depth=[1, 3]).error,
    "learning_curve": lambda X, y: learning_curve(TREE, X, y, PLAN, sizes=[0.5, 1.0]).errors,
    "complexity_curve": lambda X, y: complexity_curve(TREE, X, y, PLAN, max_depth=[1, 2]).training,
    "select_features": lambda X, y: [step.error for step in select_features(GaussianNB(), X, y).path],
    "rank_features": lambda X, y: rank_features(X, y).scores,
}


@pytest.mark.parametrize("function", FIGURES)
def test_every_form_gives_the_figures_of_arrays(function: str) -> None:
    figures = FIGURES[function]
    expected = figures(X, y)
    for form in FORMS.values():
        table = form(COLUMNS)
        np.testing.assert_allclose(figures(table, "species"), expected, rtol=1e-12)
        np.testing.assert_allclose(figures(*features_and_labels(table, "species")), expected, rtol=1e-12)


def test_labels_of_a_frame_are_found_by_name() -> None:
    for form in FORMS.values():
        result = evaluate(GaussianNB(), form(COLUMNS), "species", PLAN)
        np.testing.assert_array_equal(result.truth, y)


def test_columns_of_categories_are_encoded_inside_the_folds() -> None:
    color = np.where(np.random.default_rng(1).random(150) < 0.8, np.array(["x", "y", "z"])[codes[order]], "x")
    model = make_pipeline(OneHot(), LogisticRegression(0.1))
    found = [
        evaluate(model, form({**COLUMNS, "color": color.tolist()}), "species", PLAN).error
        for form in FORMS.values()
    ]
    assert found == [found[0]] * len(FORMS) and found[0] < 0.1


@pytest.mark.parametrize("function", FIGURES)
def test_labels_among_the_columns_are_one_sentence(function: str) -> None:
    frame = pd.DataFrame(COLUMNS)
    with raises("D098", label="species"):
        FIGURES[function](frame, frame["species"])
    with raises("D102", kind="column", name="specie", near=["species"]):
        FIGURES[function](frame, "specie")
    with raises("D099", y="species"):
        FIGURES[function](X, "species")


def test_labels_without_a_name_may_stand_beside_a_column_called_target() -> None:
    frame = pd.DataFrame({"target": X[:, 2], "width": X[:, 3]})
    assert evaluate(GaussianNB(), frame, y, PLAN).error == evaluate(GaussianNB(), X[:, 2:], y, PLAN).error


def test_texts_in_every_form() -> None:
    rng = np.random.default_rng(3)
    words = {
        "setosa": ["ash", "bay", "fir"],
        "versicolor": ["fir", "oak"],
        "virginica": ["oak", "elm", "ash"],
    }
    texts = [" ".join(rng.choice(words[label], 3)) for label in y]
    model = make_pipeline(TextCounts(), MultinomialNB())
    expected = evaluate(model, texts, y, PLAN).error
    for form in (np.array, pd.Series, pl.Series, pa.array):
        assert evaluate(model, form(texts), y, PLAN).error == expected
        assert tune(model, form(texts), y, plan=PLAN, multinomialnb__smoothing=[1.0]).losses[0] == expected


@pytest.mark.parametrize(
    "model", [MultinomialNB(), make_pipeline(TextCounts(binary=True), BernoulliNB())], ids=shown
)
def test_the_features_of_texts_are_words(model: Any) -> None:
    words = {"setosa": ["ash", "the"], "versicolor": ["fir", "oak", "the"], "virginica": ["oak", "the"]}
    texts = [" ".join(words[label]) for label in y]
    found = select_features(model, texts, y, n_features=2)
    assert sorted(found.features) in (["ash", "fir"], ["ash", "oak"], ["fir", "oak"])
    rows = found.counter.transform(texts)
    alone = select_features(found.model, rows, y, n_features=2)
    assert [step.error for step in found.path] == [step.error for step in alone.path]
    np.testing.assert_array_equal(
        found.model.predict(found.take(texts)), alone.model.predict(alone.take(rows))
    )
    for form in (np.array, pd.Series, pl.Series, pa.array):
        assert select_features(model, form(texts), y, n_features=2).features == found.features
    ranking = rank_features(texts, y)
    assert ranking.features[-1] == "the" and ranking.scores.min() == 0.0
    with raises("S091", wanted="elm"):
        select_features(model, texts, y, fixed=["elm"])
