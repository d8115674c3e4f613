"""Combined models share what their parts share, and are what their refits are."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from sklearn.feature_selection import SelectKBest
from sklearn.pipeline import make_pipeline

import assay
from assay.notes import Note
from assay.plans import Bootstrap, HoldOut, KFold, LeaveOneOut
from assay.sharing import dispatch
from assay.sharing.dispatch import solve
from assay.sharing.protocols import Sharer
from assay.sharing.refit import REFIT
from assay.sharing.settings import Settings
from assay.sharing.splits import Splits, resubstitution, splits_of
from assay.sharing.study import Study
from tests.models.combine.inner_scores import assert_equal, scored, weights
from tests.raised import raises
from tests.sharing.studies import in_memory, table


def pretend(settings: Settings, study: Study) -> Any:
    """Refits under another name: what wrappers make of parts that share, whoever shares them."""
    refits = REFIT.solve(settings, study)
    return SimpleNamespace(reduce=refits.reduce, difficulties=refits.difficulties)


@pytest.fixture
def pretended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatch, "SHARERS", (Sharer("pretended", REFIT.note, pretend),))


BASES = [
    assay.GaussianNB(),
    assay.LeastSquaresClassifier(l2=0.1),
    assay.KNeighborsClassifier(4),
    make_pipeline(assay.Standardize(), assay.LogisticRegression(l2=0.1)),
]
WRAPS = [
    assay.OneVsRest,
    assay.OneVsOne,
    lambda base: assay.OneVsOne(assay.Calibrated(base, plan=2), vote="coupling"),
]
PLANS = [KFold(4), KFold(3, repeats=2), HoldOut(0.3), LeaveOneOut(), Bootstrap(3), None]


def plan_splits(plan: Any, codes: Any, groups: Any = None) -> Splits:
    return resubstitution(len(codes)) if plan is None else splits_of(plan, codes, groups)


@pytest.mark.parametrize("kind", ["plain", "whole", "importance", "groups", "absent"])
@pytest.mark.parametrize("plan", PLANS, ids=repr)
@pytest.mark.parametrize("wrap", [0, 1])
@pytest.mark.usefixtures("pretended")
def test_many_classes_from_two_are_their_refits(wrap: int, plan: Any, kind: str) -> None:
    X, codes = table(rows=46)
    groups = np.arange(46, dtype=np.int32) // 2 if kind == "groups" else None
    if kind == "absent":
        codes = np.where(codes == 2, 1, codes).astype(np.int32)
        codes[5] = 2
    rows = in_memory(X, codes, weights(kind, codes), groups)
    study = Study(rows, plan_splits(plan, rows.codes, groups))
    settings = Settings.of([WRAPS[wrap](base) for base in BASES])
    found, ways = scored(settings, study)
    expected, _ = scored(settings, study, ())
    alone = isinstance(plan, LeaveOneOut) and groups is None and (wrap == 1 or kind == "absent")
    assert ways == ["refit" if alone else "pretended"] * len(BASES)
    for one, other in zip(found, expected, strict=True):
        assert_equal(one, other)


@pytest.mark.usefixtures("pretended")
def test_parts_within_parts_and_steps_before_them() -> None:
    X, codes = table(rows=45)
    study = Study(in_memory(X, codes), splits_of(KFold(3), codes))
    naive, scale = assay.GaussianNB(), assay.Standardize()
    settings = Settings.of(
        {
            "within": assay.OneVsRest(assay.OneVsOne(assay.KNeighborsClassifier(3))),
            "coupled": assay.OneVsOne(naive, vote="coupling"),
            "behind a step": make_pipeline(scale, assay.OneVsRest(make_pipeline(assay.Impute(), naive))),
            "of fewer rows": make_pipeline(scale, assay.OneVsOne(naive)),
            "may look at classes": make_pipeline(SelectKBest(k=2), assay.OneVsRest(naive)),
        }
    )
    found, ways = scored(settings, study)
    assert ways == ["pretended"] * 3 + ["refit"] * 2
    expected, _ = scored(settings, study, ())
    for one, other in zip(found, expected, strict=True):
        assert_equal(one, other)
    notes = solve(settings, study).difficulties(3)
    assert notes == (Note("S032", "OneVsOne", step="Standardize"),)


@pytest.mark.usefixtures("pretended")
def test_memory_and_company_decide_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    X, codes = table(rows=60)
    study = Study(in_memory(X, codes), splits_of(KFold(5), codes))
    settings = Settings.of([wrap(base) for wrap in WRAPS[:2] for base in BASES])
    together, _ = scored(settings, study)
    alone = [scored(settings.take([s]), study)[0][0] for s in range(len(settings))]
    monkeypatch.setenv("ASSAY_MEMORY", "4K")
    little, _ = scored(settings, study)
    for one, other, third in zip(together, alone, little, strict=True):
        assert_equal(one, other, 1e-12)
        assert_equal(one, third, 1e-12)


@pytest.mark.usefixtures("pretended")
def test_bad_parameters_are_one_sentence() -> None:
    X, codes = table(rows=30)
    study = Study(in_memory(X, codes), splits_of(KFold(3), codes))
    with raises("M059", shown="LinearSVM"):
        solve(Settings.of([assay.OneVsOne(assay.LinearSVM(), vote="coupling")]), study)
    with raises("M023", expectation="one of 'majority', 'coupling'"):
        solve(Settings.of([assay.OneVsOne(assay.LinearSVM(), vote="some")]), study)


@pytest.mark.usefixtures("pretended")
def test_a_subclass_of_a_wrapper_is_refitted() -> None:
    class Other(assay.OneVsRest):
        def predict(self, X: Any) -> Any:
            return np.zeros(len(X), dtype=int)

    X, codes = table(rows=30)
    study = Study(in_memory(X, codes), splits_of(KFold(3), codes))
    solved = solve(Settings.of([Other(assay.GaussianNB())]), study)
    assert solved.ways == ["refit"] and "overrides predict of OneVsRest" in solved.difficulties(0)[0]
