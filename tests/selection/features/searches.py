"""Models, plans and weights to search subsets of columns with."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from assay import (
    Bootstrap,
    GaussianClassifier,
    GaussianNB,
    HoldOut,
    KFold,
    LeaveOneOut,
    LogisticRegression,
    RandomSubsampling,
)
from assay.sharing.reductions import AllScores
from assay.sharing.study import Study
from tests.selection.features.data import correlated

MODELS: dict[str, Any] = {
    "naive": GaussianNB(),
    "shared": GaussianClassifier("shared"),
    "logistic": LogisticRegression(l2=0.05, tol=1e-10),
    "foreign tree": DecisionTreeClassifier(max_depth=2, random_state=0),
}


PLANS: dict[str, Any] = {
    "folds": KFold(3),
    "repeats": KFold(2, repeats=2),
    "hold-out": HoldOut(0.4),
    "subsampling": RandomSubsampling(0.4, repeats=3),
    "given": [(np.arange(0, 50), np.arange(50, 72)), (np.arange(20, 72), np.arange(0, 18))],
    "leave one out": LeaveOneOut(),
    "bootstrap": Bootstrap(4),
}


SPLITS = {name: plan for name, plan in PLANS.items() if name not in ("leave one out", "bootstrap")}
WEIGHTS = pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weights"])


def table() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    X, y = correlated(21, n=72, width=3, classes=2)
    return X, y, np.random.default_rng(3).integers(0, 3, 72).astype(float)


def scored(solved: Any, study: Study) -> Any:
    (found,) = solved.reduce(AllScores(study.splits, 1, study.dataset.n_rows))
    return found
