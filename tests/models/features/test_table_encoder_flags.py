"""Flags of missing values: yes/no columns for naive Bayes, 0/1 columns for linear and distance models, fold by fold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from assay import CategoricalNB, KFold, MixedNB, OneHot, OrdinalCodes, evaluate
from assay.catalog import entry
from assay.data import read
from assay.models.features.typed_table import Typed
from assay.models.table.build import build
from tests.raised import raises

N = 240
FLAGGED = ("gaussian_nb", "categorical_nb", "mixed_nb", "logistic", "knn", "nearest_mean", "kernel_svm")


def frame(kind: str) -> tuple[pd.DataFrame, Any, Any]:
    """Rows whose missing values tell the class, and a column that is missing in tested rows of fold 0 alone."""
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, N)
    fold = KFold(3, random_state=0).partitions(y.astype(np.int32))[0].fold
    rare = np.flatnonzero(fold == 0)[:4]
    columns: dict[str, Any] = {
        "often": rng.choice(["p", "q", "r"], N).astype(object),
        "rare": rng.choice(["u", "v"], N).astype(object),
    }
    if kind == "numbers":
        columns = {name: rng.normal(size=N).astype(object) for name in columns}
    columns["often"][rng.random(N) < np.where(y == 1, 0.8, 0.1)] = None
    columns["rare"][rare] = None
    columns["plain"] = rng.choice(["k", "l", "m"], N).astype(object)
    return pd.DataFrame(columns), np.where(y == 1, "ill", "well"), fold


def table_for(name: str) -> tuple[pd.DataFrame, Any, Any]:
    return frame("levels" if name == "categorical_nb" else "numbers")


@pytest.mark.parametrize("name", FLAGGED)
def test_that_a_value_is_missing_is_evidence_in_every_candidate(name: str) -> None:
    X, y, _ = table_for(name)
    table = read(X)
    model = build(entry(name)).encoded(table)
    found = evaluate(model.matrix_estimator(), model.design(table), y, KFold(3))
    assert found.error < 0.22  # 0.15 at best; without the missing values the columns are noise


@pytest.mark.parametrize("name", ["gaussian_nb", "categorical_nb", "mixed_nb"])
def test_flags_are_learned_inside_the_fold(name: str) -> None:
    X, y, fold = table_for(name)
    table = read(X)
    model = build(entry(name)).encoded(table)
    assert {"missing_often", "missing_rare"} <= set(map(str, model.design_names_)) or name == "mixed_nb"
    together = evaluate(model.matrix_estimator(), model.design(table), y, KFold(3))
    for number in range(3):
        train, test = fold != number, fold == number
        alone = build(entry(name)).fit(
            read(X[train]), y[train]
        )  # knows of no missing value in `rare` in fold 0
        assert len(alone.encoder_.flags_) == (1 if number == 0 else 2)
        posterior = alone.predict_proba(X[test])
        assert np.allclose(together.posterior[test], posterior, rtol=1e-9, atol=1e-12)


def test_naive_bayes_by_itself_leaves_missing_values_out() -> None:
    X, y, _ = frame("levels")
    model = MixedNB().fit(X, y)
    row = {"often": [None], "rare": [None], "plain": [None]}
    assert np.allclose(model.predict_proba(row), model.class_prior_)


@pytest.mark.parametrize("flags", [[1], [False, True]])
def test_a_flag_that_is_constant_in_training_tells_nothing(flags: Any) -> None:
    X, y = [["a", "no"], ["b", "no"], ["b", "no"]], ["s", "t", "t"]
    model = CategoricalNB(flags=flags).fit(X, y)
    without = CategoricalNB().fit([row[:1] for row in X], y)
    for answer in ("no", "yes"):
        assert np.allclose(model.predict_proba([["a", answer]]), without.predict_proba([["a"]]))
    refusing = CategoricalNB(flags=flags, unseen="refuse").fit(X, y)
    assert refusing.predict([["a", "yes"]]).tolist() == ["s"]


def test_a_flag_of_two_values_counts_as_a_level() -> None:
    X, y = [["a", "no"], ["b", "yes"], ["b", "no"]], ["s", "t", "t"]
    assert np.allclose(
        CategoricalNB(flags=[1], unseen="ignore").fit(X, y).predict_proba(X),
        CategoricalNB(unseen="ignore").fit(X, y).predict_proba(X),
    )


@pytest.mark.parametrize("model", [CategoricalNB(flags=[2]), MixedNB(flags=[2]), MixedNB(flags=[True])])
def test_flags_that_do_not_fit_are_refused(model: Any) -> None:
    with raises("M140", n_columns=2):
        model.fit(pd.DataFrame({"a": ["x", "y", "x"], "b": ["u", "u", "v"]}), [0, 1, 1])


def test_encoders_name_the_flags_and_a_new_level_is_no_missing_value() -> None:
    table = read({"size": [1.5, None, 2.5], "kind": ["a", "b", None], "word": ["x", "y", "z"]})
    new = {"size": [None], "kind": ["c"], "word": [None]}
    assert OneHot(flags=True).fit(table).get_feature_names_out().tolist()[-2:] == [
        "missing_size",
        "missing_kind",
    ]
    levels = OrdinalCodes(flags=True).fit(table)
    assert levels.flags_ == [3, 4] and levels.transform(new)[0, 3:].tolist() == [1.0, 0.0]
    assert levels.sources_ == ["size", "kind", "word", "size", "kind"]
    typed = Typed(flags=True).fit(table).transform(new)
    assert [typed.labels(name).tolist() for name in ("missing_size", "missing_kind")] == [["yes"], ["no"]]


@pytest.mark.parametrize(
    "name", ["gaussian_nb", "mixed_nb", "logistic", "knn", "nearest_mean", "decision_tree"]
)
def test_one_value_or_none_is_a_feature_of_every_candidate(name: str) -> None:
    rng = np.random.default_rng(8)
    y = rng.integers(0, 2, N)
    said = np.where(rng.random(N) < np.where(y == 1, 0.9, 0.1), "yes", None)
    table = read(pd.DataFrame({"said": said, "noise": rng.normal(size=N)}))
    model = build(entry(name), {"max_depth": 2} if name == "decision_tree" else None).encoded(table)
    assert evaluate(model.matrix_estimator(), model.design(table), y, KFold(3)).error < 0.16  # 0.1 at best
