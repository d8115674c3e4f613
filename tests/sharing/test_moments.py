"""Models solved from moments: every scheme as refits give it, whatever stands before the model and beside the rows."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline

from assay import (
    BasisExpansion,
    Bootstrap,
    FisherDiscriminant,
    GaussianClassifier,
    GaussianNB,
    HoldOut,
    LeastSquaresClassifier,
    LeaveOneOut,
    PriorClassifier,
    Standardize,
    evaluate,
)  # fmt: skip
from assay.plans import as_plan
from assay.sharing.dispatch import solve
from assay.sharing.moments import MOMENTS
from assay.sharing.part import Part
from assay.sharing.reductions import AllScores, BaseReduction, Losses, Several
from assay.sharing.settings import Settings
from assay.sharing.splits import Splits, splits_of
from assay.sharing.study import Study
from tests.sharing.compared import assert_same, in_blocks, in_memory, scored
from tests.sharing.nearest_mean import NearestMean
from tests.sharing.schemes import SCHEMES
from tests.sharing.split_tables import BEHIND, CLASSES, ROWS, schemes, table, weights

PLAIN = [
    GaussianNB(),
    GaussianClassifier("shared", shrinkage=0.1),
    GaussianClassifier("full", shrinkage=0.2),
    GaussianClassifier("diagonal", blend=0.5),
    LeastSquaresClassifier(l2=0.01),
    FisherDiscriminant(variance_floor=1e-6),
    PriorClassifier(),
]
LAST = [GaussianNB(), GaussianClassifier("full", shrinkage=0.3), LeastSquaresClassifier(l2=0.05)]


def compare(models: list[Any], X: Any, y: Any, splits: Splits, weight: Any = None) -> None:
    data = in_memory(X, y, weight)
    found, solved = scored(models, data, splits, (MOMENTS,))
    assert set(solved.ways) == {"statistics"}, solved.notes
    wanted, _ = scored(models, data, splits, ())
    for one, two in zip(found, wanted, strict=True):
        assert_same(one, two)


@pytest.mark.parametrize("weight", ["none", "importance"])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_classifier_of_somebody_elses_shares(scheme: str, weight: str) -> None:
    compare(
        [NearestMean(), make_pipeline(Standardize(), NearestMean(0.1))],
        *table(),
        schemes()[scheme],
        weights(weight),
    )


@pytest.mark.parametrize("plan", [None, LeaveOneOut(), Bootstrap(20), HoldOut(0.3)], ids=repr)
def test_evaluations_of_somebody_elses_classifier(plan: Any) -> None:
    X, y = table()
    found = evaluate(NearestMean(), X, y, plan)
    assert found.strategy == "statistics"
    wanted, _ = scored([NearestMean()], in_memory(X, y), splits_of(as_plan(plan or 10), found.codes), ())
    assert wanted[0] is not None
    there = wanted[0].test < found.n_splits
    assert np.allclose(found.tested.scores, wanted[0].scores[there], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("scheme", ["k-fold", "nested", "leave-one-out", "bootstrap"])
def test_the_same_bits_for_any_number_of_threads(scheme: str) -> None:
    X, y = table()
    found = []
    for threads in (1, 2, 8):
        data = in_memory(X, y, weights("importance"), n_jobs=threads)
        found.append(scored(PLAIN, data, schemes()[scheme], (MOMENTS,))[0])
    for other in found[1:]:
        for one, two in zip(found[0], other, strict=True):
            assert one is not None and two is not None and np.array_equal(one.scores, two.scores)


@pytest.mark.parametrize("scheme", ["k-fold", "nested twice", "leave-one-out", "bootstrap"])
def test_together_is_as_alone(scheme: str) -> None:
    X, y = table()
    splits = schemes()[scheme]
    together, _ = scored(PLAIN, in_memory(X, y), splits, (MOMENTS,))
    for model, found in zip(PLAIN, together, strict=True):
        assert_same(found, scored([model], in_memory(X, y), splits, (MOMENTS,))[0][0], 1e-10)


@pytest.mark.parametrize("scheme", ["nested twice", "leave-one-out", "repeated"])
def test_only_what_is_asked_for_is_scored(scheme: str) -> None:
    X, y = table()
    splits = schemes()[scheme]
    only = np.random.default_rng(0).random((len(PLAIN), splits.n_tests)) < 0.3
    only[1] = False
    everything, _ = scored(PLAIN, in_memory(X, y), splits, (MOMENTS,))
    some, _ = scored(PLAIN, in_memory(X, y), splits, (MOMENTS,), only)
    assert some[1] is None
    for s in (0, 2, 4):
        whole, part = everything[s], some[s]
        assert whole is not None and part is not None
        there = only[s][whole.test]
        assert np.array_equal(part.test, whole.test[there])
        assert np.allclose(part.scores, whole.scores[there], rtol=1e-10, atol=1e-12)


def test_only_what_is_asked_for_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = table()
    splits, sizes = schemes()["k-fold"], []
    model = GaussianClassifier("full", shrinkage=0.1)
    solve_moments = GaussianClassifier.solve_moments
    monkeypatch.setattr(
        GaussianClassifier,
        "solve_moments",
        lambda self, m: sizes.append(len(m.weight)) or solve_moments(self, m),
    )
    only = np.zeros((2, splits.n_tests), dtype=bool)
    only[0, [0, 2]] = only[1, 1] = True
    models = [model, GaussianClassifier("full", shrinkage=0.3)]
    some, _ = scored(models, in_memory(X, y), splits, (MOMENTS,), only)
    assert sorted(sizes) == [1, 2]
    everything, _ = scored(models, in_memory(X, y), splits, (MOMENTS,))
    for s, (whole, part) in enumerate(zip(everything, some, strict=True)):
        assert whole is not None and part is not None
        assert np.allclose(part.scores, whole.scores[only[s][whole.test]], rtol=1e-10, atol=1e-12)


def test_statistics_are_collected_once_for_deeper_splits_too(monkeypatch: pytest.MonkeyPatch) -> None:
    passes = []
    training = sys.modules["assay.sharing.moments.training"]
    own = training.collect
    monkeypatch.setattr(training, "collect", lambda *given, **named: passes.append(1) or own(*given, **named))
    X, y = table()
    study = Study(in_memory(X, y), schemes()["k-fold"])
    for each in (study, study.deeper()):
        settings = Settings.of([GaussianClassifier("full", shrinkage=s) for s in (0.1, 0.5)])
        solve(settings, each).reduce(AllScores(each.splits, 2, ROWS))
    assert passes == [1]


@pytest.mark.parametrize("scheme", ["k-fold", "bootstrap", "leave-one-out"])
def test_steps_that_learn_nothing_are_applied_once(scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = table()
    X, splits = X[:, :3], schemes()[scheme]
    expanded = [BasisExpansion("interaction"), Standardize()]
    models = [make_pipeline(*expanded, last) for last in LAST]
    wanted, _ = scored(models, in_memory(X, y), splits, ())
    blocks, solved = scored(models, in_blocks(X, y), splits, (MOMENTS,))
    made = []
    own = BasisExpansion.transform
    monkeypatch.setattr(BasisExpansion, "transform", lambda self, X: made.append(len(X)) or own(self, X))
    found, _ = scored(models, in_memory(X, y), splits, (MOMENTS,))
    assert made == [ROWS] and set(solved.ways) == {"statistics"}
    for one, two, three in zip(found, blocks, wanted, strict=True):
        assert_same(one, three)
        assert_same(two, three)


class Histogram(BaseReduction):
    """How often the true class has a posterior in each tenth: a reduction of somebody else's."""

    def add(self, part: Part) -> Any:
        share = np.exp(part.scores[np.arange(len(part.codes)), part.codes])
        return np.histogram(share, 10, (0, 1))[0]

    def merge(self, a: Any, b: Any) -> Any:
        return a + b

    def finish(self, total: Any) -> Any:
        return total


