"""Calibration inside a study: the maps of a plain loop over its splits, and never from a row that is tested."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB as ForeignNB
from sklearn.pipeline import make_pipeline

import assay
from assay.decision import LossMatrix
from assay.models.combine.base import class_scores
from assay.models.combine.calibration import Calibration, level
from assay.plans import Bootstrap, HoldOut, KFold, LeaveOneOut, Plan, TrainValidationTest, as_plan
from assay.sharing.dispatch import solve
from assay.sharing.fit_pipeline import fit_weighted
from assay.sharing.reductions import AllScores, Losses, Scored
from assay.sharing.settings import Settings
from assay.sharing.splits import ROOT, Splits, resubstitution, splits_of
from assay.sharing.study import Study
from tests.models.combine.inner_scores import assert_equal, scored, weights
from tests.nesting import nest
from tests.raised import raises
from tests.sharing.nearest_mean import NearestMean
from tests.sharing.studies import in_memory, table

BASES = [
    assay.GaussianNB(),
    assay.LeastSquaresClassifier(l2=0.1),
    make_pipeline(assay.Standardize(), assay.GaussianClassifier("shared")),
    assay.KNeighborsClassifier(6),
    ForeignNB(),
    NearestMean(),
]


def fitted(base: Any, X: Any, codes: Any, rows: Any, weight: Any) -> Any:
    return fit_weighted(clone(base), X[rows], codes[rows], None if weight is None else weight[rows])


def plain_loop(base: Any, method: str, X: Any, codes: Any, weight: Any, splits: Splits) -> dict[int, Any]:
    """Log posteriors of the rows of every test of the plan.

    For the model trained without fold f, the map is learned from the scores of the rows of every other fold g by the
    model trained without f and g.
    """
    classes, deep, found = np.unique(codes), splits.deeper(), {}

    def scores(m: int, rows: Any) -> Any:
        return class_scores(fitted(base, X, codes, deep.train_rows(m), weight), X[rows], classes)

    for t in splits.outer:
        m = splits.model[t]
        inside = np.flatnonzero((deep.parent == m) & (deep.model != m))
        rows = np.concatenate([deep.test_rows(u) for u in inside])
        learned = np.concatenate([scores(deep.model[u], deep.test_rows(u)) for u in inside])
        if weight is not None:
            rows, learned = rows[weight[rows] > 0], learned[weight[rows] > 0]
        known = np.unique(codes[splits.train_rows(m)])
        own = None if weight is None else weight[rows]
        posterior = hasattr(base, "predict_log_proba")
        places = np.searchsorted(known, codes[rows])
        found_map = Calibration.learned(method, learned[:, known], places, own, posterior, "", rows)
        tested = splits.test_rows(t)
        finite = level(scores(m, tested)[:, known], found_map.floor, found_map.bounded, "")
        found[int(t)] = np.full((len(tested), len(classes)), -np.inf)
        found[int(t)][:, known] = found_map.map.log_posterior(finite)
    return found


def assert_loop(found: Scored, expected: dict[int, Any], tight: float = 1e-8) -> None:
    rows = np.arange(len(found.test)) if found.row is None else found.row
    for t, scores in expected.items():
        mine = np.flatnonzero(found.test == t)
        mine = mine[np.argsort(rows[mine])]
        np.testing.assert_allclose(found.scores[mine], scores, rtol=tight, atol=tight)


CASES = [(KFold(4), kind) for kind in ("plain", "whole", "importance", "groups", "absent")]
CASES += [(plan, "whole") for plan in (KFold(3, repeats=2), HoldOut(0.4), KFold(2))]


@pytest.mark.parametrize(("plan", "kind"), CASES, ids=repr)
@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
def test_maps_are_those_of_a_plain_loop(method: str, plan: Plan, kind: str) -> None:
    X, codes = table(rows=60)
    groups = np.arange(60, dtype=np.int32) // 2 if kind == "groups" else None
    if kind == "absent":
        codes = np.where(codes == 2, 1, codes).astype(np.int32)
        codes[5] = 2
    weight = weights(kind, codes)
    rows = in_memory(X, codes, weight, groups)
    study = Study(rows, splits_of(plan, rows.codes, groups))
    # Rows of equal votes count as one for isotonic curves; sums of importance weights are equal but for rounding.
    tied = BASES[3] if (method, kind) == ("isotonic", "importance") else None
    bases = [base for base in BASES if base is not tied]
    settings = Settings.of([assay.Calibrated(base, method=method) for base in bases])
    found, ways = scored(settings, study)
    assert ways == solve(Settings.of(bases), study.deeper()).ways
    for base, each in zip(bases, found, strict=True):
        assert each.posterior
        assert_loop(each, plain_loop(base, method, X, codes, weight, study.splits))


DRAWN = [KFold(3), KFold(2, repeats=2), HoldOut(0.4), 4, [(np.arange(12), np.arange(12, 20))]]


@pytest.mark.parametrize("kind", ["plain", "whole", "importance", "absent"])
@pytest.mark.parametrize("inner", DRAWN, ids=lambda plan: repr(plan)[:12])
def test_a_plan_of_its_own_is_drawn_as_by_a_fit(inner: Any, kind: str) -> None:
    X, codes = table(rows=60)
    if kind == "absent":
        codes = np.where(codes == 2, 1, codes).astype(np.int32)
        codes[5] = 2
    rows = in_memory(X, codes, weights(kind, codes))
    study = Study(rows, splits_of(KFold(3), rows.codes))
    settings = Settings.of([assay.Calibrated(base, plan=inner) for base in (BASES[0], BASES[2], BASES[3])])
    for one, other in zip(scored(settings, study)[0], scored(settings, study, ())[0], strict=True):
        assert_equal(one, other)


@pytest.mark.parametrize("plan", [None, TrainValidationTest()], ids=repr)
def test_where_a_study_has_no_folds_inside_they_are_drawn_as_by_a_fit(plan: Any) -> None:
    X, codes = table(rows=60)
    splits = resubstitution(60) if plan is None else splits_of(plan, codes, nested=True).deeper()
    study, settings = Study(in_memory(X, codes), splits), Settings.of([assay.Calibrated(assay.GaussianNB())])
    for one, other in zip(scored(settings, study)[0], scored(settings, study, ())[0], strict=True):
        assert_equal(one, other)


@pytest.mark.parametrize("plan", [LeaveOneOut(), Bootstrap(3)], ids=repr)
def test_single_rows_and_copies_are_refitted_with_a_note(plan: Plan) -> None:
    X, codes = table(rows=30)
    study = Study(in_memory(X, codes), splits_of(plan, codes))
    solved = solve(Settings.of([assay.Calibrated(assay.GaussianNB())]), study)
    assert solved.ways == ["refit"]
    assert "Calibrated has no folds to learn from: every split was refitted." in solved.difficulties(0)[-1]


def test_too_few_rows_for_folds_inside_are_refitted() -> None:
    X, codes = table(rows=20, classes=2)
    codes = np.isin(np.arange(20), [3, 9]).astype(np.int32)  # one of two in every training set
    pairs = [(np.arange(8), np.arange(8, 20)), (np.arange(8, 20), np.arange(8))]
    splits = splits_of(as_plan(pairs), codes)
    solved = solve(Settings.of([assay.Calibrated(assay.GaussianNB())]), Study(in_memory(X, codes), splits))
    (found,) = solved.reduce(AllScores(splits, 1, 20))
    assert solved.ways == ["refit"] and found is not None
    assert np.ptp(found.scores[:8], axis=0).max() == 0  # the class shares


LOSS = np.array([[0.0, 1.0, 4.0], [1.0, 0.0, 1.0], [2.0, 0.5, 0.0]])


def test_a_choice_under_a_loss_is_by_maps_of_the_other_inner_folds() -> None:
    """Inside f, rows of g by the model without f and g go through a map of the folds that are neither f nor g."""
    X, codes = table(rows=60)
    study = Study(in_memory(X, codes), splits_of(KFold(4), codes, nested=True)).deeper()
    splits, base = study.splits, assay.GaussianNB()
    (found,), _ = scored(Settings.of([assay.Calibrated(base)]), study)
    rows, classes = np.arange(60)[found.row], np.arange(3)

    def scores(t: int) -> Any:
        model = clone(base).fit(*(part[splits.train_rows(splits.model[t])] for part in (X, codes)))
        return class_scores(model, X[splits.test_rows(t)], classes)

    for t in np.flatnonzero(splits.parent != ROOT):
        others = [u for u in np.flatnonzero(splits.parent == splits.parent[t]) if u != t]
        learned = np.concatenate([splits.test_rows(u) for u in others])
        assert not np.isin(learned, splits.test_rows(splits.parent[t])).any()
        mine = Calibration.learned(
            "sigmoid", np.concatenate([scores(u) for u in others]), codes[learned], None, True, "", learned
        )
        expected = mine.map.log_posterior(level(scores(t), mine.floor, mine.bounded, ""))
        own = np.flatnonzero(found.test == t)
        np.testing.assert_allclose(found.scores[own[np.argsort(rows[own])]], expected, rtol=1e-8, atol=1e-8)
    # Outer tests are those of the study without tests inside.
    shallow = Study(in_memory(X, codes), splits_of(KFold(4), codes))
    (alone,), _ = scored(Settings.of([assay.Calibrated(base)]), shallow)
    outer = found.test < 4
    np.testing.assert_allclose(found.scores[outer], alone.scores, rtol=1e-12)


def test_a_choice_by_error_is_by_the_map_of_the_training_set() -> None:
    X, codes = table(rows=60)
    study = Study(in_memory(X, codes), splits_of(KFold(4), codes, nested=True)).deeper()
    splits, base = study.splits, assay.GaussianNB()
    calibrated = Settings.of([assay.Calibrated(base)])
    of = (splits.parent + 1).astype(np.int32)
    found = solve(calibrated, study).reduce(Losses(1, 3, of))
    (raw,), _ = scored(Settings.of([base]), study)
    (first,), _ = scored(calibrated, study)
    outer = first.test < 4
    wrong = (first.predicted != codes[first.row]) & outer
    np.testing.assert_array_equal(found[0, 0, :, 1], np.bincount(codes[first.row][wrong], minlength=3))
    for f in range(4):
        mine = splits.parent[raw.test] == f
        rows, scores = raw.row[mine], raw.scores[mine]
        learned = Calibration.learned("sigmoid", scores, codes[rows], None, True, "", rows)
        posterior = learned.map.log_posterior(level(scores, learned.floor, learned.bounded, ""))
        lost = np.bincount(codes[rows], posterior.argmax(axis=1) != codes[rows], 3)
        np.testing.assert_array_equal(found[0, 1 + f, :, 1], lost)


def test_a_choice_under_a_loss_is_by_posteriors() -> None:
    X, codes = table(rows=60)
    study = Study(in_memory(X, codes), splits_of(KFold(4), codes, nested=True)).deeper()
    calibrated = Settings.of([assay.Calibrated(assay.LinearSVM(l2=l2)) for l2 in (0.01, 1.0)])
    of = (study.splits.parent + 1).astype(np.int32)
    under = solve(calibrated, study).reduce(Losses(2, 3, of, LossMatrix.of(LOSS, np.arange(3))))
    (first, _), _ = scored(calibrated, study)
    lost = LOSS[codes[first.row], (np.exp(first.scores) @ LOSS).argmin(axis=1)]
    np.testing.assert_allclose(under[0, :, :, 1].sum(axis=1), np.bincount(of[first.test], lost))


def test_a_plan_of_its_own_is_drawn_in_training_sets_inside_training_sets_too() -> None:
    """Under a loss a nested choice among calibrated models with a plan is that of refits, inner ones included."""
    X, codes = table(rows=90)
    models = [assay.Calibrated(assay.GaussianNB(variance_floor=f), plan=KFold(3)) for f in (0.5, 0.01)]
    found = nest("m", models, X, codes, KFold(4), loss=LOSS, progress=False)
    deep = splits_of(KFold(4), codes, nested=True).deeper()
    for f, losses in enumerate(found.inner):
        lost = []
        for model in models:
            own = []
            for t in np.flatnonzero(deep.parent == f):
                train, test = deep.train_rows(deep.model[t]), deep.test_rows(t)
                posterior = clone(model).fit(X[train], codes[train]).predict_proba(X[test])
                own.append(LOSS[codes[test], (posterior @ LOSS).argmin(axis=1)])
            lost.append(np.concatenate(own).mean())
        np.testing.assert_allclose(losses, lost, rtol=1e-12)


def test_wrappers_around_wrappers() -> None:
    """The scores that are calibrated are those of the whole inside: a loop over its refits."""
    X, codes = table(rows=60)
    study = Study(in_memory(X, codes), splits_of(KFold(3), codes))
    bases = [assay.OneVsRest(assay.GaussianNB()), assay.OneVsOne(assay.LinearSVM(tol=1e-10))]
    found, _ = scored(Settings.of([assay.Calibrated(base) for base in bases]), study)
    for base, each in zip(bases, found, strict=True):
        # Pairs of hinge machines differ by what their solver leaves.
        assert_loop(each, plain_loop(base, "sigmoid", X, codes, None, study.splits), 2e-5)
    inside = assay.OneVsRest(assay.Calibrated(assay.GaussianNB()))
    (each,), _ = scored(Settings.of([inside]), study)
    parts = [
        plain_loop(assay.GaussianNB(), "sigmoid", X, (codes == k).astype(np.int32), None, study.splits)
        for k in range(3)
    ]
    for t in range(3):
        own = np.stack([part[t][:, 1] for part in parts], axis=1)
        expected = own - np.logaddexp.reduce(own, axis=1, keepdims=True)
        np.testing.assert_allclose(each.scores[each.test == t], expected, rtol=1e-6, atol=1e-6)


def test_memory_and_company_decide_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    X, codes = table(rows=60)
    study = Study(in_memory(X, codes), splits_of(KFold(4), codes, nested=True)).deeper()
    settings = Settings.of([assay.Calibrated(base) for base in BASES])
    together, _ = scored(settings, study)
    alone = [scored(settings.take([s]), study)[0][0] for s in range(len(settings))]
    monkeypatch.setenv("ASSAY_MEMORY", "4K")
    for one, other, little in zip(together, alone, scored(settings, study)[0], strict=True):
        assert_equal(one, other, 1e-12)
        assert_equal(one, little, 1e-12)


def test_scores_that_are_not_finite_are_named() -> None:
    class Overflows(assay.LeastSquaresClassifier):
        def decision_function(self, X: Any) -> Any:
            return np.where(np.abs(X[:, 0]) > 500, np.inf, X[:, 0])

    X, codes = table(rows=40, classes=2)
    X[7, 0] = 800.0
    study = Study(in_memory(X, codes), splits_of(KFold(4), codes))
    with raises("M056", name="Overflows"):
        scored(Settings.of([assay.Calibrated(Overflows())]), study)
