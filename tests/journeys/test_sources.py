"""The same journey from other places: a database with a query, and a folder of texts."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy as np
import pytest

from assay.commands.compare.job import compare
from tests.commands.conftest import write_csv
from tests.journeys.steps import NAMES, assay_in, board, done, write_iris
from tests.postgres import PASSWORD, Server

QUICK = ("--candidates", "baseline,gaussian_nb,fisher", "--plan", "kfold:4")


def test_a_query_of_sqlite_gives_what_the_file_gives(tmp_path: Path) -> None:
    source = write_iris(tmp_path)
    rows = [line.split(",") for line in source.read_text().splitlines()[1:]]
    with sqlite3.connect(tmp_path / "flowers.db") as connection:
        connection.execute(
            f"CREATE TABLE iris ({', '.join(f'{name} REAL' for name in NAMES[:-1])}, species TEXT)"
        )
        connection.executemany("INSERT INTO iris VALUES (?, ?, ?, ?, ?)", rows)
    connection.close()
    asked = ("sqlite:///flowers.db", "--target", "species")
    query = "SELECT petal_length, petal_width, species FROM iris"
    done(tmp_path, "compare", *asked, "--query", query, *QUICK, "--out", "queried")
    drop = ("--drop", "sepal_length", "--drop", "sepal_width")
    done(tmp_path, "compare", "iris.csv", "--target", "species", *drop, *QUICK, "--out", "filed")
    assert board(tmp_path / "queried") == board(tmp_path / "filed")
    done(tmp_path, "report", "queried", "--out", "again.html")
    said = done(tmp_path, "predict", "queried/model.assay", "sqlite:///flowers.db", "--query", "iris")
    assert said.out == done(tmp_path, "predict", "queried/model.assay", "iris.csv").out
    assert "petal_width" in done(tmp_path, "describe", "sqlite:///flowers.db", "--query", "iris").out


def test_a_table_of_postgresql_and_its_password(tmp_path: Path) -> None:
    source = write_iris(tmp_path)
    with Server.start() as server:
        columns = ", ".join(f"{name} double precision" for name in NAMES[:-1])
        server.run(f"CREATE TABLE iris ({columns}, species text)")
        server.run("\\copy iris from stdin csv header", stdin=source.read_text())
        asked = (
            "compare",
            server.address(),
            "--target",
            "species",
            "--query",
            "iris",
            *QUICK,
            "--out",
            "run",
        )
        said = done(tmp_path, *asked)
        done(tmp_path, *asked, "--resume", "--quiet")
        predicted = done(tmp_path, "predict", "run/model.assay", server.address(), "--query", "iris").out
        again = assay_in(tmp_path, "report", "run", "--quiet")
    done(tmp_path, "compare", "iris.csv", "--target", "species", *QUICK, "--out", "filed")
    assert board(tmp_path / "run") == board(tmp_path / "filed")
    assert predicted == done(tmp_path, "predict", "filed/model.assay", "iris.csv").out
    # Only the user knows the password: a run that has to read the table again asks for it.
    assert again.code == 2 and again.err.startswith("assay: ") and again.err.count("\n") == 1
    for secret in (PASSWORD, PASSWORD.replace(" ", "%20"), "sesame"):
        assert secret not in said.out + said.err + again.err
        for path in (tmp_path / "run").rglob("*"):
            assert path.is_dir() or secret.encode() not in path.read_bytes()


@pytest.fixture
def letters(tmp_path: Path) -> Path:
    """A folder of class-named folders, each with small texts."""
    words = {"ham": ["lunch", "friend", "meeting", "tomorrow"], "spam": ["pills", "winner", "cash", "now"]}
    draw = np.random.default_rng(0)
    for name, known in words.items():
        (tmp_path / "letters" / name).mkdir(parents=True)
        for i in range(30):
            text = " ".join(draw.choice(known, 6).tolist())
            (tmp_path / "letters" / name / f"{i:02d}.txt").write_text(text, encoding="utf-8")
    return tmp_path / "letters"


def test_a_folder_of_texts_is_described_and_compared(tmp_path: Path, letters: Path) -> None:
    said = done(tmp_path, "describe", "letters")
    assert "60 rows, 2 columns" in said.out and "ham   30 rows (50.0 %)" in said.out
    refused = assay_in(tmp_path, "fit", "letters", "--model", "gaussian_nb", "--out", "m.assay")
    assert (refused.code, refused.out, refused.err.count("\n")) == (2, "", 1)
    assert refused.err.startswith("assay: gaussian_nb cannot be used with this table. It uses numeric, ")
    assert [path.name for path in tmp_path.iterdir()] == ["letters"]
    done(tmp_path, "compare", "letters", "--out", "run")
    assert predicted_classes(tmp_path) == ["ham"] * 30 + ["spam"] * 30
    found = compare(letters)
    assert found.nested_error == 0.0 and set(found.results) == {
        "baseline", "multinomial_nb", "bernoulli_nb", "complement_nb", "tfidf_logistic", "tfidf_svm"
    }  # fmt: skip


def predicted_classes(folder: Path) -> list[str]:
    """What the model of the run says of the letters themselves."""
    lines = done(folder, "predict", "run/model.assay", "letters").out.splitlines()
    return [line.split(",")[0] for line in lines[1:]]


def test_texts_without_a_word_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    rows = [[f"! ? . {'- ' * i}", "ab"[i % 2]] for i in range(60)]
    write_csv(tmp_path / "t.csv", ["says", "class"], rows)
    refused = assay_in(tmp_path, "compare", "t.csv", "--target", "class", "--out", "run")
    assert (refused.code, refused.out, refused.err.count("\n")) == (2, "", 1)
    assert "None of the 60 rows of 'says' has a word of two letters or more" in refused.err
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]
