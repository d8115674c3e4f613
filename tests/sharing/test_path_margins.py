"""Folds and penalties of linear machines solved together equal refits of every one, behind any steps."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from assay import KFold, Standardize, evaluate
from assay.models.svm.linear import LinearSVM
from assay.plans import HoldOut
from tests.sharing import penalties
from tests.sharing.penalties import STEPS, check_nested

PENALTIES = (1.0, 0.1, 0.001)
PLAN = KFold(4, random_state=0)
problem = partial(penalties.problem, n=240)


def models(steps: tuple[Any, ...], **options: Any) -> dict[str, Any]:
    return {
        str(l2): make_pipeline(*map(clone, steps), LinearSVM(l2, tol=1e-10, **options)) for l2 in PENALTIES
    }


def margins(model: Any, X: np.ndarray) -> np.ndarray:
    f = model.decision_function(X)
    return np.stack([-f / 2, f / 2], axis=1) if f.ndim == 1 else f


def largest_difference(found: Any, model: Any, X: np.ndarray, y: np.ndarray, weight: Any = None) -> float:
    worst = 0.0
    for train, test in PLAN.split(X, y):
        fitted = clone(model)
        options = {}
        if weight is not None:
            options = {f"{name}__sample_weight": weight[train] for name, _ in fitted.steps}
        fitted.fit(X[train], y[train], **options)
        assert (fitted.predict(X[test]) == found.predicted[test]).all()
        worst = max(worst, float(np.abs(margins(fitted, X[test]) - found.scores[test]).max()))
    return worst


@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("classes", [2, 3])
def test_every_fold_and_penalty_scores_as_its_refit(classes: int, steps: str) -> None:
    X, y = problem(classes, gaps=steps in ("impute", "flags"))
    found = evaluate(models(STEPS[steps]), X, y, PLAN)
    for name, model in models(STEPS[steps]).items():
        assert found[name].strategy == "path" and found[name].notes == ()
        assert largest_difference(found[name], model, X, y) < 1e-4


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("classes", [2, 3])
def test_weights_of_rows_and_classes(classes: int, loss: str) -> None:
    X, y = problem(classes)
    weight = np.random.default_rng(0).integers(1, 4, len(y)).astype(float)
    some = models((Standardize(),), class_weight={0: 3.0}, surrogate=loss)
    found = evaluate(some, X, y, PLAN, sample_weight=weight)
    for name, model in some.items():
        assert largest_difference(found[name], model, X, y, weight) < 1e-4


def test_balanced_classes_are_shared_and_stochastic_steps_are_refitted() -> None:
    X, y = problem(2)
    assert evaluate(LinearSVM(0.1, class_weight="balanced"), X, y, PLAN).strategy == "path"
    assert evaluate(LinearSVM(0.1, solver="sgd", epochs=2), X, y, PLAN).strategy == "refit"


@pytest.mark.parametrize("classes", [2, 3])
def test_a_hold_out(classes: int) -> None:
    X, y = problem(classes)
    model = make_pipeline(Standardize(), LinearSVM(0.01, tol=1e-10))
    plan = HoldOut(0.25, random_state=0)
    found = evaluate(model, X, y, plan)
    ((train, test),) = plan.split(X, y)
    assert found.strategy == "path"
    np.testing.assert_array_equal(found.predicted, clone(model).fit(X[train], y[train]).predict(X[test]))


@pytest.mark.parametrize("steps", ["scale", "impute"])
def test_nested_choice_is_that_of_refits(steps: str) -> None:
    X, y = problem(2, gaps=steps == "impute", n=160)
    check_nested("svm", list(models(STEPS[steps]).values()), X, y, PLAN)


def test_threads_do_not_change_a_bit() -> None:
    X, y = problem(3)
    one, two = (evaluate(LinearSVM(0.1), X, y, PLAN, n_jobs=n).scores for n in (1, 2))
    assert np.array_equal(one, two)
