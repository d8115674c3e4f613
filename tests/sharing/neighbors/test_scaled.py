"""Neighbours behind scalers in overlapping splits: one search serves them all, with the scores of refits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline

from assay import Impute, KFold, KNeighborsClassifier, Standardize, evaluate
from assay.models.base.validation import encode
from assay.models.features.drop_reference import DropReference
from assay.selection.nested import combine
from assay.sharing.neighbors import NEIGHBORS, lists, scaled, sharer
from assay.sharing.neighbors.rows import PatternRows, WholeRows
from assay.sharing.reductions import Scored
from assay.sharing.splits import deeper_of, given, one_out, splits_of
from tests.nesting import nest
from tests.sharing.compared import in_memory, scored
from tests.sharing.refits import inner_splits

N = 150
SETTINGS = [(k, rule) for k in (1, 4, 11) for rule in ("uniform", "distance")]


def table(kind: str) -> tuple[Any, Any]:
    rng = np.random.default_rng(5)
    X = rng.normal(size=(N, 6)) * [1.0, 30.0, 0.1, 1.0, 5.0, 2.0]
    if kind == "levels":  # frequent, rare and single ones
        level = rng.choice(9, N, p=[0.5, 0.2, 0.1, 0.1, 0.04, 0.03, 0.02, 0.01, 0.0])
        level[[3, 77]] = 8, 7
        X = np.hstack([rng.integers(0, 4, (N, 2)), np.eye(9)[level]])
    if kind in ("patterns", "columns of two values"):
        level = np.minimum(rng.geometric(0.15, (N, 3)) - 1, 12)
        X = np.hstack([np.eye(13)[level[:, 0]], rng.normal(size=(N, 2)) * 3.0, *np.eye(13)[level[:, 1:].T]])
        if kind == "columns of two values":
            X = np.delete(X, [13, 14], axis=1)
    if kind == "duplicates":
        X = np.repeat(X[:50], 3, axis=0)[rng.permutation(N)]
    if kind == "equal":
        X = np.ones((N, 3))
        X[::2, 0] = 2.0
    if kind == "constant":  # in training parts without these rows
        X[:, 2] = 1.0
        X[:9, 2] = 40.0
        X[:, 3] = np.arange(N) == 12
        X[:, 4] = 7.0
    if kind == "outlier":
        X[5, 1] = 1e9
    if kind == "single":
        X = X.astype(np.float32)
    return X, np.array(["a", "b", "c"])[rng.integers(0, 3, N)]


def behind(*steps: Any) -> list[Any]:
    return [make_pipeline(*steps, KNeighborsClassifier(k, weights=rule)) for k, rule in SETTINGS]


def nested_folds(y: Any, folds: int, groups: Any = None) -> list[Any]:
    """Outer folds and the inner ones of each, as a nested choice has them."""
    codes = encode(y)[0]
    splits = splits_of(KFold(folds, random_state=1), codes, groups, nested=True)
    deep = deeper_of(splits)
    return [(deep.train_rows(int(deep.model[t])), deep.test_rows(t)) for t in range(deep.n_tests)]


class Spy:
    """Whether training sets were shared, and how many queries were left to be searched by themselves."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.shared, self.alone = [], 0
        monkeypatch.setattr(scaled, "LEAST_ROWS", 10)
        monkeypatch.setattr(scaled, "WORTH", 0.0)

        share = scaled.scaled_shares

        def scaled_shares(asked: Any) -> Any:
            found = share(asked)
            self.shared.append(found is not None)
            return found

        for kind in (WholeRows, PatternRows):
            monkeypatch.setattr(kind, "nearest", self.counting(kind.nearest))
        monkeypatch.setattr(sharer, "scaled_shares", scaled_shares)

    def counting(self, search: Any) -> Any:
        def nearest(rows: Any, train: Any, test: Any, *given: Any) -> Any:
            self.alone += len(test)
            return search(rows, train, test, *given)

        return nearest


def scores_of(
    models: list[Any],
    X: Any,
    y: Any,
    splits: list[Any],
    weight: Any = None,
    n_jobs: int = 1,
    ways: Any = (NEIGHBORS,),
) -> list[Scored | None]:
    return scored(models, in_memory(X, y, weight, n_jobs=n_jobs), given(splits, len(y)), ways)[0]


def agree(models: list[Any], X: Any, y: Any, splits: list[Any]) -> None:
    pairs = zip(scores_of(models, X, y, splits), scores_of(models, X, y, splits, ways=()), strict=True)
    for found, expected in pairs:
        assert found is not None and expected is not None
        for name in ("scores", "predicted", "priors", "row", "test"):
            assert np.array_equal(getattr(found, name), getattr(expected, name)), name


