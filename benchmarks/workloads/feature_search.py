"""Search for features, against `SequentialFeatureSelector`, of whose steps some are run and the rest extrapolated.

Forward, the rival's first three steps are run. Its later models are larger: how much longer they take is measured by
cross-validations of 1, 7, 13 and 20 features, and the steps that are not run count accordingly. Backward, one step is
run at the size at which a fit costs what the fits of the whole way cost on average.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from benchmarks import ours
from benchmarks.agreement import Splits
from benchmarks.data import Array, Labels, gaussian_classes
from benchmarks.harness import Settings, contest
from benchmarks.rivals import sklearn
from benchmarks.rows import Row, row_of
from benchmarks.workloads.kfold import folds, size

FEATURES, CLASSES, FOLDS, WANTED, STEPS = 100, 3, 5, 20, 3
FORWARD = {
    ("naive", 20_000): 500.0,
    ("naive", 100_000): 250.0,
    ("shared", 20_000): 250.0,
    ("shared", 100_000): 1000.0,
}
MEASURED = (1, 7, 13, 20)
BACKWARD = {("naive", 20_000): 250.0, ("shared", 20_000): 250.0}


def rows(settings: Settings) -> Iterator[Row]:
    for (name, count), target in FORWARD.items():
        yield forward(settings, name, count, target)
    for (name, count), target in BACKWARD.items():
        yield backward(settings, name, count, target)


def forward(settings: Settings, name: str, count: int, target: float) -> Row:
    X, y = table(settings, count)
    width, wanted = X.shape[1], min(WANTED, X.shape[1] - 1)
    plan = ours.KFold(FOLDS)
    fits = np.arange(width, width - wanted, -1) * prices(name, X, y, folds(plan, X, y), wanted)
    part = sklearn.feature_search(
        sklearn.TWINS[name](),
        X,
        y,
        folds(plan, X, y),
        "forward",
        STEPS,
        round(fits[:STEPS].sum()),
        round(fits.sum()),
    )
    result = contest(settings, lambda: ours.searched(name, X, y, plan, "forward", wanted), [part])
    theirs = set(np.flatnonzero(result.parts[0].value).tolist())
    first = set(result.value.path[STEPS - 1].features)
    note = "the first 3 features are the same" if first == theirs else f"first features {first} and {theirs}"
    title = f"forward {wanted} of {width} features, {FOLDS}-fold, {name}, {size(X)}, {CLASSES} classes"
    return row_of(result, title, "SequentialFeatureSelector", target, notes=[note])


def prices(name: str, X: Array, y: Labels, splits: Splits, wanted: int) -> NDArray[np.float64]:
    """What a set of 1, 2, ... features costs the rival, in sets of one feature, between sizes that were measured."""
    sizes = sorted({min(m, wanted) for m in MEASURED})
    seconds = [sklearn.validation_seconds(sklearn.TWINS[name](), X[:, :m], y, splits) for m in sizes]
    return np.asarray(np.interp(np.arange(1, wanted + 1), sizes, seconds) / seconds[0])


def backward(settings: Settings, name: str, count: int, target: float) -> Row:
    X, y = table(settings, count)
    width, wanted = X.shape[1], min(WANTED, X.shape[1] - 1)
    plan = ours.KFold(FOLDS)
    sizes = np.arange(width, wanted, -1)  # a step from m features makes m fits of m - 1 features
    usual = round(float((sizes * (sizes - 1)).sum() / sizes.sum()))
    part = sklearn.feature_search(
        sklearn.TWINS[name](),
        X[:, : usual + 1],
        y,
        folds(plan, X, y),
        "backward",
        usual,
        usual + 1,
        int(sizes.sum()),
    )
    result = contest(settings, lambda: ours.searched(name, X, y, plan, "backward", wanted), [part])
    title = f"backward {width} to {wanted} features, {FOLDS}-fold, {name}, {size(X)}, {CLASSES} classes"
    note = f"one step of the rival, from {usual + 1} features, stands for {len(sizes)}"
    return row_of(result, title, "SequentialFeatureSelector", target, notes=[note])


def table(settings: Settings, count: int) -> tuple[Array, Labels]:
    return gaussian_classes(settings.rows(count), 12 if settings.quick else FEATURES, CLASSES)
