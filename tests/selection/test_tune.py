"""Tuning: every setting on the same folds, by what the settings share; two rules of choice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from assay import (
    GaussianClassifier,
    GaussianNB,
    KFold,
    LogisticRegression,
    OneHot,
    Standardize,
    evaluate,
    nested,
    path,
    tune,
)
from assay.selection.nested import nest
from tests.raised import raises

PLAN = KFold(5, random_state=0)


def test_a_path_of_penalties_is_solved_together() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    model = make_pipeline(Standardize(), LogisticRegression())
    found = tune(model, X, y, l2=path(6), plan=PLAN)
    assert [list(setting) for setting in found.settings] == [["logisticregression__l2"]] * 6
    assert {each.strategy for each in found.evaluations} == {"path"}
    l2 = found.setting["logisticregression__l2"]
    alone = evaluate(make_pipeline(Standardize(), LogisticRegression(l2)), X, y, PLAN)
    assert found.errors[found.chosen] == alone.error
    assert found.model.predict(X).shape == y.shape and found.model[-1].l2 == l2
    assert found.losses.min() == found.losses[found.chosen]


def test_one_standard_error_takes_the_stronger_penalty() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    model = make_pipeline(Standardize(), LogisticRegression())
    best, simple = (tune(model, X, y, l2=path(10), plan=PLAN, rule=rule) for rule in ("min", "one_se"))
    assert simple.chosen <= best.chosen
    limit = best.losses[best.chosen] + best.standard_errors[best.chosen]
    assert simple.losses[simple.chosen] <= limit
    assert (simple.losses[: simple.chosen] > limit).all()


def test_penalties_are_measured_by_the_columns() -> None:
    X, y = load_iris(return_X_y=True)
    small, large = (tune(LogisticRegression(), X * s, y, l2=path(4), plan=PLAN) for s in (1e-3, 1e3))
    ratio = large.settings[0]["l2"] / small.settings[0]["l2"]
    assert ratio == pytest.approx(1e12)
    np.testing.assert_array_equal(small.errors, large.errors)


@pytest.mark.parametrize(
    ("model", "ranges", "strategy"),
    [
        (GaussianClassifier("shared"), {"shrinkage": [0.5, 0.1, 0.0]}, "statistics"),
        (DecisionTreeClassifier(random_state=0), {"max_depth": (1, 3), "min_samples_leaf": (5, 1)}, "refit"),
    ],
)
def test_other_models_by_what_they_share(model: Any, ranges: dict[str, Any], strategy: str) -> None:
    X, y = load_iris(return_X_y=True)
    found = tune(model, X, y, plan=PLAN, **ranges)
    assert len(found.settings) == np.prod([len(values) for values in ranges.values()])
    assert {each.strategy for each in found.evaluations} == {strategy}


def test_a_loss_matrix_decides() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    model = make_pipeline(Standardize(), LogisticRegression())
    found = tune(model, X, y, l2=path(5), plan=PLAN, loss=[[0, 10], [1, 0]])
    np.testing.assert_allclose(found.losses, [each.mean_loss() for each in found.evaluations])


@pytest.mark.parametrize(
    ("ranges", "said"),
    [
        ({}, "nothing to tune"),
        ({"l2": []}, "The range of l2 is empty"),
        ({"l2": 0.1}, "l2=0.1 is not a range"),
        ({"penalty": [1]}, "no parameter 'penalty' to tune; write l1 or l2"),
        ({"zz": [1]}, "no parameter 'zz' to tune; it has 'class_weight', 'l1', 'l2', 'start', 'tol'"),
        ({"l_2": [1]}, "no parameter 'l_2' to tune; did you mean 'l2'"),
        ({"l2": [-1.0]}, "l2=-1.0"),
        ({"rule": "best", "l2": [1.0]}, "rule='best'"),
    ],
)
def test_bad_ranges(ranges: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        tune(LogisticRegression(), *load_iris(return_X_y=True), plan=PLAN, **ranges)


@pytest.mark.parametrize(
    ("n", "options"), [(0, {}), (2.5, {}), (True, {}), (3, {"most": 1.0, "least": 2.0}), (3, {"least": 0.0})]
)
def test_bad_paths(n: Any, options: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="path"):
        path(n, **options)


def test_sparse_rows_are_tuned_as_dense_ones_are() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(120) % 2
    counts = (rng.poisson(0.3, size=(120, 12)) + rng.poisson(0.5, size=(120, 12)) * y[:, None]).astype(float)
    dense, sparse = (
        tune(LogisticRegression(), X, y, l2=path(4), plan=PLAN) for X in (counts, csr_matrix(counts))
    )
    got, wanted = ([s["l2"] for s in found.settings] for found in (sparse, dense))
    assert got == pytest.approx(wanted)
    assert sparse.losses == pytest.approx(dense.losses)
    assert sparse.evaluations[0].strategy == "refit"
    assert any("Sparse rows" in note for note in sparse.evaluations[0].notes)

    inside = [
        nested(LogisticRegression(), X, y, l2=path(3), plan=KFold(4), inner=3)
        for X in (counts, csr_matrix(counts))
    ]
    assert inside[0].losses == pytest.approx(inside[1].losses)
    assert inside[0].chosen.tolist() == inside[1].chosen.tolist()
    assert inside[1].evaluation.strategy == "refit"


def test_penalties_are_in_units_of_the_rows_as_steps_hand_them_on() -> None:
    """Whoever scales the columns: their variance is 1, and not that of the raw table."""
    X, y = load_wine(return_X_y=True)
    ours, theirs = (
        tune(make_pipeline(step, LogisticRegression()), X, y, l2=path(3), plan=KFold(3))
        for step in (Standardize(variance="ml"), StandardScaler())
    )
    for one, other in zip(ours.settings, theirs.settings, strict=True):
        assert other["logisticregression__l2"] == pytest.approx(one["logisticregression__l2"], rel=1e-12)
    levels = pd.DataFrame({"colour": ["red", "green", "blue"] * 20})
    words = make_pipeline(OneHot(), LogisticRegression())
    found = tune(words, levels, np.arange(60) % 3 > 0, l2=path(1, most=1.0), plan=KFold(3))
    assert found.setting["logisticregression__l2"] == pytest.approx(2 / 9)
    with raises("M045", value="red"):
        tune(LogisticRegression(), levels, np.arange(60) % 3 > 0, l2=path(3))


def test_one_bar_counts_all_settings(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Settings that take a second each would never be waited for long enough, one by one."""
    X, y = load_iris(return_X_y=True)
    tree, told = DecisionTreeClassifier(random_state=0), []  # type: Any, list[tuple[str, int, int]]
    found = tune(tree, X, y, max_depth=[1, 2], plan=KFold(3), progress=lambda *each: told.append(each))
    assert [each[1:] for each in told] == [(done, 6) for done in range(1, 7)]
    assert (
        [each.name for each in found.evaluations]
        == ["max_depth=1", "max_depth=2"]
        == sorted({e[0] for e in told})
    )
    monkeypatch.setattr("assay.engines.progress.PATIENCE", -1.0)
    monkeypatch.setenv("FORCE_COLOR", "1")  # or Rich draws nothing where there is no terminal
    nested(tree, X, y, max_depth=[1, 2], plan=KFold(3), progress=True)
    shown = capsys.readouterr()
    assert shown.out == "" and "DecisionTreeClassifier" in shown.err
    assert "/12" in shown.err  # two settings, three outer splits, three pairs of them


