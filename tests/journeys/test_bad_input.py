"""What tests/contract does not try: one sentence, exit code 2 and nothing left behind, or a journey that goes on."""

from __future__ import annotations

import contextlib
import resource
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.commands.conftest import Done, write_csv
from tests.journeys.steps import assay_in, board, done, leftovers, write_blobs, write_iris

CHEAP = ("--candidates", "baseline,gaussian_nb,fisher,decision_tree", "--plan", "kfold:3")
Make = Callable[[int], list[Any]]


def refused(said: Done, *words: str) -> None:
    assert (said.code, said.out) == (2, ""), said
    assert said.err.startswith("assay: ") and said.err.count("\n") == 1, said.err
    assert "Traceback" not in said.err and said.err.rstrip().endswith((".", "?"))
    for word in words:
        assert word in said.err, said.err


def ab(i: int) -> str:
    return "ab"[i % 2]


TABLES: dict[str, tuple[list[str], Make, int, tuple[str, ...]]] = {
    "10 000 categories and nothing else": (
        ["code", "class"], lambda i: [f"c{i % 10_000}", ab(i)], 20_100, ("'code'", "255 categories"),
    ),
    "10 000 classes": (["x", "class"], lambda i: [i % 89, f"c{i % 10_000}"], 20_100, ("'class'", "10000 classes")),
    "a gap and nothing else": (["gap", "class"], lambda i: ["", ab(i)], 60, ("'class'", "'gap'")),
    "an identifier and nothing else": (["id", "class"], lambda i: [f"P{i:04}", ab(i)], 60, ("'id'", "identifier")),
    "a number for a class": (["x", "class"], lambda i: [i % 7, i * 0.37], 60, ("'class'", "bins")),
    "infinity": (["x", "class"], lambda i: ["inf" if i == 41 else i % 7, ab(i)], 60, ("'x'", "row 42")),
    "a word among numbers": (
        ["x", "class"], lambda i: ["many" if i == 30_000 else i % 97, ab(i)], 30_010, ("'x'", "line 30002", "'many'"),
    ),
    "fewer rows than folds": (["x", "class"], lambda i: [i % 3, ab(i)], 7, ("7",)),
}  # fmt: skip


@pytest.mark.parametrize("case", TABLES)
def test_tables_that_nothing_can_be_learned_from(tmp_path: Path, case: str) -> None:
    names, make, n, words = TABLES[case]
    write_csv(tmp_path / "t.csv", names, [make(i) for i in range(n)])
    said = assay_in(tmp_path, "compare", "t.csv", "--target", "class", "--quiet", "--out", "run")
    refused(said, *words)
    if case != "fewer rows than folds":
        for model in ("gaussian_nb", "decision_tree"):
            fit = ("fit", "t.csv", "--target", "class", "--model", model, "--out", "m.assay")
            refused(assay_in(tmp_path, *fit), *words)
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]


def test_the_byte_and_the_line_are_named(tmp_path: Path) -> None:
    rows = b"".join(b"%d,%d,%c\n" % (i, i % 7, b"ab"[i % 2]) for i in range(500))
    (tmp_path / "latin.csv").write_bytes(b"x,z,class\n" + rows + b"1,2,\xe9\n")
    (tmp_path / "ragged.csv").write_bytes(b"x,z,class\n" + rows + b"1,2\n" + rows)
    (tmp_path / "twice.csv").write_bytes(b"x,z,x\n" + rows)
    before = sorted(path.name for path in tmp_path.iterdir())
    for command in (["describe"], ["compare", "--target", "class", "--quiet", "--out", "run"]):
        name, *options = command
        refused(
            assay_in(tmp_path, name, "latin.csv", *options), "latin.csv", f"byte {len(rows) + 14}", "0xe9"
        )
        refused(assay_in(tmp_path, name, "ragged.csv", *options), "Line 502 of ragged.csv", "2 fields")
        refused(assay_in(tmp_path, name, "twice.csv", *options), "'x'", "twice.csv")
    assert sorted(path.name for path in tmp_path.iterdir()) == before


