"""ChooseWords keeps what TextCounts, fitted to the same training texts, would have kept."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

import assay
from assay.models.features.word_counts import count_texts
from tests.raised import Expected, raises

TEXTS = ["to be or not to be", "be quick", "", "not so quick, not so", "to or from", "be be be"]
SETTINGS: list[dict[str, Any]] = [
    {},
    {"min_documents": 2},
    {"min_documents": 0.4},
    {"max_documents": 0.5},
    {"max_documents": 1},
    {"max_words": 3},
    {"max_words": 3, "binary": True},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("rows", [[0, 1, 2], [0, 1, 3, 4], [1, 2, 3, 4, 5]], ids=str)
@pytest.mark.parametrize("dense", [False, True])
def test_the_words_of_a_training_part(settings: dict[str, Any], rows: list[int], dense: bool) -> None:
    counted = count_texts(TEXTS)
    X = counted.X.toarray() if dense else counted.X
    words = assay.ChooseWords(**settings).fit(X[rows])
    texts = assay.TextCounts(**settings).fit([TEXTS[i] for i in rows])
    assert counted.vocabulary[words.columns_].tolist() == texts.vocabulary_.tolist()
    assert words.document_counts_.tolist() == texts.document_counts_.tolist()
    assert words.dropped_ == {name: texts.dropped_[name] for name in words.dropped_}
    chosen = words.transform(X)
    chosen = chosen if dense else chosen.toarray()
    np.testing.assert_array_equal(chosen, texts.transform(TEXTS).toarray())


def test_names_come_from_a_frame_or_are_given() -> None:
    frame = pd.DataFrame({"be": [1, 2, 0], "from": [0, 0, 0], "so": [1, 0, 0]})
    words = assay.ChooseWords().fit(frame)
    assert words.get_feature_names_out().tolist() == ["be", "so"]
    plain = assay.ChooseWords().fit(csr_array(frame.to_numpy()))
    assert plain.get_feature_names_out().tolist() == ["x0", "x2"]
    assert plain.get_feature_names_out(["be", "from", "so"]).tolist() == ["be", "so"]


def test_a_stored_zero_is_no_word() -> None:
    X = csr_array((np.array([1.0, 0.0, 2.0]), np.array([0, 1, 0]), np.array([0, 2, 3])), shape=(2, 2))
    assert assay.ChooseWords().fit(X).columns_.tolist() == [0]


@pytest.mark.parametrize(
    ("words", "X", "expected"),
    [
        (
            assay.ChooseWords(3),
            [[1, 0], [1, 1], [0, 0]],
            Expected("M095", n_words=2, n_documents=3, min_documents=3, rare=2),
        ),
        (
            assay.ChooseWords(max_documents=0.4),
            [[1, 0], [1, 1], [0, 1]],
            Expected("M095", n_words=2, max_documents=0.4, common=2),
        ),
        (assay.ChooseWords(2, max_documents=0.4), [[1, 0], [1, 1]], Expected("M096", min_documents=2)),
        (assay.ChooseWords(), [[0, 0], [0, 0]], Expected("M094", n_words=2, n_rows=2)),
        (assay.ChooseWords(), [[1, 0], [1, -1]], Expected("M030", owner="ChooseWords", value=-1.0, row=1)),
        (assay.ChooseWords(0), [[1]], Expected("M023", owner="ChooseWords", name="min_documents", value=0)),
    ],
)
def test_bad_input_is_one_sentence(words: assay.ChooseWords, X: Any, expected: Expected) -> None:
    for given in (np.asarray(X, dtype=float), csr_array(np.asarray(X, dtype=float))):
        with raises(expected):
            words.fit(given)


def test_missing_values_are_named() -> None:
    with raises("N028", where="row 0, column 0"):
        assay.ChooseWords().fit(np.array([[np.nan]]))
    with raises("M035", kind="NaN", where="row 0, column 0"):
        assay.ChooseWords().fit(csr_array(np.array([[np.nan]])))
