"""Documents from end to end: newsgroups, messages, mail and reviews, beside scikit-learn where settings are equal."""

from __future__ import annotations

import csv
import gzip
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn import naive_bayes
from sklearn.feature_extraction.text import CountVectorizer

from assay import BernoulliNB, ComplementNB, MultinomialNB, TextCounts, evaluate, load
from assay.plans import GivenPartitions, Partition
from tests.journeys.steps import board, done, leftovers, predicted
from tests.realdata import data_path

OURS = {"multinomial": MultinomialNB, "bernoulli": BernoulliNB, "complement": ComplementNB}
THEIRS = {
    "multinomial": naive_bayes.MultinomialNB,
    "bernoulli": naive_bayes.BernoulliNB,
    "complement": naive_bayes.ComplementNB,
}


@cache
def documents(name: str) -> dict[str, list[str]]:
    """The columns of a file of documents."""
    with gzip.open(data_path(f"{name}.tsv.gz"), "rt", encoding="utf-8", newline="") as file:
        csv.field_size_limit(1 << 30)
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return {column: [row[column] for row in rows] for column in rows[0]}


def unescaped(text: str) -> str:
    """A text as it was before it was put into one line."""
    return text.replace("\\\\", "\0").replace("\\n", "\n").replace("\\t", "\t").replace("\0", "\\")


def test_newsgroups_by_date_beside_scikit_learn(capsys: pytest.CaptureFixture[str]) -> None:
    data = documents("newsgroups20_bydate")
    train, test = (
        [i for i, part in enumerate(data["split"]) if part == which] for which in ("train", "test")
    )
    assert (len(train), len(test)) == (11314, 7532)
    labels = np.array(data["label"])
    counts = TextCounts().fit([data["text"][i] for i in train])
    X, Z = (counts.transform([data["text"][i] for i in part]) for part in (train, test))
    theirs = CountVectorizer().fit([data["text"][i] for i in train])
    assert counts.get_feature_names_out().tolist() == theirs.get_feature_names_out().tolist()
    errors: dict[str, list[float]] = {}
    for name in OURS:
        mine = OURS[name]().fit(X, labels[train]).predict(Z)
        other = THEIRS[name]().fit(X, labels[train]).predict(Z)
        errors[name] = [float(np.mean(said != labels[test])) for said in (mine, other)]
        assert np.array_equal(mine, other), name
    with capsys.disabled():
        print(
            "\nnewsgroups by date, all words:",
            {n: f"{a:.4f} (scikit-learn {b:.4f})" for n, (a, b) in errors.items()},
        )
    assert errors["multinomial"][0] < errors["bernoulli"][0] - 0.05
    assert errors["complement"][0] < errors["multinomial"][0]


def test_a_folder_of_newsgroups_from_end_to_end(tmp_path: Path) -> None:
    data = documents("newsgroups20_bydate")
    few = ("rec.autos", "sci.space", "talk.politics.guns")
    for part in ("train", "test"):
        for at, (label, which, text) in enumerate(
            zip(data["label"], data["split"], data["text"], strict=True)
        ):
            if which == part and label in few and at % 3 == 0:
                (tmp_path / part / label).mkdir(parents=True, exist_ok=True)
                (tmp_path / part / label / f"{at:05}").write_text(unescaped(text), encoding="utf-8")
    (tmp_path / "train" / few[0] / "picture.gif").write_bytes(b"GIF89a\0\0")
    said = done(tmp_path, "compare", "train", "--plan", "kfold:4", "--out", "run")
    assert "1 file of train was skipped" in said.text
    standings = board(tmp_path / "run")
    assert standings[-1]["name"] == "baseline" and standings[0]["error"] < 0.06
    page = (tmp_path / "run" / "report.html").read_text()
    for title in ("Characteristic words per class", "Vocabulary size", "Confident errors"):
        assert title in page
    tested = done(tmp_path, "evaluate", "run/model.assay", "test", "--json").json
    assert tested["error"] < 0.1
    done(tmp_path, "predict", "run/model.assay", "test", "--out", "p.csv", "--quiet")
    labels = predicted((tmp_path / "p.csv").read_text())
    assert labels == load(tmp_path / "run" / "model.assay").predict(tmp_path / "test").tolist()
    why = done(tmp_path, "explain", "run/model.assay", "test", "--row", "1", "--json").json
    total = why["start"] + sum(part["amount"] for part in why["contributions"])
    assert total == pytest.approx(why["difference"]) and why["part"] == "word"
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize(("name", "rows", "most"), [("sms_spam", 5574, 0.025), ("enron1_spam", 5172, 0.03)])
def test_messages_from_the_command_line(tmp_path: Path, name: str, rows: int, most: float) -> None:
    path = data_path(f"{name}.tsv.gz")
    done(tmp_path, "compare", path, "--target", "label", "--plan", "kfold:5", "--out", "run")
    standings = board(tmp_path / "run")
    names = [each["name"] for each in standings]
    assert set(names[:-1]) >= set(("multinomial_nb", "bernoulli_nb", "complement_nb"))
    assert names[-1] == "baseline" and standings[0]["error"] < most
    assert (
        sum(map(sum, done(tmp_path, "evaluate", "run/model.assay", path, "--json").json["confusion"])) == rows
    )


def test_reviews_in_their_official_folds() -> None:
    data = documents("review_polarity")
    fold = np.array([int(each.rpartition("cv")[2][:3]) // 100 for each in data["id"]], dtype=np.int32)
    assert np.bincount(fold).tolist() == [200] * 10
    models: Any = {name: _pipeline(OURS[name]()) for name in OURS}
    found = evaluate(models, data["text"], np.array(data["label"]), GivenPartitions([Partition(fold, 10)]))
    assert found["multinomial"].strategy == "counts"
    errors = {name: each.error for name, each in found.items()}
    assert all(0.15 < error < 0.22 for error in errors.values())
    train, test = np.flatnonzero(fold != 0), np.flatnonzero(fold == 0)
    theirs = _their_error(data, train, test)
    assert np.mean(found["multinomial"].predicted[test] != found["multinomial"].truth[test]) == theirs


def _pipeline(model: Any) -> Any:
    from sklearn.pipeline import make_pipeline

    return make_pipeline(TextCounts(), model)


def _their_error(data: dict[str, list[str]], train: Any, test: Any) -> float:
    """Of scikit-learn on the first fold, its vocabulary learned from the training texts."""
    labels = np.array(data["label"])
    counter = CountVectorizer()
    X = counter.fit_transform([data["text"][i] for i in train])
    model = naive_bayes.MultinomialNB().fit(X, labels[train])
    return float(np.mean(model.predict(counter.transform([data["text"][i] for i in test])) != labels[test]))
