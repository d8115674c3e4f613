"""Levels: a hand table, scikit-learn's twin, labels of any type, unseen levels, unlearning to the bit, real answers."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn.naive_bayes as theirs
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay import CategoricalNB
from assay.statistics.weights import in_rows
from tests.noted import noted
from tests.raised import Expected, raises
from tests.realdata import load_csv

WEATHER = [["sunny", "hot"], ["sunny", "mild"], ["rain", "mild"], ["rain", "cool"], ["rain", None]]
PLAYED = ["no", "no", "yes", "yes", "yes"]


def answers(seed: int = 0, rows: int = 150, width: int = 5, levels: int = 4) -> tuple[Any, Any]:
    """Codes that depend on the class; every level occurs in every column."""
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.arange(3), rng.integers(0, 3, rows - 3)])
    X = (rng.integers(0, 2, (rows, width)) + (rng.random((rows, width)) < 0.5) * y[:, None]) % levels
    X[:levels] = np.arange(levels)[:, None]
    return X, y


def test_by_hand() -> None:
    """ "other" is one more level: two kinds of sky and three temperatures become three and four."""
    model = CategoricalNB().fit(WEATHER, PLAYED)
    assert [own.tolist() for own in model.levels_] == [["rain", "sunny"], ["cool", "hot", "mild"]]
    sky, warmth = (np.exp(logs) for logs in model.feature_log_prob_)
    np.testing.assert_allclose(sky, [[1 / 5, 3 / 5], [4 / 6, 1 / 6]])
    np.testing.assert_allclose(
        warmth, [[1 / 6, 2 / 6, 2 / 6], [2 / 6, 1 / 6, 2 / 6]]
    )  # the gap does not count
    joint = np.array([0.4 * 3 / 5 * 2 / 6, 0.6 * 1 / 6 * 1 / 6])
    np.testing.assert_allclose(model.predict_proba([["sunny", "hot"]])[0], joint / joint.sum())
    fog = np.array([0.4 * 1 / 5 * 1 / 6, 0.6 * 1 / 6 * 2 / 6])
    np.testing.assert_allclose(model.predict_proba([["fog", "cool"]])[0], fog / fog.sum())
    np.testing.assert_allclose(model.predict_proba([[None, None]])[0], [0.4, 0.6])


@pytest.mark.parametrize("smoothing", [1.0, 0.05])
@pytest.mark.parametrize("weighted", [False, True])
def test_equals_scikit_learns(smoothing: float, weighted: bool) -> None:
    X, y = answers()
    weight = np.random.default_rng(1).uniform(0.1, 2.0, len(y)) if weighted else None
    scaled = in_rows(weight)  # smoothing counts rows
    twin = theirs.CategoricalNB(alpha=smoothing).fit(X, y, scaled)
    ours = CategoricalNB(smoothing=smoothing, unseen="ignore").fit(X, y, weight)
    np.testing.assert_allclose(ours.predict_log_proba(X), twin.predict_log_proba(X), atol=1e-9)
    for own, other in zip(ours.feature_log_prob_, twin.feature_log_prob_, strict=True):
        np.testing.assert_allclose(own, other, rtol=1e-10)
    spare = theirs.CategoricalNB(alpha=smoothing, min_categories=5).fit(X, y, scaled)
    ours = CategoricalNB(smoothing=smoothing).fit(X, y, weight)
    new = np.vstack([X, np.full((1, 5), 4)])
    np.testing.assert_allclose(ours.predict_log_proba(new), spare.predict_log_proba(new), atol=1e-9)


KINDS: dict[str, Any] = {
    "int64": lambda X: X,
    "int8": lambda X: X.astype(np.int8),
    "uint16": lambda X: X.astype(np.uint16),
    "far": lambda X: X * 10**6 - 5,
    "beyond a float": lambda X: X + 2**60,
    "float": lambda X: X.astype(float),
    "float32": lambda X: X.astype(np.float32),
    "fractions": lambda X: X * 0.1,
    "fortran": np.asfortranarray,
    "text": lambda X: np.array(["añejo", "bad one", "x", "zz"])[X],
    "objects": lambda X: np.array(["añejo", "bad one", "x", "zz"], dtype=object)[X],
    "numbers as objects": lambda X: X.astype(object),
    "lists": lambda X: np.array(["a", "b", "c", "d"])[X].tolist(),
    "dates": lambda X: np.datetime64("2024-01-01") + X,
    "frame": lambda X: pd.DataFrame(X, columns=list("abcde")),
    "categories": lambda X: pd.DataFrame(np.array(["a", "b", "c", "d"])[X]).astype("category"),
    "mixed frame": lambda X: pd.DataFrame(X).astype({0: "category", 1: str, 2: float, 3: "Int64"}),
    "polars": lambda X: pl.DataFrame({f"c{j}": np.array(["a", "b", "c", "d"])[X[:, j]] for j in range(5)}),
}


@pytest.mark.filterwarnings("ignore:.*valid feature names")
@pytest.mark.parametrize("kind", KINDS)
def test_levels_of_any_type(kind: str) -> None:
    X, y = answers(2)
    expected = CategoricalNB().fit(X, y).predict_log_proba(X)
    rows = KINDS[kind](X)
    if isinstance(rows, pd.DataFrame):
        rows.columns = [str(name) for name in rows.columns]
    model = CategoricalNB().fit(rows, y)
    np.testing.assert_allclose(model.predict_log_proba(rows), expected, atol=1e-12)
    assert all(len(own) == 4 for own in model.levels_)


def test_gaps_between_levels_and_missing_values() -> None:
    X = np.array([[5.0, 100.0], [7.0, np.nan], [5.0, -3.0], [np.nan, 100.0]])
    model = CategoricalNB().fit(X, [0, 0, 1, 1])
    assert [own.tolist() for own in model.levels_] == [[5, 7], [-3, 100]]
    assert model.statistics_.counts.tolist() == [[1, 1, 0, 1], [1, 0, 1, 1]]
    for gap in (np.nan, None):
        found = model.predict_proba(np.array([[gap, 100]], dtype=object))
        np.testing.assert_allclose(found, model.predict_proba([[np.nan, 100.0]]))


def test_a_missing_column_is_a_column_left_out() -> None:
    X, y = answers(3)
    holed = X.astype(float)
    holed[:, 2] = np.nan
    narrow = CategoricalNB().fit(np.delete(X, 2, axis=1), y)
    expected = narrow.predict_log_proba(np.delete(X, 2, axis=1))
    np.testing.assert_allclose(CategoricalNB().fit(X, y).predict_log_proba(holed), expected, atol=1e-12)
    empty = CategoricalNB().fit(holed, y)
    np.testing.assert_allclose(empty.predict_log_proba(holed), expected, atol=1e-12)
    assert noted(empty.diagnostics_, "M413", columns=(2,))


def test_three_policies_for_unseen_levels() -> None:
    X, y = np.array([["a"], ["a"], ["a"], ["b"]]), [0, 0, 0, 1]
    np.testing.assert_allclose(
        CategoricalNB().fit(X, y).predict_proba([["z"]])[0],
        np.array([3 / 4 / 6, 1 / 4 / 4]) / (1 / 8 + 1 / 16),
    )
    np.testing.assert_allclose(
        CategoricalNB(unseen="ignore").fit(X, y).predict_proba([["z"]])[0], [0.75, 0.25]
    )
    frame = pd.DataFrame({"sky": ["a", "a", "b"]})
    model = CategoricalNB(unseen="refuse").fit(frame, [0, 0, 1])
    with raises("M139", value="z", row=1, feature_name="column 'sky'"):
        model.predict(pd.DataFrame({"sky": ["a", "z"]}))
    np.testing.assert_allclose(
        CategoricalNB(smoothing=0.0).fit(X, y).predict_proba([["z"]])[0], [0.75, 0.25]
    )  # no class allows it: it tells nothing


def test_without_smoothing() -> None:
    model = CategoricalNB(smoothing=0.0).fit([["a", "x"], ["b", "x"], ["c", "y"]], [0, 0, 1])
    assert model.predict_proba([["a", "x"], ["c", None]]).tolist() == [[1.0, 0.0], [0.0, 1.0]]
    np.testing.assert_allclose(
        model.predict_proba([["a", "y"]])[0], [2 / 3, 1 / 3]
    )  # both ruled out: the priors


def bits(model: Any) -> list[Any]:
    arrays = [model._table, model.class_prior_, *model.statistics_.to_arrays().values()]
    types = [own.dtype for own in model.levels_]
    kept = [model.classes_.tolist(), [own.tolist() for own in model.levels_], types]
    return [*(np.ascontiguousarray(array).tobytes() for array in arrays), *kept]


@given(
    seed=st.integers(0, 2**32 - 1),
    smoothing=st.sampled_from([0.0, 1.0]),
    weighted=st.booleans(),
    kind=st.sampled_from(["text", "numbers", "fractions"]),
)
@settings(max_examples=40)
def test_forgetting_restores_the_model_before_to_the_bit(
    seed: int, smoothing: float, weighted: bool, kind: str
) -> None:
    """Levels that only the second part has come and go; so do fractions among whole numbers."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (30, 3))
    X[20:] = rng.integers(2, 7, (10, 3))
    table: Any = X.astype(float)
    if kind == "fractions":
        table[20:] += 0.5
    elif kind == "text":
        table = np.array([f"level {'x' * i}" for i in range(7)], dtype=object)[X]
    table[rng.random(X.shape) < 0.1] = np.nan
    y = np.concatenate([[0, 1], rng.integers(0, 2, 18), [0, 2], rng.integers(0, 3, 8)])
    weight = rng.integers(1, 4, 30).astype(float) if weighted else np.ones(30)
    before = CategoricalNB(smoothing=smoothing).fit(table[:20], y[:20], weight[:20])
    model = pickle.loads(pickle.dumps(before)).partial_fit(table[20:], y[20:], sample_weight=weight[20:])
    whole = CategoricalNB(smoothing=smoothing).fit(table, y, weight)
    assert bits(model) == bits(whole)
    part = CategoricalNB(smoothing=smoothing).fit(table[20:], y[20:], weight[20:])
    assert bits(pickle.loads(pickle.dumps(before)).merge(part)) == bits(whole)
    assert bits(model.forget(table[20:], y[20:], weight[20:])) == bits(before)


