"""Classifiers over tables: every source, every model, at once or block by block."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from assay import (
    PCA,
    DropReference,
    GaussianClassifier,
    GaussianNB,
    Impute,
    KFold,
    LeastSquaresClassifier,
    OneHot,
    OrdinalCodes,
    Standardize,
    TableClassifier,
    evaluate,
)
from assay.data import MISSING, UNSEEN, Column, Schema, Table
from tests.contract.registry import shown, statistics_classifiers
from tests.models.features.mixed import mixed
from tests.models.table.classifiers import linear
from tests.noted import noted
from tests.raised import raises
from tests.sharing.tables import assert_same, refitted


def scores(model: Any, X: Any) -> Any:
    return model.predict_log_proba(X) if hasattr(model, "predict_proba") else model.decision_function(X)


def labelled() -> Table:
    table, y = mixed()
    column = Column("class", "categorical", ("ant", "bee", "cat"))
    return Table(Schema((*table.schema, column)), {**table.columns, "class": y.astype(np.int32)})


MODELS = [
    linear(GaussianClassifier("shared")),
    linear(LeastSquaresClassifier(l2=0.1), Standardize()),
    linear(LogisticRegression(), Standardize()),
    linear(LinearSVC()),
    TableClassifier(OneHot(), [], GaussianNB()),
    TableClassifier(OrdinalCodes(), [], HistGradientBoostingClassifier(max_iter=5, random_state=0)),
    TableClassifier(OrdinalCodes(), [], DecisionTreeClassifier(random_state=0)),
]


@pytest.mark.parametrize("model", MODELS, ids=shown)
def test_a_table_classifier_is_its_parts(model: Any) -> None:
    table, y = mixed()
    names = np.array(["cat", "ant", "bee"])[y]
    fitted = clone(model).fit(table, names)
    encoder = clone(model.encoder).fit(table)
    X = encoder.transform(table)
    np.testing.assert_array_equal(fitted.design(table), X)
    inner = fitted.matrix_estimator()
    assert isinstance(inner, Pipeline) == bool(model.steps) and not hasattr(inner, "n_features_in_")
    inner.fit(X, names)
    np.testing.assert_array_equal(fitted.predict(table), inner.predict(X))
    assert fitted.classes_.tolist() == ["ant", "bee", "cat"]
    for method in ("predict_proba", "decision_function"):
        assert hasattr(fitted, method) == hasattr(inner, method) == hasattr(clone(model), method)
        if hasattr(inner, method):
            ours, theirs = getattr(fitted, method)(table), getattr(inner, method)(X)
            np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)
    assert fitted.n_features_in_ == 5 and fitted.feature_names_in_.tolist() == list(table.schema.names)
    assert len(fitted.design_names_) == X.shape[1] and fitted.target_ is None
    assert 0.3 < fitted.score(table, names) <= 1.0


@pytest.mark.parametrize("model", MODELS, ids=shown)
def test_copies_and_parameters(model: Any) -> None:
    table, y = mixed()
    fitted = clone(model).fit(table, y)
    loaded = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(loaded.predict(table), fitted.predict(table))
    assert not hasattr(clone(fitted), "classes_") and repr(clone(fitted)) == repr(model)
    assert set(fitted.get_params(deep=False)) == {"encoder", "steps", "estimator", "priors"}
    assert all(
        name.partition("__")[0] in ("encoder", "steps", "estimator", "priors") for name in fitted.get_params()
    )


@pytest.mark.filterwarnings("ignore:.*never seen in training")
@pytest.mark.parametrize("model", MODELS, ids=shown)
def test_new_levels_and_gaps_never_crash(model: Any) -> None:
    table, y = mixed()
    fitted = clone(model).fit(table, y)
    columns = {name: table[name].copy() for name in table.schema.names}
    for name in ("age", "income"):
        columns[name][:20] = np.nan
    for name in ("work", "member", "place"):
        columns[name][10:15], columns[name][15:30] = MISSING, UNSEEN
    odd = Table(table.schema, columns)
    if hasattr(fitted, "predict_proba"):
        posterior = fitted.predict_proba(odd)
        assert np.isfinite(posterior).all()
        np.testing.assert_allclose(posterior.sum(axis=1), 1.0, rtol=1e-9)
    assert np.isin(fitted.predict(odd), [0, 1, 2]).all()


@pytest.mark.filterwarnings("ignore:.*never seen in training")
def test_an_unseen_level_counts_as_the_most_frequent_one() -> None:
    table, y = mixed()
    fitted = linear(GaussianClassifier("shared")).fit(table, y)
    most = np.bincount(table["place"]).argmax()
    one, two = (
        Table(table.schema, {**table.columns, "place": np.full(160, code, dtype=np.int32)})
        for code in (most, UNSEEN)
    )
    np.testing.assert_array_equal(fitted.predict_proba(one), fitted.predict_proba(two))


def test_the_target_by_name() -> None:
    table, y = mixed()
    names = np.array(["ant", "bee", "cat"])[y]
    by_name = linear(GaussianNB()).fit(labelled(), target="class")
    assert by_name.target_ == "class" and by_name.target_column_.levels == ("ant", "bee", "cat")
    assert "class" not in by_name.schema_
    given = linear(GaussianNB()).fit(table, names, target="class")
    assert given.target_column_.levels == ("ant", "bee", "cat")
    np.testing.assert_array_equal(by_name.predict_proba(table), given.predict_proba(labelled()))
    with raises("D102", name="clas", near=["class"]):
        linear(GaussianNB()).fit(labelled(), target="clas")
    with raises("M046"):
        linear(GaussianNB()).fit(table)
    with raises("M032", n_rows=160, n_labels=3):
        linear(GaussianNB()).fit(table, [0, 1, 2])
    with raises("M048"):
        TableClassifier(Standardize(), [], GaussianNB()).fit(table, y)


def test_frames_and_arrays() -> None:
    rng = np.random.default_rng(0)
    y = np.repeat(["no", "yes"], 40)
    frame = pd.DataFrame(
        {"size": rng.normal(size=80) + (y == "yes"), "colour": rng.choice(["r", "g", "b"], 80)}
    )
    fitted = linear(GaussianClassifier("shared")).fit(frame, y)
    assert fitted.schema_["colour"].type == "categorical"
    moved = frame[["colour", "size"]].iloc[::-1]
    np.testing.assert_array_equal(fitted.predict(moved), fitted.predict(frame)[::-1])
    joined = linear(GaussianClassifier("shared")).fit(frame.assign(answer=y), target="answer")
    np.testing.assert_allclose(joined.predict_proba(frame), fitted.predict_proba(frame), rtol=1e-12)
    X = rng.normal(size=(80, 3))
    plain = linear(GaussianClassifier("shared")).fit(X, y)
    np.testing.assert_allclose(
        plain.predict_proba(X), GaussianClassifier("shared").fit(X, y).predict_proba(X), rtol=1e-9
    )


def test_decisions() -> None:
    table, y = mixed()
    fitted = linear(GaussianClassifier("shared")).fit(table, y)
    np.testing.assert_array_equal(fitted.decide(table).labels, fitted.predict(table))
    loss = np.array([[0, 1, 1], [9, 0, 9], [1, 1, 0]])
    assert (fitted.decide(table, loss=loss).labels == 1).sum() > (fitted.predict(table) == 1).sum()
    other = TableClassifier(OrdinalCodes(), [], DecisionTreeClassifier(max_depth=2)).fit(table, y)
    np.testing.assert_allclose(other.class_prior_, np.bincount(y) / 160)
    assert len(other.decide(table, priors=[0.1, 0.1, 0.8]).labels) == 160
    assert not hasattr(linear(LinearSVC()), "decide")


def test_weights_reach_every_part_that_takes_them() -> None:
    table, y = mixed()
    weight = np.random.default_rng(5).integers(0, 3, 160)
    repeated = np.repeat(np.arange(160), weight)
    one = linear(GaussianClassifier("full", blend=0.5)).fit(table, y, sample_weight=weight)
    two = linear(GaussianClassifier("full", blend=0.5)).fit(table.take(repeated), y[repeated])
    np.testing.assert_allclose(
        one.predict_log_proba(table), two.predict_log_proba(table), rtol=1e-7, atol=1e-9
    )

    class Deaf(DecisionTreeClassifier):
        def fit(self, X: Any, y: Any) -> Any:  # type: ignore[override]
            return super().fit(X, y)

    with raises("S134", kind="Deaf"):
        TableClassifier(OrdinalCodes(), [], Deaf()).fit(table, y, sample_weight=weight)


def test_diagnostics_name_the_columns_of_the_table() -> None:
    table, y = mixed(gaps=False)
    empty, same = np.full(160, np.nan), np.full(160, 3.0)
    schema = Schema(
        (Column("id", "identifier"), *table.schema, Column("empty", "numeric"), Column("same", "numeric"))
    )
    wide = Table(schema, {**table.columns, "id": np.arange(160), "empty": empty, "same": same})
    told = TableClassifier(OneHot(), [Impute(), DropReference()], GaussianClassifier("shared"))
    notes = told.fit(wide, y).diagnostics_
    assert noted(notes, "M407", column="id") and noted(notes, "M404", column="empty")
    assert noted(notes, "M300", columns=("empty", "same"))


def test_what_an_evaluation_fitted_can_be_adopted() -> None:
    table, y = mixed()
    model = linear(GaussianClassifier("shared")).encoded(table)
    X = model.design(table)
    result = evaluate(model.matrix_estimator(), X, y, KFold(5))
    assert result.strategy == "statistics"
    assert_same(result, refitted(linear(GaussianClassifier("shared")), table, y, KFold(5)), places=1e-8)
    adopted = model.with_fitted(model.matrix_estimator().fit(X, y), target="class")
    whole = linear(GaussianClassifier("shared")).fit(table, y)
    np.testing.assert_allclose(adopted.predict_proba(table), whole.predict_proba(table), rtol=1e-10)
    assert adopted.target_ == "class" and adopted.diagnostics_ == whole.diagnostics_


CHAINS = [
    *(linear(model) for model in statistics_classifiers()),
    linear(LeastSquaresClassifier(l2=0.1), Standardize()),
    TableClassifier(OneHot(), [], GaussianNB()),
    TableClassifier(OneHot(), [DropReference()], GaussianNB()),
]


def in_blocks(table: Table, y: Any, sizes: list[int], weight: Any = None) -> Any:
    for rows in np.split(np.arange(len(y)), np.cumsum(sizes)[:-1]):
        yield table.take(rows), y[rows], None if weight is None else weight[rows]


@pytest.mark.parametrize("model", CHAINS, ids=shown)
def test_blocks_equal_one_fit(model: Any) -> None:
    """Gaps of some columns come up in later blocks only, and so do levels and classes."""
    table, y = mixed(seed=3)
    order = np.argsort(
        np.isnan(table["age"]) + 2 * np.isnan(table["income"]) + (table["member"] < 0), kind="stable"
    )
    table, y = table.take(order), y[order]
    weight = np.random.default_rng(3).uniform(0.2, 2.0, 160)
    for w in (None, weight):
        whole = clone(model).fit(table, y, sample_weight=w)
        parts = clone(model).fit_blocks(in_blocks(table, y, [3, 90, 40, 27], w))
        assert parts.classes_.tolist() == whole.classes_.tolist()
        np.testing.assert_allclose(scores(parts, table), scores(whole, table), rtol=1e-8, atol=1e-9)
        np.testing.assert_array_equal(parts.predict(table), whole.predict(table))
        for ours, theirs in zip(parts.steps_and_model_, whole.steps_and_model_, strict=True):
            assert set(vars(ours)) == set(vars(theirs)) and ours.n_features_in_ == theirs.n_features_in_
        assert parts.diagnostics_ == whole.diagnostics_


def test_ranges_in_blocks() -> None:
    table, y = mixed(gaps=False)
    model = TableClassifier(
        OneHot(), [DropReference(), Standardize("range")], GaussianClassifier("spherical")
    )
    whole, parts = clone(model).fit(table, y), clone(model).fit_blocks(in_blocks(table, y, [100, 60]))
    np.testing.assert_allclose(scores(parts, table), scores(whole, table), rtol=1e-9, atol=1e-9)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.lists(st.integers(0, 60), min_size=1, max_size=6))
def test_any_cut_into_blocks_is_the_same(seed: int, sizes: list[int]) -> None:
    table, y = mixed(80, seed)
    sizes = [size for size in sizes if size]
    sizes = [*sizes, 80]
    cuts = np.diff(np.minimum(np.cumsum([0, *sizes]), 80))
    model = linear(GaussianClassifier("shared", shrinkage=0.1))
    whole = clone(model).fit(table, y)
    parts = clone(model).fit_blocks(in_blocks(table, y, [int(size) for size in cuts if size]))
    np.testing.assert_allclose(scores(parts, table), scores(whole, table), rtol=1e-8, atol=1e-9)


def test_partial_fits_go_on() -> None:
    table, y = mixed()
    whole = linear(GaussianClassifier("shared")).fit(table, y)
    model = linear(GaussianClassifier("shared"))
    for i, (part, labels, _) in enumerate(in_blocks(table, y, [20, 100, 40])):
        model.partial_fit(part, labels, classes=[0, 1, 2] if i == 0 else None)
        model = pickle.loads(pickle.dumps(model))
    np.testing.assert_allclose(scores(model, table), scores(whole, table), rtol=1e-8, atol=1e-9)
    first, rest = (table.take(rows) for rows in (np.arange(100), np.arange(100, 160)))
    after_fit = linear(GaussianClassifier("shared")).fit(first, y[:100]).partial_fit(rest, y[100:])
    np.testing.assert_allclose(scores(after_fit, table), scores(whole, table), rtol=1e-8, atol=1e-9)
    adopted = linear(GaussianClassifier("shared")).encoded(table)
    adopted.with_fitted(adopted.matrix_estimator().fit(adopted.design(table), y))
    with raises("M049"):
        adopted.partial_fit(table, y)


def test_blocks_with_the_target_inside() -> None:
    table = labelled()
    whole = linear(GaussianNB()).fit(table, target="class")
    blocks = (table.take(rows) for rows in np.array_split(np.arange(160), 4))
    parts = linear(GaussianNB()).fit_blocks(blocks, target="class")
    np.testing.assert_allclose(parts.predict_proba(table), whole.predict_proba(table), rtol=1e-8, atol=1e-12)
    assert parts.target_column_ == whole.target_column_


def test_what_blocks_cannot_do_is_said() -> None:
    table, y = mixed()
    for model in (
        linear(LogisticRegression()),
        TableClassifier(OneHot(), [Impute(), PCA(n_components=2)], GaussianNB()),
    ):
        with raises("M051"):
            model.fit_blocks(in_blocks(table, y, [160]))
    model = linear(GaussianNB())
    with raises("M050"):
        model.fit_blocks([])
    with raises("M047", label=0):
        model.fit_blocks([(table, np.zeros(160, dtype=int))], classes=[0, 1])
    with raises("M017", strange=2):
        model.fit_blocks([(table, y)], classes=[0, 1])
    with raises("N026", where="row 0, column 'age'"):
        broken = Table(table.schema, {**table.columns, "age": np.append(np.inf, table["age"][1:])})
        model.fit_blocks([(broken, y)])


def test_a_column_that_no_schema_announced_as_missing() -> None:
    """Counts of missing values in a schema may be too low; gaps are found in the rows."""
    table, y = mixed()
    silent = Schema(tuple(replace(column, missing=0) for column in table.schema))
    table = Table(silent, table.columns)
    whole = linear(GaussianClassifier("shared")).fit(table, y)
    parts = linear(GaussianClassifier("shared")).fit_blocks(in_blocks(table, y, [80, 80]))
    np.testing.assert_allclose(scores(parts, table), scores(whole, table), rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("model", MODELS, ids=shown)
def test_of_no_rows_there_is_an_empty_answer(model: TableClassifier) -> None:
    table = labelled()
    fitted = clone(model).fit(table, target="class")
    none = table.take([])
    for empty in (none, none.without("class"), {name: [] for name in table.schema.names}):
        assert fitted.predict(empty).shape == (0,) and fitted.predict(empty).dtype == fitted.classes_.dtype
        assert scores(fitted, empty).shape == (0, 3)
        if hasattr(fitted, "predict_proba"):
            assert fitted.predict_proba(empty).shape == (0, 3)
