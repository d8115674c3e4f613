"""Filters in a pipeline learn from the training rows of each fold: figures equal those of refits, and are honest."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from assay import (
    BernoulliNB,
    ComplementNB,
    DropRare,
    GaussianNB,
    KFold,
    LogisticRegression,
    MultinomialNB,
    SelectByInformation,
    TextCounts,
    evaluate,
)

PLAN = KFold(5, random_state=0)


def by_hand(pipeline: Any, X: Any, y: Any) -> tuple[float, float]:
    """Error and log loss of a model fitted anew to the training rows of each fold."""
    wrong, loss = 0, 0.0
    for train, test in PLAN.split(X, y):
        rows = (lambda part: [X[i] for i in part]) if isinstance(X, list) else X.__getitem__
        model = clone(pipeline).fit(rows(train), y[train])
        posterior = model.predict_proba(rows(test))
        place = np.searchsorted(model.classes_, y[test])
        wrong += int((model.predict(rows(test)) != y[test]).sum())
        loss -= float(np.log(posterior[np.arange(len(test)), place]).sum())
    return wrong / len(y), loss / len(y)


def words(rows: int, width: int, rate: float, seed: int = 0) -> tuple[csr_array, Any]:
    """Documents of rare words, of which the first three tell the class."""
    rng = np.random.default_rng(seed)
    y = np.arange(rows) % 3
    rates = np.full((3, width), rate)
    rates[[0, 1, 2], [0, 1, 2]] = 1.0
    return csr_array(rng.poisson(rates[y])), np.array(["a", "b", "c"])[y]


@pytest.mark.parametrize(
    "step",
    [SelectByInformation(5), SelectByInformation(4, kind="presence"), DropRare(0.02), DropRare(0.01, 0.3)],
    ids=repr,
)
@pytest.mark.parametrize("model", [MultinomialNB(), BernoulliNB(), ComplementNB()], ids=repr)
def test_words_are_filtered_as_refits_filter_them(step: Any, model: Any) -> None:
    X, y = words(150, 80, 0.02)
    chosen = {tuple(clone(step).fit(X[train], y[train]).positions_) for train, _ in PLAN.split(X, y)}
    assert len(chosen) > 1  # the folds do choose different words
    pipeline = make_pipeline(step, model)
    found = evaluate(pipeline, X, y, PLAN)
    assert (found.error, found.log_loss) == pytest.approx(by_hand(pipeline, X, y), rel=1e-9)


@pytest.mark.parametrize("step", [SelectByInformation(3, kind="binned"), DropRare(0.05)], ids=repr)
@pytest.mark.parametrize("model", [GaussianNB(), LogisticRegression(0.1)], ids=repr)
def test_numbers_are_filtered_as_refits_filter_them(step: Any, model: Any) -> None:
    rng = np.random.default_rng(1)
    y = np.arange(160) % 2
    X = np.hstack([rng.normal(size=(160, 12)) + 0.3 * y[:, None], rng.random((160, 6)) < 0.06])
    pipeline = make_pipeline(step, model)
    found = evaluate(pipeline, X, y, PLAN)
    assert (found.error, found.log_loss) == pytest.approx(by_hand(pipeline, X, y), rel=1e-6)


def test_texts_are_counted_and_filtered_as_refits_do_it() -> None:
    rng = np.random.default_rng(2)
    y = np.arange(90) % 2
    texts = [" ".join(f"w{n}" for n in rng.integers(0, 40, 12) + 3 * k) for k in y]
    pipeline = make_pipeline(TextCounts(), DropRare(0.05), SelectByInformation(12), MultinomialNB())
    found = evaluate(pipeline, texts, y, PLAN)
    assert (found.error, found.log_loss) == pytest.approx(by_hand(pipeline, texts, y), rel=1e-9)


def noise(seed: int, width: int, rate: float) -> tuple[csr_array, Any]:
    rng = np.random.default_rng(seed)
    return csr_array(rng.poisson(rate, (200, width))), rng.permutation(np.arange(200) % 2)


def mean_errors(step: Any, width: int, rate: float) -> tuple[float, float]:
    """Of four tables of noise: filtered inside the folds, and from all rows before them."""
    inside, outside = [], []
    for seed in range(4):
        X, y = noise(seed, width, rate)
        inside.append(evaluate(make_pipeline(clone(step), MultinomialNB()), X, y, PLAN).error)
        outside.append(evaluate(MultinomialNB(), clone(step).fit_transform(X, y), y, PLAN).error)
    return float(np.mean(inside)), float(np.mean(outside))


def test_words_chosen_by_noise_show_chance_inside_and_optimism_outside() -> None:
    inside, outside = mean_errors(SelectByInformation(30), 3000, 0.15)
    assert inside > 0.44 and outside < 0.3


def test_dropping_rare_words_shows_chance_on_noise() -> None:
    """It never looks at labels: chosen from all rows it tells no more about them than inside the folds."""
    inside, outside = mean_errors(DropRare(0.02), 400, 0.02)
    assert 0.42 < inside < 0.58 and 0.42 < outside < 0.58


def test_a_word_of_the_test_rows_alone_is_dropped() -> None:
    X, y = words(60, 10, 0.3)
    train, test = next(iter(PLAN.split(X, y)))
    alone = np.zeros((60, 1), dtype=np.int64)
    alone[test] = 1
    both = csr_array(np.hstack([X.toarray(), alone]))
    assert 10 in DropRare(0.05).fit(both).positions_
    assert 10 not in DropRare(0.05).fit(both[train]).positions_
    splits = [(train, test)]
    pipeline = make_pipeline(DropRare(0.05), MultinomialNB())
    kept, plain = (evaluate(pipeline, rows, y, splits) for rows in (both, X))
    assert kept.log_loss == plain.log_loss