def test_only_what_was_learned_can_be_forgotten() -> None:
    model = CategoricalNB().fit([["a"], ["b"], ["b"]], [0, 1, 1])
    with raises("M137", strange="z", feature_name="column 0"):
        model.forget([["z"]], [0])
    with raises("M132", what="Category 'b' of column 0", label=0):
        model.forget([["b"]], [0])


def test_rows_of_weight_zero_show_no_levels() -> None:
    model = CategoricalNB().fit([["a"], ["b"], ["c"]], [0, 1, 1], [1.0, 1.0, 0.0])
    assert model.levels_[0].tolist() == ["a", "b"]


def test_likelihood_is_that_of_the_likeliest_fit() -> None:
    X, y = answers(5)
    model = CategoricalNB(smoothing=0.0).fit(X, y)
    joint = model.predict_joint_log_proba(X)[np.arange(len(y)), y].sum()
    assert CategoricalNB().fit(X, y).log_likelihood_ == pytest.approx(joint, rel=1e-10)
    assert model.n_parameters_ == 3 * 5 * 3 + 2
    assert assay.aic(model) == pytest.approx(2 * 47 - 2 * joint)


@pytest.mark.parametrize("kind", ["int64", "fractions", "text", "categories"])
def test_saved_and_loaded_it_goes_on(kind: str, tmp_path: Path) -> None:
    X, y = answers(6)
    rows = KINDS[kind](X)
    if isinstance(rows, pd.DataFrame):
        rows.columns = list("abcde")
    model = CategoricalNB(smoothing=0.5).fit(rows, y)
    loaded = assay.load(assay.save(model, tmp_path / "model.assay"))
    assert bits(loaded) == bits(model)
    loaded.partial_fit(rows, y)
    assert loaded.class_count_.sum() == 2 * len(y)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([["a"], [{}]], Expected("M004", row=1, name="column 0")),
        (np.array([["a"], [1]], dtype=object), Expected("M005", name="column 0", kinds="int, str")),
        ([[1.0], [np.inf]], Expected("M003", row=1, where="column 0")),
        ([[0.5], [np.inf]], Expected("M003", row=1, where="column 0")),
        ([[-np.inf], [np.inf]], Expected("M003", row=0, where="column 0")),
    ],
)
def test_wrong_input_is_one_sentence(rows: Any, expected: Expected) -> None:
    with raises(expected):
        CategoricalNB().fit(rows, [0, 1])


