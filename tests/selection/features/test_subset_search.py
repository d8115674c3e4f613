"""Every scheme and every model: a search equals the plain loop of fits, alone, together and inside training sets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from assay import (
    KFold,
    select_features,
)
from assay.engines.progress import Meter
from assay.models.base.estimators import fit_weighted
from assay.plans import as_plan
from assay.selection.features.feature_columns import feature_columns
from assay.selection.features.stepwise import StepwiseSearch
from assay.selection.features.subset_search import search
from assay.selection.features.subsets import Subsets
from assay.sharing.dispatch import solve
from assay.sharing.settings import Settings
from assay.sharing.splits import ROOT, splits_of
from assay.sharing.study import Study
from tests.selection.features.searches import MODELS, PLANS, WEIGHTS, table
from tests.sharing.studies import in_memory


def plain_loss(model: Any, X: Any, y: Any, weight: Any, plan: Any) -> float:
    """Mean over the rows of how often each was wrong, or over the splits where these count alike."""
    splits = list(as_plan(plan).split(X, y))
    wrong, times, means = np.zeros(len(y)), np.zeros(len(y)), []
    counts = np.ones(len(y)) if weight is None else weight
    for train, test in splits:
        own = None if weight is None else weight[train]
        fitted = fit_weighted(clone(model), X[train], y[train], own)
        lost = fitted.predict(X[test]) != y[test]
        np.add.at(wrong, test, lost)
        np.add.at(times, test, 1)
        means.append((counts[test] @ lost, counts[test].sum()))
    if as_plan(plan).averages_splits:
        return float(np.mean([lost / total for lost, total in means]))
    tested = times > 0
    return float(np.average(wrong[tested] / times[tested], weights=counts[tested]))


@WEIGHTS
@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("name", MODELS)
def test_the_losses_on_the_way_are_those_of_a_plain_loop(name: str, plan: str, weighted: bool) -> None:
    X, y, weight = table()
    found = select_features(
        MODELS[name], X, y, plan=PLANS[plan], sample_weight=weight if weighted else None, most_features=2
    )
    own = weight if weighted else None
    losses = [plain_loss(MODELS[name], X[:, [j]], y, own, PLANS[plan]) for j in range(3)]
    assert found.path[0].loss == pytest.approx(min(losses), abs=1e-12)
    assert found.path[0].features == (int(np.argmin(np.round(losses, 9))),)
    assert found.path[1].loss == pytest.approx(
        plain_loss(MODELS[name], X[:, list(found.path[1].features)], y, own, PLANS[plan]), abs=1e-12
    )


@pytest.mark.parametrize("name", ["naive", "logistic"])
def test_searchers_that_ask_together_find_what_each_finds_alone(name: str) -> None:
    X, y, _ = table()
    data = in_memory(X, y)
    study = Study(data, splits_of(KFold(4), data.codes)).deeper()
    parents = [int(p) for p in np.unique(study.splits.parent) if p != ROOT]
    tests = {p: study.splits.parent == p for p in parents}
    subsets = Subsets(MODELS[name], study, feature_columns(3, None, None), tests, KFold(4), None)
    stepwise = StepwiseSearch("forward", 3, (), (), 3)
    together, _ = search(subsets, dict.fromkeys(parents, stepwise), Meter(1, "", False))
    for p in parents:
        alone, _ = search(replace(subsets, tests={p: tests[p]}), {p: stepwise}, Meter(1, "", False))
        assert [point.subset for point in alone[p]] == [point.subset for point in together[p]]
        assert [point.loss for point in alone[p]] == [point.loss for point in together[p]]


def test_a_step_asks_once_for_all_its_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    """One question of the dispatcher per step, for the tests of those who ask alone."""
    from assay.selection.features import subsets as module

    asked: list[int] = []

    def counted(settings: Settings, study: Study) -> Any:
        asked.append(len(settings))
        return solve(settings, study)

    monkeypatch.setattr(module, "solve", counted)
    X, y, _ = table()
    select_features(MODELS["foreign tree"], X, y, plan=3)
    assert asked == [3, 2, 1]
