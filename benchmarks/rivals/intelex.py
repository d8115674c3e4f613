"""scikit-learn-intelex (oneDAL): of the models here it speeds up PCA, least squares, logistic regression and SVC.

It is imported without patching scikit-learn, which stays itself in all other rows.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks.data import Array, Labels
from benchmarks.harness import Part, Run
from benchmarks.rivals.sklearn import by_threads

NAME = "scikit-learn-intelex"


def absent() -> str:
    """Why it cannot be measured, or an empty text."""
    return (
        ""
        if find_spec("sklearnex")
        else f"{NAME} is not installed (`make bench` installs it where it exists)"
    )


def pca(X: Array) -> Part:
    """Principal components by its own solver choice."""
    make = import_module("sklearnex.decomposition").PCA
    return Part(f"{NAME} PCA", {"fit": lambda: make().fit(X)})


def least_squares(X: Array, y: Labels) -> Part:
    """Least squares on the class indicators; making these is part of the job, as it is in ours."""
    make = import_module("sklearnex.linear_model").LinearRegression

    def fit() -> Any:
        return make().fit(X, np.eye(int(y.max()) + 1)[y])

    return Part(f"{NAME} LinearRegression on indicators", {"fit": fit})


def logistic(X: Array, y: Labels, tol: float) -> Part:
    """Logistic regression with C = 1 by each solver that it has of its own."""
    make = import_module("sklearnex.linear_model").LogisticRegression
    settings: dict[str, Run] = {}
    for solver in ("lbfgs", "newton-cg"):
        fit = partial(make(solver=solver, tol=tol, max_iter=10_000).fit, X, y)
        runs = by_threads(fit)
        settings |= {f"{solver}, {threads}": run for threads, run in runs.items()}
    return Part(f"{NAME} LogisticRegression", settings)


def svc() -> Any:
    """Its support vector machine, the class."""
    return import_module("sklearnex.svm").SVC