def test_numbers_instead_of_text_are_a_slip() -> None:
    model = CategoricalNB().fit([["a"], ["b"]], [0, 1])
    with raises("M006", name="column 0", was="text", value=1):
        model.predict([[1]])
    with raises("M006", name="column 0", was="numbers", value="a"):
        CategoricalNB().fit([[1], [2]], [0, 1]).predict([["a"]])
    with raises("M023", name="smoothing", value=-0.5):
        CategoricalNB(smoothing=-0.5).fit([[1], [2]], [0, 1])


# -- real answers -----------------------------------------------------------------------------------------


def test_votes_with_missing_answers() -> None:
    """An answer that was not given is left out; ten folds err on about one member in ten."""
    frame = load_csv("house_votes_84")
    votes, party = frame.drop(columns="Class"), frame["Class"].to_numpy()
    assert votes.isna().to_numpy().sum() == 392
    model = CategoricalNB().fit(votes, party)
    assert all(own.tolist() == ["n", "y"] for own in model.levels_)
    counted = votes.notna().groupby(party).sum().to_numpy()
    ends = np.arange(0, 33, 2)
    for j, (a, b) in enumerate(zip(ends[:-1], ends[1:], strict=True)):
        assert model.statistics_.counts[:, a:b].sum(axis=1).tolist() == counted[:, j].tolist()
    result = assay.evaluate(CategoricalNB(), votes, party, assay.KFold(10))
    assert 0.07 < result.error < 0.12
    row = votes.iloc[[0]].copy()
    row.iloc[0, 3] = None
    fewer = votes.drop(columns=votes.columns[3])
    expected = CategoricalNB().fit(fewer, party).predict_proba(fewer.iloc[[0]])
    np.testing.assert_allclose(model.predict_proba(row), expected, rtol=1e-9)


