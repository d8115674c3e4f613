"""Folds and penalties of logistic regression under l1, solved together, equal refits of every one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from assay import KFold, Standardize, evaluate, tune
from assay.models.linear.logistic import LogisticRegression
from assay.solvers.fold_lasso import FoldLasso
from assay.solvers.fold_newton import FoldNewton
from assay.solvers.parts import Parts
from assay.solvers.passes import Passes
from assay.solvers.rows import DenseRows
from tests.sharing.penalties import PLAN, STEPS, check_nested, check_refits, largest_difference, problem

SETTINGS = ({"l1": 0.03}, {"l1": 0.003}, {"l2": 0.1, "l1": 0.01}, {"l2": 0.1}, {"l1": 1e-4})


def models(steps: tuple[Any, ...], **options: Any) -> dict[str, Any]:
    return {
        str(setting): make_pipeline(*map(clone, steps), LogisticRegression(**setting, tol=1e-9, **options))
        for setting in SETTINGS
    }


@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("classes", [2, 3])
def test_every_fold_and_penalty_predicts_as_its_refit(classes: int, steps: str) -> None:
    X, y = problem(classes, gaps=steps in ("impute", "flags"))
    check_refits(models(STEPS[steps]), X, y, 1e-6)


def test_weights_of_rows_and_classes() -> None:
    X, y = problem(3)
    weight = np.random.default_rng(0).integers(1, 4, len(y)).astype(float)
    some = models((Standardize(),), class_weight={0: 3.0})
    found = evaluate(some, X, y, PLAN, sample_weight=weight)
    for name, model in some.items():
        assert largest_difference(found[name], model, X, y, weight) < 1e-6


@pytest.mark.parametrize("steps", ["scale", "reference"])
def test_wide_tables(steps: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Columns looked at one by one as they are needed, also where a step mixes or drops them."""
    monkeypatch.setattr("assay.models.linear.logistic.MOST_UNKNOWNS", 5)
    monkeypatch.setattr("assay.solvers.wide_lasso.JOIN", 2)
    X, y = problem(3)
    some = {name: model for name, model in models(STEPS[steps]).items() if "l1" in name}
    check_refits(some, X, y, 1e-6)


def test_nested_choice_is_that_of_refits() -> None:
    X, y = problem(2)
    some = list(models(STEPS["scale"]).values())
    check_nested("lasso", some, X, y, PLAN)


@pytest.mark.parametrize("classes", [2, 3])
def test_without_absolute_values_it_is_newton(classes: int) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 4)), rng.integers(0, classes, 200).astype(np.int32)
    fold = (np.arange(200) % 4).astype(np.int32)
    member = ~np.eye(4, dtype=bool)
    parts = Parts(member, np.ones((4, 4)), np.ones((4, 4), dtype=bool))
    l2 = np.array([0.1, 0.01])
    with Passes(DenseRows(X, np.zeros(4), np.ones(4)), y, None, fold, 4, 1) as passes:
        newton = FoldNewton(passes, parts, classes, 1e-10).path(l2)
        lasso = FoldLasso(passes, parts, classes, 1e-10).path(l2, np.zeros(2))
    assert lasso.converged.all()
    np.testing.assert_allclose(lasso.B, newton.B, atol=1e-8)
    np.testing.assert_allclose(lasso.loss, newton.loss, rtol=1e-10)


def test_a_path_finds_the_planted_columns() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 40))
    y = (X[:, 7] - X[:, 11] + rng.logistic(size=500) > 0).astype(int)
    found = tune(
        make_pipeline(Standardize(), LogisticRegression()),
        X, y, l1=[0.2, 0.1, 0.05, 0.02, 0.01], plan=KFold(5, random_state=0), rule="one_se",
    )  # fmt: skip
    assert all(each.strategy == "path" for each in found.evaluations)
    coef = found.model[-1].coef_[0]
    assert {7, 11} <= set(np.flatnonzero(coef)) and (coef != 0).sum() < 15


def test_threads_do_not_change_a_bit() -> None:
    X, y = problem(3)
    one, two = (evaluate(LogisticRegression(l1=0.01), X, y, PLAN, n_jobs=n).posterior for n in (1, 2))
    assert np.array_equal(one, two)
