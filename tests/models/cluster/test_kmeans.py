"""KMeans: starts, restarts, what it keeps, and what it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.cluster import KMeans as Twin
from sklearn.pipeline import make_pipeline

from assay import KMeans, Standardize
from tests.noted import noted
from tests.raised import Expected, raises
from tests.solvers.lloyd import plain_lloyd, squares

Array = np.ndarray[Any, Any]
CORNERS = np.array([[0.0, 0.0], [0.0, 1.0], [10.0, 0.0], [10.0, 1.0]])


def blobs(rows: int = 300, groups: int = 5, width: int = 3, seed: int = 0) -> Array:
    rng = np.random.default_rng(seed)
    return 8.0 * rng.normal(size=(groups, width))[rng.integers(0, groups, rows)] + rng.normal(
        size=(rows, width)
    )


def test_a_poor_local_minimum_is_escaped_by_other_starts() -> None:
    """From the middle of the long sides the rectangle is cut lengthwise, and stays so; most starts cut it right."""
    stuck = KMeans(2, start=CORNERS.mean(axis=0) + [[0.0, -0.5], [0.0, 0.5]]).fit(CORNERS)
    assert stuck.error_ == 25.0 and stuck.labels_.tolist() == [0, 1, 0, 1]
    free = KMeans(2, start="random", n_starts=10).fit(CORNERS)
    assert free.error_ == 0.25 and free.start_errors_.max() == 25.0
    assert free.labels_[0] == free.labels_[1] != free.labels_[2] == free.labels_[3]


def test_the_error_never_rises_and_is_that_of_the_labels() -> None:
    X = blobs()
    for start in ("k-means++", "random"):
        model = KMeans(7, start=start, n_starts=3).fit(X)
        assert len(model.history_) == model.n_iter_ + 1 and (np.diff(model.history_) <= 0.0).all()
        apart = squares(X, model.cluster_centers_)
        assert np.array_equal(model.labels_, apart.argmin(axis=1))
        assert model.error_ == pytest.approx(apart.min(axis=1).mean(), rel=1e-12)
        assert model.error_ == model.history_[-1] == model.start_errors_.min()
        assert model.score(X) == pytest.approx(-model.error_, rel=1e-12)


def test_given_centres_lead_where_lloyd_and_scikit_learn_arrive() -> None:
    X = blobs(seed=1)
    ours = KMeans(5, start=X[:5]).fit(X)
    centers, labels, history, _ = plain_lloyd(X, X[:5])
    theirs = Twin(5, init=X[:5], n_init=1, tol=0.0).fit(X)
    assert np.array_equal(ours.labels_, labels) and np.array_equal(ours.labels_, theirs.labels_)
    np.testing.assert_allclose(ours.cluster_centers_, centers, rtol=1e-12)
    np.testing.assert_allclose(ours.history_, history, rtol=1e-10)
    assert ours.error_ * len(X) == pytest.approx(theirs.inertia_, rel=1e-10)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_predictions_are_nearest_centres_and_transform_their_distances(dtype: Any) -> None:
    X = blobs().astype(dtype)
    model = KMeans(4).fit(X)
    assert np.array_equal(model.predict(X), model.labels_) and model.labels_.dtype == np.int32
    np.testing.assert_allclose(model.transform(X) ** 2, squares(X, model.cluster_centers_), rtol=1e-9)
    assert np.array_equal(model.fit_predict(X), model.labels_)
    assert model.get_feature_names_out().tolist() == ["kmeans0", "kmeans1", "kmeans2", "kmeans3"]


def test_weights_count_rows() -> None:
    X = blobs(120)
    weight = np.random.default_rng(3).integers(0, 3, 120).astype(float)
    start = X[weight > 0][:4]
    one = KMeans(4, start=start).fit(X, sample_weight=weight)
    many = KMeans(4, start=start).fit(np.repeat(X, weight.astype(int), axis=0))
    np.testing.assert_allclose(one.cluster_centers_, many.cluster_centers_, rtol=1e-12)
    assert one.error_ == pytest.approx(many.error_, rel=1e-12)
    assert one.score(X, sample_weight=weight) == pytest.approx(-one.error_, rel=1e-12)


def test_a_seed_repeats_and_another_may_differ() -> None:
    X = np.random.default_rng(0).normal(size=(200, 2))
    one, again, other = (KMeans(6, n_starts=1, random_state=seed).fit(X) for seed in (1, 1, 2))
    assert np.array_equal(one.cluster_centers_, again.cluster_centers_)
    assert not np.array_equal(one.cluster_centers_, other.cluster_centers_)


def test_more_starts_are_never_worse() -> None:
    X = np.random.default_rng(0).normal(size=(300, 3))
    few, many = KMeans(9, n_starts=2).fit(X), KMeans(9, n_starts=8).fit(X)
    assert np.array_equal(few.start_errors_, many.start_errors_[:2]) and many.error_ <= few.error_


def test_it_says_when_rows_still_moved_and_when_groups_are_empty() -> None:
    X = np.random.default_rng(0).normal(size=(500, 2))
    short = KMeans(10, max_iter=1, n_starts=1).fit(X)
    assert short.n_iter_ == 1 and noted(short.diagnostics_, "M326", steps=1)
    assert KMeans(2).fit(blobs()).diagnostics_ == ()
    few = KMeans(3).fit(np.repeat([[0.0], [1.0]], 4, axis=0))
    assert few.error_ == 0.0 and noted(few.diagnostics_, "M327", empty=1, n_clusters=3)


def test_it_stands_at_the_end_of_a_pipeline() -> None:
    X = blobs() * [1.0, 100.0, 0.01]
    labels = make_pipeline(Standardize(), KMeans(5)).fit_predict(X)
    assert np.array_equal(labels, KMeans(5).fit(Standardize().fit_transform(X)).labels_)


@pytest.mark.parametrize(
    ("settings", "X", "expected"),
    [
        ({"n_clusters": 5}, CORNERS, Expected("M103", n_clusters=5, n_rows=4)),
        (
            {"n_clusters": 0},
            CORNERS,
            Expected(
                "M023", owner="KMeans", name="n_clusters", value=0, expectation="a whole number of at least 1"
            ),
        ),
        ({"n_clusters": 2.0}, CORNERS, Expected("M023", owner="KMeans", name="n_clusters", value=2.0)),
        ({"n_clusters": 2}, CORNERS * [1.0, np.nan], Expected("N028", where="row 0, column 1")),
        (
            {"n_clusters": 2},
            np.array([[0.0, 0], [1, 0], [2, 0], [np.inf, 0]]),
            Expected("N026", where="row 3, column 0"),
        ),
        ({"n_clusters": 2}, CORNERS * 1e200, Expected("N700")),
        ({"n_clusters": 2, "start": "best"}, CORNERS, Expected("M023", name="start", value="best")),
        ({"n_clusters": 2, "start": CORNERS}, CORNERS, Expected("M101", shape=(4, 2), n_clusters=2, width=2)),
        ({"n_clusters": 1, "start": [[np.nan, 0.0]]}, CORNERS, Expected("M102")),
        ({"n_clusters": 2, "n_starts": 0}, CORNERS, Expected("M023", name="n_starts", value=0)),
        ({"n_clusters": 2, "tol": -1.0}, CORNERS, Expected("M023", name="tol", value=-1.0)),
    ],
)
def test_bad_input_is_refused_in_one_sentence(settings: dict[str, Any], X: Array, expected: Expected) -> None:
    with raises(expected):
        KMeans(**settings).fit(X)


def test_rows_without_weight_do_not_make_up_for_missing_ones() -> None:
    with raises("M703", n_clusters=3, counted=2):
        KMeans(3).fit(CORNERS, sample_weight=[1.0, 0.0, 0.0, 2.0])


@settings(max_examples=60, deadline=None)
@given(
    hnp.arrays(
        np.float64,
        st.tuples(st.integers(1, 30), st.integers(1, 4)),
        elements=st.one_of(
            st.sampled_from([0.0, 1.0, -1.0, 1e-30, 3.0]),
            st.floats(-1e150, 1e150, allow_subnormal=False),
        ),
    ),
    st.data(),
)
def test_any_finite_table_is_grouped(X: Array, data: Any) -> None:
    groups = data.draw(st.integers(1, len(X)))
    model = KMeans(groups, n_starts=2, start=data.draw(st.sampled_from(["k-means++", "random"]))).fit(X)
    assert model.cluster_centers_.shape == (groups, X.shape[1]) and np.isfinite(model.cluster_centers_).all()
    assert ((model.labels_ >= 0) & (model.labels_ < groups)).all()
    assert (np.diff(model.history_) <= 0.0).all() and np.isfinite(model.error_)
    assert np.array_equal(model.predict(X), model.labels_)
