"""Text that is none, and settings that leave nothing, are told in one sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn.pipeline import make_pipeline

from assay import BernoulliNB, ComplementNB, MultinomialNB, TextCounts
from tests.raised import Expected, raises


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"ngram_range": (2, 1)}, Expected("M081", ngram_range=(2, 1), most=1, least=2)),
        (
            {"ngram_range": (0, 1)},
            Expected("M023", expectation="a pair (least, most) of whole numbers of at least 1"),
        ),
        ({"ngram_range": 2}, Expected("M023", name="ngram_range", value=2)),
        ({"lowercase": "upper"}, Expected("M023", expectation="True, False or 'fold'")),
        ({"tokens": "letters"}, Expected("M023", expectation="one of 'words', 'characters'")),
        ({"stop_words": "english"}, Expected("M023", expectation="a list of words, or None")),
        ({"stop_words": ["aa", 1]}, Expected("M023", expectation="a list of words, or None")),
        ({"stop_words": ["aa"], "tokens": "characters"}, Expected("M082")),
        ({"min_documents": 0}, Expected("M023", name="min_documents", value=0)),
        ({"max_documents": 1.5}, Expected("M023", name="max_documents", value=1.5)),
        ({"max_words": 0}, Expected("M023", name="max_words", value=0)),
        (
            {"min_documents": 3, "max_documents": 2},
            Expected("M096", max_documents=2, high=2.0, n_documents=3, min_documents=3, low=3.0),
        ),
        (
            {"min_documents": 0.9, "max_documents": 0.5},
            Expected("M096", max_documents=0.5, min_documents=0.9),
        ),
        ({"min_documents": 3}, Expected("M095", n_words=4, n_documents=3, min_documents=3, rare=4)),
        (
            {"min_documents": 2, "max_documents": 1.0, "stop_words": ["bb"]},
            Expected("M095", n_words=3, n_documents=3, min_documents=2, rare=3),
        ),
        (
            {"stop_words": ["aa", "bb", "cc", "dd"]},
            Expected("M079", n_stop_words=4, n_documents=3),
        ),
        (
            {"ngram_range": (2, 2), "stop_words": ["bb"]},
            Expected("M080", ngram_range=(2, 2), least=2, tokens="words", n_documents=3),
        ),
        ({"ngram_range": (3, 4)}, Expected("M080", least=3, tokens="words", n_documents=3)),
    ],
)
def test_settings(options: dict[str, Any], expected: Expected) -> None:
    with raises(expected) as caught:
        TextCounts(**options).fit(["aa bb", "bb cc", "dd"])
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


def test_both_filters_are_named() -> None:
    with raises("M095", rare=2, common=1):
        TextCounts(min_documents=2, max_documents=2).fit(["aa bb", "aa cc", "aa"])


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["aa", 7], Expected("M083", row=1, shown="7 (int)")),
        (["aa", None, ["bb"]], Expected("M083", row=2, shown="['bb'] (list)")),
        (np.array(["aa", 2.5], dtype=object), Expected("M083", row=1, shown="2.5 (float)")),
        (np.arange(3), Expected("M083", row=0, shown="0 (int)")),
        (pd.Series([1.5]), Expected("M083", row=0, shown="1.5 (float)")),
        (pa.array([None, 4]), Expected("M083", row=1, shown="4 (int)")),
        (pd.DataFrame({"text": ["aa"]}), Expected("M087", shape=(1, 1))),
        (np.array([["aa"]]), Expected("M087")),
        (pa.table({"text": ["aa"]}), Expected("M086", kind="Table")),
        ("aa bb", Expected("M085")),
        (b"aa bb", Expected("M085")),
        (5, Expected("M088", shown="5 (int)")),
        (None, Expected("M088", shown="None (NoneType)")),
        ({"text": ["aa"]}, Expected("M088")),
        ([], Expected("M078")),
        (["", " - ", "a b c"], Expected("M077", n_documents=3)),
        (["aa", "b\ud800c"], Expected("M089", row=1, position=1)),
        (["aa", "中\ud800"], Expected("M089", row=1, position=1)),
        (["aa", b"abc\xff"], Expected("M084", row=1, position=3)),
    ],
)
def test_texts(texts: Any, expected: Expected) -> None:
    with raises(expected) as caught:
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
                with raises("M084", row=row, unit=value[error.start], position=error.start):
                    model.transform(given_rows)
                break
        else:
            assert model.transform(given_rows).shape == (len(rows), 1)
