"""Choices without pairs of folds: as a plain loop makes them, the same whoever shares what, and among candidates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.tree import DecisionTreeClassifier

from assay import GaussianClassifier, KFold, KNeighborsClassifier, LogisticRegression
from assay.selection import pair_rows, setting_losses
from assay.selection.pair_losses import PairLosses, among
from tests.contract.registry import blobs
from tests.nesting import nest

PLAN = KFold(5, stratified="rare")
FOLDS = 5


def by_hand(models: list[Any], X: Any, y: Any, loss: Any = None) -> tuple[Any, Any, Any]:
    """c(a, b), and the mistakes and log losses of every row of fold a by it, by plain fits."""
    fold = PLAN.partitions(y)[0].fold
    posterior = np.full(
        (len(models), FOLDS, len(y), y.max() + 1), np.nan
    )  # of each row, without fold and other
    for s, model in enumerate(models):
        for a in range(FOLDS):
            for b in range(a):
                train = (fold != a) & (fold != b)
                fitted = clone(model).fit(X[train], y[train])
                for tested, other in ((a, b), (b, a)):
                    posterior[s, other, fold == tested] = fitted.predict_proba(X[fold == tested])
    wrong = np.where(np.isnan(posterior[..., 0]), np.nan, posterior.argmax(axis=3) != y)
    chosen = np.full((FOLDS, FOLDS), -1)
    for a in range(FOLDS):
        for b in range(FOLDS):
            if a != b:
                rest = (fold != a) & (fold != b)
                chosen[a, b] = np.argmin(
                    [(wrong[s, a, rest] + wrong[s, b, rest]).sum() for s in range(len(models))]
                )
    mistakes, logs = np.empty((len(y), FOLDS - 1)), np.empty((len(y), FOLDS - 1))
    for i, a in enumerate(fold):
        for slot, b in enumerate(np.delete(np.arange(FOLDS), a)):
            mistakes[i, slot] = wrong[chosen[a, b], b, i]
            with np.errstate(divide="ignore"):
                logs[i, slot] = -np.log(posterior[chosen[a, b], b, i, y[i]])
    return chosen, mistakes, logs


CASES = {
    "moments": [GaussianClassifier("full", blend=b) for b in (0.0, 0.3, 1.0)],
    "path": [LogisticRegression(l2=l2, tol=1e-10) for l2 in (1.0, 0.01)],
    "neighbors": [KNeighborsClassifier(n_neighbors=k) for k in (3, 9)],
    "refit": [LinearDiscriminantAnalysis(priors=p) for p in (None, [0.2, 0.2, 0.6])],
}


@pytest.mark.parametrize("way", CASES)
def test_choices_and_losses_are_those_of_a_plain_loop(way: str) -> None:
    X, y = blobs(90, 3, 3)
    pairs = nest(way, CASES[way], X, y, PLAN).pairs
    chosen, mistakes, logs = by_hand(CASES[way], X, y)
    assert pairs is not None and np.array_equal(pairs.chosen, chosen)
    assert np.array_equal(pairs.values["error"], mistakes)
    finite = np.isfinite(logs)
    assert np.allclose(pairs.values["log_loss"][finite], logs[finite], rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("way", CASES)
def test_losses_that_were_not_stored_are_made_again(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = blobs(90, 3, 3)
    loss = [[0.0, 1.0, 4.0], [2.0, 0.0, 1.0], [1.0, 3.0, 0.0]]
    stored = nest(way, CASES[way], X, y, PLAN, loss=loss).pairs
    monkeypatch.setattr(setting_losses, "ROOM", 2**60)
    made = nest(way, CASES[way], X, y, PLAN, loss=loss).pairs
    assert stored is not None and made is not None
    assert stored.values.keys() == made.values.keys() == {"error", "loss", "log_loss", "brier"}
    for measure, losses in stored.values.items():
        assert np.allclose(losses, made.values[measure], rtol=1e-5, atol=1e-6)


def test_a_sample_has_the_losses_of_its_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = blobs(90, 3, 3)
    whole = nest("all", CASES["moments"], X, y, PLAN).pairs
    defaults = pair_rows.sampled.__defaults__
    monkeypatch.setattr(pair_rows.sampled, "__defaults__", (40,))
    some = nest("some", CASES["moments"], X, y, PLAN).pairs
    assert defaults == (pair_rows.SAMPLE,)
    assert whole is not None and some is not None and len(some.rows) == 40
    assert np.array_equal(some.chosen, whole.chosen)
    for measure, losses in some.values.items():
        assert np.allclose(losses, whole.values[measure][some.rows], atol=1e-6)


def test_the_choice_among_candidates_is_that_among_all_settings() -> None:
    X, y = blobs(90, 3, 3)
    X = X + np.random.default_rng(0).normal(size=X.shape) * 2
    models = [*CASES["moments"], *[DecisionTreeClassifier(max_depth=d, random_state=0) for d in (1, 4)]]
    parts = [nest("a", models[:3], X, y, PLAN).pairs, nest("b", models[3:], X, y, PLAN).pairs]
    known = [pairs for pairs in parts if pairs is not None]
    chosen, mistakes, _ = by_hand(models, X, y)
    assert len(np.unique(chosen)) > 2
    values = among(known)
    assert np.array_equal(values["error"], mistakes)
    assert among(known[:1])["error"].tolist() == known[0].values["error"].tolist()


def test_models_without_posteriors_leave_mistakes_alone() -> None:
    from assay import LinearSVM

    X, y = blobs(60, 2, 2)
    pairs = nest("svm", [LinearSVM(l2=0.1)], X, y, PLAN).pairs
    assert pairs is not None and set(pairs.values) == {"error"}


def test_what_is_stored_comes_back() -> None:
    X, y = blobs(60, 2, 2)
    pairs = nest("nb", CASES["moments"], X, y, PLAN).pairs
    assert pairs is not None
    again = PairLosses.of_arrays(pairs.arrays())
    assert np.array_equal(again.losses, pairs.losses, equal_nan=True)
    assert all(np.array_equal(again.values[m], pairs.values[m]) for m in pairs.values)
