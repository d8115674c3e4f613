"""Recommendations against figures worked out by hand and published ones."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from assay import Recommender, read_ratings
from assay.notes import Note
from tests.models.recommend.films import CRITICS, NEW, film_critics
from tests.noted import noted
from tests.raised import Expected, codes, raises

PREDICTIONS = ("weighted", "z_score", "mean", "nearest")


def heard(model: Recommender) -> dict[str, float]:
    return {voice.critic: voice.similarity for voice in model.recommend(NEW)[0].critics}


def test_similarities_and_predictions_of_the_worked_example() -> None:
    model = Recommender(similarity="euclidean").fit(CRITICS)
    assert [round(s, 4) for _, s in sorted(heard(model).items())] == [0.4142, 0.25, 0.3333, 0.2403]
    assert model.predict(NEW, "2") == pytest.approx([3.3229], abs=5e-5)
    assert Recommender(prediction="mean").fit(CRITICS).predict(NEW, "2") == [3.5]
    assert Recommender(similarity="euclidean", prediction="nearest").fit(CRITICS).predict(NEW, "2") == [2.0]


def test_correlation_of_two_films_is_plus_or_minus_one() -> None:
    """(4, 3) falls as the ratings of critics 0 and 2 do; the others oppose and are not heard."""
    model = Recommender(similarity="pearson").fit(CRITICS)
    assert heard(model) == {"0": 2.0, "2": 2.0}
    assert model.predict(NEW, "2") == [3.0]


def test_z_scores_by_hand() -> None:
    model = Recommender(similarity="euclidean", prediction="z_score").fit(CRITICS)
    s = 1 / (1 + np.sqrt([2.0, 9.0, 4.0, 10.0]))
    z = (CRITICS[:, 2] - CRITICS.mean(axis=1)) / CRITICS.std(axis=1, ddof=1)
    wanted = 3.5 + np.sqrt(0.5) * (s @ z) / s.sum()
    assert model.predict(NEW, "2") == pytest.approx([wanted], rel=1e-12)


def test_the_film_critics_of_the_book() -> None:
    critics = film_critics()
    model = Recommender(similarity="pearson").fit(critics)
    toby = model.recommend("Toby")
    similarity = {voice.critic: voice.similarity for item in toby for voice in item.critics}
    # topMatches of the book, plus 1.
    assert similarity["Lisa Rose"] - 1 == pytest.approx(0.9912407071619299, abs=1e-11)
    assert similarity["Mick LaSalle"] - 1 == pytest.approx(0.9244734516419049, abs=1e-11)
    assert similarity["Claudia Puig"] - 1 == pytest.approx(0.8934051474415647, abs=1e-11)
    assert [item.item for item in toby] == ["The Night Listener", "Lady in the Water", "Just My Luck"]
    # The same with 1 / (1 + distance), as its readers have published them.
    near = Recommender(similarity="euclidean").fit(critics).recommend("Toby")
    assert [round(item.rating, 4) for item in near] == [3.4571, 2.7786, 2.4225]


def test_nearest_recommends_the_favourites_of_the_nearest_critic() -> None:
    critics = film_critics()
    found = Recommender(similarity="euclidean", prediction="nearest").fit(critics).recommend("Toby")
    first = found[0].critics[0]
    own = {name: rating for name, rating in critics[first.critic].items() if name not in critics["Toby"]}
    assert found[0].rating == max(own.values())
    similarities = [item.critics[0].similarity for item in found]
    assert similarities == sorted(similarities, reverse=True)
    assert all(len(item.critics) == 1 for item in found)


def test_reasons_name_the_critics_and_add_up() -> None:
    model = Recommender(similarity="pearson", n_neighbors=2).fit(film_critics())
    for item in model.recommend("Toby"):
        s = np.array([voice.similarity for voice in item.critics])
        x = np.array([voice.rating for voice in item.critics])
        assert len(s) == 2 and item.basis == "critics"
        assert item.rating == pytest.approx(float(s @ x / s.sum()), rel=1e-12)
        votes = tuple((vote.critic, vote.similarity, vote.rating) for vote in item.critics)
        assert (item.reason.code, item.reason.values) == ("D715", {"votes": votes})
    assert model.recommend("Toby", 1)[0].reason.count("rated it") == 2


def test_a_reason_names_three_neighbours_and_counts_them_all() -> None:
    item = Recommender(similarity="euclidean").fit(CRITICS).recommend({"0": 5, "1": 2}, 1)[0]
    reason = item.reason
    assert len(item.critics) > 3 and reason.code == "D716"
    assert [vote[0] for vote in reason.values["votes"]] == [vote.critic for vote in item.critics[:3]]
    assert reason.values["neighbors"] == len(item.critics)


def test_cold_start_is_said_openly() -> None:
    model = Recommender(similarity="euclidean").fit(CRITICS)
    found = model.recommend({}, 2)
    assert [(item.item, item.rating, item.basis) for item in found] == [
        ("2", 3.5, "item mean"),
        ("0", 2.75, "item mean"),
    ]
    assert (found[0].reason.code, found[0].reason.values) == ("D714", {"ratings": 4, "mean": 3.5})
    assert found.notes[0].code == "D712"
    silent = Recommender().fit({"Ann": {"A": 1, "B": 5}, "Bob": {}})
    assert silent.recommend("Bob")[0].item == "B"
    assert noted(silent.diagnostics_, "M337", count=1)


def test_items_without_evidence_come_behind_the_others() -> None:
    films = {"Ann": {"A": 5, "B": 1}, "Bob": {"A": 5, "C": 2}, "Cid": {"D": 9}}
    found = Recommender(similarity="euclidean").fit(films).recommend("Ann")
    assert [(item.item, item.basis) for item in found] == [("C", "critics"), ("D", "item mean")]
    assert "D713" in codes(found.notes)
    assert found.notes[0] == Note("D711", user="Ann", items=2)


def test_constant_raters_are_no_evidence_of_correlation_but_of_distance() -> None:
    films = {
        "Ann": {"A": 3, "B": 3, "C": 3},
        "Bob": {"A": 1, "B": 5, "D": 4},
        "Cid": {"A": 2, "B": 4, "D": 2},
    }
    by_correlation = Recommender(similarity="pearson").fit(films)
    assert by_correlation.recommend("Ann")[0].basis == "item mean"
    assert Recommender(similarity="euclidean").fit(films).recommend("Ann")[0].basis == "critics"
    # A user without a deviation is given that of all ratings.
    z = Recommender(similarity="euclidean", prediction="z_score").fit(films).predict("Ann", "D")
    assert np.isfinite(z).all() and 1 <= z[0] <= 5


def test_one_item_and_one_user() -> None:
    one_item = Recommender(similarity="euclidean").fit({"Ann": {"A": 3}, "Bob": {"A": 5}})
    assert list(one_item.recommend("Ann")) == []
    assert one_item.recommend("Ann").notes == (Note("D710", user="Ann"),)
    one_user = Recommender().fit({"Ann": {"A": 3, "B": 4}})
    assert one_user.predict("Ann", ["A", "B"]).tolist() == [3.0, 4.0]
    assert one_user.recommend({"A": 1})[0].item == "B"


def test_overlap_and_shrinkage() -> None:
    two = Recommender(similarity="euclidean", min_overlap=3).fit(CRITICS)
    assert two.recommend(NEW)[0].basis == "item mean"
    shrunk = Recommender(similarity="euclidean", shrinkage=2.0).fit(CRITICS)
    assert heard(shrunk)["0"] == pytest.approx(0.5 / (1 + np.sqrt(2)), rel=1e-11)
    shrunk = Recommender(similarity="pearson", shrinkage=2.0).fit(CRITICS)
    assert heard(shrunk) == {"0": 1.5, "1": 0.5, "2": 1.5, "3": 0.5}


def test_a_new_user_may_rate_between_the_steps_of_the_others() -> None:
    model = Recommender(similarity="euclidean").fit(CRITICS)
    found = model.predict({"0": 4.123456, "1": 3.0}, "2")
    s = 1 / (1 + np.hypot(CRITICS[:, 0] - 4.123456, CRITICS[:, 1] - 3.0))
    assert found == pytest.approx([s @ CRITICS[:, 2] / s.sum()], rel=1e-11)


def test_predictions_for_many_users_are_those_for_each() -> None:
    rng = np.random.default_rng(2)
    R = rng.integers(1, 6, (30, 8)).astype(float)
    R[rng.random(R.shape) < 0.5] = np.nan
    for prediction in PREDICTIONS:
        model = Recommender(prediction=prediction, n_neighbors=4).fit(R)
        together = model.predict([3, 9, 3], [1, 2, 7])
        assert together.tolist() == [float(model.predict(u, i)[0]) for u, i in ((3, 1), (9, 2), (3, 7))]
        assert (together >= 1).all() and (together <= 5).all()


def test_clone_and_pickle() -> None:
    model = Recommender(similarity="euclidean", n_neighbors=None).fit(CRITICS)
    again = pickle.loads(pickle.dumps(model))
    assert again.predict(NEW, "2") == model.predict(NEW, "2")
    assert clone(model).get_params() == model.get_params()


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (
            lambda m: m.recommend("nobody"),
            Expected("D070", kind="user", name="nobody", examples="'0', '1', '2', ..."),
        ),
        (lambda m: m.predict("0", ["x"]), Expected("D070", kind="item", name="x")),
        (lambda m: m.recommend({"x": 1}), Expected("D070", kind="item", name="x")),
        (lambda m: m.recommend({"0": "good"}), Expected("D067", item="0", value="good")),
        (lambda m: m.recommend("0", 0), Expected("M191", n=0)),
        (lambda m: m.predict(["0", "1"], ["1"]), Expected("M190", n_users=2, n_items=1)),
        (lambda m: m.set_params(similarity="cosine").fit(CRITICS), Expected("M023", name="similarity")),
        (lambda m: m.set_params(n_neighbors=0).fit(CRITICS), Expected("M023", name="n_neighbors")),
        (lambda m: m.set_params(shrinkage=-1.0).fit(CRITICS), Expected("M023", name="shrinkage")),
    ],
)
def test_bad_input_is_one_sentence(call: object, expected: Expected) -> None:
    with raises(expected):
        call(Recommender().fit(CRITICS))  # type: ignore[operator]


values = st.one_of(st.none(), st.sampled_from([1.0, 2.0, 3.0, 4.5]), st.floats(-1e6, 1e6))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(values, min_size=3, max_size=3), min_size=1, max_size=8), st.data())
def test_any_table_is_answered_within_its_range_or_refused(
    rows: list[list[float | None]], data: st.DataObject
) -> None:
    R = np.array([[np.nan if v is None else v for v in row] for row in rows])
    model = Recommender(
        similarity=data.draw(st.sampled_from(["pearson", "euclidean"])),
        prediction=data.draw(st.sampled_from(PREDICTIONS)),
        n_neighbors=data.draw(st.sampled_from([None, 1, 3])),
    )
    if np.isnan(R).all():
        with raises("D076"):
            model.fit(R)
        return
    model.fit(R)
    low, high = np.nanmin(R), np.nanmax(R)
    slack = 1e-9 * max(abs(low), abs(high), 1.0)
    for user in range(len(R)):
        found = model.recommend(user)
        assert len(found) == sum(np.isnan(R[user]) & ~np.isnan(R).all(axis=0))
        for item in found:
            assert low - slack <= item.rating <= high + slack
            assert item.rating == model.predict(user, item.item)[0]


def test_ratings_are_read_once() -> None:
    ratings = read_ratings(CRITICS)
    assert Recommender().fit(ratings).ratings_ is ratings


def over_all_means(R: np.ndarray, u: int, v: int) -> float:
    """1 + Σ z_u z_v / (n - 1) over the items of both, z by each user's own mean and deviation over all items."""
    z = (R - np.nanmean(R, axis=1, keepdims=True)) / np.nanstd(R, axis=1, ddof=1, keepdims=True)
    both = ~np.isnan(R[u]) & ~np.isnan(R[v])
    if both.sum() < 2:
        return 0.0
    return 1.0 + float(np.clip((z[u, both] * z[v, both]).sum() / (both.sum() - 1), -1.0, 1.0))


