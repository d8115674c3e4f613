"""Text that is none, and settings that leave nothing, are told in one sentence."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn.pipeline import make_pipeline

from assay import BernoulliNB, ComplementNB, MultinomialNB, TextCounts
from tests.raised import raises


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"ngram_range": (2, 1)}, "ngram_range=(2, 1)) is reversed; give (1, 2)"),
        ({"ngram_range": (0, 1)}, "a pair (least, most) of whole numbers of at least 1"),
        ({"ngram_range": 2}, "a pair (least, most)"),
        ({"lowercase": "upper"}, "True, False or 'fold'"),
        ({"tokens": "letters"}, "one of 'words', 'characters'"),
        ({"stop_words": "english"}, "give a list of words, or None"),
        ({"stop_words": ["aa", 1]}, "give a list of words, or None"),
        ({"stop_words": ["aa"], "tokens": "characters"}, "give only one of them"),
        ({"min_documents": 0}, "a whole number of documents of at least 1, or a share"),
        ({"max_documents": 1.5}, "a whole number of documents of at least 1, or a share"),
        ({"max_words": 0}, "a whole number of at least 1"),
        (
            {"min_documents": 3, "max_documents": 2},
            "max_documents=2 is 2 of 3 documents and lies below min_documents=3",
        ),
        ({"min_documents": 0.9, "max_documents": 0.5}, "lower min_documents or raise max_documents"),
        ({"min_documents": 3}, "No word is left of 4 in 3 documents: min_documents=3 took 4"),
        ({"min_documents": 2, "max_documents": 1.0, "stop_words": ["bb"]}, "min_documents=2 took 3"),
        (
            {"stop_words": ["aa", "bb", "cc", "dd"]},
            "stop_words (4 of them) removes every word of the 3 documents",
        ),
        (
            {"ngram_range": (2, 2), "stop_words": ["bb"]},
            "ngram_range=(2, 2) finds nothing: none of the 3 documents has 2 words",
        ),
        ({"ngram_range": (3, 4)}, "none of the 3 documents has 3 words of two letters or more in a row"),
    ],
)
def test_settings(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)) as caught:
        TextCounts(**options).fit(["aa bb", "bb cc", "dd"])
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


def test_both_filters_are_named() -> None:
    with raises("M095", taken="min_documents=2 took 2 and max_documents=2 took 1"):
        TextCounts(min_documents=2, max_documents=2).fit(["aa bb", "aa cc", "aa"])


@pytest.mark.parametrize(
    ("texts", "sentence"),
    [
        (["aa", 7], "Row 1 of X holds 7 (int), which is not text"),
        (["aa", None, ["bb"]], "Row 2 of X holds ['bb'] (list)"),
        (np.array(["aa", 2.5], dtype=object), "Row 1 of X holds 2.5 (float)"),
        (np.arange(3), "Row 0 of X holds 0 (int)"),
        (pd.Series([1.5]), "Row 0 of X holds 1.5 (float)"),
        (pa.array([None, 4]), "Row 1 of X holds 4 (int)"),
        (pd.DataFrame({"text": ["aa"]}), "X has the shape (1, 1); give one column of text"),
        (np.array([["aa"]]), "give one column of text"),
        (pa.table({"text": ["aa"]}), "X is a Table; give one column of text"),
        ("aa bb", "X is one text; give a list of texts"),
        (b"aa bb", "X is one text"),
        (5, "X is 5 (int); give a list of texts"),
        (None, "X is None (NoneType); give a list of texts"),
        ({"text": ["aa"]}, "(dict); give a list of texts"),
        ([], "X has no documents"),
        (["", " - ", "a b c"], "None of the 3 documents holds words of two letters or more"),
        (["aa", "b\ud800c"], "Row 1 of X holds half a surrogate pair, U+D800, at position 1"),
        (["aa", "中\ud800"], "Row 1 of X holds half a surrogate pair, U+D800, at position 1"),
        (["aa", b"abc\xff"], "Row 1 of X is not UTF-8: byte 0xFF at position 3"),
    ],
)
def test_texts(texts: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)) as caught:
        TextCounts().fit(texts)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("cls", [MultinomialNB, BernoulliNB, ComplementNB])
def test_a_class_whose_documents_are_all_empty_is_told(cls: Any) -> None:
    model = make_pipeline(TextCounts(), cls()).fit(["", None, "good film", "bad film"], ["x", "x", "y", "y"])
    (sentence,) = model[-1].diagnostics_
    assert sentence.startswith("Every document of class x is empty") and sentence.endswith(".")
    assert np.isfinite(model.predict_proba(["", "good", "unknown words"])).all()


@settings(max_examples=400, deadline=None)
@given(st.lists(st.binary(max_size=12) | st.text(max_size=6).map(str.encode), min_size=1, max_size=4))
@example([b"\xed\xa0\x80"])
@example([b"\xf4\x90\x80\x80"])
@example([b"\xc0\x80"])
@example([b"ok", b"\xe2\x82"])
def test_bytes_are_read_as_python_reads_them(rows: list[bytes]) -> None:
    model = TextCounts(tokens="characters").fit(["a"])
    column = pa.Array.from_buffers(
        pa.string(),
        len(rows),
        [
            None,
            pa.py_buffer(np.cumsum([0, *map(len, rows)], dtype=np.int32).tobytes()),
            pa.py_buffer(b"".join(rows)),
        ],
    )
    for given_rows in (rows, column):
        for row, value in enumerate(rows):
            try:
                value.decode()
            except UnicodeDecodeError as error:
                start = (
                    f"Row {row} of X is not UTF-8: byte 0x{value[error.start]:02X} at position {error.start};"
                )
                with pytest.raises(ValueError, match=f"^{re.escape(start)}"):
                    model.transform(given_rows)
                break
        else:
            assert model.transform(given_rows).shape == (len(rows), 1)
