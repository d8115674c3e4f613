"""Tuning: every setting on the same folds, by what the settings share; two rules of choice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from assay import (
    GaussianClassifier,
    GaussianNB,
    KFold,
    LogisticRegression,
    Standardize,
    evaluate,
    nested,
    path,
    tune,
)
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
    assert sparse.evaluations[0].strategy == "path"

    inside = [
        nested(LogisticRegression(), X, y, l2=path(3), plan=KFold(4), inner=3)
        for X in (counts, csr_matrix(counts))
    ]
    assert inside[0].losses == pytest.approx(inside[1].losses)
    assert inside[0].chosen.tolist() == inside[1].chosen.tolist()
    assert inside[1].evaluation.strategy == "path"


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
    for labels, n_classes in ((y * 0, 1), (y[:0], 0)):
        with raises("S084", n_classes=n_classes):
            nested(GaussianNB(), X[: len(labels)], labels, variance_floor=[0.1])
    halves = [(np.arange(50), np.arange(50, 100)), (np.arange(50, 100), np.arange(50))]
    with raises("S211", split=0, label=0):
        nested(GaussianNB(), X[:100], y[:100], plan=halves, variance_floor=[0.1])


def test_a_model_that_takes_no_sparse_rows_says_so() -> None:
    X, y = load_iris(return_X_y=True)
    with pytest.raises(TypeError, match="[Ss]parse"):
        evaluate(GaussianClassifier("shared"), csr_matrix(X), y, PLAN)