def test_labels_of_one_class_are_no_question_of_folds() -> None:
    X, y = load_iris(return_X_y=True)
    for labels, said in ((y * 0, "y has 1 class"), (y[:0], "y has 0 classes")):
        with pytest.raises(ValueError, match=f"{said}; an evaluation needs at least two"):
            nested(GaussianNB(), X[: len(labels)], labels, variance_floor=[0.1])
    halves = [(np.arange(50), np.arange(50, 100)), (np.arange(50, 100), np.arange(50))]
    with raises("S211", split=0, label=0):
        nested(GaussianNB(), X[:100], y[:100], plan=halves, variance_floor=[0.1])


def test_a_model_that_takes_no_sparse_rows_says_so() -> None:
    X, y = load_iris(return_X_y=True)
    with pytest.raises(TypeError, match="[Ss]parse"):
        evaluate(GaussianClassifier("shared"), csr_matrix(X), y, PLAN)


def test_l1_penalties_are_measured_by_deviations() -> None:
    X = np.array([[0.0], [2.0]])
    assert path(1, most=1.0).values(X * 10, False, "l1") == pytest.approx((10.0,))
    assert path(1, most=1.0).values(X * 10, False, "l2") == pytest.approx((100.0,))


def test_nested_in_one_call_is_the_choice_by_hand() -> None:
    X, y = load_wine(return_X_y=True)
    blends = [0.0, 0.3, 1.0]
    found = nested(GaussianClassifier(), X, y, plan=KFold(5), blend=blends)
    models = [GaussianClassifier(blend=blend) for blend in blends]
    same = nest("m", models, X, y, KFold(5))
    assert found.error == same.evaluation.error and found.chosen.tolist() == same.chosen.tolist()
    assert found.wins == [int((same.chosen == s).sum()) for s in range(3)]
    assert found.optimism == same.optimism and found.setting == {"blend": blends[same.final]}
    expected = GaussianClassifier(blend=blends[same.final]).fit(X, y).predict_proba(X)
    assert np.array_equal(found.model.predict_proba(X), expected)
    assert "honest error" in repr(found)


