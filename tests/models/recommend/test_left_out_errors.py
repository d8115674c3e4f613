"""Errors on ratings left out are those of as many refits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from assay import KFold, LeaveOneOut, Ratings, Recommender, rating_errors, read_ratings
from assay.models.recommend.left_out_errors import clustered_mean
from assay.plans import as_plan
from tests.models.recommend.films import CRITICS, film_critics
from tests.raised import Expected, raises

Array = np.ndarray[Any, Any]
SETTINGS = [
    ("euclidean", "weighted"),
    ("pearson", "z_score"),
    ("pearson", "nearest"),
    ("euclidean", "z_score"),
    ("pearson", "mean"),
]


def table(kind: str) -> Array:
    rng = np.random.default_rng(7)
    users, items = 24, 9
    R = rng.integers(1, 6, (users, items)).astype(float)
    R[:, 0] = 3.0
    R[1] = 4.0  # a constant rater
    if kind == "real":
        R += rng.normal(size=R.shape).round(7)
        R[1] = 4.03  # and off any grid
    share = 0.12 if kind == "sparse" else 0.55
    R[rng.random(R.shape) >= share] = np.nan
    R[2] = np.nan
    R[2, 3] = 5.0  # one rating
    R[3] = np.nan  # none
    R[:, 8] = np.nan
    R[5, 8] = 2.0  # an item rated once
    return R


def refitted(ratings: Ratings, test: Array, train: Array, model: Recommender) -> Array:
    model.fit(ratings.part(train))
    users, items = ratings.user[test], ratings.item[test]
    return model.predict([ratings.users[u] for u in users], [ratings.items[i] for i in items])


@pytest.mark.parametrize("kind", ["whole", "real", "sparse"])
@pytest.mark.parametrize(("similarity", "prediction"), SETTINGS)
@pytest.mark.parametrize(
    "options",
    [{}, {"n_neighbors": 3, "min_overlap": 2, "shrinkage": 1.5}, {"means": "all", "n_neighbors": 4}],
    ids=["plain", "few", "all means"],
)
@pytest.mark.parametrize("plan", [4, "leave_one_out"])
def test_what_is_shared_equals_refits(
    kind: str, similarity: str, prediction: str, options: dict[str, Any], plan: Any
) -> None:
    ratings = read_ratings(table(kind))
    model = Recommender(similarity=similarity, prediction=prediction, **options)
    found = Recommender(**model.get_params()).fit(ratings).evaluate(plan).predicted
    n = ratings.n_ratings
    fold = (
        np.arange(n)
        if plan == "leave_one_out"
        else KFold(4, stratified=False).partitions(np.zeros(n, int))[0].fold
    )
    for f in np.unique(fold):
        test = np.flatnonzero(fold == f)
        np.testing.assert_allclose(found[test], refitted(ratings, test, fold != f, model), rtol=1e-10)


def test_all_settings_come_from_one_pass_and_are_ordered() -> None:
    ratings = film_critics()
    found = rating_errors(ratings, "leave_one_out")
    assert len(found.errors) == 7 and found.plan == "leave-one-out"
    rmse = [error.rmse.value for error in found.errors]
    assert rmse == sorted(rmse) and found.best is found.errors[0]
    truth = np.array([rating for own in ratings.values() for rating in own.values()])
    for error in found.errors:
        single = Recommender(similarity=error.similarity or "pearson", prediction=error.prediction).fit(
            ratings
        )
        again = single.evaluate(LeaveOneOut())
        np.testing.assert_array_equal(again.predicted, error.predicted)
        assert error.rmse.value == pytest.approx(np.sqrt(np.mean((error.predicted - truth) ** 2)), rel=1e-12)
        assert error.mae.value == pytest.approx(np.mean(np.abs(error.predicted - truth)), rel=1e-12)
        assert error.rmse.interval.low <= error.rmse.value <= error.rmse.interval.high
    assert found.of("pearson", "mean").similarity is None


@pytest.mark.parametrize("plan", ["leave_one_out", "splits", "folds"])
def test_plans_and_predictions_are_in_the_order_of_the_rows_given(plan: str) -> None:
    R = table("whole")
    users, items = np.nonzero(~np.isnan(R))
    order = np.random.default_rng(3).permutation(len(users))
    users, items = users[order], items[order]
    frame = pd.DataFrame({"user": users, "item": items, "rating": R[users, items]})
    fold = np.arange(len(frame)) % 4  # of the rows as they are given
    splits = [(np.flatnonzero(fold != f), np.flatnonzero(fold == f)) for f in range(4)]
    if plan == "folds":
        fold = KFold(4, stratified=False).partitions(np.zeros(len(frame), int))[0].fold
    if plan == "leave_one_out":
        fold = np.arange(len(frame))
    plans = {"splits": as_plan(splits), "folds": 4}
    model = Recommender(similarity="euclidean", prediction="weighted")
    found = model.fit(frame).evaluate(plans.get(plan, plan)).predicted
    for f in np.unique(fold):
        alone = Recommender(similarity="euclidean", prediction="weighted").fit(frame[fold != f])
        known = frame[(fold == f) & frame["user"].isin(frame["user"][fold != f])]
        known = known[known["item"].isin(frame["item"][fold != f])]
        np.testing.assert_allclose(
            found[known.index], alone.predict(known["user"], known["item"]), rtol=1e-10
        )


def test_merged_and_blank_rows_keep_the_order_of_the_others() -> None:
    rows = [
        ("b", "y", 4.0),
        ("a", "y", 1.0),
        ("b", "x", 2.0),
        ("a", "x", np.nan),
        ("b", "y", 2.0),
        ("a", "z", 5.0),
    ]
    ratings = read_ratings(pd.DataFrame(rows, columns=["user", "item", "rating"]), duplicates="mean")
    given = np.empty(ratings.n_ratings)
    given[ratings.order] = ratings.value
    assert given.tolist() == [3.0, 1.0, 2.0, 5.0]
    some = ratings.part(ratings.value != 3.0)
    assert some.order is not None and some.value[np.argsort(some.order)].tolist() == [1.0, 2.0, 5.0]


def test_mean_of_the_worked_matrix_by_hand() -> None:
    """Without one of four ratings the mean of an item moves by a third of the deviation."""
    found = rating_errors(CRITICS, "leave_one_out", predictions=["mean"]).best
    deviations = CRITICS - CRITICS.mean(axis=0)
    assert found.rmse.value == pytest.approx(np.sqrt(np.mean((4 / 3 * deviations) ** 2)), rel=1e-12)
    assert found.n_ratings == 12 and found.unheard == 0


def test_critics_without_evidence_are_counted() -> None:
    found = rating_errors(
        {"Ann": {"A": 1, "B": 2}, "Bob": {"C": 3, "D": 4}}, "leave_one_out", predictions=["weighted"]
    )
    assert [error.unheard for error in found.errors] == [4, 4]


def test_repeated_folds_and_progress() -> None:
    told: list[tuple[str, int, int]] = []
    plan = KFold(3, repeats=2, stratified=False)
    found = rating_errors(table("whole"), plan, progress=lambda *now: told.append(now))
    assert told[0] == ("fold 1 of 6", 0, 1000) and told[-1][0] == "fold 6 of 6"
    assert found.plan == "6-fold" and np.isfinite(found.best.predicted).all()


def test_intervals_take_users_and_not_ratings_as_drawn() -> None:
    """Repeating each user's errors changes the mean's interval not at all, where single ratings would shrink it."""
    rng = np.random.default_rng(0)
    values, user = rng.random(40), np.arange(40)
    once, thrice = (
        clustered_mean(values, user, 0.95),
        clustered_mean(np.repeat(values, 3), np.repeat(user, 3), 0.95),
    )
    np.testing.assert_allclose([*thrice.interval], [*once.interval], rtol=1e-12)
    assert once.standard_error == pytest.approx(values.std(ddof=1) / np.sqrt(40), rel=1e-12)
    assert np.isnan(clustered_mean(values, 0 * user, 0.95).interval.low)


@pytest.mark.parametrize(
    ("plan", "options", "expected"),
    [
        ("thrice", {}, Expected("M186", plan="thrice")),
        (50, {}, Expected("M719", ratings=12, least=50)),
        (5, {"predictions": []}, Expected("M185")),
        (5, {"similarities": ["cosine"]}, Expected("M023", name="similarity")),
        (5, {"level": 1.5}, Expected("L010", confidence=1.5)),
    ],
)
def test_bad_input_is_one_sentence(plan: Any, options: dict[str, Any], expected: Expected) -> None:
    with raises(expected):
        rating_errors(CRITICS, plan, **options)
    with raises("M187", ratings=1):
        rating_errors({"Ann": {"A": 1}}, "leave_one_out")