def test_mushrooms_with_unseen_levels() -> None:
    """Trained without mushrooms of one odour, all three policies meet it, and the others still decide."""
    frame = load_csv("mushroom")
    table, kind = frame.drop(columns="class"), frame["class"].to_numpy()
    foul = (table["odor"] == "f").to_numpy()
    assert 0 < foul.sum() < len(foul)
    known, new = table[~foul], table[foul]
    for policy in ("other", "ignore"):
        model = CategoricalNB(unseen=policy).fit(known, kind[~foul])
        posterior = model.predict_proba(new)
        assert np.isfinite(posterior).all()
    without = CategoricalNB().fit(known.drop(columns="odor"), kind[~foul])
    ignoring = CategoricalNB(unseen="ignore").fit(known, kind[~foul])
    skipping = CategoricalNB(unseen="ignore").fit(known.drop(columns="odor"), kind[~foul])
    np.testing.assert_allclose(
        ignoring.predict_log_proba(new), skipping.predict_log_proba(new.drop(columns="odor")), atol=1e-9
    )
    assert len(without.levels_) == len(ignoring.levels_) - 1
    with raises("M139", value="f", row=0, feature_name="column 'odor'"):
        CategoricalNB(unseen="refuse").fit(known, kind[~foul]).predict(new)
    whole = CategoricalNB().fit(table, kind)
    assert (whole.predict(table) != kind).mean() < 0.06
