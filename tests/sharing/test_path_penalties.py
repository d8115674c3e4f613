"""Folds and penalties of logistic regression solved together equal refits of every one, behind any steps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from assay import DropReference, Impute, KFold, LeaveOneOut, Standardize, evaluate
from assay.models.linear.logistic import LogisticRegression
from assay.notes import as_note
from assay.plans import HoldOut
from tests.nesting import nest

PENALTIES = (1.0, 0.1, 0.01)
PLAN = KFold(5, random_state=0)


def problem(classes: int, gaps: bool = False, n: int = 300) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(classes)
    X = rng.normal(size=(n, 5)) * rng.uniform(0.1, 10, 5) + 100 * rng.normal(size=5)
    scores = (X - X.mean(axis=0)) / X.std(axis=0) @ rng.normal(size=(5, classes)) + rng.gumbel(
        size=(n, classes)
    )
    level = rng.integers(0, 3, n)
    X = np.column_stack([X, (level[:, None] == np.arange(3)).astype(float)])
    if gaps:
        X[:, :5][rng.random((n, 5)) < 0.1] = np.nan
    return X, scores.argmax(axis=1)


STEPS = {
    "nothing": (),
    "scale": (Standardize(),),
    "reference": (DropReference([(5, 8)]), Standardize()),
    "impute": (Impute(), Standardize()),
    "flags": (Impute(indicator=True),),
}


def models(steps: tuple[Any, ...], **options: Any) -> dict[str, Any]:
    return {
        str(l2): make_pipeline(*map(clone, steps), LogisticRegression(l2, tol=1e-9, **options))
        for l2 in PENALTIES
    }


def largest_difference(
    found: Any, model: Any, X: np.ndarray, y: np.ndarray, weight: np.ndarray | None
) -> float:
    worst = 0.0
    for f, (train, test) in enumerate(PLAN.split(X, y)):
        assert (found.split[test] == f).all()
        fitted = clone(model)
        options = {}
        if weight is not None:
            takers = [name for name, _ in fitted.steps if name != "dropreference"]
            options = {f"{name}__sample_weight": weight[train] for name in takers}
        fitted.fit(X[train], y[train], **options)
        worst = max(worst, float(np.abs(fitted.predict_proba(X[test]) - found.posterior[test]).max()))
    return worst


@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("classes", [2, 3])
def test_every_fold_and_penalty_predicts_as_its_refit(classes: int, steps: str) -> None:
    X, y = problem(classes, gaps=steps in ("impute", "flags"))
    found = evaluate(models(STEPS[steps]), X, y, PLAN)
    for name, model in models(STEPS[steps]).items():
        assert found[name].strategy == "path" and found[name].notes == ()
        assert largest_difference(found[name], model, X, y, None) < 1e-7


@pytest.mark.parametrize("classes", [2, 3])
def test_weights_of_rows_and_classes(classes: int) -> None:
    X, y = problem(classes)
    weight = np.random.default_rng(0).integers(1, 4, len(y)).astype(float)
    some = models((Standardize(),), class_weight={0: 3.0})
    found = evaluate(some, X, y, PLAN, sample_weight=weight)
    for name, model in some.items():
        assert largest_difference(found[name], model, X, y, weight) < 1e-7


def test_balanced_classes_are_weighted_anew_in_every_fold() -> None:
    X, y = problem(3)
    model = LogisticRegression(0.1, class_weight="balanced")
    assert evaluate(model, X, y, PLAN).strategy == "path"


@pytest.mark.parametrize("steps", ["scale", "impute"])
def test_nested_choice_is_that_of_refits(steps: str) -> None:
    X, y = problem(2, gaps=steps == "impute")
    together = nest("logistic", list(models(STEPS[steps]).values()), X, y, PLAN)
    for f, (train, _) in enumerate(PLAN.split(X, y)):
        fold = together.evaluation.split[train]
        inner = [(train[fold != g], train[fold == g]) for g in range(5) if g != f]
        for s, model in enumerate(models(STEPS[steps]).values()):
            wrong = [clone(model).fit(X[a], y[a]).predict(X[b]) != y[b] for a, b in inner]
            assert together.inner[f, s] == pytest.approx(np.concatenate(wrong).mean())


def test_a_hold_out_and_leave_one_out() -> None:
    X, y = problem(2, n=60)
    model = make_pipeline(Standardize(), LogisticRegression(0.1))
    assert evaluate(model, X, y, HoldOut(0.2, random_state=0)).strategy == "path"
    found = evaluate(model, X, y, LeaveOneOut())
    assert found.strategy == "refit" and as_note(found.notes[-1]).code == "S022"


def test_threads_do_not_change_a_bit() -> None:
    X, y = problem(3)
    one, two = (evaluate(LogisticRegression(0.1), X, y, PLAN, n_jobs=n).posterior for n in (1, 2))
    assert np.array_equal(one, two)
