"""A table, steps before a linear model, and the refits that a choice among penalties must equal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from assay import DropReference, Impute, KFold, Standardize, evaluate
from tests.nesting import nest


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


def check_nested(name: str, models: Sequence[Any], X: np.ndarray, y: np.ndarray, plan: Any) -> None:
    """Check that the losses of a choice inside every fold are those of refits to the other folds but one."""
    together = nest(name, list(models), X, y, plan)
    folds = list(plan.split(X, y))
    for f, (train, _) in enumerate(folds):
        fold = together.evaluation.split[train]
        inner = [(train[fold != g], train[fold == g]) for g in range(len(folds)) if g != f]
        for s, model in enumerate(models):
            wrong = [clone(model).fit(X[a], y[a]).predict(X[b]) != y[b] for a, b in inner]
            assert together.inner[f, s] == pytest.approx(np.concatenate(wrong).mean())


PLAN = KFold(5, random_state=0)


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


def check_refits(models: dict[str, Any], X: np.ndarray, y: np.ndarray, most: float) -> None:
    """Check that all models are solved together, without a note, and predict as their refits up to `most`."""
    evaluations = evaluate(models, X, y, PLAN)
    for name, model in models.items():
        assert evaluations[name].strategy == "path" and evaluations[name].notes == ()
        assert largest_difference(evaluations[name], model, X, y, None) < most
