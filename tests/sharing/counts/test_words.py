"""Folds that learn their vocabulary: one tokenising and one count pass give what refitting every fold gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.pipeline import make_pipeline

import assay
from assay import (
    BernoulliNB,
    Bootstrap,
    ChooseWords,
    ComplementNB,
    HoldOut,
    KFold,
    LeaveOneOut,
    MultinomialNB,
    RandomSubsampling,
    TextCounts,
    evaluate,
    tune,
)
from assay.models.features.word_counts import count_table, count_texts
from assay.models.naive_bayes.poisson import PoissonNB
from assay.plans import GivenPartitions, Partition
from tests.nesting import nest
from tests.noted import noted
from tests.raised import Expected, raises
from tests.sharing.counts.count_refits import PassedOn, refitted, same

MODELS = [
    MultinomialNB(),
    MultinomialNB(smoothing=0.0, priors="uniform"),
    MultinomialNB(smoothing=1e-20),
    BernoulliNB(smoothing=0.3),
    BernoulliNB(smoothing=0.0),
    BernoulliNB(threshold=1.0),
    ComplementNB(),
    ComplementNB(norm=True, priors="ml"),
]
FILTERS: list[dict[str, Any]] = [
    {},
    {"min_documents": 2},
    {"min_documents": 0.1},
    {"max_documents": 0.5},
    {"max_documents": 20, "max_words": 15},
    {"max_words": 7},
    {"max_words": 7, "binary": True},
    {"binary": True},
]
PLANS = [KFold(4), KFold(3, repeats=2), HoldOut(0.3), RandomSubsampling(3), LeaveOneOut(), Bootstrap(4)]


def corpus(rows: int = 80, seed: int = 0) -> tuple[list[str], Any]:
    """Words of very different frequency, some in one document only; a few documents are empty."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, rows)
    lists = []
    for label in y:
        size = rng.integers(0, 12)
        lists.append([f"w{int(n)}" for n in rng.zipf(1.5, size) % 40 + label * rng.integers(0, 2, size)])
    lists[3], lists[7] = [], ["only", "here", "here"]
    return [" ".join(words) for words in lists], np.array(["a", "b", "c"])[y]


@pytest.mark.parametrize("filters", FILTERS, ids=str)
def test_texts_equal_refitting(filters: dict[str, Any]) -> None:
    X, y = corpus()
    pipelines = [make_pipeline(TextCounts(**filters), model) for model in MODELS]
    together = evaluate(pipelines, X, y, KFold(4))
    for pipeline, shared in zip(pipelines, together.values(), strict=True):
        same(shared, refitted(pipeline, X, y, KFold(4)))


@pytest.mark.parametrize("filters", FILTERS, ids=str)
@pytest.mark.parametrize("dense", [False, True])
def test_tables_of_counts_equal_refitting(filters: dict[str, Any], dense: bool) -> None:
    texts, y = corpus(seed=1)
    X = count_texts(texts).X
    X = X.toarray() if dense else X
    pipelines = [make_pipeline(ChooseWords(**filters), model) for model in MODELS]
    together = evaluate(pipelines, X, y, KFold(4))
    for pipeline, shared in zip(pipelines, together.values(), strict=True):
        same(shared, refitted(pipeline, X, y, KFold(4)))


@pytest.mark.parametrize("plan", PLANS, ids=repr)
def test_plans_equal_refitting(plan: Any) -> None:
    X, y = corpus(seed=2)
    for model in (MultinomialNB(), BernoulliNB(), ComplementNB()):
        pipeline = make_pipeline(TextCounts(min_documents=2, max_words=20), model)
        same(evaluate(pipeline, X, y, plan), refitted(pipeline, X, y, plan))


