"""The counting of tokens against the same in plain Python: any text, any number of threads, every order of words."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assay import _core
from assay.models.features.word_counts import TokenRule, WordTally, count_texts

CHANGES: dict[object, Any] = {True: str.lower, False: str, "fold": str.casefold}
CHUNK = 1 << 18  # units of text after which a thread takes new documents


def words_of(text: str) -> list[str]:
    """Runs of at least two letters, digits or underscores."""
    runs = groupby(text, lambda character: character.isalnum() or character == "_")
    found = ["".join(run) for inside, run in runs if inside]
    return [word for word in found if len(word) > 1]


def characters_of(text: str) -> list[str]:
    """Characters, with two or more of white space drawn together to one blank."""
    found: list[str] = []
    for space, run in groupby(text, str.isspace):
        characters = list(run)
        found += [" "] if space and len(characters) > 1 else characters
    return found


def counted(text: str, rule: TokenRule) -> Counter[str]:
    """How often each run of tokens stands in a text."""
    change = CHANGES[rule.lowercase]
    stop = {change(word) for word in rule.stop_words}
    words = rule.tokens == "words"
    tokens = words_of(change(text)) if words else characters_of(change(text))
    tokens = [token for token in tokens if token not in stop]
    least, most = rule.ngram_range
    return Counter(
        (" " if words else "").join(tokens[start : start + size])
        for size in range(least, most + 1)
        for start in range(len(tokens) - size + 1)
    )


def assert_counted(texts: list[str], rule: TokenRule, given_texts: Any = None) -> None:
    found = count_texts(texts if given_texts is None else given_texts, rule)
    expected = [counted(text, rule) for text in texts]
    words = sorted(set().union(*expected))
    assert found.vocabulary.tolist() == words
    assert found.X.shape == (len(texts), len(words))
    for row, counts in enumerate(expected):
        begin, end = found.X.indptr[row], found.X.indptr[row + 1]
        columns = found.X.indices[begin:end]
        assert (np.diff(columns) > 0).all()
        assert dict(zip(found.vocabulary[columns], found.X.data[begin:end], strict=True)) == counts


# Scripts written from right to left, marks that combine, controls, and letters that change length with their case.
ODD = "אבגשלוםاللغةالعربية\u200f\u202e\u0301\u0308\u200d\u0345ﷺݐİıŉǰΐßﬃΣσς_0٣²\x00\x1f\x85\u2028\u3000\ufeff\uffff𐐀𞤀𝒜🙂"
TEXT = st.text(st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from(ODD + "aB ")), max_size=60)
RULES = st.builds(
    TokenRule,
    lowercase=st.sampled_from([True, False, "fold"]),
    tokens=st.sampled_from(["words", "characters"]),
    ngram_range=st.sampled_from([(1, 1), (1, 2), (2, 3)]),
)


@settings(max_examples=400, deadline=None)
@given(st.lists(TEXT, min_size=1, max_size=5), RULES)
@example(["שָׁלוֹם עולם", "مرحبا بالعالم", "e\u0301te\u0301", "\x00\x00a\x00bb\x00", ""], TokenRule())
@example(["ab\x00", "ab", "ab\x00\x00"], TokenRule(tokens="characters", ngram_range=(2, 3)))
@example(["ΑΣ\u0301 ΑΣ ΑΣΑ Σ"], TokenRule())
def test_any_text(texts: list[str], rule: TokenRule) -> None:
    assert_counted(texts, rule)
    assert_counted(texts, rule, [text.encode() for text in texts])


@settings(max_examples=100, deadline=None)
@given(st.lists(TEXT, min_size=1, max_size=3), st.lists(TEXT, max_size=4))
def test_any_stop_list(texts: list[str], stop: list[str]) -> None:
    rule = TokenRule(stop_words=[*stop, *words_of(texts[0])[:2]])
    assert_counted(texts, rule)
    held = {word for text in texts for word in words_of(text.lower())}
    assert WordTally(texts, rule).n_stopped == len(held & {word.lower() for word in rule.stop_words})


def hard_to_order() -> list[str]:
    """Words equal for 8, 16 and more bytes, of which some begin others, and one that is very long."""
    stem = "abcdefghijklmnopqrstuvwxyz"
    heads = [stem[:size] for size in (2, 7, 8, 9, 15, 16, 17, 26)]
    return [head + tail for head in heads for tail in ("", "a", "z", "é", "zz", "é9")] + ["q" * 70_000]


@pytest.mark.parametrize("threads", ["1", "2", "5"])
@pytest.mark.parametrize("tokens", ["words", "characters"])
def test_words_are_ordered_alike_whichever_thread_met_them(
    monkeypatch: pytest.MonkeyPatch, threads: str, tokens: str
) -> None:
    monkeypatch.setenv("ASSAY_THREADS", threads)
    rng = np.random.default_rng(0)
    words = hard_to_order()
    texts = [" ".join(rng.permutation(words)[: 5 + 9 * i]) for i in range(5)]
    if tokens == "words":
        assert_counted([text + " " * CHUNK for text in texts], TokenRule())  # a chunk each
    else:
        short = [text[:400].replace("z", "\x00") + " " * CHUNK for text in texts]
        assert_counted(short, TokenRule(tokens="characters", ngram_range=(1, 2)))


def test_rows_of_every_length_are_put_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_THREADS", "2")
    rng = np.random.default_rng(1)
    sizes = [0, 1, 3000, 0, 2, 700, 700, 700, 5000, 0]
    texts = [" ".join(f"w{n}" for n in rng.integers(0, 40_000, size)) for size in sizes]
    assert_counted(texts, TokenRule())
    tally = WordTally(texts, TokenRule())
    columns = np.arange(0, tally.n_words, 3)
    every = tally.matrix()
    assert (tally.matrix(columns) != every[:, columns]).nnz == 0
    assert (tally.matrix(columns, binary=True) != (every[:, columns] > 0)).nnz == 0


@pytest.mark.parametrize(
    ("out", "sentence"),
    [
        (np.empty(1, dtype=object), "fit together"),
        (np.empty(3, dtype=object), "fit together"),
        (np.empty(2), "array of objects"),
        (np.empty((2, 1), dtype=object), "array of objects"),
    ],
)
def test_names_need_a_fitting_array(out: Any, sentence: str) -> None:
    tally = WordTally(["aa bb cc"], TokenRule())._tally
    assert isinstance(tally, _core.text.Tally)
    column = np.array([0, -1, 1], dtype=np.int32)
    with pytest.raises(ValueError, match=sentence):
        tally.names(column, out)
    right = np.array(["old", "older"], dtype=object)
    tally.names(column, right)
    assert right.tolist() == ["aa", "cc"]
