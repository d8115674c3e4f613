"""Word stems: Porter's own examples, counts that are added, folds, and what is said without the package."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline

from assay import KFold, MultinomialNB, TextCounts, evaluate, load, save
from assay.models.features import word_stems
from assay.models.features.word_stems import STEMMERS, columns_of, stems
from tests.raised import raises

pytest.importorskip("snowballstemmer")

# Porter, An algorithm for suffix stripping, Program 14 (1980).
PORTER = {
    "caresses": "caress", "ponies": "poni", "cats": "cat", "feed": "feed", "agreed": "agre", "motoring": "motor",
    "sing": "sing", "hopping": "hop", "falling": "fall", "filing": "file", "happy": "happi", "sky": "sky",
    "relational": "relat", "conditional": "condit", "rational": "ration", "formalize": "formal",
    "triplicate": "triplic", "adjustable": "adjust", "replacement": "replac", "adoption": "adopt", "rate": "rate",
    "controll": "control",
}  # fmt: skip
TEXTS = [
    "He voted, she votes",
    "voting machines",
    "the vote of voters",
    None,
    "machine learning",
    "learn to vote",
] * 4
LABELS = ["politics", "politics", "politics", "science", "science", "science"] * 4


def test_porters_examples() -> None:
    assert stems(list(PORTER), "porter") == list(PORTER.values())


@pytest.mark.parametrize("stemmer", STEMMERS)
def test_every_language_is_there(stemmer: str) -> None:
    assert len(stems(["eggs"], stemmer)) == 1


@pytest.mark.parametrize("ngram_range", [(1, 1), (1, 2)])
@pytest.mark.parametrize("binary", [False, True])
def test_counts_of_a_stem_are_added(ngram_range: tuple[int, int], binary: bool) -> None:
    plain = TextCounts(ngram_range=ngram_range, stop_words=["the"]).fit(TEXTS)
    counts = plain.transform(TEXTS).toarray()
    names = stems(plain.vocabulary_.tolist(), "english")
    stemmed = TextCounts(stemmer="english", ngram_range=ngram_range, stop_words=["the"], binary=binary)
    X = stemmed.fit_transform(TEXTS)
    vocabulary = sorted(set(names))
    expected = np.zeros((len(TEXTS), len(vocabulary)), dtype=np.int64)
    np.add.at(expected, (slice(None), [vocabulary.index(name) for name in names]), counts)
    assert stemmed.vocabulary_.tolist() == vocabulary and X.dtype == np.int32
    assert stemmed.document_counts_.tolist() == (expected > 0).sum(axis=0).tolist()
    assert np.array_equal(X.toarray(), expected > 0 if binary else expected)
    assert np.array_equal(stemmed.transform(TEXTS).toarray(), X.toarray())


def test_filters_count_documents_of_stems() -> None:
    texts = ["vote", "votes", "voting", "egg"]
    assert TextCounts(stemmer="english", min_documents=3).fit(texts).vocabulary_.tolist() == ["vote"]
    assert TextCounts(stemmer="english", max_words=1).fit(texts).vocabulary_.tolist() == ["vote"]


def test_stop_words_are_compared_as_they_stand() -> None:
    stemmed = TextCounts(stemmer="english", stop_words=["votes"]).fit(["votes vote"])
    assert stemmed.vocabulary_.tolist() == ["vote"] and stemmed.dropped_["stop_words"] == 1


def test_new_rows_know_the_stems_of_the_training_rows_alone() -> None:
    stemmed = TextCounts(stemmer="english").fit(["voting"])
    assert stemmed.transform(["votes and eggs", ""]).toarray().tolist() == [[1], [0]]
    assert columns_of(["egg", "vote"], stemmed.vocabulary_).tolist() == [-1, 0]


def test_folds_share_what_refits_count() -> None:
    model = make_pipeline(TextCounts(stemmer="english", min_documents=2), MultinomialNB())
    shared = evaluate(model, TEXTS, LABELS, KFold(3))
    assert shared.strategy == "counts"
    plan = KFold(3)
    scores = np.zeros_like(shared.scores)
    for train, test in plan.split(np.zeros(len(LABELS)), np.array(LABELS)):
        fitted = model.fit([TEXTS[i] for i in train], [LABELS[i] for i in train])
        places = np.isin(shared.rows, test)
        scores[places] = fitted.predict_log_proba([TEXTS[i] for i in shared.rows[places]])
    np.testing.assert_allclose(shared.posterior, np.exp(scores), rtol=1e-10)


def test_a_model_file_keeps_the_stemmer(tmp_path: Path) -> None:
    model = make_pipeline(TextCounts(stemmer="german"), MultinomialNB()).fit(
        ["Häuser Haus", "Stimmen"], [0, 1]
    )
    save(model, tmp_path / "m.assay")
    again = load(tmp_path / "m.assay")
    assert again[0].get_params()["stemmer"] == "german"
    assert np.array_equal(again.predict_proba(["Häuser"]), model.predict_proba(["Häuser"]))


@pytest.mark.parametrize("options", [{"tokens": "characters"}, {"lowercase": False}])
def test_stems_are_of_words_in_lower_case(options: dict[str, Any]) -> None:
    with raises("M721", stemmer="english"):
        TextCounts(stemmer="english", **options).fit(TEXTS)


def test_an_unknown_language_is_named_with_the_nearest() -> None:
    with pytest.raises(ValueError) as caught:
        TextCounts(stemmer="englisch").fit(TEXTS)
    assert "english" in str(caught.value)


def test_without_the_package_the_advice_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_stems, "find_spec", lambda name: None)
    with raises("M720", ImportError, stemmer="english"):
        TextCounts(stemmer="english").fit(TEXTS)
