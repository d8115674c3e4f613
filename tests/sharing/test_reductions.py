"""What becomes of scores does not depend on who made them, nor on blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

import assay
from assay.decision import LossMatrix
from assay.plans import Bootstrap, KFold, LeaveOneOut
from assay.sharing.dispatch import solve
from assay.sharing.part import Part
from assay.sharing.reductions import (
    AllScores,
    BaseReduction,
    Losses,
    RowLosses,
    Scored,
    Several,
    settled_margins,
)
from assay.sharing.settings import Settings
from assay.sharing.splits import resubstitution, splits_of
from assay.sharing.study import Study
from tests.sharing.studies import in_memory, table

MODELS = {
    "moments": [assay.GaussianNB(), assay.LeastSquaresClassifier(l2=0.1)],
    "path": [assay.LogisticRegression(l2=0.1), assay.LinearSVM(l2=0.1)],
    "counts": [assay.CategoricalNB()],
    "neighbors": [assay.KNeighborsClassifier(3)],
    "gram": [assay.KernelSVM(l2=0.1, gamma=0.1)],
    "refit": [DecisionTreeClassifier(random_state=0), make_pipeline(assay.Standardize(), assay.GaussianNB())],
}
PLANS = [KFold(3), KFold(3, repeats=2), LeaveOneOut(), Bootstrap(3)]


@dataclass(frozen=True)
class Histogram(BaseReduction):
    """How far the best class lies before the next, counted: a reduction that somebody else wrote."""

    edges: Any

    def add(self, part: Part) -> Any:
        two = np.sort(np.where(np.isneginf(part.scores), -1e9, part.scores), axis=1)[:, -2:]
        counts, _ = np.histogram(two[:, 1] - two[:, 0], self.edges)
        return {part.setting: counts}

    def merge(self, a: Any, b: Any) -> Any:
        return {s: a.get(s, 0) + b.get(s, 0) for s in a.keys() | b.keys()}

    def finish(self, total: Any) -> Any:
        return total


def scored(settings: Settings, study: Study) -> list[Scored]:
    keep = AllScores(study.splits, len(settings), study.dataset.n_rows)
    return [each for each in solve(settings, study).reduce(keep) if each is not None]


@pytest.mark.parametrize("plan", PLANS, ids=repr)
@pytest.mark.parametrize("way", MODELS)
def test_a_reduction_of_ones_own_runs_through_every_sharer(way: str, plan: Any) -> None:
    X, codes = table(rows=40)
    rows = in_memory(np.round(X) if way == "counts" else X, codes)
    settings = Settings.of(MODELS[way])
    study = Study(rows, splits_of(plan, rows.codes))
    edges = np.append(0.0, np.geomspace(1e-6, 1e12, 20))
    found = solve(settings, study).reduce(Histogram(edges))
    for s, each in enumerate(scored(settings, study)):
        test, score = each.test, each.scores
        part = Part(s, test, test, score, None, test, None, each.priors, each.posterior)
        assert np.array_equal(Histogram(edges).add(part)[s], found[s])


@pytest.mark.parametrize("weight", [None, "whole", "importance"])
@pytest.mark.parametrize("way", MODELS)
def test_sums_of_losses_are_those_of_all_scores(way: str, weight: Any) -> None:
    X, codes = table(rows=48)
    rng = np.random.default_rng(1)
    amounts = {None: None, "whole": rng.integers(0, 3, 48) + 0.0, "importance": rng.uniform(0.2, 2.0, 48)}[
        weight
    ]
    rows = in_memory(np.round(X) if way == "counts" else X, codes, amounts)
    settings = Settings.of(MODELS[way])
    study = Study(rows, splits_of(KFold(4), rows.codes))
    loss = np.array([[0.0, 1.0, 4.0], [1.0, 0.0, 1.0], [2.0, 0.5, 0.0]])
    for matrix in (None, loss):
        costs = None if matrix is None else LossMatrix.of(matrix, rows.classes)
        keep = Losses(len(settings), 3, np.zeros(4, np.int32), costs)
        by_row = RowLosses(len(settings), 48, np.array([1.0, 0.0, 2.0, 1.0]), costs)
        sums, of_rows = solve(settings, study).reduce(Several((keep, by_row)))
        for s, each in enumerate(scored(settings, study)):
            actions = each.predicted if matrix is None or not each.posterior else _least(each.scores, loss)
            lost = (actions != codes) + 0.0 if matrix is None else loss[codes, actions]
            np.testing.assert_allclose(of_rows[s], by_row.factor[each.test] * lost)
            w = np.ones(48) if amounts is None else amounts
            for k in range(3):
                mine = codes == k
                powers = [w, w * lost, w**2, w**2 * lost, w**2 * lost**2]
                np.testing.assert_allclose(sums[s, 0, k], [p[mine].sum() for p in powers], rtol=1e-12)


def _least(scores: Any, loss: Any) -> Any:
    return (np.exp(scores) @ loss).argmin(axis=1)


def test_other_priors_decide() -> None:
    X, codes = table(rows=48)
    rows = in_memory(X, codes)
    study = Study(rows, splits_of(KFold(4), rows.codes))
    settings, priors = Settings.of([assay.GaussianNB()]), np.array([0.98, 0.01, 0.01])
    sums = solve(settings, study).reduce(Losses(1, 3, np.zeros(4, np.int32), priors=priors))
    found = assay.evaluate(assay.GaussianNB(), X, codes, KFold(4), priors=priors)
    wrong = [found.wrong[codes == k].sum() for k in range(3)]
    assert sums[0, 0, :, 1].tolist() == wrong


def test_tests_that_nobody_counts_are_left_out() -> None:
    X, codes = table(rows=40)
    study = Study(in_memory(X, codes), splits_of(KFold(4), codes))
    of = np.array([0, -1, 1, -1], dtype=np.int32)
    sums = solve(Settings.of([assay.GaussianNB()]), study).reduce(Losses(1, 3, of))
    fold = KFold(4).partitions(codes)[0].fold
    assert sums[0, :, :, 0].sum(axis=1).tolist() == [(fold == 0).sum(), (fold == 2).sum()]


def test_absent_classes_lie_below_all_others_row_by_row() -> None:
    margins = settled_margins(np.array([[1.0, -np.inf, 5.0], [100.0, 90.0, 95.0]]))
    assert margins.tolist() == [[1.0, 0.0, 5.0], [100.0, 90.0, 95.0]]


def test_training_rows_are_tested_by_the_model_itself() -> None:
    X, codes = table(rows=40)
    study = Study(in_memory(X, codes), resubstitution(40))
    (found,) = scored(Settings.of([assay.GaussianNB()]), study)
    assert found.row is None
    assert np.array_equal(found.predicted, assay.GaussianNB().fit(X, codes).predict(X))


def test_only_some_settings_and_tests_are_asked_for() -> None:
    X, codes = table(rows=40)
    settings = Settings.of([assay.GaussianNB(), DecisionTreeClassifier(random_state=0)])
    study = Study(in_memory(X, codes), splits_of(KFold(4), codes))
    only = np.array([[True, False, False, True], [False, False, True, False]])
    some = solve(settings, study).reduce(AllScores(study.splits, 2, 40), only)
    for s, whole in enumerate(scored(settings, study)):
        asked, found = only[s][whole.test], some[s]
        assert found is not None and np.array_equal(found.test, whole.test[asked])
        np.testing.assert_allclose(found.scores, whole.scores[asked])


def test_settings_that_read_rows_in_different_ways_are_asked_one_by_one() -> None:
    X, codes = table(rows=40)
    settings = Settings.of([assay.GaussianClassifier("shared"), assay.PriorClassifier(), assay.GaussianNB()])
    study = Study(in_memory(X, codes), splits_of(KFold(4), codes))
    whole = scored(settings, study)
    for s in range(3):
        only = np.zeros((3, 4), dtype=bool)
        only[s, 2] = True
        found = solve(settings, study).reduce(AllScores(study.splits, 3, 40), only)
        assert [each is not None for each in found] == [place == s for place in range(3)]
        np.testing.assert_allclose(found[s].scores, whole[s].scores[whole[s].test == 2])  # type: ignore[union-attr]
