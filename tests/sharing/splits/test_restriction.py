"""Splits whose models see rows of some kinds alone, such as those of a sample: shared work equals refits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assay import (
    GaussianClassifier,
    GaussianNB,
    HoldOut,
    KernelSVM,
    KFold,
    KNeighborsClassifier,
    LogisticRegression,
)
from assay.engines.local import LocalEngine
from assay.plans import Plan
from assay.selection.evaluate import study_of
from assay.sharing.dispatch import solve
from assay.sharing.reductions import AllScores
from assay.sharing.settings import Settings
from assay.sharing.splits import splits_of
from assay.sharing.splits.restriction import trained_on
from assay.sharing.study import Study

PLANS = [KFold(4), KFold(3, repeats=2), HoldOut(0.4)]


def data() -> tuple[Any, Any, Any]:
    draw = np.random.default_rng(5)
    y = np.arange(120) % 3
    return draw.normal(size=(120, 4)) + y[:, None], y, draw.random(120) < 0.4


@pytest.mark.parametrize("plan", PLANS, ids=str)
def test_models_see_their_kind_alone_and_test_what_they_tested(plan: Plan) -> None:
    _, y, inside = data()
    whole = splits_of(plan, y.astype(np.int32), nested=True)
    part = trained_on(whole, inside.astype(np.int32), np.array([False, True]))
    for deeper in (False, True):
        if deeper:
            assert whole.deeper is not None and part.deeper is not None
            whole, part = whole.deeper(), part.deeper()
        for m in range(whole.n_models):
            rows = whole.train_rows(m)
            np.testing.assert_array_equal(part.train_rows(m), rows[inside[rows]])
        for t in range(whole.n_tests):
            np.testing.assert_array_equal(part.test_rows(t), whole.test_rows(t))


@pytest.mark.parametrize("plan", PLANS, ids=str)
@pytest.mark.parametrize(
    "model",
    [
        GaussianNB(),
        GaussianClassifier("shared"),
        LogisticRegression(l2=0.1),
        KNeighborsClassifier(3),
        KernelSVM(),
    ],
    ids=lambda model: type(model).__name__,
)
def test_shared_work_on_a_sample_equals_refits_to_it(model: Any, plan: Plan) -> None:
    X, y, inside = data()
    study = study_of(X, y, plan, None, None, LocalEngine(1), nested=True)
    splits = trained_on(study.splits, inside.astype(np.int32), np.array([False, True]))
    sampled = Study(study.dataset, splits).deeper()
    settings = Settings.called("model", [model])
    shared, refitted = solve(settings, sampled), solve(settings, sampled, ())
    assert shared.ways != refitted.ways == ["refit"]
    keep = AllScores(sampled.splits, 1, sampled.dataset.n_rows)
    ours, theirs = shared.reduce(keep)[0], refitted.reduce(keep)[0]
    assert ours is not None and theirs is not None
    np.testing.assert_array_equal(ours.predicted, theirs.predicted)
    np.testing.assert_allclose(ours.scores, theirs.scores, rtol=1e-5, atol=1e-5)
