"""scikit-learn's counterparts of the candidates that `compare` tries, each with our settings as a grid.

A search is `GridSearchCV` inside `cross_val_score`, on our own outer and inner folds; of the outer folds the first is
run, and of slow models only some inner folds or settings: fits are counted, and the time of all of them is
extrapolated. A candidate with a single setting is scored on the inner folds as well: the choice among candidates, which
`compare` nests too, needs its score.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier, SGDClassifier
from sklearn.model_selection import GridSearchCV, ParameterGrid, cross_val_score
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.neural_network import MLPClassifier

from benchmarks.agreement import Splits
from benchmarks.data import Array, Labels
from benchmarks.harness import Part, Run
from benchmarks.rivals.sklearn import WORKERS, start_workers
from benchmarks.rivals.sklearn_iterative import ENOUGH, PATH_SOLVERS, linear_svc, quiet

Grid = Mapping[str, Sequence[Any]]
Ranges = Mapping[str, Sequence[Any]]  # those of the entry
TOLERANCE = 1e-6


@dataclass(frozen=True)
class Counterpart:
    """The same model elsewhere.

    name : what the table calls it
    make : the model under each solver it may choose from, told of the number of rows
    grid : the settings of the entry in its words, told of its ranges and the number of rows
    inner : inner folds that are run (None: all)
    shown : settings that are run, where all of them cost the same (None: all)
    scaled : whether it is given standardised columns because ours standardises inside
    """

    name: str
    make: Callable[[], Mapping[str, Any]]
    grid: Callable[[Ranges, int], Grid] = field(default=lambda ranges, rows: {})
    inner: int | None = None
    shown: Callable[[Grid], Grid] | None = None
    scaled: bool = False


class MixedNaiveBayes(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """GaussianNB on the numbers and CategoricalNB on the levels, their evidence added: as a user would write it."""

    def __init__(self, numbers: int = 0, levels: Any = None, var_smoothing: float = 1e-9, alpha: float = 1.0):
        self.numbers, self.levels = numbers, levels
        self.var_smoothing, self.alpha = var_smoothing, alpha

    def fit(self, X: Array, y: Labels) -> Self:
        self.classes_ = np.unique(y)
        self.parts_ = []
        if self.numbers:
            self.parts_.append(GaussianNB(var_smoothing=self.var_smoothing).fit(X[:, : self.numbers], y))
        if self.numbers < X.shape[1]:
            model = CategoricalNB(alpha=self.alpha, min_categories=self.levels)
            self.parts_.append(model.fit(X[:, self.numbers :].astype(np.int64), y))
        self.log_prior_ = np.log(np.bincount(y, minlength=len(self.classes_)) / len(y))
        return self

    def predict(self, X: Array) -> Labels:
        joint = self.log_prior_
        for model in self.parts_:
            numeric = isinstance(model, GaussianNB)
            some = X[:, : self.numbers] if numeric else X[:, self.numbers :].astype(np.int64)
            joint = joint + model.predict_joint_log_proba(some) - self.log_prior_
        found: Labels = self.classes_[joint.argmax(axis=1)]
        return found


def _renamed(**names: str) -> Callable[[Ranges, int], Grid]:
    """Our parameter = its parameter."""
    return lambda ranges, rows: {theirs: list(ranges[mine]) for mine, theirs in names.items()}


def _inverse(name: str) -> Callable[[Ranges, int], Grid]:
    """Its C is one over our penalty of the mean, times the rows."""
    return lambda ranges, rows: {"C": [1.0 / (value * rows) for value in ranges[name]]}


def _ridge(ranges: Ranges, rows: int) -> Grid:
    return {"alpha": [value * rows for value in ranges["l2"]]}


def _quadratic(ranges: Ranges, rows: int) -> Grid:
    """It blends nothing: as many values of the one regularisation that it has."""
    count = len(ranges["shrinkage"]) * len(ranges["blend"])
    return {"reg_param": np.geomspace(1e-3, 0.5, count).tolist()}


def _two_votes(grid: Grid) -> Grid:
    """The middle number of neighbours: a search takes as long for one as for 51."""
    return {**grid, "n_neighbors": [sorted(grid["n_neighbors"])[len(grid["n_neighbors"]) // 2]]}


def _logistic(solvers: Sequence[str] = PATH_SOLVERS) -> Mapping[str, Any]:
    """Solved as far as ours, by the better of these solvers."""
    return {solver: LogisticRegression(solver=solver, tol=TOLERANCE, max_iter=ENOUGH) for solver in solvers}


def _one(make: Callable[[], Any]) -> Callable[[], Mapping[str, Any]]:
    return lambda: {"": make()}


COUNTERPARTS: dict[str, Counterpart] = {
    "baseline": Counterpart("DummyClassifier", _one(DummyClassifier)),
    "nearest_mean": Counterpart("NearestCentroid", _one(partial(NearestCentroid, priors="empirical"))),
    "gaussian_nb": Counterpart("GaussianNB", _one(GaussianNB), _renamed(variance_floor="var_smoothing"), 3),
    "mixed_nb": Counterpart(
        "GaussianNB + CategoricalNB", _one(MixedNaiveBayes),
        _renamed(variance_floor="var_smoothing", smoothing="alpha"), 3,
    ),
    "least_squares": Counterpart("RidgeClassifier", _one(RidgeClassifier), _ridge, 3),
    "fisher": Counterpart("LDA(lsqr)", _one(partial(LinearDiscriminantAnalysis, solver="lsqr"))),
    "gaussian_shared": Counterpart(
        "LDA(lsqr)", _one(partial(LinearDiscriminantAnalysis, solver="lsqr")), _renamed(shrinkage="shrinkage"), 3
    ),
    "gaussian_full": Counterpart("QDA", _one(QuadraticDiscriminantAnalysis), _quadratic, 1),
    "logistic": Counterpart("LogisticRegression", _logistic, _inverse("l2"), 1),
    "quadratic": Counterpart(  # lbfgs takes three times as long
        "LogisticRegression", partial(_logistic, ("newton-cholesky",)), _inverse("l2"), 1
    ),
    "lasso": Counterpart(  # at the tolerance it has by itself, which is less than ours: a thousandth takes minutes
        "LogisticRegression(l1)", _one(partial(LogisticRegression, solver="liblinear", l1_ratio=1.0)),
        _inverse("l1"), 1,
    ),
    "linear_svm": Counterpart("LinearSVC(hinge)", _one(linear_svc), _inverse("l2"), 1),
    "perceptron": Counterpart(
        "SGDClassifier(perceptron, average)",
        _one(partial(SGDClassifier, loss="perceptron", average=True, penalty=None, learning_rate="constant",
                     eta0=1.0, max_iter=20, tol=None)),
    ),
    "knn": Counterpart(
        "KNeighborsClassifier", _one(KNeighborsClassifier),
        _renamed(n_neighbors="n_neighbors", weights="weights"), 1, _two_votes,
    ),
    "neural_network": Counterpart(
        "MLPClassifier((32,))",
        _one(partial(MLPClassifier, (32,), max_iter=100, early_stopping=True, random_state=0)),
        scaled=True,
    ),
}  # fmt: skip


def search(
    counterpart: Counterpart, ranges: Ranges, X: Array, y: Labels, outer: Splits, inner: Splits, **fixed: Any
) -> Part:
    """The job of one candidate: its rows, the outer folds, and the inner folds of the first of them."""
    start_workers()
    train = outer[0][0]
    grid = counterpart.grid(ranges, len(train))
    models = {name: model.set_params(**fixed) for name, model in counterpart.make().items()}
    place = np.full(len(y), -1)
    place[train] = np.arange(len(train))
    cut = inner if counterpart.inner is None else inner[: counterpart.inner]
    folds = [(place[a], place[b]) for a, b in cut]
    run = grid if counterpart.shown is None else counterpart.shown(grid)

    def with_jobs(model: Any, n_jobs: int | None) -> Run:
        searching = GridSearchCV(model, dict(run), cv=folds, n_jobs=n_jobs)
        return quiet(lambda: cross_val_score(searching, X, y, cv=outer[:1]))

    runs = {_words(name, n): with_jobs(model, n) for name, model in models.items() for n in (None, WORKERS)}
    done = len(ParameterGrid(run)) * len(folds) + 1
    total = len(outer) * (len(ParameterGrid(grid)) * len(inner) + 1)
    return Part(counterpart.name, runs, done, total)


def _words(solver: str, n_jobs: int | None) -> str:
    return ", ".join([*filter(None, [solver]), f"n_jobs={n_jobs}"])
