"""TextCounts counts what scikit-learn's CountVectorizer counts, whatever the text, and says what it cannot read."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline

from assay import LogisticRegression, TextCounts
from assay.models.features.word_counts import TokenRule, WordFilter, choose_words, count_texts
from tests.models.features.rival_counts import assert_same, rival

TEXTS = [
    "The cat sat on the mat.",
    "",
    "A cat_2 — der Fuß, ΣΑΣ und İstanbul!",
    "mat\x00cat  sat",
    "العربية שלום e\u0301té",
]


def compare(texts: list[str], **options: Any) -> None:
    """The same counts and words, or no words on either side."""
    model, other = TextCounts(**options), rival(**options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # on stop words that it never meets
        try:
            expected = other.fit_transform(texts)
        except ValueError:
            with pytest.raises(ValueError):
                model.fit(texts)
            return
        assert_same(model.fit_transform(texts), expected)
        assert model.vocabulary_.tolist() == other.get_feature_names_out().tolist()
        more = [*texts[::-1], "another cat"]
        assert_same(model.transform(more), other.transform(more))


RANGES = st.tuples(st.integers(1, 3), st.integers(0, 2)).map(lambda pair: (pair[0], sum(pair)))
CHARACTERS = st.one_of(
    st.characters(exclude_categories=["Cs"]),
    st.sampled_from("aAbB_ 1\n\t\x00ΣσςİıßſǅéÅ\u0301\u00ad'ªÉ中٣²Ⅷ𝒜🙂"),
)


@settings(max_examples=300, deadline=None)
@given(
    texts=st.lists(st.text(CHARACTERS, max_size=40), max_size=6),
    lowercase=st.sampled_from([True, False, "fold"]),
    tokens=st.sampled_from(["words", "characters"]),
    ngram_range=RANGES,
    stop=st.lists(st.text(CHARACTERS, max_size=3), max_size=3),
    min_documents=st.sampled_from([1, 2, 0.3]),
    max_documents=st.sampled_from([1.0, 2, 0.6]),
    binary=st.booleans(),
)
@example(["AΣ aΣ. ΣΑ'Σ", "Σ ΑΣ\u0301 ΑΣ\u0301Β"], True, "words", (1, 2), [], 1, 1.0, False)
@example(["a  b\n\nc\td \u2003 e"], True, "characters", (1, 3), [], 1, 1.0, False)
def test_any_text_is_counted_as_the_rival_does(
    texts: list[str],
    lowercase: Any,
    tokens: str,
    ngram_range: Any,
    stop: list[str],
    min_documents: Any,
    max_documents: Any,
    binary: bool,
) -> None:
    change = {True: str.lower, False: str, "fold": str.casefold}[lowercase]
    compare(
        texts,
        lowercase=lowercase,
        tokens=tokens,
        ngram_range=ngram_range,
        stop_words=[change(word) for word in stop] or None if tokens == "words" else None,
        min_documents=min_documents,
        max_documents=max_documents,
        binary=binary,
    )


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text("abCD eΣ_é.-", min_size=20, max_size=200), min_size=1, max_size=5), RANGES)
def test_long_runs_are_counted_as_the_rival_does(texts: list[str], ngram_range: Any) -> None:
    compare(texts, ngram_range=ngram_range)
    compare([text * 5 for text in texts], tokens="characters", ngram_range=ngram_range)


@pytest.mark.parametrize(
    "options", [{}, {"ngram_range": (1, 3)}, {"tokens": "characters", "ngram_range": (2, 5)}]
)
def test_long_documents_and_words(options: Any) -> None:
    rng = np.random.default_rng(0)
    letters = np.array(list("abcdefgh ÄΣ"))
    compare(["".join(rng.choice(letters, 60_000)), "x" * 5000 + " " + "Y" * 70_000], **options)


def test_the_cap_keeps_the_most_frequent_words() -> None:
    texts = ["one two two three three three", "three two four four four four"]
    compare(texts, max_words=2)
    model = TextCounts(max_words=3).fit(["bb aa dd cc cc"])
    assert model.vocabulary_.tolist() == ["aa", "bb", "cc"]  # equals stay in the order of code points
    assert model.dropped_ == {"stop_words": 0, "min_documents": 0, "max_documents": 0, "max_words": 1}


def test_sigma_dotted_i_and_sharp_s() -> None:
    assert TextCounts().fit(["ΟΔΟΣ ΣΟΦΟΣ"]).vocabulary_.tolist() == ["οδος", "σοφος"]
    assert TextCounts("fold").fit(["ΟΔΟΣ ςς"]).vocabulary_.tolist() == ["οδοσ", "σσ"]
    assert TextCounts("fold").fit(["Straße STRASSE"]).vocabulary_.tolist() == ["strasse"]
    assert TextCounts().fit(["İstanbul"]).vocabulary_.tolist() == [
        "stanbul"
    ]  # the dot becomes a mark of its own
    assert TextCounts(False).fit(["İstanbul"]).vocabulary_.tolist() == ["İstanbul"]


def test_stop_words_are_compared_in_the_case_that_is_counted() -> None:
    assert TextCounts(stop_words=["THE"]).fit(["The the cat"]).vocabulary_.tolist() == ["cat"]
    assert TextCounts(False, stop_words=["The"]).fit(["The the"]).vocabulary_.tolist() == ["the"]


FORMS = {
    "list": list,
    "tuple": tuple,
    "objects": lambda texts: np.array(texts, dtype=object),
    "numpy": lambda texts: np.array(texts, dtype="U"),
    "generator": lambda texts: (text for text in texts),
    "bytes": lambda texts: [text.encode() for text in texts],
    "pandas": pd.Series,
    "pandas objects": lambda texts: pd.Series(texts, dtype=object),
    "pandas python": lambda texts: pd.Series(texts, dtype="string[python]"),
    "pandas arrow": lambda texts: pd.Series(texts, dtype="string[pyarrow]"),
    "pandas arrow type": lambda texts: pd.Series(texts, dtype=pd.ArrowDtype(pa.string())),
    "pandas category": lambda texts: pd.Series(texts, dtype="category"),
    "polars": pl.Series,
    "polars category": lambda texts: pl.Series(texts, dtype=pl.Categorical),
    "arrow": pa.array,
    "arrow large": lambda texts: pa.array(texts, pa.large_string()),
    "arrow view": lambda texts: pa.array(texts, pa.string_view()),
    "arrow binary": lambda texts: pa.array([text.encode() for text in texts], pa.binary()),
    "arrow dictionary": lambda texts: pa.array(texts).dictionary_encode(),
    "arrow chunks": lambda texts: pa.chunked_array([texts[:2], [], texts[2:]], pa.string()),
    "arrow slice": lambda texts: pa.array(["x x", *texts, "y y"])[1 : len(texts) + 1],
}


@pytest.mark.parametrize("form", FORMS)
def test_every_container_is_read_alike(form: str) -> None:
    texts = [text.replace("\x00", "") for text in TEXTS]
    expected = TextCounts().fit(texts)
    model = TextCounts()
    assert_same(model.fit_transform(FORMS[form](texts)), expected.transform(texts))
    assert model.vocabulary_.tolist() == expected.vocabulary_.tolist()


@pytest.mark.parametrize(
    "texts",
    [
        ["aa", None, "bb"],
        ["aa", float("nan"), "bb"],
        ["aa", pd.NA, "bb"],
        np.array(["aa", np.nan, "bb"], dtype=object),
        pd.Series(["aa", None, "bb"]),
        pd.Series(["aa", None, "bb"], dtype="string[pyarrow]"),
        pl.Series(["aa", None, "bb"]),
        pa.array(["aa", None, "bb"]),
        pa.array(["aa", None, "bb"]).dictionary_encode(),
    ],
    ids=lambda texts: type(texts).__module__ + "." + type(texts).__name__,
)
def test_a_missing_text_is_an_empty_document(texts: Any) -> None:
    assert TextCounts().fit_transform(texts).toarray().tolist() == [[1, 0], [0, 0], [0, 1]]


def test_nothing_but_missing_texts_can_be_transformed() -> None:
    model = TextCounts().fit(["aa"])
    for nothing in ([], [None], pa.nulls(1), pa.array([], pa.string()), np.array([], dtype=object)):
        assert model.transform(nothing).shape == (len(nothing), 1)
        assert model.transform(nothing).nnz == 0


def test_threads_give_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    words = np.array([f"w{i}é" if i % 3 else f"word{i}" for i in range(4000)])
    texts = [" ".join(words[rng.zipf(1.3, 400) % 4000]) for _ in range(800)]
    found = []
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("ASSAY_THREADS", threads)
        model = TextCounts(ngram_range=(1, 2), min_documents=2)
        found.append((model.fit_transform(texts), model, model.transform(texts)))
    first, model, _ = found[0]
    for X, other, Y in found:
        for part in ("indptr", "indices", "data"):
            assert getattr(X, part).tobytes() == getattr(first, part).tobytes() == getattr(Y, part).tobytes()
        assert other.vocabulary_.tolist() == model.vocabulary_.tolist()
        assert other.document_counts_.tolist() == model.document_counts_.tolist()


def test_document_counts_and_what_was_dropped() -> None:
    model = TextCounts(min_documents=2, max_documents=0.7).fit(["aa bb", "aa bb cc", "aa dd dd"])
    assert model.vocabulary_.tolist() == ["bb"]
    assert model.document_counts_.tolist() == [2]
    assert model.dropped_ == {"stop_words": 0, "min_documents": 2, "max_documents": 1, "max_words": 0}


@pytest.mark.parametrize("threads", ["1", "3"])
def test_stop_words_that_the_texts_hold_are_counted(monkeypatch: pytest.MonkeyPatch, threads: str) -> None:
    monkeypatch.setenv("ASSAY_THREADS", threads)
    texts = [f"{'The tree ' * 20_000} och Över{i}" for i in range(8)]  # several chunks, so several tables
    model = TextCounts(stop_words=["the", "THE", "och", "Öl", "över7", "a"]).fit(texts)
    assert model.dropped_["stop_words"] == 3  # "the", "och" and "över7", not how often they stand there
    assert model.vocabulary_.tolist() == ["tree", *(f"över{i}" for i in range(7))]
    pairs = TextCounts(stop_words=["the"], ngram_range=(2, 2)).fit(["the big tree"])
    assert (pairs.vocabulary_.tolist(), pairs.dropped_["stop_words"]) == (["big tree"], 1)


def test_folds_choose_from_counts() -> None:
    texts = ["aa bb", "aa cc", "bb cc cc", "dd"]
    counted = count_texts(texts, TokenRule())
    part = counted.X[:3]
    documents = np.bincount(part.indices, minlength=len(counted.vocabulary))
    chosen = choose_words(documents, part.sum(axis=0), 3, WordFilter(min_documents=2, max_words=2))
    fitted = TextCounts(min_documents=2, max_words=2).fit(texts[:3])
    assert counted.vocabulary[chosen.columns].tolist() == fitted.vocabulary_.tolist()
    assert_same(fitted.transform(texts), counted.X[:, chosen.columns])


def test_it_is_an_estimator() -> None:
    model = TextCounts("fold", ngram_range=(1, 2), stop_words=["aa"])
    assert clone(model).get_params() == model.get_params()
    with pytest.raises(NotFittedError):
        model.transform(["aa"])
    with pytest.raises(NotFittedError):
        model.get_feature_names_out()
    before = model.get_params()
    assert model.fit(TEXTS) is model
    assert model.get_params() == before
    other = pickle.loads(pickle.dumps(model))
    assert_same(other.transform(TEXTS), model.transform(TEXTS))
    tags = model.__sklearn_tags__().input_tags
    assert tags.string and not tags.two_d_array
    texts = ["good film", "bad film", "good plot", "bad plot"]
    pipeline = make_pipeline(TextCounts(), LogisticRegression(0.1)).fit(texts, [1, 0, 1, 0])
    assert pipeline.predict(["good", "bad"]).tolist() == [1, 0]
