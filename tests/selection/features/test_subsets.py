"""Levels, words and columns of every kind: sets of features equal refits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.naive_bayes import BernoulliNB as TheirBernoulli
from sklearn.naive_bayes import CategoricalNB as TheirCategorical
from sklearn.naive_bayes import ComplementNB as TheirComplement
from sklearn.naive_bayes import MultinomialNB as TheirMultinomial

from assay import (
    BernoulliNB,
    CategoricalNB,
    ComplementNB,
    KFold,
    MixedNB,
    MultinomialNB,
    read,
    select_features,
)
from assay.catalog import entry
from assay.models.table.build import build
from tests.noted import noted
from tests.selection.features.data import OPTIONS
from tests.selection.features.select_refits import assert_same, refitted

SEARCHES = ["forward", "backward", "floating"]


def levels(seed: int, n: int = 150, width: int = 6, classes: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    X = rng.integers(0, 4, (n, width))
    X[:, 1], X[:, 4] = (X[:, 1] + y) % 4, np.where(rng.random(n) < 0.4, y, X[:, 4])
    return X.astype(np.float64), y


def counts(seed: int, n: int = 150, width: int = 6, classes: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    X = rng.poisson(0.8, (n, width))
    X[:, 2] += rng.poisson(y)
    X[:, 5] += rng.poisson(classes - y)
    return X.astype(np.float64), y


def mixed(seed: int, n: int = 150) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    frame = pd.DataFrame({"number": rng.normal(size=n) + y, "noise": rng.normal(size=n)})
    frame.loc[rng.random(n) < 0.2, "number"] = np.nan
    frame["level"] = np.array(["red", "green", "blue", None], dtype=object)[(y + rng.integers(0, 2, n)) % 4]
    frame["yes"] = np.where(rng.random(n) < 0.3 + 0.2 * y, "yes", "no")
    frame["amount"] = rng.poisson(1.0 + y)
    said = ["a fine day", "rain and wind", "snow"]
    frame["words"] = [f"{said[k]} {said[j]} {j % 7}" for k, j in zip(y, rng.integers(0, 3, n), strict=True)]
    return frame, np.array(["a", "b", "c"])[y]


MODELS: dict[str, tuple[Any, Any]] = {
    "levels": (CategoricalNB(), levels),
    "levels, ignored": (CategoricalNB(unseen="ignore", smoothing=0.2, priors="uniform"), levels),
    "multinomial": (MultinomialNB(smoothing=0.3), counts),
    "complement": (ComplementNB(priors="ml"), counts),
    "Bernoulli": (BernoulliNB(threshold=1.0), counts),
}


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("name", MODELS)
def test_every_way_equals_refits(name: str, search: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model, table = MODELS[name]
    X, y = table(3)
    found = select_features(model, X, y, search=search)
    assert_same(found, refitted(monkeypatch, model, X, y, search=search))
    if isinstance(model, MultinomialNB | ComplementNB | BernoulliNB):
        sparse = select_features(model, csr_array(X), y, search=search)
        assert_same(sparse, refitted(monkeypatch, model, csr_array(X), y, search=search))


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("name", MODELS)
@OPTIONS
def test_options_equal_refits(
    name: str, search: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    model, table = MODELS[name]
    X, y = table(4)
    found = select_features(model, X, y, search=search, **options)
    assert_same(found, refitted(monkeypatch, model, X, y, search=search, **options))


@pytest.mark.parametrize("search", SEARCHES)
def test_columns_of_every_kind(search: str, monkeypatch: pytest.MonkeyPatch) -> None:
    frame, y = mixed(5)
    model = MixedNB(kinds={"amount": "count", "words": "text"})
    found = select_features(model, frame, y, search=search)
    assert_same(found, refitted(monkeypatch, model, frame, y, search=search))
    assert set(found.model.kinds_) == set(found.features)
    array = frame[["number", "noise", "amount"]].to_numpy()
    by_place = MixedNB(kinds={"x2": "count"})
    assert_same(
        select_features(by_place, array, y, search=search),
        refitted(monkeypatch, by_place, array, y, search=search),
    )


@pytest.mark.parametrize("name", ["categorical_nb", "mixed_nb"])
def test_entries_of_the_catalog(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    frame, y = mixed(6)
    table = read(frame[["level", "yes"]] if name == "categorical_nb" else frame)
    found = select_features(build(entry(name)), table, y)
    assert_same(found, refitted(monkeypatch, build(entry(name)), table, y))


THEIRS: list[tuple[Any, Any, Any]] = [
    (CategoricalNB(unseen="ignore"), TheirCategorical(min_categories=4), levels),
    (MultinomialNB(), TheirMultinomial(), counts),
    (BernoulliNB(), TheirBernoulli(), counts),
    (ComplementNB(priors="uniform"), TheirComplement(), counts),
]


@pytest.mark.parametrize(("ours", "theirs", "table"), THEIRS, ids=lambda each: type(each).__name__)
@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_the_same_features_as_scikit_learn(ours: Any, theirs: Any, table: Any, direction: str) -> None:
    X, y = table(7)
    plan = KFold(5)
    splits = list(plan.split(X, y))
    wanted = SequentialFeatureSelector(theirs, n_features_to_select=3, direction=direction, cv=splits).fit(
        X, y
    )
    found = select_features(ours, X, y, search=direction, n_features=3, plan=plan)
    assert found.columns.tolist() == np.flatnonzero(wanted.get_support()).tolist()


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 10**6), st.sampled_from(SEARCHES), st.sampled_from(["levels", "multinomial", "Bernoulli"])
)
def test_ties_are_broken_as_by_refits(seed: int, search: str, name: str) -> None:
    """Few rows of two levels in classes of equal size: many rows are as near to one class as to another."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 2, (24, 4)).astype(np.float64), np.arange(24) % 2
    model = MODELS[name][0]
    with pytest.MonkeyPatch.context() as changed:
        assert_same(
            select_features(model, X, y, search=search, plan=KFold(3)),
            refitted(changed, model, X, y, search=search, plan=KFold(3)),
        )


def test_what_does_not_add_up_equals_refits(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = counts(9)
    frame, labels = mixed(9)
    alone = frame.assign(number=np.where(labels == "a", 1.0, frame["number"].fillna(0.0)))
    for model, table, target in (
        (MultinomialNB(smoothing=0.0), X, y),
        (ComplementNB(norm=True), X, y),
        (
            MixedNB(),
            alone[["number", "noise", "yes"]],
            labels,
        ),  # a class of one number borrows the others' variance
    ):
        found = select_features(model, table, target)
        assert_same(found, refitted(monkeypatch, model, table, target))


def test_a_class_too_rare_for_every_fold_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = levels(10, classes=2)
    y[0] = 2
    for model in (CategoricalNB(), MultinomialNB()):
        found = select_features(model, X, y)
        assert len(found.notes) == 1 and noted(found.notes, "S208", label="2", count=1, total=5)
        assert_same(found, refitted(monkeypatch, model, X, y))


def test_levels_may_be_text() -> None:
    X, y = levels(11)
    told = np.array(["red", "green", "blue", "grey"])[X.astype(int)]
    expected = select_features(CategoricalNB(), X, y)
    for table in (told, told.astype(object), told.tolist(), pd.DataFrame(told)):
        found = select_features(CategoricalNB(), table, y)
        assert [step.error for step in found.path] == [step.error for step in expected.path]
        assert found.columns.tolist() == expected.columns.tolist()
