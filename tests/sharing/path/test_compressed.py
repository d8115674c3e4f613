"""Linear models of compressed rows and of texts: every scheme as refits give it, with words of each training set."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline

from assay import (
    Calibrated,
    ChooseWords,
    KFold,
    LinearSVM,
    LogisticRegression,
    OneVsOne,
    OneVsRest,
    TextCounts,
    TfIdf,
    evaluate,
    tune,
)
from assay.plans import Partition
from assay.sharing import splits as sp
from assay.sharing.path.compressed import COMPRESSED_PATH
from tests.sharing.compared import assert_same, in_memory, scored
from tests.sharing.split_tables import ROWS, schemes, table, weights

TIGHT, EQUAL = 1e-10, 2e-5  # gaps are squares of what scores are off
RNG = np.random.default_rng(8)
LABELS = table(2)[1]
COUNTS = csr_array(RNG.poisson(0.4, (ROWS, 30)).astype(float))
WORDS = np.array([f"w{j}" for j in range(COUNTS.shape[1])], dtype=object)
TEXTS = [" ".join(np.repeat(WORDS, row.astype(int))) for row in COUNTS.toarray()]
MODELS: list[Any] = [
    LogisticRegression(l2=0.05, tol=TIGHT),
    LogisticRegression(l2=0.002, tol=TIGHT),
    LinearSVM(l2=0.05, tol=TIGHT, surrogate="squared_hinge"),
    LinearSVM(l2=0.005, tol=TIGHT, surrogate="squared_hinge"),
    LinearSVM(l2=0.05, tol=TIGHT),
]


def compare(models: list[Any], X: Any, y: Any, splits: sp.Splits, weight: Any = None) -> None:
    found, solved = scored(models, in_memory(X, y, weight), splits, (COMPRESSED_PATH,))
    assert set(solved.ways) == {"path"}, solved.notes
    wanted, _ = scored(models, in_memory(X, y, weight, n_jobs=1), splits, ())
    for one, two in zip(found, wanted, strict=True):
        assert_same(one, two, EQUAL)


@pytest.mark.parametrize("scheme", ["k-fold", "repeated", "overlapping", "bootstrap", "nested in time"])
def test_equal_to_refits(scheme: str) -> None:
    models = [make_pipeline(ChooseWords(2), TfIdf(), model) for model in MODELS]
    compare(models, COUNTS, LABELS, schemes()[scheme])


@pytest.mark.parametrize("kind", ["importance", "whole"])
def test_equal_to_refits_with_weights(kind: str) -> None:
    balanced = LinearSVM(l2=0.02, tol=TIGHT, class_weight="balanced")
    models = [make_pipeline(TfIdf(), model) for model in (*MODELS[1:3], balanced)]
    compare(models, COUNTS, LABELS, schemes()["k-fold"], weights(kind))


def test_without_steps() -> None:
    compare(MODELS, COUNTS, LABELS, schemes()["k-fold"])


def test_texts_are_counted_once_and_chosen_in_every_training_set() -> None:
    pipelines = [
        make_pipeline(TextCounts(**words), TfIdf(), model)
        for words in ({"min_documents": 3}, {"max_words": 9, "ngram_range": (1, 2)}, {"binary": True})
        for model in MODELS[1:3]
    ]
    texts = np.array(TEXTS, dtype=object)
    compare(pipelines, texts, LABELS, schemes()["k-fold"])


def test_a_class_that_some_training_sets_lack() -> None:
    fold = np.arange(ROWS) % 4
    y = np.where(fold == 1, "z", LABELS)
    splits = sp.folds(Partition(fold.astype(np.int32), 4))
    compare([make_pipeline(TfIdf(), model) for model in MODELS], COUNTS, y, splits)


def test_only_what_is_asked_for() -> None:
    splits = schemes()["nested"] if "nested" in schemes() else schemes()["repeated"]
    models = [make_pipeline(TfIdf(), model) for model in MODELS[2:4]]
    only = np.zeros((2, splits.n_tests), dtype=bool)
    only[0, ::2], only[1, 1::2] = True, True
    data = in_memory(COUNTS, LABELS)
    some, solved = scored(models, data, splits, (COMPRESSED_PATH,), only)
    every, _ = scored(models, data, splits, (COMPRESSED_PATH,))
    for part, whole, asked in zip(some, every, only, strict=True):
        assert part is not None and whole is not None
        rows = asked[whole.test]
        assert np.array_equal(part.test, whole.test[rows])
        np.testing.assert_allclose(part.scores, whole.scores[rows], atol=EQUAL)


def test_the_same_bits_for_any_number_of_threads() -> None:
    models = [make_pipeline(TfIdf(), model) for model in MODELS]
    found = [
        scored(models, in_memory(COUNTS, LABELS, n_jobs=n), schemes()["k-fold"], (COMPRESSED_PATH,))[0]
        for n in (1, 3)
    ]
    for one, two in zip(*found, strict=True):
        assert one is not None and two is not None
        assert one.scores.tobytes() == two.scores.tobytes()


@pytest.mark.parametrize(
    "model",
    [
        make_pipeline(TfIdf(), Calibrated(LinearSVM(l2=0.01))),
        make_pipeline(TfIdf(), OneVsRest(LinearSVM(l2=0.01))),
        OneVsOne(make_pipeline(TfIdf(), LogisticRegression(l2=0.01))),
    ],
    ids=["calibrated", "one against the rest", "one against one"],
)
def test_models_made_of_models_share_too(model: Any) -> None:
    found = evaluate(model, COUNTS, LABELS, KFold(3))
    assert found.strategy == "path"


def test_who_is_refitted_and_why() -> None:
    pipelines = [
        make_pipeline(CountVectorizer(), TfIdf(), LogisticRegression(l2=0.1)),
        make_pipeline(TextCounts(), TfIdf(), LogisticRegression(l2=0.1)),
    ]
    texts = np.array(TEXTS, dtype=object)
    _, solved = scored(pipelines, in_memory(texts, LABELS), schemes()["k-fold"])
    assert solved.ways == ["refit", "path"]
    _, solved = scored(MODELS[:1], in_memory(COUNTS, LABELS), sp.one_out(ROWS))
    assert solved.ways == ["refit"] and solved.difficulties(0)[-1].code == "S022"
    found = tune(
        make_pipeline(TextCounts(), TfIdf(), LinearSVM()), TEXTS, LABELS, plan=KFold(3), l2=[0.1, 0.01]
    )
    assert found.evaluations[0].strategy == "path"
