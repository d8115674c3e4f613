"""The strategy of neighbours gives what refitting gives: every k, both votes, every plan, behind steps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier as Twin
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import assay
from assay import (
    Bootstrap,
    HoldOut,
    KFold,
    KNeighborsClassifier,
    LeaveOneOut,
    Standardize,
    evaluate,
    tune,
)
from assay.numerics import neighbors
from assay.statistics.weights import is_importance
from tests.contract.registry import blobs
from tests.noted import noted
from tests.raised import Expected, raises
from tests.sharing.refits import refit_scores

SIZES = (1, 2, 5, 20)
PLANS = [KFold(4), KFold(3, repeats=2), LeaveOneOut(), HoldOut(0.3), Bootstrap(5)]


def settings_of(**options: Any) -> list[KNeighborsClassifier]:
    return [
        KNeighborsClassifier(k, weights=rule, **options) for k in SIZES for rule in ("uniform", "distance")
    ]


def refitted(model: Any, X: Any, y: Any, plan: Any, weight: Any = None) -> tuple[Any, Any]:
    """Scores and decisions of every split fitted anew, by (split, row)."""
    classes, codes = np.unique(y, return_inverse=True)
    splits = list(plan.split(X, codes))
    tested, _ = refit_scores(model, X, codes.astype(np.int32), classes, splits, weight)
    order = np.lexsort((tested.rows, tested.split))
    return tested.scores[order], tested.predicted[order]


def agree(models: list[Any], X: Any, y: Any, plan: Any, weight: Any = None) -> None:
    found = evaluate(models, X, y, plan, sample_weight=weight)
    for model, result in zip(models, found.values(), strict=True):
        assert result.strategy == "neighbors"
        scores, predicted = refitted(model, X, y, plan, weight)
        order = np.lexsort((result.rows, result.split))
        if is_importance(weight):  # scaled to each training set, which rounds
            np.testing.assert_allclose(np.exp(result.tested.scores[order]), np.exp(scores), atol=1e-12)
        else:
            assert np.array_equal(result.tested.scores[order], scores)
        assert np.array_equal(result.tested.predicted[order], predicted)


@pytest.mark.parametrize("plan", PLANS, ids=repr)
def test_equal_to_refits(plan: Any) -> None:
    agree(settings_of(), *blobs(), plan)


@pytest.mark.parametrize("plan", PLANS[:3], ids=repr)
@pytest.mark.parametrize("metric", ["manhattan", "mahalanobis", "mixed"])
def test_equal_to_refits_under_other_metrics(plan: Any, metric: str) -> None:
    agree(settings_of(metric=metric)[:4], *blobs(rows=50), plan)


@pytest.mark.parametrize("plan", PLANS[:3], ids=repr)
def test_equal_to_refits_of_whole_numbers_with_ties(plan: Any) -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (60, 3)).astype(np.float32)
    agree(settings_of(), X, rng.integers(0, 3, 60), plan)


def test_one_setting_alone_and_in_company() -> None:
    X, y = blobs()
    together = evaluate(settings_of(), X, y, KFold(5))
    for model, result in zip(settings_of(), together.values(), strict=True):
        assert np.array_equal(evaluate(model, X, y, KFold(5)).tested.scores, result.tested.scores)


def test_behind_a_scaler_as_scikit_learn_cross_validates() -> None:
    X, y = blobs(rows=120)
    plan = KFold(6)
    for k in (1, 3, 8):
        ours = evaluate(make_pipeline(Standardize(variance="ml"), KNeighborsClassifier(k)), X, y, plan)
        theirs = cross_val_score(make_pipeline(StandardScaler(), Twin(k, algorithm="brute")), X, y, cv=plan)
        hits = ours.tested.predicted == ours.truth_codes
        assert [hits[ours.split == f].mean() for f in range(6)] == pytest.approx(theirs.tolist())


@pytest.mark.parametrize("plan", [KFold(10), LeaveOneOut()], ids=repr)
def test_tuning_every_number_of_neighbours_searches_once(plan: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    original = neighbors.nearest

    def counted(space: Any, rows: Any, queries: Any, *rest: Any, **more: Any) -> Any:
        calls.append(len(queries))
        return original(space, rows, queries, *rest, **more)

    monkeypatch.setattr(neighbors, "nearest", counted)
    X, y = load_iris(return_X_y=True)
    found = tune(
        KNeighborsClassifier(), X, y, plan=plan, n_neighbors=range(1, 51), weights=["uniform", "distance"]
    )
    assert len(found.settings) == 100 and 150 <= sum(calls) < 155  # of few, the list was too short
    assert {each.strategy for each in found.evaluations} == {"neighbors"}
    by_setting = {
        (s["n_neighbors"], s["weights"]): e for s, e in zip(found.settings, found.errors, strict=True)
    }
    if isinstance(plan, LeaveOneOut):
        assert round(by_setting[1, "uniform"] * 150) == 6 and round(by_setting[5, "uniform"] * 150) == 5


def test_neighbours_beside_other_models() -> None:
    X, y = blobs()
    models = {"near": KNeighborsClassifier(3), "naive": assay.GaussianNB(), "tree": Twin(3)}
    found = evaluate(models, X, y, KFold(5))
    assert [found[name].strategy for name in models] == ["neighbors", "statistics", "refit"]


@pytest.mark.parametrize(
    ("plan", "expected"),
    [
        (KFold(10), Expected("M159", n_neighbors=90, total=81.0, most=81)),
        (LeaveOneOut(), Expected("M718", n_neighbors=90, total=89.0, most=89)),
    ],
)
def test_more_neighbours_than_a_fold_has_rows(plan: Any, expected: Expected) -> None:
    X, y = blobs()
    with raises(expected):
        tune(KNeighborsClassifier(), X, y, plan=plan, n_neighbors=[1, 82, 90])
    found = tune(KNeighborsClassifier(fewer_rows="all"), X, y, plan=plan, n_neighbors=[1, 82, 90])
    assert len(found.errors) == 3


def test_a_training_part_of_one_class() -> None:
    X, y = np.arange(6.0)[:, None], np.array([0, 0, 0, 0, 0, 1])
    for plan in (LeaveOneOut(), [(np.arange(4), np.arange(4, 6))]):
        with raises("S211"):
            evaluate(KNeighborsClassifier(1), X, y, plan)


def test_a_class_that_a_training_part_lacks_is_told() -> None:
    X, y = blobs()
    X, y = np.vstack([X, [[9.0, 9.0, 9.0, 9.0]]]), np.append(y, 7)
    result = evaluate(KNeighborsClassifier(3), X, y, LeaveOneOut())
    assert noted(result.notes, "S208", label="7")
    assert np.isneginf(result.tested.scores[-1, -1])