GOOD: dict[str, tuple[list[str], Make, int]] = {
    "a class of one row": (["x", "z", "class"], lambda i: [i % 7, i % 5, "c" if i == 8 else ab(i)], 60),
    "a date and a gap": (["day", "gap", "class"], lambda i: [f"2020-01-{1 + i % 28:02}", "", ab(i)], 60),
    "more columns than rows": (
        [*(f"c{j}" for j in range(40)), "class"], lambda i: [*((i * j) % 11 for j in range(1, 41)), ab(i)], 30,
    ),
    "many classes": (["x", "z", "class"], lambda i: [i % 20 + 0.1, i % 3, f"k{i % 20}"], 40),
    "names of every kind": (
        ["x=1, 'y'", "P(a)", "predicted", "class"], lambda i: [i % 7, i % 5, i % 3, ["a:b=1", 'say "c",\n'][i % 2]], 60,
    ),
    "numbers of every size": (["x", "z", "class"], lambda i: [1e140 * (i % 7), 1e-140 * (i % 5), ab(i)], 60),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::UserWarning:sklearn", "ignore::RuntimeWarning:numpy")
@pytest.mark.parametrize("case", GOOD)
def test_tables_that_are_odd_and_no_more(tmp_path: Path, case: str) -> None:
    names, make, n = GOOD[case]
    write_csv(tmp_path / "t.csv", names, [make(i) for i in range(n)])
    asked = ("compare", "t.csv", "--target", "class", "--quiet", "--out", "run")
    said = done(tmp_path, *asked, *CHEAP)
    assert said.err == "" and len(said.out.splitlines()) == 5
    for command in (["predict"], ["evaluate"]):
        name, *options = command
        assert done(tmp_path, name, "run/model.assay", "t.csv", *options).err == ""
    done(tmp_path, "report", "run", "--out", "again.html")


def test_a_candidate_that_cannot_take_the_table_is_left_out_by_name(tmp_path: Path) -> None:
    rows = [[1e300 * (i % 7), i % 5, ab(i)] for i in range(60)]  # trees compare values and square none
    write_csv(tmp_path / "t.csv", ["x", "z", "class"], rows)
    figures = done(tmp_path, "compare", "t.csv", "--target", "class", *CHEAP, "--json", "--quiet").json
    assert {each["name"] for each in figures["leaderboard"]} == {"baseline", "decision_tree"}
    assert set(figures["omitted"]) == {"gaussian_nb", "fisher"}
    for reason in figures["omitted"].values():
        assert "cannot be trained on this table" in reason and "column 'x'" in reason


def test_places_that_cannot_be_written_to(tmp_path: Path) -> None:
    source = write_iris(tmp_path)
    done(tmp_path, "fit", source, "--target", "species", "--model", "fisher", "--out", "m.assay", "--quiet")
    asked = ("--target", "species", "--quiet")
    done(tmp_path, "compare", source, *asked, "--candidates", "baseline", "--out", "run")
    before = sorted(path.name for path in tmp_path.rglob("*"))
    inside, nowhere = "iris.csv/x", "no/such/folder/x"
    compare = ("compare", source, *asked, "--candidates", "baseline", "--out")
    fit = ("fit", source, *asked, "--model", "fisher", "--out")
    for place in (inside, nowhere):
        for command in (fit, ("predict", "m.assay", source, "--out"), ("report", "run", "--out")):
            refused(assay_in(tmp_path, *command, place), place)
    refused(assay_in(tmp_path, *compare, inside), inside)
    refused(assay_in(tmp_path, *compare, "iris.csv"), "is a file")
    refused(assay_in(tmp_path, *compare, "."), "not empty")
    assert sorted(path.name for path in tmp_path.rglob("*")) == before


@contextlib.contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """No file may grow beyond this many bytes: a disk that fills up while something is written."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_disk_that_fills_up_keeps_what_is_whole(tmp_path: Path) -> None:
    source = write_blobs(tmp_path, 300)
    asked = ("compare", source.name, "--target", "class", "--quiet", *CHEAP)
    done(tmp_path, *asked, "--out", "whole")
    with files_of_at_most(200_000):  # the results fit, the report does not
        refused(assay_in(tmp_path, *asked, "--out", "run"), "run/report.html", "size limit")
    assert not (tmp_path / "run" / "report.html").exists() and leftovers(tmp_path) == []
    with files_of_at_most(5_000):  # no result fits
        refused(assay_in(tmp_path, *asked, "--out", "tiny"), "tiny/candidates/", "size limit")
        refused(
            assay_in(tmp_path, "predict", "run/model.assay", source.name, "--proba", "--out", "p.csv"),
            "p.csv",
        )
    assert list((tmp_path / "tiny" / "candidates").iterdir()) == [] and leftovers(tmp_path) == []
    assert not (tmp_path / "p.csv").exists()
    for name in ("run", "tiny"):
        done(tmp_path, *asked, "--out", name, "--resume")
        assert board(tmp_path / name) == board(tmp_path / "whole")
        assert (tmp_path / name / "report.html").exists()


def test_a_model_meets_rows_unlike_those_it_knows(tmp_path: Path) -> None:
    draw = np.random.default_rng(1)
    rows = [[draw.normal() + k, ["red", "blue"][k], ab(k)] for k in draw.integers(2, size=120).tolist()]
    write_csv(tmp_path / "t.csv", ["size", "colour", "class"], rows)
    for model in ("gaussian_nb", "fisher", "decision_tree"):
        fit = ("fit", "t.csv", "--target", "class", "--model", model, "--out", f"{model}.assay", "--quiet")
        done(tmp_path, *fit)
        file = f"{model}.assay"
        write_csv(tmp_path / "new.csv", ["colour", "size", "more"], [["green", "1", ""], ["", "", "x"]])
        assert done(tmp_path, "predict", file, "new.csv").out.count("\n") == 3
        write_csv(tmp_path / "short.csv", ["colour", "siez"], [["red", "1"]])
        refused(assay_in(tmp_path, "predict", file, "short.csv"), "'size'")
        write_csv(tmp_path / "word.csv", ["colour", "size"], [["red", "1"], ["red", "large"]])
        refused(assay_in(tmp_path, "predict", file, "word.csv"), "'size'", "'large'", "3")
        write_csv(tmp_path / "one.csv", ["colour", "size", "class"], [["red", "1", "a"], ["blue", "2", "b"]])
        assert done(tmp_path, "evaluate", file, "one.csv", "--json").json["auc"] is None
