"""One dispatcher: what a user writes, a reduction or a classifier, goes through every sharer as through refits."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline

import assay
from assay import (
    Bootstrap,
    Calibrated,
    KFold,
    LeaveOneOut,
    OneVsOne,
    OneVsRest,
    Standardize,
    evaluate,
    learning_curve,
    nested,
    tune,
)
from assay.sharing import dispatch
from assay.sharing.dispatch import SHARERS, solve
from assay.sharing.part import Part
from assay.sharing.reductions import BaseReduction
from assay.sharing.settings import Settings
from assay.sharing.splits import Splits, bootstrap, one_out, splits_of
from assay.sharing.study import Study
from tests.sharing.compared import assert_same, in_memory, scored
from tests.sharing.nearest_mean import NearestMean

N, TIGHT = 72, 1e-10
RNG = np.random.default_rng(5)
CODES = RNG.permutation(np.arange(N) % 3).astype(np.int32)
X = RNG.normal(size=(N, 4)) + CODES[:, None] * [0.9, 0.0, -0.6, 0.2]
LEVELS = np.clip(np.round(X), -1, 2) + 1
MODELS: dict[str, tuple[Any, Any]] = {
    "statistics": (assay.GaussianNB(), X),
    "path": (assay.LogisticRegression(l2=0.1, tol=TIGHT), X),
    "counts": (assay.CategoricalNB(), LEVELS),
    "neighbors": (assay.KNeighborsClassifier(4), X),
    "gram": (assay.KernelSVM(C=1.0, gamma=0.2, tol=1e-8), X),
    "refit": (assay.NeuralNetwork((3,), epochs=2, random_state=0), X),
}


def scheme_splits(scheme: str) -> Splits:
    plain = splits_of(KFold(4), CODES)
    assert plain.deeper is not None
    return {
        "k-fold": lambda: plain,
        "pairs": plain.deeper,
        "leave-one-out": lambda: one_out(N),
        "bootstrap": lambda: bootstrap(Bootstrap(3).multiplicities(N)),
    }[scheme]()


class Confusions(BaseReduction):
    """How often each class is taken for each, by setting and test: a reduction of somebody else's."""

    def add(self, part: Part) -> Any:
        best = part.scores.argmax(axis=1) if part.predicted is None else part.predicted
        cells = zip(part.test.tolist(), part.codes.tolist(), np.asarray(best).tolist(), strict=True)
        counts: dict[Any, int] = {}
        for cell in cells:
            counts[part.setting, *cell] = counts.get((part.setting, *cell), 0) + 1
        return counts

    def merge(self, a: Any, b: Any) -> Any:
        return {cell: a.get(cell, 0) + b.get(cell, 0) for cell in {*a, *b}}

    def finish(self, total: Any) -> Any:
        return total


@pytest.mark.parametrize("scheme", ["k-fold", "pairs", "leave-one-out", "bootstrap"])
@pytest.mark.parametrize("way", MODELS)
def test_a_reduction_of_somebody_elses_goes_through_every_sharer(way: str, scheme: str) -> None:
    model, rows = MODELS[way]
    study = Study(in_memory(rows, CODES), scheme_splits(scheme))
    shared = solve(Settings.of([model]), study)
    assert shared.ways == ["refit" if (way, scheme) == ("path", "leave-one-out") else way]
    total = shared.reduce(Confusions())
    assert total == solve(Settings.of([model]), study, ()).reduce(Confusions())
    assert sum(total.values()) == sum(len(study.splits.test_rows(t)) for t in range(study.splits.n_tests))


class Fails(Confusions):
    """A reduction that meets one test of one setting with an error."""

    def __init__(self, setting: int, test: int) -> None:
        self.setting, self.test = setting, test

    def add(self, part: Part) -> Any:
        if part.setting == self.setting and (part.test == self.test).any():
            raise ZeroDivisionError("no rows of that kind")
        return super().add(part)


