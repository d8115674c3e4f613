"""k nearest neighbours: votes, ties, metrics, weights, and what is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.neighbors import KNeighborsClassifier as Twin
from sklearn.pipeline import make_pipeline

import assay
from assay import (
    Bootstrap,
    KFold,
    KNeighborsClassifier,
    LeaveOneOut,
    OrdinalCodes,
    TableClassifier,
    evaluate,
    load,
    read,
    save,
)
from assay.data import Column, Schema, Table
from tests.contract.registry import blobs, shown
from tests.noted import noted
from tests.raised import Expected, raises

Array = np.ndarray[Any, Any]


@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize(
    ("metric", "theirs"), [("euclidean", "euclidean"), ("manhattan", "manhattan"), ("cosine", "cosine")]
)
@pytest.mark.parametrize("k", [1, 4, 15, 90])
def test_equal_to_the_twin(weights: str, metric: str, theirs: str, k: int) -> None:
    X, y = blobs()
    new = X[::2] + 0.1
    ours = KNeighborsClassifier(k, metric=metric, weights=weights).fit(X, y)
    twin = Twin(k, metric=theirs, weights=weights, algorithm="brute").fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(new), twin.predict_proba(new), rtol=1e-7, atol=1e-12)
    assert (ours.predict(new) == twin.predict(new)).all()
    distances, places = ours.kneighbors(new)
    their_distances, their_places = twin.kneighbors(new)
    assert (places == their_places).all()
    np.testing.assert_allclose(distances, their_distances, rtol=1e-7, atol=1e-9)


def by_hand(X: Array, y: Array, new: Array, k: int) -> list[int]:
    """Majority among the k least (distance, row); of equal votes the lowest class."""
    squares = ((new[:, None, :] - X[None]) ** 2).sum(axis=2)
    near = np.lexsort((np.broadcast_to(np.arange(len(X)), squares.shape), squares))[:, :k]
    return [int(np.bincount(y[row]).argmax()) for row in near]


@settings(max_examples=60, deadline=None)
@given(
    st.integers(6, 60), st.integers(1, 4), st.integers(0, 10**6), st.sampled_from(["auto", "brute", "tree"])
)
def test_ties_go_to_earlier_rows_and_lower_classes(rows: int, width: int, seed: int, algorithm: str) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (rows, width)).astype(float)
    y = rng.permutation(np.arange(rows) % 3)
    k = int(rng.integers(1, rows + 1))
    new = rng.integers(0, 3, (40, width)).astype(float)
    model = KNeighborsClassifier(k, algorithm=algorithm).fit(X, y)
    assert model.predict(new).tolist() == by_hand(X, y, new, k)
    assert model.predict(new.astype(np.float32)).tolist() == by_hand(X, y, new, k)


def test_one_neighbour_knows_its_training_rows_unless_equal_rows_disagree() -> None:
    X, y = blobs()
    assert (KNeighborsClassifier(1).fit(X, y).predict(X) == y).all()
    twice, labels = np.vstack([X, X[:5]]), np.append(y, (y[:5] + 1) % 3)
    wrong = KNeighborsClassifier(1).fit(twice, labels).predict(twice) != labels
    assert wrong.sum() == 5 and wrong[-5:].all()  # the earlier of two equal rows is the nearer one


def test_a_row_at_distance_zero_silences_the_others() -> None:
    X, y = np.array([[0.0], [0.0], [1.0], [1.0], [1.0]]), [1, 2, 0, 0, 0]
    model = KNeighborsClassifier(5, weights="distance").fit(X, y)
    assert model.predict_proba([[0.0]]).tolist() == [[0.0, 0.5, 0.5]] and model.predict([[0.0]]) == [1]
    assert model.predict_proba([[1e-300]])[0, 0] < 1e-200  # near is not there: but loud
    assert KNeighborsClassifier(5).fit(X, y).predict_proba([[0.0]]).tolist() == [[0.6, 0.2, 0.2]]


def test_one_row_at_a_time_is_the_same_as_all() -> None:
    X, y = blobs()
    for model in (KNeighborsClassifier(), KNeighborsClassifier(metric="mahalanobis", weights="distance")):
        model.fit(X, y)
        alone = np.concatenate([model.predict_proba(X[i : i + 1]) for i in range(len(X))])
        assert np.array_equal(alone, model.predict_proba(X))


@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("k", [1, 3, 17])
def test_a_row_of_weight_three_is_three_rows(weights: str, k: int) -> None:
    X, y = blobs(rows=60)
    weight = np.random.default_rng(0).integers(0, 4, 60)
    repeated = np.repeat(np.arange(60), weight)
    one = KNeighborsClassifier(k, weights=weights).fit(X, y, sample_weight=weight)
    two = KNeighborsClassifier(k, weights=weights).fit(X[repeated], y[repeated])
    np.testing.assert_allclose(one.predict_proba(X), two.predict_proba(X), rtol=1e-12)
    np.testing.assert_allclose(one.class_prior_, two.class_prior_)


def test_importance_weights_count_as_many_neighbours_as_they_are_above_the_mean() -> None:
    X, y = np.arange(40.0)[:, None], np.arange(40) % 2
    for weight in (0.1, 1.0 / 40):
        model = KNeighborsClassifier(2).fit(X, y, sample_weight=np.full(40, weight))
        assert np.array_equal(model.predict_proba(X), KNeighborsClassifier(2).fit(X, y).predict_proba(X))
    light = np.where(np.arange(40) == 0, 0.5, np.where(np.arange(40) == 39, 1.5, 1.0))  # of mean 1
    for factor in (1.0, 1e-3):
        model = KNeighborsClassifier(1).fit(X, y, sample_weight=factor * light)
        np.testing.assert_allclose(
            model.predict_proba([[0.0]]), [[0.5, 0.5]]
        )  # the next one with what is left


def test_metrics_of_directions_and_mahalanobis() -> None:
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 80)
    X = rng.uniform(1.0, 9.0, (80, 1)) * np.where(y[:, None], [1.0, 2.0, 3.0], [3.0, 1.0, 2.0])
    X += 0.05 * rng.normal(size=X.shape)
    for metric in ("cosine", "correlation"):
        model = KNeighborsClassifier(3, metric=metric).fit(X[:40], y[:40])
        assert (model.predict(X[40:]) == y[40:]).all()
    wide = np.column_stack([1e3 * rng.normal(size=80), y + 0.1 * rng.normal(size=80)])
    plain, scaled = (
        KNeighborsClassifier(5, metric=m).fit(wide[:40], y[:40]) for m in ("euclidean", "mahalanobis")
    )
    assert (scaled.predict(wide[40:]) == y[40:]).mean() > 0.9 > (plain.predict(wide[40:]) == y[40:]).mean()


def test_a_singular_covariance_is_told() -> None:
    X, y = blobs()
    model = KNeighborsClassifier(metric="mahalanobis").fit(np.column_stack([X, X[:, 0] + X[:, 1]]), y)
    assert noted(model.diagnostics_, "M324")


def test_columns_of_unequal_scales_are_told_by_name() -> None:
    import pandas as pd

    X, y = blobs()
    frame = pd.DataFrame(X * [1.0, 500.0, 1.0, 1.0], columns=["age", "income", "size", "weight"])
    told = KNeighborsClassifier().fit(frame, y).diagnostics_
    assert len(told) == 1 and noted(told, "M307", wide="income")
    assert KNeighborsClassifier().fit(X, y).diagnostics_ == ()
    assert KNeighborsClassifier(metric="cosine").fit(frame, y).diagnostics_ == ()


def test_typed_tables_with_gaps_by_the_mixed_distance() -> None:
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 120)
    job, size = (y + (rng.random(120) < 0.1)).astype(np.int32), 1e4 * (y + 0.3 * rng.normal(size=120))
    size[::9], job[::7] = np.nan, -1
    schema = Schema((Column("size", "numeric"), Column("job", "categorical", ("a", "b", "c"))))
    table = Table(schema, {"size": size, "job": job})
    model = TableClassifier(OrdinalCodes(), [], KNeighborsClassifier(7, metric="mixed")).fit(table, y)
    assert model.estimator_.categorical_features.tolist() == [False, True]
    assert (model.predict(table) == y).mean() > 0.9
    listed = KNeighborsClassifier(7, metric="mixed", categorical_features=[1])
    design = model.design(table)
    assert np.array_equal(listed.fit(design, y).predict_proba(design), model.predict_proba(table))


def test_the_choice_of_algorithm_is_reported_and_changes_nothing() -> None:
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(3000, 2)), rng.integers(0, 3, 3000)
    auto = KNeighborsClassifier().fit(X, y)
    assert auto.algorithm_ == "tree" and KNeighborsClassifier().fit(X[:500], y[:500]).algorithm_ == "brute"
    brute = KNeighborsClassifier(algorithm="brute").fit(X, y)
    assert brute.algorithm_ == "brute" and np.array_equal(auto.predict_proba(X), brute.predict_proba(X))
    assert all(np.array_equal(a, b) for a, b in zip(auto.kneighbors(), brute.kneighbors(), strict=True))


def test_threads_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(6)
    X, y = rng.normal(size=(800, 9)), rng.integers(0, 4, 800)
    found = []
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("ASSAY_THREADS", threads)
        found.append(KNeighborsClassifier(7, weights="distance").fit(X, y).predict_proba(X + 0.01))
    assert np.array_equal(found[0], found[1]) and np.array_equal(found[0], found[2])


@pytest.mark.parametrize(
    ("options", "change", "expected"),
    [
        ({"n_neighbors": 91}, {}, Expected("M159", n_neighbors=91, total=90, most=90)),
        ({"n_neighbors": 5}, {"sample_weight": np.arange(90) < 4}, Expected("M717", total=4.0, most=4)),
        ({"n_neighbors": 0}, {}, Expected("M023", name="n_neighbors", value=0)),
        ({"algorithm": "tree", "metric": "cosine"}, {}, Expected("M158")),
        ({"metric": "cosine"}, {"zero": True}, Expected("N002", row=3, name="X")),
        ({"metric": "correlation"}, {"zero": True}, Expected("N001", row=3, name="X")),
        ({"metric": "mixed", "categorical_features": [4]}, {}, Expected("M160", width=4)),
        ({"metric": "mixed", "categorical_features": [True]}, {}, Expected("M160", width=4)),
        ({"categorical_features": [0.5]}, {}, Expected("M023", name="categorical_features", value=[0.5])),
    ],
)
def test_what_cannot_be_done_is_told_in_a_sentence(
    options: dict[str, Any], change: dict[str, Any], expected: Expected
) -> None:
    X, y = blobs()
    if change.pop("zero", False):
        X[3] = 0.0
    with raises(expected):
        KNeighborsClassifier(**options).fit(X, y, **change)


def test_missing_values_and_numbers_of_neighbours_that_do_not_fit() -> None:
    X, y = blobs()
    model = KNeighborsClassifier().fit(X, y)
    for asked in (0, 90):
        with raises("M161", most=89):
            model.kneighbors(n_neighbors=asked)
    X[2, 1] = np.nan
    with raises("N028", where="row 2, column 1"):
        KNeighborsClassifier().fit(X, y)
    with raises("N028", where="row 2, column 1"):
        model.predict(X)


def test_fewer_rows_may_all_vote() -> None:
    X, y = blobs()
    model = KNeighborsClassifier(500, fewer_rows="all").fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X[:3]), np.tile(model.class_prior_, (3, 1)))
    assert noted(model.diagnostics_, "M325", n_neighbors=500, rows=len(X))
    assert not noted(KNeighborsClassifier(5).fit(X, y).diagnostics_, "M325")


@pytest.mark.parametrize("kind", [np.int64, np.int32, np.uint8])
def test_numbers_of_neighbours_may_be_integers_of_numpy(kind: type) -> None:
    X, y = blobs()
    for weights in ("uniform", "distance"):
        plain, counted = (KNeighborsClassifier(k, weights=weights) for k in (3, kind(3)))
        assert np.array_equal(plain.fit(X, y).predict_proba(X), counted.fit(X, y).predict_proba(X))
        assert evaluate(plain, X, y, 5).error == evaluate(counted, X, y, 5).error
    model = KNeighborsClassifier(3).fit(X, y)
    assert np.array_equal(model.kneighbors(X, kind(2))[1], model.kneighbors(X, 2)[1])
    for wrong in (True, 2.5, "2"):
        with raises("M157"):
            model.kneighbors(X, wrong)


def mixed_table() -> tuple[pd.DataFrame, Any, Any]:
    """A frame of texts, numbers and categories that are numbers, the same as codes, and labels."""
    rng = np.random.default_rng(8)
    y = np.arange(90) % 3
    color, code = (y + (rng.random(90) < 0.3)) % 3, (y + (rng.random(90) < 0.4)) % 3
    size = np.where(rng.random(90) < 0.1, np.nan, rng.normal(size=90) + y)
    names = np.array(["blue", "green", "red"], dtype=object)[color]
    names[::17] = None
    frame = pd.DataFrame({"color": names, "size": size, "zip": pd.Series(10 * code).astype("category")})
    coded = np.column_stack([np.where(np.arange(90) % 17 == 0, np.nan, color), size, code])
    return frame, coded, y


def test_the_mixed_metric_reads_the_categories_of_a_table(tmp_path: Path) -> None:
    frame, coded, y = mixed_table()
    by_codes = KNeighborsClassifier(metric="mixed", categorical_features=[0, 2])
    typed = read(frame, types={"zip": "categorical", "size": "numeric"})
    for X in (frame, pa.Table.from_pandas(frame), typed):
        model, expected = KNeighborsClassifier(metric="mixed").fit(X, y), clone(by_codes).fit(coded, y)
        assert [own.tolist() for own in model.levels_] == [["blue", "green", "red"], [], [0, 10, 20]]
        np.testing.assert_array_equal(model.predict_proba(X), expected.predict_proba(coded))
        loaded = load(save(model, tmp_path / "model.assay"))
        np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
        for plan in (KFold(3), LeaveOneOut()):
            found, plain = (evaluate(m, Z, y, plan) for m, Z in ((model, X), (by_codes, coded)))
            np.testing.assert_array_equal(found.scores, plain.scores)
    assert not hasattr(model.fit(coded, y), "levels_")


def test_new_categories_differ_from_all_others_and_text_among_numbers_is_named() -> None:
    frame, coded, y = mixed_table()
    model = KNeighborsClassifier(metric="mixed").fit(frame, y)
    expected = KNeighborsClassifier(metric="mixed", categorical_features=[0, 2]).fit(coded, y)
    new = pd.DataFrame({"color": ["pink"], "size": [0.5], "zip": [99]})
    np.testing.assert_array_equal(model.predict_proba(new), expected.predict_proba([[7.0, 0.5, 8.0]]))
    with raises("M162", row=0, name="column 'size'", value="large"):
        model.predict(new.assign(size="large"))


@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("plan", [KFold(4), LeaveOneOut(), Bootstrap(3)], ids=shown)
@pytest.mark.parametrize("step", [None, assay.Standardize()], ids=shown)
def test_smoothing_adds_votes_for_every_class(weights: str, plan: Any, step: Any) -> None:
    X, y = load_wine(return_X_y=True)
    model = KNeighborsClassifier(4, weights=weights, smoothing=0.5)
    plain = clone(model).set_params(smoothing=0.0)
    smooth, bare = (
        evaluate(m if step is None else make_pipeline(step, m), X, y, plan) for m in (model, plain)
    )
    np.testing.assert_allclose(smooth.posterior, (4 * bare.posterior + 0.5) / (4 + 1.5), atol=1e-9)
    np.testing.assert_array_equal(smooth.predicted_codes, bare.predicted_codes)
    fitted = (model if step is None else make_pipeline(step, model)).fit(X, y)
    assert fitted.predict_proba(X).min() >= 0.5 / 5.5 - 1e-12


def test_smoothing_gives_nothing_to_a_class_without_rows() -> None:
    X, y = load_wine(return_X_y=True)
    model = KNeighborsClassifier(3, smoothing=1.0).fit(X, y, sample_weight=(y < 2) * 1.0)
    posterior = model.predict_proba(X)
    assert (posterior[:, 2] == 0).all() and posterior[:, :2].min() == 1 / 5