@pytest.mark.parametrize("kind", ["whole", "fractions"])
def test_weights_do_not_choose_words(kind: str) -> None:
    X, y = corpus(seed=3)
    rng = np.random.default_rng(3)
    weight = rng.integers(0, 3, len(X)).astype(float) if kind == "whole" else rng.random(len(X))
    for model in MODELS:
        pipeline = make_pipeline(TextCounts(max_words=12), model)
        options = {"sample_weight": weight, "groups": np.arange(len(X)) // 3}
        same(
            evaluate(pipeline, X, y, KFold(5), **options),
            refitted(pipeline, X, y, KFold(5), **options),
        )


def test_rows_that_are_always_trained_on_or_never_used() -> None:
    X, y = corpus(seed=4)
    fold = np.arange(len(X), dtype=np.int32) % 6 - 2
    plan = GivenPartitions([Partition(fold, 4)])
    for model in (MultinomialNB(), BernoulliNB(), ComplementNB()):
        pipeline = make_pipeline(TextCounts(max_words=12), model)
        same(evaluate(pipeline, X, y, plan), refitted(pipeline, X, y, plan))


def test_a_class_that_a_training_part_lacks() -> None:
    X = ["ham eggs", "ham toast", "eggs", "toast ham", "rain wind", "rain rain", "wind", "sun sun"]
    y = ["food"] * 4 + ["weather"] * 3 + ["sun"]
    plan = GivenPartitions([Partition(np.array([0, 1, 0, 1, 0, 1, 0, 1]), 2)])
    for model in (MultinomialNB(), BernoulliNB(), BernoulliNB(smoothing=0.0), ComplementNB(priors="ml")):
        pipeline = make_pipeline(TextCounts(), model)
        shared = evaluate(pipeline, X, y, plan)
        same(shared, refitted(pipeline, X, y, plan))
        assert noted(shared.notes, "S208", label="sun")


def test_every_kind_of_column() -> None:
    X, y = corpus(seed=5)
    pipeline = make_pipeline(TextCounts(max_words=20), MultinomialNB())
    plain = evaluate(pipeline, X, y, KFold(4))
    holed: list[Any] = [text or None for text in X]
    for given_as in (
        np.array(X, dtype=object),
        pd.Series(X, index=range(100, 100 + len(X))),
        pl.Series(X),
        pa.array(holed),
        pa.chunked_array([holed[:30], holed[30:]]),
        holed,
    ):
        shared = evaluate(pipeline, given_as, y, KFold(4))
        np.testing.assert_array_equal(shared.tested.scores, plain.tested.scores)
        same(shared, refitted(pipeline, given_as, y, KFold(4)))


def test_texts_are_cut_once_for_all_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = corpus(seed=6)
    calls = []

    def counting(*given: Any) -> Any:
        calls.append(given)
        return count_table(*given)

    monkeypatch.setattr("assay.models.features.text_counts.count_table", counting)
    pipeline = make_pipeline(TextCounts(), MultinomialNB())
    ranges = {"textcounts__max_words": [5, 20, None], "smoothing": [0.1, 1.0]}
    found = tune(pipeline, X, y, plan=KFold(4), **ranges)
    assert len(calls) == 1 and {each.strategy for each in found.evaluations} == {"counts"}
    for setting, shared in zip(found.settings, found.evaluations, strict=True):
        same(
            shared,
            refitted(assay.models.base.estimators.clone(pipeline).set_params(**setting), X, y, KFold(4)),
        )
    evaluate([pipeline, make_pipeline(TextCounts(ngram_range=(1, 2)), BernoulliNB())], X, y, KFold(4))
    assert len(calls) == 3


def test_nested_choices_cut_texts_once_too(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = corpus(120, seed=7)
    settings_ = [make_pipeline(TextCounts(max_words=count), BernoulliNB()) for count in (3, 10, None)]
    calls = []

    def counting(*given: Any) -> Any:
        calls.append(given)
        return count_table(*given)

    monkeypatch.setattr("assay.models.features.text_counts.count_table", counting)
    found = nest("words", settings_, X, y, KFold(4))
    assert len(calls) == 1 and found.evaluation.strategy == "counts"
    again = nest(
        "words",
        [make_pipeline(model[0], PassedOn(), model[1]) for model in settings_],
        X,
        y,
        KFold(4),
    )
    assert again.evaluation.strategy == "refit"
    np.testing.assert_allclose(found.inner, again.inner, rtol=1e-12)
    np.testing.assert_array_equal(found.chosen, again.chosen)


def test_the_callers_parts_stay_as_they_are() -> None:
    X, y = corpus()
    pipeline = make_pipeline(TextCounts(), MultinomialNB())
    evaluate(pipeline, X, y, KFold(4))
    assert not hasattr(pipeline[0], "vocabulary_") and not hasattr(pipeline[1], "n_features_in_")


@pytest.mark.parametrize(
    ("texts", "filters", "expected"),
    [
        (
            ["aa bb", "aa bb", "cc", "dd", "ee", "ff"],
            {"min_documents": 2},
            Expected("S133", split=0),
        ),
        (
            ["aa", "aa", "cc", "cc", "dd", "ee"],
            {"max_documents": 0.4},
            Expected("S133", split=2),
        ),
        (
            ["aa", "bb", "", "", "", ""],
            {},
            Expected("S133", split=0),
        ),
        (
            ["aa", "aa", "aa", "aa", "aa", "aa"],
            {"min_documents": 5},
            Expected("S133", split=0),
        ),
    ],
)
def test_an_emptied_vocabulary_is_the_sentence_of_a_fit(
    texts: list[str], filters: dict[str, Any], expected: Expected
) -> None:
    plan = GivenPartitions([Partition(np.array([0, 0, 1, 1, 2, 2]), 3)])
    y = [0, 1, 0, 1, 0, 1]
    pipeline = make_pipeline(TextCounts(**filters), MultinomialNB())
    with raises(expected) as shared:
        evaluate(pipeline, texts, y, plan)
    with pytest.raises(ValueError) as again:
        refitted(pipeline, texts, y, plan)
    assert str(shared.value).endswith(str(again.value))


def test_texts_without_a_word_are_refused_as_by_a_fit() -> None:
    with raises("M077", n_documents=4):
        evaluate(make_pipeline(TextCounts(), MultinomialNB()), ["", "a", "b", "?"], [0, 1, 0, 1], KFold(2))


def test_the_split_of_a_repeat_is_named() -> None:
    first, second = np.array([0, 0, 0, 1, 1, 1]), np.array([0, 0, 1, 1, 0, 1])
    X = csr_array(np.array([[1, 0], [0, 1], [1, 0], [1, 0], [0, 1], [1, 0]]))
    plan = GivenPartitions([Partition(first, 2), Partition(second, 2)])
    pipeline = make_pipeline(ChooseWords(2, max_documents=2), MultinomialNB())
    with raises("S133", split=2):
        evaluate(pipeline, X, [0, 1, 0, 1, 0, 1], plan)


def test_little_memory_means_refits_that_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_MEMORY", "1K")
    X, y = corpus()
    for model, given_as in (
        (make_pipeline(TextCounts(), MultinomialNB()), X),
        (make_pipeline(ChooseWords(), MultinomialNB()), count_texts(X).X),
        (MultinomialNB(), count_texts(X).X),
        (MultinomialNB(), count_texts(X).X.toarray()),
        (assay.CategoricalNB(), [[text] for text in X]),
    ):
        found = evaluate(model, given_as, y, KFold(4))
        assert found.strategy == "refit"
        assert any("more than ASSAY_MEMORY allows" in note for note in found.notes)


def test_a_model_of_words_that_takes_no_sparse_rows_is_refitted() -> None:
    texts, y = corpus()
    X = count_texts(texts).X.toarray()
    found = evaluate(make_pipeline(ChooseWords(2), PoissonNB()), X, y, KFold(4))
    assert found.strategy == "refit"


def test_threads_do_not_change_a_bit() -> None:
    X, y = corpus(300, seed=8)
    pipelines = [make_pipeline(TextCounts(), model) for model in MODELS]
    one, three = (evaluate(pipelines, X, y, KFold(5), n_jobs=n) for n in (1, 3))
    for name in one:
        np.testing.assert_array_equal(one[name].tested.scores, three[name].tested.scores)


documents = st.lists(st.sampled_from(["aa", "bb", "cc", "dd", "ee"]), max_size=5).map(" ".join)


@settings(max_examples=40, deadline=None)
@given(
    texts=st.lists(documents, min_size=8, max_size=14),
    labels=st.lists(st.integers(0, 1), min_size=14, max_size=14),
    filters=st.sampled_from(FILTERS),
    model=st.sampled_from(MODELS),
)
def test_any_small_corpus(texts: list[str], labels: list[int], filters: dict[str, Any], model: Any) -> None:
    texts = [*texts, "aa bb", "bb cc", "aa", "dd"]  # every training part has both classes
    y = [*labels[: len(texts) - 4], 0, 1, 1, 0]
    plan = GivenPartitions([Partition(np.arange(len(texts), dtype=np.int32) % 2, 2)])
    pipeline = make_pipeline(TextCounts(**filters), model)
    try:
        again = refitted(pipeline, texts, y, plan)
    except ValueError as error:
        with pytest.raises(ValueError) as shared:
            evaluate(pipeline, texts, y, plan)
        assert str(shared.value).endswith(str(error))
        return
    same(evaluate(pipeline, texts, y, plan), again)
