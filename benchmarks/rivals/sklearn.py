"""scikit-learn: the jobs as a careful user would write them, each with one and with two processes.

Where the job is a loop of fits (leave-one-out, bootstrap) the loop is plain Python without scorers and
clones, or the same loop cut into one share for each of two worker processes.  The workers are started
beforehand and find the data in a memory-mapped file, so that neither is charged to the rival.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import Any
from uuid import uuid4

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.feature_selection import SequentialFeatureSelector, mutual_info_classif
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score, learning_curve
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MultinomialNB
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import make_pipeline
from threadpoolctl import ThreadpoolController

from benchmarks.agreement import Splits
from benchmarks.data import Array, Labels, make_classes
from benchmarks.harness import Part, Run

WORKERS = 2
BLAS_THREADS = ("BLAS as installed", "one BLAS thread")
Draw = tuple[NDArray[np.intp], NDArray[np.intp]]

# Which estimator is the same model as which of ours.  The rest of our family has no counterpart here.
TWINS: dict[str, Callable[[], Any]] = {
    "naive": GaussianNB,
    "shared": LinearDiscriminantAnalysis,
    "full": QuadraticDiscriminantAnalysis,
    "least_squares": lambda: RidgeClassifier(alpha=0.0),
    # With unequal class shares its rule is the discriminant of one diagonal covariance for all classes.
    "shared_diagonal": lambda: NearestCentroid(priors="empirical"),
}
COUNTED_ONCE = {"diagonal": "naive", "fisher": "shared"}


WORD_MODELS: dict[str, Callable[[], Any]] = {
    "multinomial": MultinomialNB,
    "bernoulli": BernoulliNB,
    "complement": ComplementNB,
}


def categorical(levels: int) -> Any:
    """Categorical naive Bayes that knows how many levels there are."""
    return CategoricalNB(min_categories=levels)


def lsqr() -> Any:
    """Linear discriminant analysis by its quicker solver."""
    return LinearDiscriminantAnalysis(solver="lsqr")


def cross_validation(estimator: Any, X: Any, y: Labels, splits: Splits) -> Part:
    """`cross_val_score` on folds that were cut beforehand."""
    start_workers()

    def with_jobs(n_jobs: int | None) -> Callable[[], Any]:
        return lambda: cross_val_score(estimator, X, y, cv=splits, n_jobs=n_jobs)

    return Part(label(estimator), {"n_jobs=None": with_jobs(None), f"n_jobs={WORKERS}": with_jobs(WORKERS)})


def text_cross_validation(model: Any, texts: list[str], y: Labels, splits: Splits, total: int) -> Part:
    """`cross_val_score` of `CountVectorizer` and a model, the vocabulary learned in each of some folds."""
    part = cross_validation(make_pipeline(CountVectorizer(), model), texts, y, splits)
    return Part(f"CountVectorizer, {label(model)}", part.settings, done=len(splits), total=total)


def learning_curves(estimator: Any, X: Array, y: Labels, splits: Splits, shares: Sequence[float]) -> Part:
    """`learning_curve` on folds that were cut beforehand, rows added in random order."""
    start_workers()

    def with_jobs(n_jobs: int | None) -> Callable[[], Any]:
        return lambda: learning_curve(
            estimator, X, y, train_sizes=list(shares), cv=splits, n_jobs=n_jobs, shuffle=True, random_state=0
        )

    return Part(label(estimator), {"n_jobs=None": with_jobs(None), f"n_jobs={WORKERS}": with_jobs(WORKERS)})


def nested_search(
    estimator: Any, grid: dict[str, Any], X: Array, y: Labels, splits: Splits, inner: int
) -> Part:
    """`GridSearchCV` on the training rows of the first outer fold only, and the score of what it chose."""
    start_workers()
    train, test = splits[0]

    def with_jobs(n_jobs: int | None) -> Callable[[], Any]:
        def run() -> float:
            search = GridSearchCV(estimator, grid, cv=inner, n_jobs=n_jobs).fit(X[train], y[train])
            return float(search.score(X[test], y[test]))

        return run

    settings: dict[str, Run] = {"n_jobs=None": with_jobs(None), f"n_jobs={WORKERS}": with_jobs(WORKERS)}
    return Part(label(estimator), settings, done=1, total=len(splits))


def set_seconds(estimator: Any, X: Array, y: Labels, splits: Splits, features: int) -> float:
    """One set of so many features as `SequentialFeatureSelector` tries it, the quicker of two runs."""
    seconds, mask = [], np.arange(X.shape[1]) < features
    for _ in range(2):
        start = perf_counter()
        cross_val_score(estimator, X[:, mask], y, cv=splits)
        seconds.append(perf_counter() - start)
    return min(seconds)


def feature_search(
    estimator: Any, X: Array, y: Labels, splits: Splits, direction: str, wanted: int, done: int, total: int
) -> Part:
    """`SequentialFeatureSelector` to so many features: `done` of the `total` sets of the whole way."""
    start_workers()

    def with_jobs(n_jobs: int | None) -> Callable[[], Any]:
        def run() -> Any:
            search = SequentialFeatureSelector(
                estimator, n_features_to_select=wanted, direction=direction, cv=splits, n_jobs=n_jobs
            )
            return search.fit(X, y).get_support()

        return run

    settings: dict[str, Run] = {"n_jobs=None": with_jobs(None), f"n_jobs={WORKERS}": with_jobs(WORKERS)}
    return Part(label(estimator), settings, done=done, total=total)


def refits(estimator: Any, X: Array, y: Labels, rows: Sequence[int]) -> Part:
    """Leave-one-out by refitting, for some rows only; returns the predictions of those rows."""
    return loop(_leave_out, estimator, X, y, rows, len(y))


def replicates(estimator: Any, X: Array, y: Labels, draws: Sequence[Draw], total: int) -> Part:
    """Bootstrap by refitting, for some draws only; returns the out-of-bag predictions of each."""
    return loop(_replicate, estimator, X, y, draws, total)


def single_fit(estimator: Any, X: Any, y: Labels) -> Part:
    """One fit; returns the fitted estimator."""
    return Part(label(estimator), by_threads(lambda: clone(estimator).fit(X, y)))


def ridge_fits(X: Any, y: Labels, splits: list[Any]) -> Part:
    """A fit of `RidgeClassifier` to every training part, without a prediction."""
    return Part(
        f"{len(splits)} fits of RidgeClassifier",
        by_threads(lambda: [RidgeClassifier().fit(X[train], y[train]) for train, _ in splits]),
    )


def by_threads(fit: Run) -> dict[str, Run]:
    """A fit with the BLAS threads there are, and with one."""
    controller = ThreadpoolController()

    def fit_alone() -> Any:  # quicker than two BLAS threads where cores are contended
        with controller.limit(limits=1, user_api="blas"):
            return fit()

    return dict(zip(BLAS_THREADS, (fit, fit_alone), strict=True))


def forest_fit(X: Array, y: Labels) -> Part:
    """One fit of a default random forest, its trees one after the other or in threads."""

    def with_jobs(n_jobs: int | None) -> Callable[[], Any]:
        return lambda: RandomForestClassifier(random_state=0, n_jobs=n_jobs).fit(X, y)

    return Part(
        label(RandomForestClassifier(random_state=0)),
        {"n_jobs=None": with_jobs(None), f"n_jobs={WORKERS}": with_jobs(WORKERS)},
    )


def information(X: Any, y: Labels, *, discrete: bool) -> Part:
    """Mutual information of every column with the class."""

    def with_jobs(n_jobs: int | None) -> Callable[[], Any]:
        return lambda: mutual_info_classif(X, y, discrete_features=discrete, random_state=0, n_jobs=n_jobs)

    return Part(
        f"mutual_info_classif(discrete_features={discrete})",
        {"n_jobs=None": with_jobs(None), f"n_jobs={WORKERS}": with_jobs(WORKERS)},
    )


def loop(
    share: Callable[[Any, Array, Labels, Sequence[Any]], list[Any]],
    estimator: Any,
    X: Array,
    y: Labels,
    jobs: Sequence[Any],
    total: int,
) -> Part:
    """A loop over jobs: plain, and cut into one share a worker."""
    start_workers()
    mapped = _memory_mapped(X)
    bounds = [len(jobs) * i // WORKERS for i in range(WORKERS + 1)]

    def dealt(shares: Sequence[Sequence[Any]]) -> list[Any]:
        done = Parallel(n_jobs=WORKERS)(delayed(share)(estimator, mapped, y, part) for part in shares)
        return [value for part in done for value in part]

    parallel = f"joblib n_jobs={WORKERS}"
    runs = {
        "plain loop": lambda: share(estimator, X, y, jobs),
        parallel: lambda: dealt([jobs[start:stop] for start, stop in pairwise(bounds)]),
    }
    idle = {parallel: lambda: dealt([[]] * WORKERS)}
    return Part(label(estimator), runs, done=len(jobs), total=total, idle=idle)


def label(estimator: Any) -> str:
    """Class name with the parameters that differ from the defaults."""
    return "".join(repr(estimator).split()).removesuffix("()")


@cache
def start_workers() -> None:
    """Start the worker processes and let each import what it will need, once, before any clock runs."""
    X, y = make_classes(600, 5, 3)
    Parallel(n_jobs=WORKERS)(delayed(_fit_every_twin)(X, y) for _ in range(WORKERS))


def _fit_every_twin(X: Array, y: Labels) -> None:
    for make in TWINS.values():
        make().fit(X, y).predict(X)


def _leave_out(estimator: Any, X: Array, y: Labels, rows: Sequence[int]) -> list[Any]:
    X = np.asarray(X)
    predicted: list[Any] = []
    for row in rows:
        estimator.fit(np.delete(X, row, axis=0), np.delete(y, row))
        predicted.append(estimator.predict(X[row : row + 1])[0])
    return predicted


def _replicate(estimator: Any, X: Array, y: Labels, draws: Sequence[Draw]) -> list[Any]:
    X = np.asarray(X)
    return [estimator.fit(X[drawn], y[drawn]).predict(X[left_out]) for drawn, left_out in draws]


def _memory_mapped(X: Array) -> Array:
    """X in a file that worker processes map instead of receiving a copy."""
    path = Path(_folder().name) / f"{uuid4().hex}.npy"
    np.save(path, X)
    mapped: Array = np.load(path, mmap_mode="r")
    return mapped


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """A folder in memory where there is one, removed when the process ends."""
    memory = Path("/dev/shm")
    return tempfile.TemporaryDirectory(prefix="assay-bench-", dir=memory if memory.is_dir() else None)
