"""Texts of a table as counts of words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer

from assay import (
    ChooseWords,
    MultinomialNB,
    NoColumns,
    PriorClassifier,
    TableClassifier,
    TextCounts,
    Words,
    read,
)
from assay.data import Table
from tests.noted import noted
from tests.raised import Expected, raises

TEXTS = ["Green eggs and ham", "No ham, no eggs!", None, "grün Λόγος", "ham"]
HEADS = ["eggs", "ham no", "x", None, "ham ham"]


def table(**more: Any) -> Table:
    return read(
        {"text": TEXTS, **more}, types={"text": "text", **{name: "text" for name in more if name == "head"}}
    )


def test_one_column_gives_the_words_of_the_ecosystem() -> None:
    encoder = Words().fit(table())
    theirs = CountVectorizer().fit([text or "" for text in TEXTS])
    assert encoder.get_feature_names_out().tolist() == theirs.get_feature_names_out().tolist()
    counted = encoder.transform(table())
    assert (counted.toarray() == theirs.transform([text or "" for text in TEXTS]).toarray()).all()
    assert (Words().fit_transform(table()) != counted).nnz == 0


def test_several_columns_stand_side_by_side() -> None:
    encoder = Words().fit(table(head=HEADS))
    parts = [TextCounts().fit_transform([text or "" for text in texts]) for texts in (TEXTS, HEADS)]
    assert (encoder.transform(table(head=HEADS)).toarray() == np.hstack([p.toarray() for p in parts])).all()
    names = encoder.get_feature_names_out().tolist()
    assert names[0] == "text: and" and names[-1] == "head: no"
    assert [(group.column, group.width) for group in encoder.groups_] == [("text", 7), ("head", 3)]


def test_a_column_without_a_word_is_there_all_the_same() -> None:
    encoder = Words().fit(table(head=["", None, "x", "y", "?"]))
    assert encoder.transform(table(head=HEADS)).shape == (5, 7)


def test_new_rows_are_counted_over_known_words() -> None:
    encoder = Words().fit(table())
    new = encoder.transform({"text": ["HAM and jam", "", None]})
    assert new.shape == (3, 7) and new.sum() == 2


def test_other_columns_are_named_in_notes() -> None:
    encoder = Words().fit(table(size=[1.5, 2.5, 3.5, 4.5, 5.5]))
    assert len(encoder.notes_) == 1 and noted(encoder.notes_, "M411", column="size", type="numeric")
    assert encoder.schema_.names == ("text",)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            {"size": [1.5, 2.5, 3.5]},
            Expected("M074", n_columns=1),
        ),
        (np.zeros((3, 2)), Expected("M076")),
    ],
)
def test_a_table_without_texts_is_refused(source: Any, expected: Expected) -> None:
    with raises(expected):
        Words().fit(source)


def test_texts_without_a_word_are_refused() -> None:
    empty = read({"text": ["a", "?", None]}, types={"text": "text"})
    with raises("M075", columns=["text"], n_rows=3):
        Words().fit(empty)
    with raises("M710", columns=["text"]):
        Words(stop_words=["ham"]).fit(read({"text": ["ham", "Ham"]}, types={"text": "text"}))


def test_a_classifier_of_texts_is_the_pipeline_of_texts() -> None:
    labels = ["a", "b", "a", "b", "b"]
    model = TableClassifier(Words(), [ChooseWords(max_words=3)], MultinomialNB()).fit(table(), labels)
    texts = [text or "" for text in TEXTS]
    counts = TextCounts(max_words=3)
    alone = MultinomialNB().fit(counts.fit_transform(texts), labels)
    assert np.array_equal(model.predict_proba(table()), alone.predict_proba(counts.transform(texts)))
    assert model.predict(table().take([])).tolist() == []
    assert model.predict_proba(table().take([])).shape == (0, 2)


def test_what_looks_at_nothing_takes_any_column() -> None:
    rows = table(size=[1.0, None, 3.5, 4.5, 5.5])
    model = TableClassifier(NoColumns(), [], PriorClassifier()).fit(rows, ["a", "b", "b", "b", "a"])
    assert model.schema_.names == ("text", "size") and set(model.predict(rows)) == {"b"}
