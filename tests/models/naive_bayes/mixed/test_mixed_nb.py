"""Mixed naive Bayes is the product of its parts, learns and unlearns in parts, and leaves gaps out."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import log_softmax
from scipy.stats import poisson

import assay
from assay import BernoulliNB, CategoricalNB, GaussianNB, KFold, MixedNB, MultinomialNB, TextCounts
from assay.data import Column, Schema, Table, read
from assay.models.naive_bayes.binary import BinaryNB
from assay.models.naive_bayes.mixed.text_column import DocumentNB
from assay.models.naive_bayes.poisson import PoissonNB
from tests.models.naive_bayes.mixed.tables import COLUMNS, COUNTS, random_table, without_values
from tests.noted import noted
from tests.raised import Expected, raises

NAMES = [column.name for column in COLUMNS]


def closed(one: Any, two: Any, digits: float = 1e-9) -> None:
    np.testing.assert_allclose(one, two, rtol=digits, atol=digits)


def of_columns(table: Table, *names: str) -> Table:
    return table.select(names)


def evidence(model: Any, X: Any) -> Any:
    """ln p(x | C_k) of a fitted model with equal priors."""
    return model.predict_joint_log_proba(X) + np.log(len(model.classes_))


# -- the product of the parts -----------------------------------------------------------------------------


def test_is_the_product_of_its_parts() -> None:
    """Priors times the likelihoods of five separate models, four of them public."""
    table, y = random_table(gaps=0.0)
    mixed = MixedNB(kinds=COUNTS).fit(table, y)
    numbers = np.stack([table["size"], table["day"]], axis=1)
    gaussian = GaussianNB(priors="uniform").fit(numbers, y)
    total = gaussian._class_scores(numbers) + np.log(3)
    levels = np.stack([table["sky"], table["town"]], axis=1)
    total += evidence(CategoricalNB(priors="uniform").fit(levels, y), levels)
    wet = table["wet"][:, None].astype(float)
    total += evidence(BernoulliNB(priors="uniform").fit(wet, y), wet)
    for k, label in enumerate(mixed.classes_):
        calls = table["calls"]
        rate = (calls[y == label].sum() + calls.mean()) / ((y == label).sum() + 1)
        total[:, k] += poisson.logpmf(calls, rate)
    for name in ("note", "remark"):
        words = TextCounts().fit_transform(table[name])
        total += evidence(MultinomialNB(priors="uniform").fit(words, y), words)
    shares = np.array([(y == label).mean() for label in mixed.classes_])
    closed(mixed.predict_log_proba(table), log_softmax(np.log(shares) + total, axis=1))


@given(st.integers(0, 10_000), st.sets(st.sampled_from(NAMES), min_size=1), st.floats(0.0, 0.3))
@settings(max_examples=30, deadline=None)
def test_any_columns_add_up(seed: int, names: set[str], gaps: float) -> None:
    """The joint score is that of models of single columns, and what `contributions` says of each.

    Every class has several values of every column: a class of one value borrows its variance by a rule of all columns.
    """
    table, y = random_table(seed, gaps=gaps)
    listed = [name for name in NAMES if name in names]
    whole = MixedNB(kinds={name: COUNTS[name] for name in listed if name in COUNTS})
    whole.fit(of_columns(table, *listed), y)
    joint = whole.predict_joint_log_proba(table)
    log_prior = np.log(whole.class_prior_)
    parts = whole.contributions(table)
    assert parts.shape == (60, 3, len(listed))
    closed(parts.sum(axis=2) + log_prior, joint)
    for j, name in enumerate(listed):
        single = MixedNB(kinds={name: COUNTS[name]} if name in COUNTS else None)
        alone = single.fit(of_columns(table, name), y).predict_joint_log_proba(table)
        closed(parts[:, :, j], alone - log_prior)
    closed(np.exp(whole.predict_log_proba(table)).sum(axis=1), 1.0)


@pytest.mark.parametrize("name", NAMES)
def test_a_missing_value_is_a_column_left_out(name: str) -> None:
    table, y = random_table()
    model = MixedNB(kinds=COUNTS).fit(table, y)
    kinds = {key: kind for key, kind in COUNTS.items() if key != name}
    without = MixedNB(kinds=kinds).fit(table.without(name), y)
    closed(model.predict_log_proba(without_values(table, name)), without.predict_log_proba(table))


def test_numbers_alone_are_gaussian_naive_bayes() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 4)) * [1, 10, 100, 0.1], rng.integers(0, 3, 80)
    X[rng.random(X.shape) < 0.1] = np.nan
    mixed, gaussian = MixedNB().fit(X, y), GaussianNB().fit(X, y)
    closed(mixed.predict_log_proba(X), gaussian.predict_log_proba(X))
    assert mixed.n_parameters_ == gaussian.n_parameters_
    closed(mixed.log_likelihood_, gaussian.log_likelihood_)
    closed(assay.aic(mixed), assay.aic(gaussian))
    closed(assay.bic(mixed), assay.bic(gaussian))
    assert not hasattr(mixed, "feature_names_in_")


@pytest.mark.parametrize("unseen", ["other", "ignore"])
@pytest.mark.parametrize("smoothing", [1.0, 0.0])
def test_levels_alone_are_categorical_naive_bayes(unseen: str, smoothing: float) -> None:
    table, y = random_table(columns=COLUMNS[2:4])
    rows = np.stack([table["sky"], table["town"]], axis=1).astype(float)
    rows[rows < 0] = np.nan
    mixed = MixedNB(unseen=unseen, smoothing=smoothing).fit(table.take(range(40)), y[:40])
    plain = CategoricalNB(unseen=unseen, smoothing=smoothing).fit(rows[:40], y[:40])
    closed(mixed.predict_log_proba(table), plain.predict_log_proba(rows))
    assert mixed.n_parameters_ == plain.n_parameters_
    closed(mixed.log_likelihood_, plain.log_likelihood_)


def test_the_parts_of_counts_are_naive_bayes_themselves() -> None:
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, 50)
    there = (rng.random((50, 4)) < 0.3 + 0.2 * y[:, None]).astype(float)
    closed(
        BinaryNB().fit(there, y).predict_log_proba(there),
        BernoulliNB().fit(there, y).predict_log_proba(there),
    )
    closed(BinaryNB().fit(there, y).log_likelihood_, BernoulliNB().fit(there, y).log_likelihood_)
    calls = rng.poisson(1.0 + y[:, None], (50, 2)).astype(float)
    model = PoissonNB(smoothing=0.0).fit(calls, y)
    rates = np.stack([calls[y == k].mean(axis=0) for k in range(3)])
    closed(model.rate_, rates)
    joint = poisson.logpmf(calls[:, None, :], rates).sum(axis=2) + np.log(model.class_prior_)
    closed(model.predict_log_proba(calls), log_softmax(joint, axis=1))
    closed(
        model.log_likelihood_ - poisson.logpmf(calls, 1.0).sum() * 0.0,
        (joint[np.arange(50), y] - poisson.logpmf(calls, 1.0).sum(axis=1) - calls.shape[1]).sum(),
    )


@pytest.mark.parametrize("options", [{}, {"max_words": 3}, {"min_documents": 0.4}, {"min_documents": 5}])
def test_texts_are_counted_and_chosen_as_elsewhere(options: dict[str, Any]) -> None:
    table, y = random_table(seed=5, gaps=0.0)
    words = TextCounts(**options)
    counts = words.fit_transform(table["note"])
    model = DocumentNB(**options).fit(table["note"], y)
    assert model.vocabulary_.tolist() == words.vocabulary_.tolist()
    twin = MultinomialNB().fit(counts, y)
    closed(model.predict_log_proba(table["note"]), twin.predict_log_proba(counts))
    closed(model.log_likelihood_, twin.log_likelihood_)
    assert model.n_parameters_ == twin.n_parameters_
    closed(model.feature_log_prob_, twin.feature_log_prob_)


def test_a_single_column_of_counts_tells_classes_apart() -> None:
    """As the only word of a multinomial document it could not."""
    model = MixedNB(kinds={"x0": "count"}).fit([[0], [1], [8], [9]], [0, 0, 1, 1])
    assert model.predict([[0], [3], [7]]).tolist() == [0, 0, 1]


def test_without_smoothing_classes_are_ruled_out_and_priors_decide_where_all_are() -> None:
    table = {"sky": ["blue", "grey", "grey", "blue", "grey"], "wet": ["no", "no", "yes", "yes", "yes"]}
    model = MixedNB(smoothing=0.0, kinds={"sky": "categorical"}).fit(
        {"sky": ["blue", "blue", "grey", "grey", "grey"], "wet": ["no", "no", "yes", "yes", "yes"]},
        ["a", "a", "b", "b", "b"],
    )
    posterior = model.predict_proba(table)
    closed(posterior[0], [1.0, 0.0])
    closed(posterior[3], [0.4, 0.6])  # blue speaks against b, wet against a
    assert np.isfinite(model.predict_log_proba(table)[3]).all()


# -- learning in parts ------------------------------------------------------------------------------------


def same(one: MixedNB, two: MixedNB, table: Any, digits: float = 1e-9) -> None:
    assert one.classes_.tolist() == two.classes_.tolist()
    closed(one.predict_log_proba(table), two.predict_log_proba(table), digits)
    closed(one.class_prior_, two.class_prior_)
    closed(one.log_likelihood_, two.log_likelihood_, 1e-7)
    assert one.n_parameters_ == two.n_parameters_


def exact_parts(one: MixedNB, two: MixedNB) -> None:
    """The counts of both are the same bits."""
    assert one.parts_.keys() == two.parts_.keys()
    for key, model in one.parts_.items():
        if key != "gaussian":
            for name, value in model.statistics_.to_arrays().items():
                assert np.array_equal(value, two.parts_[key].statistics_.to_arrays()[name]), (key, name)


@given(st.integers(0, 10_000), st.integers(45, 59))
@settings(max_examples=25, deadline=None)
def test_learning_in_parts_is_one_fit(seed: int, cut: int) -> None:
    """partial_fit and merge equal a fit of all rows; forgetting the later rows is a fit of the first."""
    table, y = random_table(seed)
    first, rest = table.take(range(cut)), table.take(range(cut, 60))
    model = MixedNB(kinds=COUNTS, max_words=4)
    whole = assay.models.base.estimators.clone(model).fit(table, y)
    parts = assay.models.base.estimators.clone(model).partial_fit(first, y[:cut]).partial_fit(rest, y[cut:])
    same(parts, whole, table)
    exact_parts(parts, whole)
    if len(set(y[cut:])) > 1:
        other = assay.models.base.estimators.clone(model).fit(rest, y[cut:])
        merged = assay.models.base.estimators.clone(model).fit(first, y[:cut]).merge(other)
        same(merged, whole, table)
        exact_parts(merged, whole)
    before = assay.models.base.estimators.clone(model).fit(first, y[:cut])
    after = parts.forget(rest, y[cut:])
    exact_parts(after, before)
    same(after, before, table, 1e-6)


def test_frames_learned_in_blocks_grow_levels_and_words() -> None:
    one = pd.DataFrame(
        {"sky": ["blue", "grey", "blue"], "n": [1.5, 2.5, 4.0], "note": ["a sunny day", "so", "it is"]}
    )
    two = pd.DataFrame(
        {"sky": ["pink", "grey", None], "n": [2.5, 9.5, None], "note": [None, "it rains now", "day"]}
    )
    kinds = {"sky": "categorical", "n": "gaussian", "note": "text"}
    model = MixedNB(kinds=kinds).partial_fit(one, [0, 1, 0]).partial_fit(two, [1, 1, 2])
    whole = MixedNB(kinds=kinds).fit(pd.concat([one, two]), [0, 1, 0, 1, 1, 2])
    same(model, whole, two)
    assert model.classes_.tolist() == [0, 1, 2]
    assert set(model.schema_["sky"].levels) == {"blue", "grey", "pink"}
    declared = MixedNB(kinds=kinds).partial_fit(one, [0, 1, 0], classes=[0, 1, 2])
    assert declared.predict_proba(two)[:, 2].tolist() == [0.0, 0.0, 0.0]
    same(declared.partial_fit(two, [1, 1, 2]), whole, one)


def test_weights_are_repeated_rows() -> None:
    table, y = random_table(seed=2)
    times = np.random.default_rng(0).integers(0, 4, len(y))
    rows = np.repeat(np.arange(len(y)), times)
    for options in ({}, {"max_words": 3, "min_documents": 2}):
        model = MixedNB(kinds=COUNTS, **options)
        one = assay.models.base.estimators.clone(model).fit(table, y, sample_weight=times)
        two = assay.models.base.estimators.clone(model).fit(table.take(rows), y[rows])
        same(one, two, table)


def test_other_priors_need_no_fit() -> None:
    table, y = random_table()
    model = MixedNB(kinds=COUNTS).fit(table, y)
    priors = [0.6, 0.3, 0.1]
    other = model.with_priors(priors)
    closed(
        other.predict_log_proba(table),
        MixedNB(kinds=COUNTS, priors=priors).fit(table, y).predict_log_proba(table),
    )
    closed(model.class_prior_, [(y == label).mean() for label in model.classes_])


@pytest.mark.parametrize("labels", [[3, 1, 2], ["x", "y", "ä"], [True, False, True], [0.5, 1.5, 0.5]])
def test_labels_of_any_type(labels: list[Any]) -> None:
    table, y = random_table(gaps=0.0)
    named = dict(zip(("ash", "beech", "cedar"), labels, strict=True))
    model = MixedNB(kinds=COUNTS).fit(table, [named[label] for label in y])
    assert set(model.predict(table).tolist()) <= set(labels)


# -- what it reads ----------------------------------------------------------------------------------------


def test_reads_tables_frames_dictionaries_and_arrow() -> None:
    columns = {
        "age": [21.5, 30.0, None, 52.25, 60.0, 33.0],
        "work": ["paid", "none", "paid", None, "self", "self"],
        "sex": ["f", "m", "m", "f", None, "f"],
    }
    y = ["n", "y", "n", "y", "y", "n"]
    wanted = MixedNB().fit(read(columns), y).predict_proba(read(columns))
    frames = [columns, pd.DataFrame(columns), pl.DataFrame(columns), pl.DataFrame(columns).to_arrow()]
    for frame in frames:
        model = MixedNB().fit(frame, y)
        assert model.kinds_ == {"age": "gaussian", "work": "categorical", "sex": "bernoulli"}
        for other in frames:
            closed(model.predict_proba(other), wanted)
    listed = [list(row) for row in zip(*columns.values(), strict=True)]
    named = MixedNB().fit(np.array(listed, dtype=object), y)
    closed(named.predict_proba(np.array(listed, dtype=object)), wanted)
    assert list(named.kinds_) == ["x0", "x1", "x2"]
    assert pickle.loads(pickle.dumps(named)).predict(listed).tolist() == named.predict(listed).tolist()


def test_kinds_overrule_types() -> None:
    table = {
        "a": [0, 1, 2, 0, 1, 2],
        "b": ["x y", "xx zz", "zz", "xx", "xx zz", "zz zz"],
        "c": [1.0, 1, 2, 2, 1, 2],
    }
    y = [0, 1, 1, 0, 1, 0]
    kinds = {"a": "count", "b": "text", "c": "categorical"}
    model = MixedNB(kinds=kinds).fit(table, y)
    assert model.kinds_ == kinds
    assert model.parts_["text b"].vocabulary_.tolist() == ["xx", "zz"]
    assert [own.tolist() for own in model.parts_["categorical"].levels_] == [[1, 2]]
    typed = read(table, types={"a": "categorical"})
    closed(MixedNB(kinds=kinds).fit(typed, y).predict_proba(typed), model.predict_proba(table))


# -- folds from one pass ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options", [{}, {"priors": "uniform", "smoothing": 0.0}, {"max_words": 3, "unseen": "ignore"}]
)
@pytest.mark.parametrize("weighted", [False, True])
def test_folds_from_one_pass_are_refits(options: dict[str, Any], weighted: bool) -> None:
    table, y = random_table(seed=7, rows=80)
    weight = np.random.default_rng(1).integers(0, 3, 80) + 0.5 if weighted else None
    model = MixedNB(kinds=COUNTS, **options)
    found = assay.evaluate(model, table, y, KFold(5), sample_weight=weight)
    assert found.strategy == "counts"
    for train, test in KFold(5).split(np.zeros((80, 1)), y):
        own = assay.models.base.estimators.clone(model).fit(
            table.take(train), y[train], None if weight is None else weight[train]
        )
        closed(found.tested.scores[test], own.predict_log_proba(table.take(test)))


def test_tuned_and_nested_from_one_pass() -> None:
    table, y = random_table(seed=8, rows=60)
    found = assay.tune(
        MixedNB(kinds=COUNTS), table, y, plan=KFold(4), smoothing=[0.1, 1.0], max_words=[2, None]
    )
    assert len(found.settings) == 4
    assert {each.strategy for each in found.evaluations} == {"counts"}
    assert found.model.predict(table).shape == (60,)


# -- bad input --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        ({"cals": "count"}, Expected("D102", kind="column", name="cals", near=["calls"])),
        (
            {"calls": "poisson"},
            Expected("M141", name="calls", kind="poisson"),
        ),
        (
            {"size": "count"},
            Expected("M714", owner="MixedNB", where="column 'size'"),
        ),
        ({"sky": "bernoulli"}, Expected("D095", type="binary")),
        ({"sky": "gaussian"}, Expected("D235", expected="numbers", place="row 1", source="the table")),
        (["count"], Expected("M023", owner="MixedNB", name="kinds", value=["count"])),
    ],
)
def test_kinds_that_cannot_be(kinds: Any, expected: Expected) -> None:
    table, y = random_table(gaps=0.0)
    with raises(expected):
        MixedNB(kinds=kinds).fit(table, y)


@pytest.mark.parametrize(("value", "code"), [(-1.0, "M156"), (2.5, "M714")])
def test_counts_are_whole_and_not_negative(value: float, code: str) -> None:
    table = {"n": [1.0, 2.0, 0.0, value], "a": [0.5, 1.5, 2.5, 4.5]}
    expected = Expected(code, owner="MixedNB", value=value, row=3, where="column 'n'")
    with raises(expected):
        MixedNB(kinds={"n": "count"}).fit(table, [0, 1, 0, 1])
    model = MixedNB(kinds={"n": "count"}).fit({**table, "n": [1, 2, 0, 4]}, [0, 1, 0, 1])
    with raises(expected):
        model.predict(table)


def test_columns_that_say_nothing_are_told() -> None:
    table = {
        "none": [None, None, None, None],
        "one": ["u", "u", "u", "u"],
        "id": ["k1", "k2", "k3", "k4"],
        "flat": [1.0, 1.0, 2.5, 7.0],
        "texts": ["!", "?", "...", "-"],
    }
    schema = read({name: table[name] for name in ("none", "one", "flat")}).schema
    typed = Table(
        Schema((*schema.columns, Column("id", "identifier"), Column("texts", "text"))),
        {**read({name: table[name] for name in ("none", "one", "flat")}).columns, **_texts(table)},
    )
    model = MixedNB().fit(typed, [0, 0, 1, 1])
    assert [(note.code, note.subject, note.values) for note in model.diagnostics_] == [
        ("M408", "", {"column": "none"}),
        ("M409", "", {"column": "one"}),
        ("M412", "", {"column": "id"}),
        ("M302", "", {"label": "0"}),
        ("M418", "Column 'texts'", {}),
    ]
    with raises("M144", n_columns=2):
        MixedNB().fit(typed.select(["none", "one"]), [0, 0, 1, 1])
    floored = MixedNB().fit({"a": [1.0, 1.0, 2.5, 7.0], "b": [1.0, 2.5, 3.0, 9.5]}, ["p", "p", "q", "q"])
    assert len(floored.diagnostics_) == 1 and noted(floored.diagnostics_, "M421", column="a", label="p")
    gaps = MixedNB().fit([[np.nan, 1.0], [np.nan, 2.0], [np.nan, 3.0], [np.nan, 5.0]], [0, 0, 1, 1])
    assert len(gaps.diagnostics_) == 1 and noted(gaps.diagnostics_, "M300", columns=("x0",))


def _texts(table: dict[str, Any]) -> dict[str, Any]:
    import pyarrow as pa

    return {name: pa.array(table[name]) for name in ("id", "texts")}


def test_unseen_levels_by_rule() -> None:
    table = {"sky": ["blue", "grey", "pink", "grey"], "wet": ["no", "yes", "no", "yes"]}
    y, new = [0, 1, 0, 1], {"sky": ["black"], "wet": ["maybe"]}
    ignored = MixedNB(unseen="ignore").fit(table, y)
    closed(ignored.predict_proba(new), [[0.5, 0.5]])
    other = MixedNB().fit(table, y)
    closed(other.predict_proba(new), [[0.5, 0.5]])
    refusing = MixedNB(unseen="refuse").fit(table, y)
    with raises("M146", row=0, where="column 'sky'"):
        refusing.predict(new)
    with raises("M145", row=0, where="column 'sky'"):
        other.forget({"sky": ["black"], "wet": ["no"]}, [0])
    with raises("M132", label=1):
        other.forget({"sky": ["pink"], "wet": ["yes"]}, [1])
    with raises("D090", columns=["wet"]):
        other.predict({"sky": ["blue"]})
    with raises("D095", subject="wet"):
        other.partial_fit({"sky": ["blue", "blue", "blue"], "wet": ["maybe", "no", "yes"]}, [0, 1, 0])
    closed(
        other.predict_proba(table), MixedNB().fit(table, y).predict_proba(table)
    )  # what failed changed nothing


def test_infinite_numbers_are_named() -> None:
    table = {"a": [1.0, 2.5, 3.0, 4.5], "b": ["u", "v", "u", "w"]}
    model = MixedNB().fit(table, [0, 0, 1, 1])
    for make in (lambda rows: MixedNB().fit(rows, [0, 0, 1, 1]), model.predict, model.predict_proba):
        with raises("N026", where="row 2, column 'a'"):
            make({**table, "a": [1.0, 2.5, float("inf"), 4.5]})
    with raises("N700", largest=1e300):
        model.predict({**table, "a": [1.0, 2.5, 1e300, 4.5]})


def test_classes_come_and_go_with_their_rows() -> None:
    table, y = random_table()
    before, model = MixedNB(kinds=COUNTS).fit(table, y), MixedNB(kinds=COUNTS).fit(table, y)
    few = table.take([0, 1, 2])
    model.partial_fit(few, ["zebra"] * 3)
    assert model.classes_.tolist() == ["ash", "beech", "cedar", "zebra"]
    same(model.forget(few, ["zebra"] * 3), before, table)
    nothing = model.predict_proba(table.take([]))
    assert nothing.shape == (0, 3) and model.contributions(table.take([])).shape == (0, 3, 8)
    with raises("M018", label="zebra"):
        model.forget(few, ["zebra"] * 3)


def test_models_of_other_columns_cannot_be_merged() -> None:
    one = MixedNB().fit({"a": [1.0, 2.5, 3.0, 4.5]}, [0, 0, 1, 1])
    two = MixedNB().fit({"a": ["u", "v", "w", "w"]}, [0, 0, 1, 1])
    with raises("M143"):
        one.merge(two)
