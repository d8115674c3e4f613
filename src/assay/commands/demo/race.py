"""The table that scikit-learn bundles, and a race with scikit-learn on it, run live.

This file imports scikit-learn, for two things that nothing else can give: the data set that it bundles, and
its own estimators and `cross_val_score`, which are run live beside ours. No model of Assay rests on either.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from statistics import median

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer
from sklearn.discriminant_analysis import (  # type: ignore[import-untyped]
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB as RivalNB  # type: ignore[import-untyped]
from threadpoolctl import threadpool_limits

from assay.engines.local import thread_count
from assay.engines.progress import Progress
from assay.models.gaussian.gaussian_classifier import GaussianClassifier
from assay.models.naive_bayes.gaussian import GaussianNB
from assay.notes import Note
from assay.plans import KFold
from assay.selection.evaluate import evaluate
from assay.selection.evaluation import Evaluation
from assay.types import Array, Labels, RowClassifier

RACE_ROWS = 30_000
TRIAL_ROWS = 8_000
FEWEST_ROWS, MOST_ROWS = 500, 1_000_000
ROUNDS = 3
NOISE = 0.25  # deviations added to copied rows, so that no two are alike


@dataclass(frozen=True)
class RaceEntry:
    """One model on both sides: wrong rows of each, and the rival's median seconds."""

    model: str
    rival: str
    wrong: int
    rival_wrong: int
    largest_fold_difference: float
    rival_seconds: float


@dataclass(frozen=True)
class Race:
    """All models of the race, ours in one call; `ratios` are rival / ours, one per round."""

    rows: int
    features: int
    folds: int
    rounds: int
    threads: int
    rival_blas_threads: int | None  # None: as many as its BLAS takes
    entries: tuple[RaceEntry, ...]
    seconds: float
    rival_seconds: float
    ratio: float
    ratios: tuple[float, ...]


def load_cells() -> tuple[Array, NDArray[np.str_], list[str]]:
    """Measurements and diagnoses of 569 patients, and the names of the measurements."""
    bunch = load_breast_cancer()
    return bunch.data, bunch.target_names[bunch.target], [str(name) for name in bunch.feature_names]


def check_rows(rows: int) -> None:
    """An error for a race that is too short or too long."""
    if not FEWEST_ROWS <= rows <= MOST_ROWS:
        raise ValueError(Note("C034", rows=rows, fewest=FEWEST_ROWS, most=MOST_ROWS))


def race_cells(rows: int, progress: Progress) -> Race:
    """The race on so many rows drawn from the bundled table."""
    X, y, _ = load_cells()
    return race(*enlarge(X, y == "malignant", rows), progress)


def enlarge(X: Array, y: Labels, rows: int) -> tuple[Array, NDArray[np.int64]]:
    """Rows drawn with replacement, in units of standard deviations, with noise added; for timing only.

    In raw units scikit-learn's quadratic discriminant refuses these measurements as collinear, and the smoothing
    of its naive Bayes, a share of the widest column, drowns the narrow ones.
    """
    rng = np.random.default_rng(0)
    drawn = rng.integers(len(X), size=rows)
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)
    return scaled[drawn] + NOISE * rng.standard_normal((rows, X.shape[1])), y[drawn].astype(np.int64)


def entrants() -> dict[str, tuple[RowClassifier, RowClassifier]]:
    """The models that both sides have, with their defaults.

    All divide variances by n, as scikit-learn's discriminants do at the pinned version; older ones divide by
    less, and rows on a boundary may then differ.
    """
    return {
        "naive Bayes": (GaussianNB(), RivalNB()),
        "shared covariance": (GaussianClassifier("shared"), LinearDiscriminantAnalysis()),
        "full covariance": (GaussianClassifier("full"), QuadraticDiscriminantAnalysis()),
    }


def race(X: Array, y: NDArray[np.int64], progress: Progress) -> Race:
    """`ROUNDS` alternating runs of one `evaluate` call and of a `cross_val_score` for each rival, same folds."""
    pairs, plan = entrants(), KFold(10)
    folds = list(plan.split(X, y))
    progress("race: which number of BLAS threads suits scikit-learn", 0.0)
    blas = _quicker_blas([rival for _, rival in pairs.values()], X[:TRIAL_ROWS], y[:TRIAL_ROWS])
    assay_times: list[float] = []
    rival_times: dict[str, list[float]] = {name: [] for name in pairs}
    scores: dict[str, Array] = {}
    evaluations: dict[str, Evaluation] = {}
    steps = ROUNDS * (len(pairs) + 1)
    turns = [(r, name) for r in range(ROUNDS) for name in _turn(r, list(pairs))]
    for done, (r, name) in enumerate(turns):
        progress(f"race, round {r + 1} of {ROUNDS}: {name or 'Assay, all in one call'}", done / steps)
        start = time.perf_counter()
        if name is None:
            evaluations = evaluate({n: pair[0] for n, pair in pairs.items()}, X, y, plan, progress=False)
            assay_times.append(time.perf_counter() - start)
        else:
            with threadpool_limits(limits=blas, user_api="blas"):
                scores[name] = cross_val_score(pairs[name][1], X, y, cv=folds)
            rival_times[name].append(time.perf_counter() - start)
    sizes = np.array([len(test) for _, test in folds])
    entries = tuple(
        _entry(name, pair[1], evaluations[name], scores[name], sizes, rival_times[name])
        for name, pair in pairs.items()
    )
    totals = [sum(times) for times in zip(*rival_times.values(), strict=True)]
    return _finish(X.shape, entries, assay_times, totals, blas)


def _quicker_blas(rivals: list[RowClassifier], X: Array, y: NDArray[np.int64]) -> int | None:
    """The rivals' better setting: all BLAS threads (None) or one, which is far quicker where cores are busy."""
    seconds = {}
    for limit in (None, 1):
        with threadpool_limits(limits=limit, user_api="blas"):
            start = time.perf_counter()
            for rival in rivals:
                rival.fit(X, y)
            seconds[limit] = time.perf_counter() - start
    return min(seconds, key=lambda limit: seconds[limit])


def _turn(r: int, names: list[str]) -> list[str | None]:
    """Who runs in a round: ours (None) first and last by turns, so that neither side always runs warm."""
    return [None, *names] if r % 2 == 0 else [*names, None]


def _entry(
    name: str,
    rival: RowClassifier,
    evaluation: Evaluation,
    scores: Array,
    sizes: NDArray[np.int64],
    seconds: list[float],
) -> RaceEntry:
    return RaceEntry(
        model=name,
        rival=type(rival).__name__,
        wrong=round(evaluation.error * len(evaluation.codes)),
        rival_wrong=round(float(((1.0 - scores) * sizes).sum())),
        largest_fold_difference=float(np.abs(evaluation.split_errors - (1.0 - scores)).max()),
        rival_seconds=median(seconds),
    )


def _finish(
    shape: tuple[int, ...],
    entries: tuple[RaceEntry, ...],
    assay_times: list[float],
    rival_times: list[float],
    blas: int | None,
) -> Race:
    ratios = tuple(b / a for a, b in zip(assay_times, rival_times, strict=True))
    return Race(
        rows=shape[0],
        features=shape[1],
        folds=10,
        rounds=ROUNDS,
        threads=thread_count(),
        rival_blas_threads=blas,
        entries=entries,
        seconds=median(assay_times),
        rival_seconds=median(rival_times),
        ratio=median(ratios),
        ratios=ratios,
    )
