"""Fits in threads and in processes: the same bits, the same warnings, and an end when somebody stops them."""

from __future__ import annotations

import math
import os
import signal
import warnings
from typing import Any

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from assay import KFold, NeuralNetwork, evaluate
from assay.engines.local import thread_count
from assay.sharing import side_by_side as side


class Loud(DecisionTreeClassifier):
    """Warns at every fit, and remembers where it was fitted and with how many threads."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Loud:
        warnings.warn("too few leaves", UserWarning, stacklevel=1)
        self.priors_ = np.array([os.getpid(), thread_count()], dtype=float)
        return super().fit(X, y)


class Failing(DecisionTreeClassifier):
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Failing:
        if X[0, 0] > 0:
            raise ValueError("The first row is missing; add it.")
        return super().fit(X, y)


def table(rows: int = 80) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    X = np.column_stack([np.arange(rows), rng.normal(size=rows)]).astype(float)
    return X, (X[:, 1] + rng.normal(size=rows) > 0).astype(int)


@pytest.fixture
def leaving(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every fit but the first in another process, however quick it is."""
    monkeypatch.setattr(side, "STARTING", 0.0)
    monkeypatch.setattr(side, "STARTED", 0.0)
    monkeypatch.setattr(side, "_used", -np.inf)
    monkeypatch.setattr(side, "_seconds", {})


@pytest.mark.usefixtures("leaving")
def test_processes_give_the_bits_and_warnings_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = table()
    for model in (
        RandomForestClassifier(5, random_state=0),
        NeuralNetwork((4,), epochs=5),
        Loud(random_state=0),
    ):
        apart = evaluate(model, X, y, KFold(4), n_jobs=2, progress=False)
        with monkeypatch.context() as patch:
            patch.setattr(side, "SMALL_ROWS", 0)
            here = evaluate(model, X, y, KFold(4), n_jobs=2, progress=False)
        assert np.array_equal(apart.scores, here.scores) and apart.notes == here.notes
    assert apart.notes == ("Loud warned: too few leaves.",)
    where, threads = apart.tested.priors.T
    assert os.getpid() not in where[1:] and set(threads.tolist()) == {1.0}


def test_each_of_several_fits_has_one_thread_and_a_single_one_has_all() -> None:
    X, y = table()
    some = evaluate(Loud(), X, y, KFold(4), n_jobs=2, progress=False).tested.priors[:, 1]
    assert set(some.tolist()) == {1.0}
    everything = evaluate(Loud(), X, y, [(np.arange(60), np.arange(60, 80))], n_jobs=3, progress=False)
    assert everything.tested.priors[0, 1] == min(3, thread_count())


@pytest.mark.usefixtures("leaving")
def test_what_a_fit_or_the_caller_raises_ends_the_work() -> None:
    X, y = table()
    splits = [(np.arange(0, 60), np.arange(60, 80))] * 3 + [(np.arange(20, 80), np.arange(20))]
    with pytest.raises(ValueError, match="^The first row is missing; add it.$"):
        evaluate(Failing(), X, y, splits, n_jobs=2, progress=False)

    def stop(name: str, done: int, total: int) -> None:
        if done == 3:
            raise TimeoutError

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(TimeoutError):
            evaluate(RandomForestClassifier(20), X, y, KFold(10), n_jobs=2, progress=stop)


@pytest.mark.usefixtures("leaving")
def test_models_that_cannot_be_sent_stay_here() -> None:
    model = DecisionTreeClassifier()
    model.never = lambda: None  # type: ignore[attr-defined]
    assert not side._can_leave(model)
    assert side._can_leave(DecisionTreeClassifier()) and not side._can_leave(np.zeros(side.LARGEST))


def test_quick_fits_start_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(side, "_in_processes", lambda *_: pytest.fail("a process"))
    monkeypatch.setattr(side, "_seconds", {})  # of fits in other tests
    monkeypatch.setattr(side, "_used", -math.inf)
    X, y = table()
    evaluate(DecisionTreeClassifier(), X, y, KFold(5), n_jobs=2, progress=False)


def test_work_that_stays_in_this_process_leaves_ctrl_c_alone() -> None:
    handler = signal.getsignal(signal.SIGINT)
    with parallel_config(backend="sequential"):
        assert side._in_processes(abs, [-1, -2], 2, lambda: None) == [1, 2]
    assert side._apart(abs, -3, os.getpid()) == 3
    assert signal.getsignal(signal.SIGINT) is handler
