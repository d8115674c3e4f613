"""Texts on the command line: folders and columns of texts, new ones predicted, and what cannot be read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.commands.conftest import Run, write_csv

WORDS = {"ham": "lunch at noon see you home later", "spam": "win cash prize claim now free call"}


def texts(n: int = 24) -> list[tuple[str, str]]:
    draw = np.random.default_rng(0)
    both = " ".join(WORDS.values()).split()
    kinds = ["ham", "spam"] * (n // 2)
    return [(kind, " ".join([*draw.choice(WORDS[kind].split(), 5), *draw.choice(both, 2)])) for kind in kinds]


@pytest.fixture
def letters(tmp_path: Path) -> Path:
    """A folder of class folders."""
    for i, (kind, text) in enumerate(texts()):
        (tmp_path / "letters" / kind).mkdir(parents=True, exist_ok=True)
        (tmp_path / "letters" / kind / f"{i:02}.txt").write_text(text)
    return tmp_path / "letters"


@pytest.fixture
def sms(tmp_path: Path) -> Path:
    sizes = np.random.default_rng(1).normal(size=24).round(2).tolist()
    rows = [(text, size, kind) for (kind, text), size in zip(texts(), sizes, strict=True)]
    return write_csv(tmp_path / "sms.csv", ["text", "size", "label"], rows)


def test_a_folder_from_comparison_to_explanation(run: Run, letters: Path, tmp_path: Path) -> None:
    (letters / "spam" / "picture.png").write_bytes(b"\x89PNG\0")
    out = tmp_path / "run"
    found = run("compare", letters, "--plan", "kfold:4", "--out", out, "--json").json
    assert found["target"] == "class" and found["rows"] == 24
    names = [each["name"] for each in found["leaderboard"]]
    assert set(names) >= {"baseline", "multinomial_nb", "bernoulli_nb", "complement_nb"}
    assert "gaussian_nb" not in names and "logistic" not in found["omitted"]
    assert any("1 file of letters was skipped" in note for note in found["notes"])
    again = run("compare", letters, "--plan", "kfold:4", "--out", out, "--resume", "--json").json
    assert [each["error"] for each in again["leaderboard"]] == [e["error"] for e in found["leaderboard"]]
    page = (out / "report.html").read_text()
    assert "Characteristic words per class" in page
    assert "How many words it takes" not in page  # fourteen words are fewer than any size that is tried

    new = tmp_path / "new"
    new.mkdir()
    (new / "1.txt").write_text("win a prize, claim your cash")
    (new / "2.txt").write_text("see you at lunch")
    (new / "3.bin").write_bytes(b"\0")
    said = run("predict", out / "model.assay", new)
    assert said.out.split() == ["predicted", "spam", "ham"]
    assert "1 file of new was skipped, because it is not text: 3.bin" in said.err
    assert run("evaluate", out / "model.assay", letters, "--target", "class", "--json").json["rows"] == 24


def test_a_text_column_is_read_beside_others(run: Run, sms: Path, tmp_path: Path) -> None:
    found = run(
        "compare", sms, "--target", "label", "--plan", "kfold:4", "--candidates",
        "baseline,multinomial_nb,gaussian_nb", "--json",
    ).json  # fmt: skip
    assert found["leaderboard"][0]["name"] == "multinomial_nb"
    assert {"C163", "C164"} & {note["code"] for note in found["codes"]}


def test_a_model_of_words_is_fitted_set_and_explained(run: Run, sms: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.assay"
    fit = ("fit", sms, "--target", "label", "--model", "multinomial_nb", "--out", model)
    done = run(*fit, "--set", "max_words=8", "--set", "min_documents=2", "--set", "smoothing=0.5")
    assert done.code == 0 and "max_words=8" in done.text
    shown = run("explain", model, sms, "--row", "2")
    assert shown.code == 0 and "word" in shown.out and "count" in shown.out
    figures = run("explain", model, sms, "--row", "2", "--json").json
    total = figures["start"] + sum(part["amount"] for part in figures["contributions"])
    assert total == pytest.approx(figures["difference"]) and figures["part"] == "word"
    assert len(figures["contributions"]) <= 8
    posteriors = tmp_path / "p.csv"
    assert run("predict", model, sms, "--proba", "--out", posteriors).code == 0
    decided = run("decide", posteriors, "--loss", "spam:ham=5")
    assert decided.code == 0 and {"ham", "spam"} <= set(decided.out.replace(",", " ").split())


def _one_line(text: str) -> str:
    return " ".join(text.split())


REFUSALS = {
    "a class of empty texts": (
        {"a/1": "two words", "a/2": "more words", "b/1": "", "b/2": "? !"},
        "No text of class 'b' has a word of two letters or more (2 rows)",
    ),
    "no class folders": (
        {"one.txt": "text"},
        "has no sub-folders: a folder of texts holds one folder per class",
    ),
    "nothing but binary files in a class": (
        {"a/1": "two words", "b/1": "\0"},
        "No file in the folder",
    ),
    "no words at all": (
        {"a/1": "x", "a/2": "y", "b/1": "1", "b/2": ""},
        "has a word of two letters or more",
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
@pytest.mark.parametrize("command", ["compare", "fit"])
def test_folders_that_cannot_be_learned(run: Run, tmp_path: Path, name: str, command: str) -> None:
    files, message = REFUSALS[name]
    for file, text in files.items():
        (tmp_path / "texts" / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "texts" / file).write_text(text)
    more = (
        ("--plan", "kfold:2")
        if command == "compare"
        else ("--model", "bernoulli_nb", "--out", tmp_path / "m")
    )
    done = run(command, tmp_path / "texts", *(() if command == "compare" else ("--target", "class")), *more)
    assert done.code == 2 and message in _one_line(done.err)
    assert "Traceback" not in done.err


def test_filters_that_leave_no_word_are_named(run: Run, sms: Path, tmp_path: Path) -> None:
    done = run(
        "fit", sms, "--target", "label", "--model", "multinomial_nb", "--set", "min_documents=24", "--out",
        tmp_path / "m.assay",
    )  # fmt: skip
    assert done.code == 2 and "min_documents=24 removes 14" in _one_line(done.err)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("gaussian_nb", "gaussian_nb cannot be used with this table. It uses"),
        (
            "categorical_nb",
            "categorical_nb cannot be used with this table. It uses binary and categorical columns",
        ),
    ],
)
def test_models_of_other_columns_refuse_texts(
    run: Run, letters: Path, tmp_path: Path, model: str, message: str
) -> None:
    done = run("fit", letters, "--target", "class", "--model", model, "--out", tmp_path / "m.assay")
    assert done.code == 2 and message in _one_line(done.err)
    compared = run("compare", letters, "--candidates", model)
    assert compared.code == 2 and "No candidate could be evaluated. It uses" in _one_line(compared.err)
