"""Folds of models of counts: one count pass gives what refitting every fold gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from assay import (
    BernoulliNB,
    Bootstrap,
    CategoricalNB,
    ComplementNB,
    HoldOut,
    KFold,
    LeaveOneOut,
    MultinomialNB,
    RandomSubsampling,
    evaluate,
)
from tests.raised import raises
from tests.sharing.counts.count_refits import refitted, same

PLANS = [KFold(4), KFold(3, repeats=2), HoldOut(0.3), RandomSubsampling(3)]
WORDS = [
    MultinomialNB(),
    MultinomialNB(smoothing=0.0, priors="uniform"),
    BernoulliNB(smoothing=0.3),
    BernoulliNB(smoothing=0.0),
    ComplementNB(),
    ComplementNB(norm=True, priors="ml"),
]


def documents(rows: int = 90, words: int = 30, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, rows)
    return rng.poisson(rng.gamma(0.5, 0.6, (3, words))[y]), np.array(["a", "b", "c"])[y]


def answers(rows: int = 90, seed: int = 0) -> tuple[Any, Any]:
    """Text with gaps; one level is so rare that some training part lacks it."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, rows)
    X = np.array(["no", "yes", "perhaps", "maybe"], dtype=object)[
        (rng.integers(0, 2, (rows, 4)) + y[:, None]) % 4
    ]
    X[rng.random(X.shape) < 0.1] = None
    X[0, 0], X[5, 1] = "once", "once too"
    return X, y


@pytest.mark.parametrize("plan", PLANS, ids=repr)
@pytest.mark.parametrize("thin", [False, True])
def test_words_equal_refitting(plan: Any, thin: bool) -> None:
    X, y = documents()
    rows = sparse.csr_array(X) if thin else X
    together = evaluate(WORDS, rows, y, plan)
    for model, shared in zip(WORDS, together.values(), strict=True):
        same(shared, refitted(model, rows, y, plan))


@pytest.mark.parametrize("plan", PLANS, ids=repr)
@pytest.mark.parametrize("unseen", ["other", "ignore"])
@pytest.mark.parametrize("smoothing", [0.0, 1.0])
def test_levels_equal_refitting(plan: Any, unseen: str, smoothing: float) -> None:
    X, y = answers()
    model = CategoricalNB(unseen=unseen, smoothing=smoothing)
    same(evaluate(model, X, y, plan), refitted(model, X, y, plan))


@pytest.mark.parametrize("kind", ["whole", "fractions"])
def test_weights_equal_refitting(kind: str) -> None:
    rng = np.random.default_rng(3)
    weight = rng.integers(0, 3, 90).astype(float) if kind == "whole" else rng.random(90)
    X, y = documents()
    for model in WORDS:
        same(
            evaluate(model, X, y, KFold(5), sample_weight=weight),
            refitted(model, X, y, KFold(5), sample_weight=weight),
        )
    X, y = answers()
    same(
        evaluate(CategoricalNB(), X, y, KFold(5), sample_weight=weight),
        refitted(CategoricalNB(), X, y, KFold(5), sample_weight=weight),
    )


def test_many_words_are_kept_sparse(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.statistics.counting.MOST_DENSE", 0)
    X, y = documents()
    for model in WORDS:
        same(
            evaluate(model, sparse.csr_array(X), y, KFold(4)),
            refitted(model, sparse.csr_array(X), y, KFold(4)),
        )


def test_frames_and_the_callers_model_stay_as_they_are() -> None:
    X, y = answers()
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = CategoricalNB()
    result = evaluate(model, frame, y, KFold(4))
    assert result.strategy == "counts" and not hasattr(model, "n_features_in_")
    same(result, refitted(model, frame, y, KFold(4)))


def test_refused_levels_are_named() -> None:
    X, y = answers()
    with raises("M702", category="once", row=0, column="column 0"):
        evaluate(CategoricalNB(unseen="refuse"), X, y, KFold(4))


@pytest.mark.parametrize("weighted", [False, True])
def test_single_rows_leave_the_counts(weighted: bool) -> None:
    X, y = documents(30)
    options = {"sample_weight": np.random.default_rng(1).integers(0, 3, 30) if weighted else None}
    for model in WORDS:
        for rows in (X, sparse.csr_array(X)):
            same(
                evaluate(model, rows, y, LeaveOneOut(), **options),
                refitted(model, rows, y, LeaveOneOut(), **options),
            )
    X, y = answers(30)
    same(
        evaluate(CategoricalNB(), X, y, LeaveOneOut(), **options),
        refitted(CategoricalNB(), X, y, LeaveOneOut(), **options),
    )


@pytest.mark.parametrize("model", [*WORDS, CategoricalNB()], ids=repr)
def test_replicates_equal_refitting(model: Any) -> None:
    X, y = answers(40) if isinstance(model, CategoricalNB) else documents(40)
    shared, again = evaluate(model, X, y, Bootstrap(6)), refitted(model, X, y, Bootstrap(6))
    same(shared, again)
    np.testing.assert_allclose(shared.training.scores, again.training.scores, rtol=1e-9, atol=1e-9)


def test_threads_change_no_bit() -> None:
    X, y = documents()
    for model in WORDS:
        one, two = (evaluate(model, sparse.csr_array(X), y, KFold(4), n_jobs=jobs) for jobs in (1, 3))
        np.testing.assert_array_equal(one.tested.scores, two.tested.scores)


def test_a_training_part_of_one_class_is_refused() -> None:
    with raises("S211"):
        evaluate(MultinomialNB(), [[1], [2], [3]], [0, 0, 1], KFold(3, stratified=False))


@pytest.mark.parametrize("model", [ComplementNB(), MultinomialNB(), BernoulliNB()], ids=str)
@pytest.mark.parametrize("seed", [2, 3, 7, 39])
def test_ties_are_settled_alike_in_full_and_compressed_rows(model: Any, seed: int) -> None:
    """One class writes what the other does, backwards: many documents speak for both, and only rounding differs."""
    half = np.random.default_rng(seed).integers(0, 3, (24, 6))
    X, y = np.concatenate([half, half[:, ::-1]]), np.repeat(["a", "b"], 24)
    plan = [(np.r_[0:12, 24:36], np.r_[12:24, 36:48])]
    full, compressed = (evaluate(model, rows, y, plan) for rows in (X, sparse.csr_array(X)))
    np.testing.assert_array_equal(full.predicted, compressed.predicted)
    train, test = plan[0]
    for rows in (X, sparse.csr_array(X)):
        fitted = model.fit(rows[train], y[train])
        np.testing.assert_array_equal(fitted.predict(rows[test]), full.predicted)
        np.testing.assert_array_equal(
            fitted.classes_[fitted.predict_proba(rows[test]).argmax(axis=1)], fitted.predict(rows[test])
        )
    ties = (X[test] == X[test][:, ::-1]).all(axis=1)
    assert (full.predicted[ties] == "a").all()
