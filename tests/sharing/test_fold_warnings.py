"""Warnings of models that are refitted: one note each, nothing on the error stream, whatever threads do to filters."""

from __future__ import annotations

import subprocess
import sys
import threading
import warnings
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.utils.parallel import Parallel, delayed

from assay import KFold, evaluate
from assay.sharing.fold_warnings import collect_warnings

SENTENCE = "The trees were warned. Twice"


def _warn(text: str) -> None:
    warnings.warn(text, UserWarning, stacklevel=1)


class Loud(ClassifierMixin, BaseEstimator):
    """Warns at every fit and every prediction, inside scikit-learn's own threads."""

    def __init__(self, numbered: bool = False) -> None:
        self.numbered = numbered

    def fit(self, X: Any, y: Any) -> Loud:
        self.classes_ = np.unique(y)
        texts = [f"{SENTENCE} {i if self.numbered else ''}" for i in range(8)]
        Parallel(n_jobs=2, backend="threading")(delayed(_warn)(text) for text in texts)
        return self

    def predict(self, X: Any) -> Any:
        _warn("A prediction, too.")
        return np.full(len(X), self.classes_[0])


def table() -> tuple[Any, Any]:
    return np.arange(80.0).reshape(40, 2), np.arange(40) % 2


@pytest.fixture(autouse=True)
def plain_filters() -> Any:
    """As in a process that nobody has told anything about warnings."""
    with warnings.catch_warnings():
        warnings.resetwarnings()
        warnings.simplefilter("default")
        yield


def test_each_warning_is_one_note(capfd: pytest.CaptureFixture[str]) -> None:
    X, y = table()
    for jobs in (1, 2):  # the second time is told as much as the first
        found = evaluate(Loud(), X, y, KFold(5), n_jobs=jobs)
        assert found.notes == (f"Loud warned: {SENTENCE}.", "Loud warned: A prediction, too.")[::-1]
    assert capfd.readouterr().err == ""


def test_warnings_that_differ_in_a_number_are_counted() -> None:
    X, y = table()
    found = evaluate(Loud(numbered=True), X, y, KFold(4), n_jobs=2)
    assert f"Loud warned: {SENTENCE} 0 (and 7 like it)." in found.notes
    assert len(found.notes) == 2


def test_everything_is_as_before_afterwards() -> None:
    X, y = table()
    filters, show = list(warnings.filters), warnings.showwarning
    evaluate(Loud(), X, y, KFold(5), n_jobs=2)
    assert list(warnings.filters) == filters
    assert warnings.showwarning is show
    with pytest.warns(UserWarning, match="heard again"):
        _warn("heard again")


def test_errors_stay_errors_and_ignored_ones_unheard() -> None:
    X, y = table()
    warnings.filterwarnings("ignore", message="A prediction")
    assert evaluate(Loud(), X, y, KFold(3), n_jobs=2).notes == (f"Loud warned: {SENTENCE}.",)
    warnings.filterwarnings("error", message="The trees")
    with pytest.raises(UserWarning, match="The trees"):
        evaluate(Loud(), X, y, KFold(3), n_jobs=2)


def test_a_forest_in_threads_of_its_own(capfd: pytest.CaptureFixture[str]) -> None:
    X, y = table()
    forest = RandomForestClassifier(5, oob_score=True, n_jobs=2, random_state=0)
    found = evaluate(forest, X, y, KFold(5), n_jobs=2)
    assert len(found.notes) == len(set(found.notes))
    assert any("OOB" in note for note in found.notes)
    assert all(note.startswith("RandomForestClassifier warned: ") for note in found.notes)
    assert capfd.readouterr().err == ""


def test_two_listeners_at_once_leave_nothing_behind() -> None:
    show = warnings.showwarning
    inside, leave = threading.Event(), threading.Event()

    def other() -> None:
        with collect_warnings():
            inside.set()
            leave.wait(10)

    thread = threading.Thread(target=other)
    with collect_warnings() as warned:
        thread.start()
        inside.wait(10)
        _warn("both hear it")
    assert warned.notes("It") == ("It warned: both hear it.",)
    leave.set()
    thread.join()
    assert warnings.showwarning is show


def test_a_fresh_process_prints_nothing() -> None:
    code = (
        "from tests.sharing.test_fold_warnings import *\n"
        "print(len(evaluate(Loud(), *table(), KFold(5), n_jobs=2).notes))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stdout.split() == ["2"]
    assert done.stderr == ""