@pytest.mark.parametrize("scheme", ["nested", "leave-one-out", "bootstrap"])
def test_reductions_of_somebody_elses(scheme: str) -> None:
    X, y = table()
    splits = schemes()[scheme]
    found = solve(Settings.of([GaussianNB()]), Study(in_blocks(X, y), splits)).reduce(Histogram())
    wanted = solve(Settings.of([GaussianNB()]), Study(in_memory(X, y), splits), ()).reduce(Histogram())
    assert np.array_equal(found, wanted) and found.sum() > 0


SHRINKAGES = (0.05, 0.3)
GRID = [GaussianClassifier("full", blend=b, shrinkage=s) for b in (0.0, 0.4, 1.0) for s in SHRINKAGES]


@pytest.mark.parametrize("priors", [None, np.array([0.5, 0.2, 0.3])], ids=["own", "other"])
@pytest.mark.parametrize("behind", ["", "scaler", "imputer"])
@pytest.mark.parametrize("weight", ["none", "importance"])
@pytest.mark.parametrize("scheme", [name for name in SCHEMES if name != "leave-one-out"])
def test_mistakes_are_those_of_scores(scheme: str, weight: str, behind: str, priors: Any) -> None:
    """Both ways give the same sums, whatever the tests of the splits are."""
    X, y = table(5, gaps=behind == "imputer")
    splits = schemes()[scheme]
    models = [make_pipeline(*BEHIND[behind], each) if behind else each for each in [*GRID, GaussianNB()]]
    groups = (splits.parent + 1) % 7
    groups[-1] = -1 if splits.n_tests > 1 else 0
    keep = Losses(len(models), CLASSES, groups.astype(np.int32), priors=priors)
    study = Study(in_memory(X, y, weights(weight)), splits)
    fused = solve(Settings.of(models), study, (MOMENTS,)).reduce(keep)
    plain = solve(Settings.of(models), study, (MOMENTS,)).reduce(Several((keep,)))[0]
    np.testing.assert_allclose(fused, plain, rtol=1e-9, atol=1e-9)
