"""scikit-learn's models that are solved step by step, each with every solver that minimises our objective.

Its C is 1/(l2 N), N the number of training rows. `tol` of lbfgs, newton-cg and newton-cholesky is the largest entry of
the gradient of the mean loss, so all three can be asked for the gradient that ours stops at.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV
from sklearn.model_selection import GridSearchCV
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC, LinearSVC

from benchmarks.agreement import Splits
from benchmarks.data import Array, Labels
from benchmarks.harness import Part, Run
from benchmarks.rivals.sklearn import BLAS_THREADS, WORKERS, label, loop, single_fit, start_workers

ENOUGH = 10_000  # steps that no solver needs
FREE = 100.0  # liblinear penalises the intercept over this; it takes no longer for it
PATH_SOLVERS = ("lbfgs", "newton-cholesky")
Job = tuple[NDArray[np.intp], float]


def logistic_path(X: Array, y: Labels, splits: Splits, Cs: Sequence[float], tol: float, total: int) -> Part:
    """`LogisticRegressionCV` on some of the folds; returns the weights (folds, penalties, classes, D+1).

    `refit=False` spares it the fit on all rows that follows the choice of C.
    """
    start_workers()

    def with_(solver: str, n_jobs: int | None) -> Run:
        model = LogisticRegressionCV(
            Cs=list(Cs), l1_ratios=(0.0,), cv=splits, scoring="accuracy", solver=solver, tol=tol, max_iter=ENOUGH,
            n_jobs=n_jobs, refit=False, use_legacy_attributes=False,
        )  # fmt: skip
        return quiet(lambda: model.fit(X, y).coefs_paths_[:, 0])

    settings = {f"{solver}, n_jobs={n}": with_(solver, n) for solver in PATH_SOLVERS for n in (None, WORKERS)}
    return Part("LogisticRegressionCV", settings, done=len(splits), total=total)


def logistic_fit(
    X: Any, y: Labels, tolerances: Mapping[str, float], threads: Sequence[str] = BLAS_THREADS
) -> Part:
    """One fit with C = 1 by the best of several solvers, each with its own `tol`; returns the fitted estimator."""
    settings: dict[str, Run] = {}
    for solver, tol in tolerances.items():
        model = LogisticRegression(solver=solver, tol=tol, max_iter=ENOUGH)
        if solver == "liblinear":
            model.set_params(intercept_scaling=FREE)
        part = single_fit(model, X, y)
        settings |= {f"{solver}, {each}": quiet(part.settings[each]) for each in threads}
    return Part("LogisticRegression", settings)


def liblinear_tol(y: Labels, relative: float) -> float:
    """The `tol` at which liblinear stops at a gradient this small.

    It multiplies by the smaller class's share, and its start is the steeper for the stretched intercept.
    """
    return 0.1 * relative * len(y) / float(np.bincount(y).min())


def linear_svc(C: float = 1.0) -> LinearSVC:
    """The dual solver for the hinge loss, with its default number of epochs."""
    return LinearSVC(loss="hinge", dual=True, C=C, max_iter=1000, random_state=0)


def svm_loop(X: Array, y: Labels, jobs: Sequence[Job], total: int) -> Part:
    """Fits of LinearSVC, each on its own rows with its own C; returns (weights, intercept, converged) of each."""
    part = loop(_svm_share, linear_svc(), X, y, jobs, total)
    for run in part.idle.values():
        run()  # workers import what they need
    return part


def svm_fit(X: Array, y: Labels, C: float) -> Part:
    """One fit of LinearSVC; returns the fitted estimator. It runs in one thread whatever is set."""
    return Part(label(linear_svc(C)), {"fit": quiet(lambda: linear_svc(C).fit(X, y))})


def converged(fitted: LinearSVC) -> bool:
    return bool(np.max(fitted.n_iter_) < fitted.max_iter)


def svc_grid(
    X: Array,
    y: Labels,
    splits: Splits,
    grid: Mapping[str, Sequence[float]],
    total: int,
    make: Callable[[], Any] = SVC,
) -> Part:
    """`GridSearchCV` on some of `total` folds, without the last fit; returns the scores, C running slowest."""
    start_workers()

    def with_jobs(n_jobs: int | None) -> Run:
        search = GridSearchCV(make(), dict(grid), cv=splits, n_jobs=n_jobs, refit=False)
        return lambda: search.fit(X, y).cv_results_

    settings = {f"n_jobs={n}": with_jobs(n) for n in (None, WORKERS)}
    return Part("GridSearchCV(SVC)", settings, done=len(splits), total=total)


def svc_fit(X: Array, y: Labels, C: float, gamma: float, make: Callable[..., Any] = SVC) -> Part:
    """One fit, and the decision values of the rows; returns the estimator and the values."""

    def run() -> tuple[Any, Any]:
        fitted = make(C=C, gamma=gamma).fit(X, y)
        return fitted, fitted.decision_function(X)

    return Part("SVC", {"fit": run})


def network_fit(X: Any, y: Labels, hidden: int, batch: int, epochs: int, l2: float) -> Part:
    """One network trained by Adam for a fixed number of epochs; it counts its penalty once a batch."""
    model = MLPClassifier(
        (hidden,),
        batch_size=batch,
        max_iter=epochs,
        n_iter_no_change=epochs + 1,
        alpha=l2 * batch,
        random_state=0,
    )
    part = single_fit(model, X, y)
    return Part(
        f"MLPClassifier(({hidden},))", {threads: quiet(run) for threads, run in part.settings.items()}
    )


def quiet(run: Callable[[], Any]) -> Run:
    """The run without the warnings of solvers that stop early: notes tell which did."""

    def silenced() -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            return run()

    return silenced


def _svm_share(estimator: LinearSVC, X: Array, y: Labels, jobs: Sequence[Job]) -> list[Any]:
    X = np.asarray(X)
    return [quiet(partial(_svm_solved, estimator, X, y, *job))() for job in jobs]


def _svm_solved(estimator: LinearSVC, X: Array, y: Labels, rows: NDArray[np.intp], C: float) -> Any:
    fit = estimator.set_params(C=C).fit(X[rows], y[rows])
    return fit.coef_[0].copy(), float(fit.intercept_[0]), converged(fit)
