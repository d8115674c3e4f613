"""Search for features, against `SequentialFeatureSelector`, of whose steps some are run and the rest extrapolated.

Forward, the rival's first three steps are run. Its later models are larger: what a set of features costs it is
measured at several sizes, those of the first steps among them, and the steps that are not run count accordingly. A
note tells the figure without that, every set as dear as those of the first steps on average. Backward, one step is run
at the mean size of the sets; as costs grow with the size along a straight line or faster, the whole way takes it no
less. Another note tells what its quicker solver of the shared covariance would change.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import ours
from benchmarks.agreement import Splits
from benchmarks.data import Array, Labels, gaussian_classes
from benchmarks.harness import Case, Settings, contest
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
MEASURED = (
    1,
    2,
    3,
    7,
    13,
    20,
)  # features of the sets whose cost is measured; between them it is drawn straight
BACKWARD = {("naive", 20_000): 250.0, ("shared", 20_000): 250.0}


def cases(settings: Settings) -> list[Case]:
    return [
        *(partial(forward, settings, *case, target) for case, target in FORWARD.items()),
        *(partial(backward, settings, *case, target) for case, target in BACKWARD.items()),
    ]


def forward(settings: Settings, name: str, count: int, target: float) -> Row:
    X, y = table(settings, count)
    width, wanted = X.shape[1], min(WANTED, X.shape[1] - 1)
    plan = ours.KFold(FOLDS)
    splits = folds(plan, X, y)
    tried = np.arange(width, width - wanted, -1)  # sets of 1, 2, ... features
    price = prices(sklearn.TWINS[name](), X, y, splits, wanted)
    units = tried * price / price[0]
    part = sklearn.feature_search(
        sklearn.TWINS[name](), X, y, splits, "forward", STEPS, round(units[:STEPS].sum()), round(units.sum())
    )
    result = contest(settings, lambda: ours.searched(name, X, y, plan, "forward", wanted), [part])
    theirs = set(np.flatnonzero(result.parts[0].value).tolist())
    first = set(result.value.path[STEPS - 1].features)
    flat = tried.sum() / tried[:STEPS].sum() / part.factor * median(result.speedups)
    notes = [
        "the first 3 features are the same" if first == theirs else f"first features {first} and {theirs}",
        f"units are sets of one feature; {wanted} features cost the rival {price[-1] / price[0]:.1f} times as much",
        f"every set as dear as those of the first {STEPS} steps: {flat:.0f}x",
    ]
    if name == "shared":
        quick = prices(sklearn.lsqr(), X, y, splits, wanted)
        notes.append(by_lsqr((tried * quick).sum() / (tried * price).sum(), result.speedups))
    title = f"forward {wanted} of {width} features, {FOLDS}-fold, {name}, {size(X)}, {CLASSES} classes"
    return row_of(result, title, "SequentialFeatureSelector", target, notes=notes)


def prices(rival: Any, X: Array, y: Labels, splits: Splits, wanted: int) -> NDArray[np.float64]:
    """Seconds that a set of 1, 2, ... features takes the rival."""
    sizes = sorted({min(m, wanted) for m in MEASURED})
    seconds = [sklearn.set_seconds(rival, X, y, splits, m) for m in sizes]
    return np.asarray(np.interp(np.arange(1, wanted + 1), sizes, seconds))


def by_lsqr(share: float, speedups: Sequence[float]) -> str:
    """What the row would be if the rival used its quicker solver, which takes this share of the time."""
    return f"with solver='lsqr' about {share * median(speedups):.0f}x"


def backward(settings: Settings, name: str, count: int, target: float) -> Row:
    X, y = table(settings, count)
    width, wanted = X.shape[1], min(WANTED, X.shape[1] - 1)
    plan = ours.KFold(FOLDS)
    splits = folds(plan, X, y)
    sizes = np.arange(width, wanted, -1)  # a step from m features makes m fits of m - 1 features
    usual = round(float((sizes * (sizes - 1)).sum() / sizes.sum()))
    part = sklearn.feature_search(
        sklearn.TWINS[name](), X[:, : usual + 1], y, splits, "backward", usual, usual + 1, int(sizes.sum())
    )
    result = contest(settings, lambda: ours.searched(name, X, y, plan, "backward", wanted), [part])
    notes = [f"one step of the rival, from {usual + 1} features, stands for {len(sizes)}"]
    if name == "shared":
        default, quick = (
            sklearn.set_seconds(rival, X, y, splits, usual)
            for rival in (sklearn.TWINS[name](), sklearn.lsqr())
        )
        notes.append(by_lsqr(quick / default, result.speedups))
    title = f"backward {width} to {wanted} features, {FOLDS}-fold, {name}, {size(X)}, {CLASSES} classes"
    return row_of(result, title, "SequentialFeatureSelector", target, notes=notes)


def table(settings: Settings, count: int) -> tuple[Array, Labels]:
    return gaussian_classes(settings.rows(count), 12 if settings.quick else FEATURES, CLASSES)