@pytest.mark.parametrize("way", MODELS)
def test_a_reduction_that_raises_names_the_setting_and_the_split(way: str) -> None:
    model, rows = MODELS[way]
    settings = Settings(tuple(MODELS[way][0] for _ in range(2)), ("one", "another"))
    solved = solve(settings, Study(in_memory(rows, CODES), scheme_splits("k-fold")))
    with pytest.raises(ZeroDivisionError, match="^no rows of that kind") as caught:
        solved.reduce(Fails(1, 2))
    assert caught.value.__notes__ == ["While the scores of setting 1 (another) in split 2 were reduced."]


USES: dict[str, Any] = {
    "evaluate": lambda: evaluate(NearestMean(), X, CODES, KFold(5)),
    "weights": lambda: evaluate(NearestMean(), X, CODES, KFold(5), sample_weight=np.arange(N) % 3 + 0.5),
    "leave-one-out": lambda: evaluate(NearestMean(), X, CODES, LeaveOneOut()),
    "bootstrap": lambda: evaluate(NearestMean(), X, CODES, Bootstrap(5)),
    "behind a scaler": lambda: evaluate(make_pipeline(Standardize(), NearestMean()), X, CODES, KFold(5)),
    "calibrated": lambda: evaluate(Calibrated(NearestMean()), X, CODES, KFold(4)),
    "one against the rest": lambda: evaluate(OneVsRest(NearestMean()), X, CODES, KFold(4)),
    "one against one": lambda: evaluate(OneVsOne(NearestMean()), X, CODES, KFold(4)),
}


def by_refits(use: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    with monkeypatch.context() as changed:
        changed.setattr(dispatch, "SHARERS", ())
        return use()


@pytest.mark.parametrize("name", USES)
def test_a_classifier_of_thirty_lines_is_evaluated_as_by_refits(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared, refitted = USES[name](), by_refits(USES[name], monkeypatch)
    assert shared.strategy == "statistics" and refitted.strategy == "refit"
    assert np.allclose(shared.scores, refitted.scores, rtol=1e-8, atol=1e-8)
    assert shared.error == refitted.error


FLOORS = [1e-3, 0.1, 3.0, 30.0]


def test_a_classifier_of_thirty_lines_is_tuned_nested_and_has_a_curve(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    uses: dict[str, tuple[Any, Any]] = {
        "tune": (
            lambda: tune(NearestMean(), X, CODES, plan=KFold(4), floor=FLOORS),
            lambda found: [*found.errors, found.model.floor],
        ),
        "nested": (
            lambda: nested(NearestMean(), X, CODES, plan=KFold(4), floor=FLOORS),
            lambda found: [found.error, found.optimism],
        ),
        "curve": (
            lambda: learning_curve(NearestMean(), X, CODES, KFold(4), sizes=(0.4, 0.7, 1.0)),
            lambda found: [each.error for each in found.evaluations],
        ),
    }
    for use, figures in uses.values():
        assert np.allclose(figures(use()), figures(by_refits(use, monkeypatch)), rtol=1e-12)


def test_settings_of_every_sharer_side_by_side_are_settings_alone() -> None:
    models = [model for model, rows in MODELS.values() if rows is X]
    data, splits = in_memory(X, CODES), scheme_splits("pairs")
    together, solved = scored(models, data, splits)
    assert set(solved.ways) == {*MODELS} - {"counts"}
    assert {sharer.name for sharer in SHARERS} | {"refit"} == {*MODELS}
    for model, one in zip(models, together, strict=True):
        assert_same(one, scored([model], data, splits)[0][0])


def test_shuffled_settings_go_the_same_ways() -> None:
    models = [model for model, rows in MODELS.values() if rows is X]
    study = Study(in_memory(X, CODES), scheme_splits("k-fold"))
    for order in itertools.islice(itertools.permutations(range(len(models))), 0, None, 17):
        ways = solve(Settings.of([models[i] for i in order]), study).ways
        assert ways == [solve(Settings.of([models[i]]), study).ways[0] for i in order]
