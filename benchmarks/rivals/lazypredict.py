"""LazyPredict: every classifier of scikit-learn with its defaults, fitted once and tested on one hold-out."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from benchmarks.harness import Part

NAME = "LazyPredict"


def absent() -> str:
    """Why it cannot be measured, or an empty text."""
    return "" if find_spec("lazypredict") else f"{NAME} is not installed (`make bench` installs it)"


def holdout(train: Any, test: Any, target: str) -> Part:
    """All its models on frames of training and test rows, with one process and with two."""
    make = import_module("lazypredict.Supervised").LazyClassifier

    def run(n_jobs: int) -> int:
        models = make(verbose=0, ignore_warnings=True, n_jobs=n_jobs, progress_bar=False)
        X, y = (frame.drop(columns=target) for frame in (train, test)), (train[target], test[target])
        leaderboard, _ = models.fit(*X, *y)
        return len(leaderboard)

    return Part(NAME, {f"n_jobs={n_jobs}": partial(run, n_jobs) for n_jobs in (1, 2)})
