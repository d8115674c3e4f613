"""Linear models solved by passes: every scheme as refits give it, whatever stands before them and beside the rows."""

from __future__ import annotations

import os
import signal
import threading
import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.pipeline import make_pipeline

from assay import Bootstrap, LinearSVM, LogisticRegression, Perceptron, evaluate
from assay.engines.local import LocalEngine
from assay.plans import Partition
from assay.sharing import splits as sp
from assay.sharing.dispatch import solve
from assay.sharing.path import PATH
from assay.sharing.reductions import AllScores
from assay.sharing.settings import Settings
from assay.sharing.splits import Splits
from assay.sharing.study import Study
from tests.noted import noted
from tests.sharing.compared import assert_same, in_blocks, in_memory, scored
from tests.sharing.split_tables import BEHIND, ROWS, schemes, table, weights

TIGHT, EQUAL = 1e-10, 1e-6
SMOOTH = [LogisticRegression(l2=0.01, tol=TIGHT), LogisticRegression(l2=0.2, tol=TIGHT)]
PLAIN = [
    *SMOOTH,
    LogisticRegression(l2=0.001, l1=0.02, tol=TIGHT),
    LinearSVM(surrogate="squared_hinge", l2=0.05, tol=TIGHT),
    LinearSVM(l2=0.2, tol=TIGHT),
    Perceptron(epochs=5),
    Perceptron(epochs=3, variant="pocket", shuffle=True, random_state=3),
]
SOME = ["k-fold", "repeated", "overlapping", "bootstrap", "nested in time", "resubstitution"]
LAST = [SMOOTH[0], PLAIN[2], PLAIN[3], Perceptron(epochs=2)]


def compare(models: list[Any], X: Any, y: Any, splits: Splits, weight: Any = None) -> None:
    data = in_memory(X, y, weight)
    found, solved = scored(models, data, splits, (PATH,))
    assert set(solved.ways) == {"path"}, solved.notes
    wanted, _ = scored(models, in_memory(X, y, weight, n_jobs=1), splits, ())
    for one, two in zip(found, wanted, strict=True):
        assert one is not None and two is not None
        if not two.posterior:  # margins have no priors
            one = one._replace(priors=two.priors)
        assert_same(one, two, EQUAL)


@pytest.mark.parametrize("behind", ["", "scaler", "PCA"])
@pytest.mark.parametrize("scheme", SOME)
def test_weights_of_classes_are_those_of_each_training_set(scheme: str, behind: str) -> None:
    X, y = table(2)
    models = [
        type(last)(**{**last.get_params(), "class_weight": weight})
        for last in [LAST[0], LAST[1 + len(scheme) % 3]]
        for weight in ("balanced", {"a": 3.0, "c": 0.5})
    ]
    steps = BEHIND[behind] if behind else []
    compare([make_pipeline(*steps, each) for each in models], X, y, schemes()[scheme], weights("importance"))


@pytest.mark.parametrize("class_weight", [None, "balanced"])
def test_a_class_that_some_training_sets_lack(class_weight: Any) -> None:
    X, y = table(3)
    fold = np.arange(ROWS) % 4
    y = np.where(fold == 1, "z", y)  # the rows of one fold alone
    splits = sp.folds(Partition(fold.astype(np.int32), 4))
    models = [
        type(last)(**{**last.get_params(), "class_weight": class_weight}) for last in (PLAIN[0], *PLAIN[2:5])
    ]
    compare(models, X, y, splits)
    _, solved = scored(models, in_memory(X, y), splits, (PATH,))
    assert noted(solved.difficulties(0), "S200", label="z")


def test_two_classes() -> None:
    X, y = table(4)
    for scheme in ("k-fold", "bootstrap", "overlapping"):
        models = [*PLAIN, LogisticRegression(l2=0.02, tol=TIGHT, class_weight="balanced")]
        compare(models, X, np.where(y == "a", "a", "b"), schemes()[scheme], weights("whole"))


@pytest.mark.parametrize("scheme", ["k-fold", "repeated", "bootstrap"])
def test_settings_together_are_settings_alone(scheme: str) -> None:
    X, y = table(7)
    data, splits = in_memory(X, y), schemes()[scheme]
    together, _ = scored(PLAIN, data, splits, (PATH,))
    for model, found in zip(PLAIN, together, strict=True):
        (alone,), _ = scored([model], data, splits, (PATH,))
        assert_same(found, alone, EQUAL)


@pytest.mark.parametrize("scheme", ["k-fold", "repeated", "bootstrap"])
def test_the_same_bits_for_any_number_of_threads(scheme: str) -> None:
    X, y = table(8)
    models = [*PLAIN, LogisticRegression(l2=0.01, class_weight="balanced")]
    found = [
        scored(models, in_memory(X, y, weights("importance"), n_jobs=n), schemes()[scheme], (PATH,))[0]
        for n in (1, 2, 8)
    ]
    for other in found[1:]:
        for one, two in zip(found[0], other, strict=True):
            assert one is not None and two is not None
            assert one.scores.tobytes() == two.scores.tobytes()