KINDS = [
    "smooth", "levels", "patterns", "columns of two values", "duplicates", "equal", "constant", "outlier", "single",
]  # fmt: skip


@pytest.mark.parametrize("folds", [2, 3, 5])
@pytest.mark.parametrize("kind", KINDS)
def test_scores_of_refits_to_the_last_bit(kind: str, folds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    spy = Spy(monkeypatch)
    X, y = table(kind)
    agree(behind(Standardize()), X, y, nested_folds(y, folds))
    assert spy.shared == [True]


@pytest.mark.parametrize("kind", KINDS)
def test_short_lists_leave_doubt_and_rows_are_searched(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scaled, "SLACK", (1.0, 0))
    spy = Spy(monkeypatch)
    X, y = table(kind)
    agree(behind(Standardize(variance="ml")), X, y, nested_folds(y, 4))
    assert spy.shared == [True] and spy.alone > 0


def test_long_lists_leave_hardly_any_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    spy = Spy(monkeypatch)
    X, y = table("smooth")
    splits = nested_folds(y, 5)
    agree(behind(Standardize()), X, y, splits)
    assert spy.alone < 0.01 * sum(len(test) for _, test in splits)


@pytest.mark.parametrize(
    "steps",
    [
        (Standardize("range"),),
        (Impute(indicator=True), DropReference([(2, 11)]), Standardize()),
        (DropReference([(2, 11)]),),
        (Standardize(), Standardize("range")),
    ],
    ids=repr,
)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_steps_that_multiply_columns_or_leave_them_out(
    steps: Any, dtype: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    spy = Spy(monkeypatch)
    X, y = table("levels")
    X[:, 0] *= 1.1
    X = X.astype(dtype)
    agree(behind(*steps), X, y, nested_folds(y, 4))
    assert spy.shared == [True]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shown", [(0, 2), (9, 11), (13, 15)])
def test_levels_are_bits_whatever_is_left_out(
    shown: Any, dtype: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    spy = Spy(monkeypatch)
    monkeypatch.setattr(WholeRows, "listed", None)
    X, y = table("patterns")
    steps = DropReference([(0, 13), (15, 28), (28, 41)]), Standardize(), Standardize("range")
    X[:, shown[0] : shown[1]] *= 7.0
    agree(behind(*steps), X.astype(dtype), y, nested_folds(y, 4))
    assert spy.shared == [True]


@pytest.mark.parametrize("rows_in_a_group", [1, 10**6])
def test_rows_that_stay_together_and_rows_that_do_not(
    rows_in_a_group: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lists, "TOGETHER", rows_in_a_group)
    spy = Spy(monkeypatch)
    X, y = table("smooth")
    agree(behind(Standardize()), X, y, nested_folds(y, 4, np.arange(N) // 3))
    assert spy.shared == [True]


def test_what_is_searched_split_by_split(monkeypatch: pytest.MonkeyPatch) -> None:
    spy = Spy(monkeypatch)
    X, y = table("smooth")
    splits, models = nested_folds(y, 3), behind(Standardize())
    scores_of(models, X, y, splits, weight=np.linspace(1.0, 2.0, N))
    agree([make_pipeline(Standardize(), KNeighborsClassifier(3, metric="manhattan"))], X, y, splits)
    agree([make_pipeline(Standardize(), KNeighborsClassifier(3, algorithm="tree"))], X, y, splits)
    agree([make_pipeline(Standardize(), KNeighborsClassifier(95, fewer_rows="all"))], X, y, splits)
    agree([model[-1] for model in models], X * 1e120, y, splits)
    X[3, 2] = np.nan
    agree(behind(Impute(), Standardize()), X, y, splits)
    assert not any(spy.shared)


def test_small_tables_and_splits_that_hardly_overlap_are_not_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = table("smooth")
    spy, models = Spy(monkeypatch), behind(Standardize())[:1]
    monkeypatch.setattr(scaled, "WORTH", 2.0)
    scores_of(models, X, y, nested_folds(y, 5))
    scores_of(models, X, y, nested_folds(y, 5)[:5])
    monkeypatch.setattr(scaled, "LEAST_ROWS", N + 1)
    scores_of(models, X, y, nested_folds(y, 5))
    assert spy.shared == [True, False, False]


def test_the_same_bits_for_any_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    Spy(monkeypatch)
    X, y = table("levels")
    one, three = (scores_of(behind(Standardize()), X, y, nested_folds(y, 4), n_jobs=jobs) for jobs in (1, 3))
    assert all(np.array_equal(a.scores, b.scores) for a, b in zip(one, three, strict=True) if a and b)


@pytest.mark.parametrize("kind", ["smooth", "levels"])
@pytest.mark.parametrize("repeats", [1, 2])
@pytest.mark.parametrize("priors", [None, [0.2, 0.3, 0.5]])
def test_a_nested_choice_is_that_of_refits(
    kind: str, repeats: int, priors: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y = table(kind)
    if priors is None:  # a class that some training parts lack
        y = np.where(np.arange(N) < 2, "d", np.where(y == "c", "a", y))
    plan, models = KFold(4, repeats=repeats, stratified=False, random_state=3), behind(Standardize())
    outer = list(evaluate(models, X, y, plan, priors=priors).values())
    spy = Spy(monkeypatch)
    found = nest("knn", models, X, y, plan, priors=priors, n_jobs=1)
    assert spy.shared == [True]
    np.testing.assert_allclose(found.losses, [each.mean_loss() for each in outer], rtol=1e-14)
    np.testing.assert_allclose(found.errors, [each.error for each in outer], rtol=1e-14)
    splits = splits_of(plan, encode(y)[0], nested=True)
    for f, inner in enumerate(found.inner):
        inside = inner_splits(splits, f)
        losses = [each.mean_loss() for each in evaluate(models, X, y, inside, priors=priors).values()]
        np.testing.assert_allclose(inner, losses, rtol=1e-12)
    expected = combine([outer[s] for s in found.chosen.tolist()])
    assert np.array_equal(found.evaluation.tested.scores, expected.tested.scores)
    assert np.array_equal(found.evaluation.rows, expected.rows)
    assert found.evaluation.n_splits == expected.n_splits and found.evaluation.plan == plan
    assert found.evaluation.notes == expected.notes and bool(expected.notes) == (priors is None)


@pytest.mark.parametrize("kind", KINDS)
def test_leave_one_out_behind_scalers_is_that_of_refits(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    spy = Spy(monkeypatch)
    X, y = table(kind)
    for steps in ([Standardize()], [Standardize("range")]):
        models, data = behind(*steps), in_memory(X, y, n_jobs=1)
        shared, refitted = (scored(models, data, one_out(N), ways)[0] for ways in ((NEIGHBORS,), ()))
        for one, two in zip(shared, refitted, strict=True):
            assert one is not None and two is not None
            assert np.array_equal(one.scores, two.scores) and np.array_equal(one.predicted, two.predicted)
    assert spy.shared == [True] * 2


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("step", [Standardize(), Standardize(variance="ml"), DropReference()])
def test_votes_that_leave_no_doubt_need_no_fit(kind: str, step: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    spy = Spy(monkeypatch)
    fits, learn = [0], scaled._learned

    def counted(*args: Any) -> Any:
        fits[0] += 1
        return learn(*args)

    monkeypatch.setattr(scaled, "_learned", counted)
    X, y = table(kind)
    models = [make_pipeline(step, Standardize(), KNeighborsClassifier(k)) for k in (1, 4, 11)]
    data, splits = in_memory(X, y, n_jobs=1), one_out(N)
    only = np.ones((len(models), N), dtype=bool)
    only[1, ::3] = False
    shared, some, refitted = (
        scored(models, data, splits, ways, asked)[0]
        for ways, asked in (((NEIGHBORS,), None), ((NEIGHBORS,), only), ((), None))
    )
    for one, two in zip(shared, refitted, strict=True):
        assert one is not None and two is not None
        assert np.array_equal(one.test, two.test) and np.array_equal(one.scores, two.scores)
        assert np.array_equal(one.predicted, two.predicted)
    assert spy.shared[0]
    assert fits[0] < N / 10 or kind not in ("smooth", "single", "outlier")
    fewer, whole = some[1], shared[1]
    assert fewer is not None and whole is not None
    assert np.array_equal(fewer.scores, whole.scores[only[1][whole.test]])


def test_without_room_between_distances_every_row_is_fitted(monkeypatch: pytest.MonkeyPatch) -> None:
    Spy(monkeypatch)
    X, y = table("duplicates")
    models, data = [make_pipeline(Standardize(), KNeighborsClassifier(4))], in_memory(X, y, n_jobs=1)
    monkeypatch.setattr("assay.sharing.neighbors.left_out_rows.CLOSE", 0.5)
    shared, refitted = (scored(models, data, one_out(N), ways)[0][0] for ways in ((NEIGHBORS,), ()))
    assert shared is not None and refitted is not None and np.array_equal(shared.scores, refitted.scores)
