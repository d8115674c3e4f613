"""Folds and penalties of logistic regression solved together equal refits of every one, behind any steps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from assay import LeaveOneOut, Standardize, evaluate
from assay.models.linear.logistic import LogisticRegression
from assay.notes import as_note
from assay.plans import HoldOut
from tests.sharing.penalties import PLAN, STEPS, check_nested, check_refits, largest_difference, problem

PENALTIES = (1.0, 0.1, 0.01)


def models(steps: tuple[Any, ...], **options: Any) -> dict[str, Any]:
    return {
        str(l2): make_pipeline(*map(clone, steps), LogisticRegression(l2, tol=1e-9, **options))
        for l2 in PENALTIES
    }


@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("classes", [2, 3])
def test_every_fold_and_penalty_predicts_as_its_refit(classes: int, steps: str) -> None:
    X, y = problem(classes, gaps=steps in ("impute", "flags"))
    check_refits(models(STEPS[steps]), X, y, 1e-7)


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
    check_nested("logistic", list(models(STEPS[steps]).values()), X, y, PLAN)


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
