"""One fit answers several settings as fits to each of them do, to the last bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.pipeline import make_pipeline

import assay
from assay import DecisionTreeClassifier, HistGradientBoostingClassifier, KFold, RandomForestClassifier
from assay.engines.local import LocalEngine
from assay.selection.evaluate import study_of
from assay.sharing.dispatch import solve
from assay.sharing.reductions import AllScores
from assay.sharing.settings import Settings, model_of
from assay.sharing.stages import staged_families
from tests.contract.registry import shown

X, Y = load_wine(return_X_y=True)
GAPS = np.where(np.random.default_rng(0).random(X.shape) < 0.05, np.nan, X)
MODELS: dict[str, tuple[Any, dict[str, list[Any]]]] = {
    "tree": (DecisionTreeClassifier(), {"ccp_alpha": [0.05, 0.01, 0.0], "smoothing": [0.0, 1.0]}),
    "forest": (RandomForestClassifier(max_depth=4), {"n_estimators": [9, 3, 5], "smoothing": [0.0, 0.5]}),
    "boosting": (HistGradientBoostingClassifier(min_samples_leaf=5), {"max_iter": [7, 2, 4]}),
}


def grid(model: Any, ranges: dict[str, list[Any]]) -> list[Any]:
    settings: list[dict[str, Any]] = [{}]
    for name, values in ranges.items():
        settings = [{**setting, name: value} for setting in settings for value in values]
    return [clone(model).set_params(**setting) for setting in settings]


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("plan", [KFold(4), assay.Bootstrap(3), assay.HoldOut(0.3)], ids=shown)
@pytest.mark.parametrize("weighted", [False, True])
def test_one_fit_equals_a_fit_of_each_setting(name: str, plan: Any, weighted: bool) -> None:
    models = grid(*MODELS[name])
    weight = (np.arange(len(Y)) % 3) + 0.5 if weighted else None
    study = study_of(GAPS, Y, plan, weight, None, LocalEngine(1, False), nested=False)
    together = solve(Settings.of(models), study).reduce(AllScores(study.splits, len(models), len(Y)))
    assert len(staged_families(Settings.of(models))) == 1
    for model, scored in zip(models, together, strict=True):
        alone = solve(Settings.of([model]), study).reduce(AllScores(study.splits, 1, len(Y)))[0]
        assert scored is not None and alone is not None
        np.testing.assert_array_equal(scored.scores, alone.scores)
        np.testing.assert_array_equal(scored.predicted, alone.predicted)


@pytest.mark.parametrize("name", MODELS)
def test_scores_are_those_of_fitted_models(name: str) -> None:
    model = grid(*MODELS[name])[0]
    plan = KFold(3)
    scores = assay.evaluate(model, X, Y, plan).tested.scores
    for train, test in plan.split(X, Y):
        with np.errstate(divide="ignore"):
            expected = np.log(clone(model).fit(X[train], Y[train]).predict_proba(X[test]))
        np.testing.assert_array_equal(scores[test], expected)


class Counted(RandomForestClassifier):
    """A forest that counts its fits; a subclass that overrides `fit` is fitted as it was written."""

    fits = 0

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        type(self).fits += 1
        return super().fit(X, y, sample_weight)


def test_one_fit_per_training_set(monkeypatch: pytest.MonkeyPatch) -> None:
    fits = []
    plain = RandomForestClassifier.fit
    monkeypatch.setattr(
        RandomForestClassifier,
        "fit",
        lambda self, *given: (fits.append(self.n_estimators), plain(self, *given))[1],
    )
    assay.tune(RandomForestClassifier(), X, Y, plan=KFold(3), n_estimators=[2, 6, 4], n_jobs=1)
    assert fits == [6, 6, 6, fits[-1]]  # and the best one of all rows


def test_a_subclass_of_its_own_is_fitted_for_each_setting() -> None:
    Counted.fits = 0
    models = grid(Counted(), {"n_estimators": [2, 3]})
    assert staged_families(Settings.of(models)) == [[0], [1]]
    assay.tune(Counted(), X, Y, plan=KFold(3), n_estimators=[2, 3], n_jobs=1)
    assert Counted.fits == 2 * 3 + 1


def test_steps_and_other_parameters_are_told_apart() -> None:
    estimators = [
        make_pipeline(assay.Standardize(), RandomForestClassifier(3)),
        RandomForestClassifier(3),
        make_pipeline(assay.Standardize(), RandomForestClassifier(5)),
        RandomForestClassifier(5, max_depth=2),
        assay.GaussianNB(),
        assay.GaussianNB(),
    ]
    assert staged_families(Settings.of(estimators)) == [[0, 2], [1], [3], [4], [5]]
    rows, labels = load_iris(return_X_y=True)
    study = study_of(rows, labels, KFold(3), None, None, LocalEngine(1, False), nested=False)
    found = solve(Settings.of(estimators), study).reduce(AllScores(study.splits, 6, 150))
    alone = [
        solve(Settings.of([each]), study).reduce(AllScores(study.splits, 1, 150))[0] for each in estimators
    ]
    for each, one, estimator in zip(found, alone, estimators, strict=True):
        assert each is not None and one is not None
        np.testing.assert_array_equal(each.scores, one.scores, err_msg=str(model_of(estimator)))