def test_separated_classes_in_blocks() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = np.where(X[:, 0] > 0, "right", "left")
    X[:, 0] += np.where(X[:, 0] > 0, 1.0, -1.0)
    splits = sp.folds(Partition((np.arange(60) % 3).astype(np.int32), 3))
    model = LogisticRegression(l2=0.0, tol=TIGHT)
    found, _ = scored([model], in_blocks(X, y), splits, (PATH,))
    wanted, _ = scored([model], in_memory(X, y), splits, (PATH,))
    assert_same(found[0], wanted[0], EQUAL)


def test_what_is_refitted_and_why() -> None:
    X, y = table(10)
    start = np.zeros((3, X.shape[1] + 1))
    models = [LogisticRegression(l2=0.1, start=start), LogisticRegression(l2=0.1)]
    splits = schemes()["k-fold"]
    _, solved = scored(models, in_memory(X, y), splits)
    assert solved.ways == ["refit", "path"]
    assert solved.difficulties(0)[-1].code == "S007"
    _, solved = scored(models[1:], in_memory(csr_array(X), y), splits)
    assert solved.ways == ["path"]
    _, solved = scored(models[1:], in_memory(X, y), sp.one_out(ROWS))
    assert solved.ways == ["refit"] and solved.difficulties(0)[-1].code == "S022"
    _, solved = scored([LinearSVM(solver="sgd", random_state=0)], in_memory(X, y), splits)
    assert solved.ways == ["refit"]


def test_bootstrap_is_shared() -> None:
    X, y = table(11)
    found = evaluate(LogisticRegression(l2=0.01), X, y, Bootstrap(20, random_state=0))
    assert found.strategy == "path"


def test_progress_is_told() -> None:
    X, y = table(12)
    told: list[tuple[str, int, int]] = []
    data = replace(in_memory(X, y), engine=LocalEngine(1, lambda *step: told.append(step)))
    scored(SMOOTH, data, schemes()["repeated"], (PATH,))
    assert [done for label, done, _ in told if label == "Linear models"] == [1, 2]


@pytest.mark.parametrize(
    "model", [LogisticRegression(l2=1e-6, tol=TIGHT), LinearSVM(l2=1e-6), LogisticRegression(l2=0, l1=1e-6)]
)
def test_an_interrupt_is_answered_within_a_second(model: Any) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60_000, 60))
    y = (X[:, :5].sum(axis=1) + rng.normal(size=len(X)) > 0).astype(int)
    fold = (np.arange(len(X)) % 10).astype(np.int32)
    splits = sp.joined([sp.folds(Partition(np.roll(fold, k), 10)) for k in range(40)])
    waited = [_interrupted(model, in_memory(X, y, n_jobs=2), splits)]
    while waited[-1] > 1.0 and len(waited) < 3:  # other work on the machine may hold us up
        waited.append(_interrupted(model, in_memory(X, y, n_jobs=2), splits))
    assert min(waited) < 1.0


def _interrupted(model: Any, data: Any, splits: Splits) -> float:
    """Seconds from Ctrl-C to its answer."""
    sent = []

    def interrupt() -> None:
        time.sleep(0.6)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    # A shell that runs the tests in the background has them ignore Ctrl-C.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=interrupt, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        scored([model], data, splits, (PATH,))
    signal.signal(signal.SIGINT, before)
    return time.monotonic() - sent[0]


def test_only_what_is_asked_for_is_solved_and_the_rest_when_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = table()
    splits, sizes = schemes()["k-fold"], []
    solve_parts = LogisticRegression.solve_parts

    def counted(self: Any, passes: Any, parts: Any, n_classes: int, *penalties: Any, **named: Any) -> Any:
        sizes.append((len(parts.copies), len(penalties[0])))
        return solve_parts(self, passes, parts, n_classes, *penalties, **named)

    monkeypatch.setattr(LogisticRegression, "solve_parts", counted)
    study, keep = Study(in_memory(X, y), splits), AllScores(splits, len(SMOOTH), len(y))
    solved = solve(Settings.of(SMOOTH), study, (PATH,))
    only = np.zeros((len(SMOOTH), splits.n_tests), dtype=bool)
    only[0, [0, 2]] = only[1, 1] = True
    some = solved.reduce(keep, only)
    assert sorted(sizes) == [(1, 1), (2, 1)]
    everything = solved.reduce(keep)
    assert sum(models * penalties for models, penalties in sizes) == len(SMOOTH) * splits.n_models
    at_once, _ = scored(SMOOTH, in_memory(X, y), splits, (PATH,))
    for s, (whole, part) in enumerate(zip(everything, some, strict=True)):
        assert_same(whole, at_once[s], EQUAL)
        assert whole is not None and part is not None
        assert np.array_equal(part.scores, whole.scores[only[s][whole.test]])


def test_small_training_sets_are_solved_apart_from_large_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = table()
    splits, seen = schemes()["learning curve"], []
    solve_parts = LogisticRegression.solve_parts

    def counted(self: Any, passes: Any, parts: Any, n_classes: int, *penalties: Any, **named: Any) -> Any:
        seen.append(parts.copies.sum(axis=1))
        return solve_parts(self, passes, parts, n_classes, *penalties, **named)

    monkeypatch.setattr(LogisticRegression, "solve_parts", counted)
    scored(SMOOTH[:1], in_memory(X, y), splits, (PATH,))
    assert len(seen) == splits.n_sizes and sum(map(len, seen)) == splits.n_models