@pytest.mark.parametrize("step", [1.0, 0.37])
def test_means_over_all_items_as_the_source_has_them(step: float) -> None:
    draw = np.random.default_rng(3)
    R = step * draw.integers(1, 6, (9, 8)).astype(float)
    R[draw.random(R.shape) < 0.3] = np.nan
    R[0, 7] = np.nan
    co_rated, over_all = (Recommender(means=means, n_neighbors=None).fit(R) for means in ("co_rated", "all"))
    told = {voice.critic: voice.similarity for item in over_all.recommend("0") for voice in item.critics}
    wanted = {name: over_all_means(R, 0, int(name)) for name in told}
    assert told == pytest.approx(wanted, rel=1e-9) and len(told) > 3
    critics = [v for v in range(1, 9) if not np.isnan(R[v, 7])]
    weight = np.array([over_all_means(R, 0, v) for v in critics])
    expected = weight @ R[critics, 7] / weight.sum()
    assert over_all.predict("0", "7") == pytest.approx([expected], rel=1e-9)
    assert over_all.predict("0", "7") != pytest.approx(co_rated.predict("0", "7"))


def test_a_full_table_has_the_same_correlation_either_way() -> None:
    """Where everybody has rated everything the two rules are one, and [1, 2, 3] is like [61, 62, 63]."""
    R = np.array([[1.0, 2, 3, 5], [61, 62, 63, 60], [3, 1, 2, 4], [2, 2, 5, 1]])
    found = [
        Recommender(means=means).fit(R).evaluate("leave_one_out", level=0.9).rmse.value
        for means in ("co_rated", "all")
    ]
    assert np.isfinite(found).all()
    for u in range(4):
        others = [v for v in range(4) if v != u]
        plain = [1 + np.corrcoef(R[u], R[v])[0, 1] for v in others]
        assert [over_all_means(R, u, v) for v in others] == pytest.approx(plain)
    alike = Recommender(means="all").fit(
        {"a": {"x": 1, "y": 2, "z": 3}, "b": {"x": 61, "y": 62, "z": 63, "w": 62}}
    )
    assert alike.recommend("a")[0].critics[0].similarity > 1.9