def test_nested_equals_scikit_learns_own_on_the_same_folds() -> None:
    """GridSearchCV on each training part, its inner folds the other outer ones put together to three."""
    X, y = load_wine(return_X_y=True)
    fold = PLAN.partitions(y)[0].fold
    tree, depths = DecisionTreeClassifier(random_state=0), [1, 2, 4]
    found = nested(tree, X, y, plan=PLAN, max_depth=depths)
    for f in range(5):
        train = np.flatnonzero(fold != f)
        place = np.where(fold > f, fold - 1, fold)[train] % 3
        inner = [(np.flatnonzero(place != g), np.flatnonzero(place == g)) for g in range(3)]
        search = GridSearchCV(tree, {"max_depth": depths}, cv=inner, scoring=minus_mistakes)
        search.fit(X[train], y[train])
        assert depths[found.chosen[f]] == search.best_params_["max_depth"]
        assert np.array_equal(found.evaluation.predicted[fold == f], search.predict(X[fold == f]))


def minus_mistakes(model: Any, X: Any, y: Any) -> float:
    """Rows count alike; a mean over folds of their accuracies would weigh small folds more."""
    return -float((model.predict(X) != y).sum())


@pytest.mark.parametrize(
    ("model", "ranges", "sentence"),
    [
        (GaussianClassifier(), {"blend": []}, "The range of blend is empty"),
        (GaussianClassifier(), {"blend": [0.5, 2.0]}, "blend=2.0.*at least 0 and at most 1"),
        (LogisticRegression(), {"l2": [-1.0]}, "l2.*0"),
        (GaussianClassifier(), {}, "nothing to tune"),
    ],
)
def test_ranges_that_cannot_be_tuned_are_named_with_their_bounds(
    model: Any, ranges: dict[str, Any], sentence: str
) -> None:
    X, y = load_wine(return_X_y=True)
    for choose in (tune, nested):
        with pytest.raises(ValueError, match=sentence):
            choose(model, X, y, **ranges)


def test_what_is_no_model_is_told() -> None:
    X, y = load_wine(return_X_y=True)
    for choose in (tune, nested):
        for model in (GaussianClassifier, "knn"):
            with pytest.raises(
                TypeError, match="GaussianClassifier is a class; give an instance|'knn' is not an"
            ):
                choose(model, X, y, blend=[0.5])


def test_numbers_of_numpy_are_told_as_numbers() -> None:
    found = tune(GaussianClassifier(), *load_wine(return_X_y=True), plan=PLAN, blend=np.array([0.5]))
    assert found.settings == [{"blend": 0.5}] and repr(found).startswith("Tuned(blend=0.5; ")
