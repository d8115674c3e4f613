"""Searches inside training sets equal the fits of each training set by itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.pipeline import Pipeline
from sklearn.tree import DecisionTreeClassifier

from assay import (
    FeatureSearch,
    GaussianClassifier,
    GaussianNB,
    KFold,
    Standardize,
    select_features,
)
from assay.plans import as_plan
from assay.sharing.dispatch import solve
from assay.sharing.reductions import AllScores
from assay.sharing.settings import Settings
from assay.sharing.splits import splits_of
from assay.sharing.study import Study
from tests.selection.features.searches import MODELS, PLANS, SPLITS, WEIGHTS, scored, table
from tests.sharing.studies import in_memory


@WEIGHTS
@pytest.mark.parametrize("plan", [*SPLITS, "bootstrap"])
@pytest.mark.parametrize("name", MODELS)
def test_searches_inside_training_sets_equal_refits(name: str, plan: str, weighted: bool) -> None:
    X, y, weight = table()
    data = in_memory(X, y, weight if weighted else None)
    study = Study(data, splits_of(as_plan(PLANS[plan]), data.codes))
    whole = FeatureSearch(MODELS[name], n_features=2)
    settings = Settings.of([whole])
    ours, theirs = scored(whole.inside(settings, study), study), scored(solve(settings, study, ()), study)
    assert np.array_equal(ours.test, theirs.test) and np.array_equal(ours.predicted, theirs.predicted)
    np.testing.assert_allclose(ours.scores, theirs.scores, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize(
    "options",
    [{"search": "backward", "rule": "one_se"}, {"search": "floating", "plan": 3, "fixed": [1]}],
    ids=str,
)
def test_options_inside_training_sets_equal_refits(options: dict[str, Any]) -> None:
    X, y, _ = table()
    study = Study(in_memory(X, y), splits_of(KFold(3), y.astype(np.int32)))
    settings = Settings.of(
        [FeatureSearch(model, **options) for model in (GaussianNB(), GaussianClassifier("full"))]
    )
    ours = settings.estimators[0].inside(settings, study)
    theirs = solve(settings, study, ())
    keep = AllScores(study.splits, 2, 72)
    for found, expected in zip(ours.reduce(keep), theirs.reduce(keep), strict=True):
        np.testing.assert_allclose(found.scores, expected.scores, rtol=1e-8, atol=1e-8)


def test_a_pipeline_around_a_search_is_refitted() -> None:
    X, y, _ = table()
    study = Study(in_memory(X, y), splits_of(KFold(3), y.astype(np.int32)))
    piped = Pipeline([("scale", Standardize()), ("search", FeatureSearch(GaussianNB(), n_features=1))])
    settings = Settings.of([piped])
    found = piped.steps[-1][1].inside(settings, study)
    assert found.ways == ["refit"]
    expected = scored(solve(settings, study, ()), study)
    np.testing.assert_array_equal(scored(found, study).scores, expected.scores)


def test_folds_inside_keep_the_groups_of_the_study_together() -> None:
    X, y, _ = table()
    groups = (np.arange(72) // 4).astype(np.int32)
    data = in_memory(X, y, groups=groups)
    study = Study(data, splits_of(KFold(3), data.codes, groups))
    whole = FeatureSearch(DecisionTreeClassifier(max_depth=2, random_state=0), n_features=1)
    ours = scored(whole.inside(Settings.of([whole]), study), study)
    for t in range(study.splits.n_tests):
        train, test = study.splits.train_rows(t), study.splits.test_rows(t)
        own = select_features(
            whole.estimator, X[train], y[train], n_features=1, plan=KFold(5), row_groups=groups[train]
        )
        expected = own.model.predict(own.take(X[test]))
        assert np.array_equal(ours.predicted[ours.test == t], expected)
