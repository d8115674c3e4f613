"""Under priors every figure is that of a population with these class shares, whatever the shares of the sample."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from assay import (
    Bootstrap,
    GaussianClassifier,
    GaussianNB,
    HoldOut,
    KFold,
    LeaveOneOut,
    PriorClassifier,
    evaluate,
)
from assay.decision import effective_size
from assay.notes import as_note
from assay.selection.prior_shift import effective_rows
from tests.nesting import nest
from tests.selection.populations import PRIORS, draw

COSTS = [[0.0, 1.0], [9.0, 0.0]]


@pytest.mark.parametrize(
    "model", [GaussianClassifier("shared"), DecisionTreeClassifier(max_depth=3)], ids=repr
)
def test_estimates_agree_with_a_large_sample_of_that_population(model: Any) -> None:
    X, y = draw([0.5, 0.5], 3000, 1)
    found = evaluate(model, X, y, KFold(5), priors=PRIORS, loss=COSTS, progress=False)
    fitted, (new, truth) = model.fit(X, y), draw(PRIORS, 200_000, 2)
    posterior = fitted.predict_proba(new) * np.divide(PRIORS, 0.5)
    posterior /= posterior.sum(axis=1, keepdims=True)
    there = np.arange(len(truth)), truth
    wrong = posterior.argmax(axis=1) != truth
    paid = np.array(COSTS)[truth, (posterior @ COSTS).argmin(axis=1)]
    assert found.error == pytest.approx(wrong.mean(), abs=0.006)  # the sample's own shares would give 0.3
    assert found.mean_loss() == pytest.approx(paid.mean(), abs=0.04)
    assert found.log_loss == pytest.approx(-np.log(posterior[there]).mean(), abs=0.02)
    assert found.brier == pytest.approx(2 * ((posterior[:, 1] - truth) ** 2).mean(), abs=0.01)
    low, high = found.error_interval
    assert low < wrong.mean() < high
    table = found.calibration(of=1)
    assert table.observed[0] == pytest.approx(table.mean_predicted[0], abs=0.01)
    assert found.confusion.sum(axis=1) / found.confusion.sum() == pytest.approx(PRIORS)


@pytest.mark.parametrize("plan", [KFold(4), KFold(3, repeats=2), LeaveOneOut(), Bootstrap(30)], ids=repr)
def test_priors_that_are_the_shares_change_nothing(plan: Any) -> None:
    X, y = draw([0.7, 0.3], 100, 3)
    plain, same = (
        evaluate(GaussianClassifier("shared"), X, y, plan, loss=COSTS, priors=p) for p in (None, [0.7, 0.3])
    )
    # A fold's training part has other shares than the table: the posteriors are made the same to compare the rows.
    same = replace(same, tested=replace(same.tested, priors=np.tile([0.7, 0.3], (same.n_splits, 1))))
    for name in ("error", "log_loss", "brier", "auc", "standard_error"):
        assert getattr(same, name) == pytest.approx(getattr(plain, name), rel=1e-9), name
    for measure in ("error", "loss", "log_loss", "brier", "auc"):
        assert tuple(same.interval(measure)) == pytest.approx(tuple(plain.interval(measure)), rel=1e-6)
    assert same.confusion == pytest.approx(plain.confusion)
    assert same.split_errors == pytest.approx(plain.split_errors)
    if isinstance(plan, Bootstrap):
        assert same.error_632_plus == pytest.approx(plain.error_632_plus)


def test_a_hold_out_of_other_shares_is_weighed_by_its_own() -> None:
    """Trained on halves, tested on rows in the shares of the priors: these rows need no weights."""
    X, y = draw([0.5, 0.5], 400, 4)
    new, truth = draw(PRIORS, 200, 5)
    split = [(np.arange(400), np.arange(400, 600))]
    found = evaluate(
        GaussianNB(), np.vstack([X, new]), np.concatenate([y, truth]), split, priors=PRIORS, progress=False
    )
    assert found.error == pytest.approx((found.predicted != found.truth).mean())


def test_the_choice_inside_the_folds_is_made_for_the_population() -> None:
    """Inner losses are those of the priors, as plain evaluations of the rows outside the fold give them."""
    X, y = draw([0.5, 0.5], 300, 6)
    models = [GaussianClassifier("shared"), PriorClassifier()]
    found = nest("m", models, X, y, KFold(4), priors=[0.999, 0.001], progress=False)
    for f in range(4):
        inside = KFold(4).partitions(y)[0].fold != f
        for s, model in enumerate(models):
            result = evaluate(model, X[inside], y[inside], _others(y, f), priors=[0.999, 0.001])
            assert found.inner[f, s] == pytest.approx(result.mean_loss(), abs=1e-12)
    assert found.losses == pytest.approx(
        [evaluate(model, X, y, KFold(4), priors=[0.999, 0.001]).error for model in models]
    )


def _others(y: Any, f: int) -> Any:
    fold = KFold(4).partitions(y)[0].fold
    kept = fold[fold != f]
    return [(np.flatnonzero(kept != g), np.flatnonzero(kept == g)) for g in range(4) if g != f]


def test_inner_losses_are_the_same_with_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = draw([0.5, 0.5], 120, 7)
    models = [GaussianClassifier("full", blend=b) for b in (0.2, 1.0)]
    by_pairs = nest("m", models, X, y, KFold(5), loss=COSTS, priors=PRIORS, progress=False)
    monkeypatch.setenv("ASSAY_MEMORY", "4K")
    by_passes = nest("m", models, X, y, KFold(5), loss=COSTS, priors=PRIORS, progress=False)
    assert by_pairs.inner == pytest.approx(by_passes.inner, rel=1e-11)


def test_effective_rows_see_where_the_uncertainty_lies() -> None:
    heavy, light = np.repeat([1.0, 0.0], 5), np.zeros(1000)
    weight = np.repeat([0.05, 0.0005], [10, 1000])
    size = effective_rows(np.concatenate([heavy, light]), weight)
    assert size < effective_size(weight)
    variance = 0.25 * 0.25 / 10  # half of the population is known from ten rows
    assert 0.25 * 0.75 / size == pytest.approx(variance, rel=0.35)
    assert effective_rows(np.zeros(8), np.ones(8)) == 8.0
    rare = np.concatenate([np.zeros(1000), [1.0], np.zeros(999)])  # the frequent class has no error yet
    assert effective_rows(rare, np.repeat([1.9, 0.1], 1000)) == pytest.approx(
        effective_size(np.repeat([1.9, 0.1], 1000))
    )


def test_a_class_without_tested_rows_is_named() -> None:
    X, y = draw([0.5, 0.5], 60, 8)
    test = np.flatnonzero(y == 0)[:10]
    split = [(np.setdiff1d(np.arange(60), test), test)]
    found = evaluate(GaussianNB(), X, y, split, priors=PRIORS, progress=False)
    (note,) = [note for note in map(as_note, found.notes) if note.code == "P704"]
    assert (note.subject, note.values) == ("1", {"prior": 0.05})
    assert found.error == (found.predicted != found.truth).mean()


@pytest.mark.parametrize("plan", [KFold(3), KFold(7), LeaveOneOut(), HoldOut(0.3)], ids=repr)
def test_who_looks_at_nothing_ranks_nothing(plan: Any) -> None:
    X, y = draw([0.62, 0.38], 50, 10)
    found = evaluate(PriorClassifier(), X, y, plan)
    assert found.auc == pytest.approx(0.5, abs=1e-12)
    assert tuple(found.interval("auc")) == pytest.approx((0.5, 0.5), abs=1e-12)
    assert evaluate(PriorClassifier(), X, y, plan, priors=PRIORS).auc == pytest.approx(0.5, abs=1e-12)


def test_wilson_of_weighted_rows_covers() -> None:
    """The interval covers the error in that population at least 92 times of 100."""
    hits = 0
    for seed in range(200):
        X, y = draw([0.5, 0.5], 120, 1000 + seed)
        found = evaluate(GaussianClassifier("shared"), X, y, KFold(5), priors=[0.8, 0.2])
        new, truth = draw([0.8, 0.2], 4000, 5000 + seed)
        model = GaussianClassifier("shared", priors=[0.8, 0.2]).fit(X, y)
        low, high = found.error_interval
        hits += low <= (model.predict(new) != truth).mean() <= high
    assert hits >= 184
