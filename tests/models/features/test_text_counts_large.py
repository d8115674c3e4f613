"""TextCounts on real posts, beside CountVectorizer, and on one very long document."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import assay
from assay import TextCounts
from benchmarks.peak import give_back, reset_peak, resident
from tests.models.features.rival_counts import assert_same, rival
from tests.raised import raises
from tests.realdata import data_path

ESCAPES = {r"\n": "\n", r"\t": "\t", r"\\": "\\"}
MEGABYTE = 1 << 20


@pytest.fixture(scope="module")
def posts() -> list[str]:
    path = data_path("newsgroups20_bydate.tsv.gz")
    texts = pd.read_csv(path, sep="\t", quoting=3, keep_default_na=False)["text"]
    return [re.sub(r"\\[nt\\]", lambda found: ESCAPES[found[0]], text) for text in texts]


@pytest.mark.parametrize(
    ("options", "step"),
    [
        ({}, 1),
        ({"lowercase": False, "min_documents": 2, "max_documents": 0.5}, 4),
        ({"lowercase": "fold", "stop_words": ["the", "and", "from"], "binary": True}, 4),
        ({"ngram_range": (1, 2), "min_documents": 3}, 20),
        ({"tokens": "characters", "ngram_range": (2, 4)}, 100),
    ],
)
def test_newsgroups_are_counted_as_the_rival_does(
    posts: list[str], options: dict[str, Any], step: int
) -> None:
    some = posts[::step]
    ours, theirs = TextCounts(**options), rival(**options)
    assert_same(ours.fit_transform(some), theirs.fit_transform(some))
    assert ours.vocabulary_.tolist() == theirs.get_feature_names_out().tolist()
    assert_same(ours.transform(pa.array(posts[:500])), theirs.transform(posts[:500]))


def test_the_cap_on_newsgroups_keeps_the_most_frequent(posts: list[str]) -> None:
    some = posts[::10]
    everything = TextCounts().fit_transform(some)
    capped = TextCounts(max_words=1000)
    kept = capped.fit_transform(some).sum(axis=0)
    assert sorted(kept.tolist()) == np.sort(everything.sum(axis=0))[-1000:].tolist()
    assert capped.dropped_["max_words"] == everything.shape[1] - 1000


@pytest.mark.parametrize("piece", ["alpha Beta_2, ", "λόγος ΟΔΟΣ "], ids=["ascii", "greek"])
def test_one_document_of_a_hundred_megabytes(piece: str) -> None:
    times = 100 * MEGABYTE // len(piece.encode()) + 1
    model = TextCounts()
    counts = model.fit_transform(pa.array([piece * times], pa.large_string()))
    assert model.vocabulary_.tolist() == sorted(word.strip(",") for word in piece.lower().split())
    assert counts.toarray().tolist() == [[times, times]]


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="the peak is read from /proc")
@pytest.mark.parametrize("whole", [True, False], ids=["words", "pairs"])
def test_a_long_document_takes_the_memory_of_its_words(whole: bool) -> None:
    """Read where it lies, in pieces: nothing grows with its length."""
    words = " ".join(f"word{i}" for i in range(1000)).encode()
    times = (100 if whole else 10) * MEGABYTE // len(words)
    text = (words + b" ") * times
    model = TextCounts(ngram_range=(1, 1) if whole else (1, 2))
    model.fit([b"warm up"])
    give_back()
    if not reset_peak():
        pytest.skip(reason="this system does not let a process reset its peak")
    before = resident("VmRSS")
    counts = model.fit_transform([text])
    assert resident("VmHWM") - before < 4 * MEGABYTE
    assert counts.sum() == (1000 * times if whole else 2 * 1000 * times - 1)


def test_one_word_of_many_megabytes() -> None:
    word = "Wort" * (4 * MEGABYTE)
    model = TextCounts().fit([word, word + " short"])
    assert model.vocabulary_.tolist() == ["short", word.lower()]
    assert model.document_counts_.tolist() == [1, 2]


def test_a_stored_model_counts_the_same(tmp_path: Path) -> None:
    texts = ["Ein Bär, zwei Bären", "two bears\x00", "ΟΔΟΣ"]
    model = TextCounts("fold", ngram_range=(1, 2), stop_words=["ein"], max_documents=2).fit(texts)
    assay.save(model, tmp_path / "words.assay")
    loaded = assay.load(tmp_path / "words.assay")
    assert loaded.get_params() == model.get_params()
    assert loaded.vocabulary_.tolist() == model.vocabulary_.tolist()
    assert (loaded.dropped_, loaded.document_counts_.tolist()) == (
        model.dropped_,
        model.document_counts_.tolist(),
    )
    assert_same(loaded.transform(texts), model.transform(texts))


@pytest.mark.parametrize("words", [["bb", "aa"], ["aa", "aa"], ["aa", "b\ud800"], []])
def test_a_vocabulary_that_cannot_be_is_not_stored(tmp_path: Path, words: list[str]) -> None:
    model = TextCounts().fit(["aa bb"])
    model.vocabulary_ = np.array(words, dtype=object)
    model.document_counts_ = np.ones(len(words), dtype=np.int64)
    with raises("F083"):
        assay.save(model, tmp_path / "words.assay")
