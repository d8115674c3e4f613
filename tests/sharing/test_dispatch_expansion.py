"""An expansion that learns nothing is made once, and what is behind it shares its passes: as refits, fold by fold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from assay import (
    BasisExpansion,
    GaussianClassifier,
    KFold,
    LinearSVM,
    LogisticRegression,
    Standardize,
    evaluate,
    path,
    tune,
)  # fmt: skip

rng = np.random.default_rng(4)
X = rng.normal(size=(150, 3))
Y = np.array(["in", "mid", "out"])[np.digitize((X**2).sum(axis=1), [1.5, 3.5])]


@pytest.mark.parametrize(
    "expansion",
    [
        BasisExpansion("polynomial"),
        BasisExpansion("interaction"),
        BasisExpansion("functions", functions=[np.square], include_original=False),
    ],
    ids=lambda expansion: expansion.kind,
)
@pytest.mark.parametrize(
    ("model", "strategy"),
    [
        (LogisticRegression(l2=0.01, tol=1e-9), "path"),
        (GaussianClassifier("shared", shrinkage=0.1), "statistics"),
    ],
    ids=["logistic", "gaussian"],
)
def test_folds_are_those_of_refits(expansion: BasisExpansion, model: Any, strategy: str) -> None:
    whole = make_pipeline(expansion, Standardize(), model)
    found = evaluate(whole, X, Y, KFold(5))
    assert found.strategy == strategy
    for f in range(5):
        train, test = np.flatnonzero(found.split != f), np.flatnonzero(found.split == f)
        alone = clone(whole).fit(X[train], Y[train])
        assert found.posterior[test] == pytest.approx(alone.predict_proba(X[test]), abs=2e-6)


def test_a_path_is_tuned_behind_an_expansion() -> None:
    found = tune(make_pipeline(BasisExpansion(), Standardize(), LogisticRegression()), X, Y, l2=path(4))
    assert {each.strategy for each in found.evaluations} == {"path"}
    assert found.errors[found.chosen] < 0.1 and len(found.model[-1].coef_[0]) == 9


def test_what_learns_is_refitted_and_the_order_of_the_models_stays() -> None:
    models = {
        "curved": make_pipeline(BasisExpansion(), LinearSVM(l2=0.01)),
        "straight": LogisticRegression(l2=0.01),
        "radial": make_pipeline(BasisExpansion("radial"), LogisticRegression(l2=0.01)),
    }
    found = evaluate(models, X, Y, KFold(3))
    assert [(name, each.name, each.strategy) for name, each in found.items()] == [
        ("curved", "curved", "path"), ("straight", "straight", "path"), ("radial", "radial", "refit"),
    ]  # fmt: skip
