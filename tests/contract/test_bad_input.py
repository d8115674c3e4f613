"""Bad input through the program: exit code 2, one sentence, no traceback, nothing left behind."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands.conftest import Done, Run, write_csv
from tests.program import refused

ROWS = [[i, i % 7, "ab"[i % 2]] for i in range(40)]


def rows(names: list[str], make: Callable[[int], list[object]], n: int = 40) -> Callable[[Path], None]:
    return lambda path: void(write_csv(path, names, [make(i) for i in range(n)]))


def text(content: str | bytes) -> Callable[[Path], None]:
    data = content.encode() if isinstance(content, str) else content
    return lambda path: void(path.write_bytes(data))


def void(_: object) -> None:
    return None


NUMBERS = "\n".join(f"{i},{i % 3},{'ab'[i % 2]}" for i in range(40))
BAD_TABLES: dict[str, tuple[Callable[[Path], None], tuple[str, ...]]] = {
    "empty file": (text(""), ("t.csv",)),
    "header only": (text("x,z,class\n"), ("t.csv",)),
    "no such target": (rows(["x", "z", "clas"], lambda i: [i, i % 3, "ab"[i % 2]]), ("'class'", "'clas'")),
    "one class": (rows(["x", "z", "class"], lambda i: [i, i % 3, "a"]), ("'class'", "'a'")),
    "as many classes as rows": (rows(["x", "z", "class"], lambda i: [i, i % 3, f"c{i}"]), ("'class'", "40")),
    "numeric target": (rows(["x", "z", "class"], lambda i: [i, i % 3, i * 1.37]), ("'class'", "bins")),
    "duplicate names": (text("x,x,class\n" + NUMBERS + "\n"), ("'x'",)),
    "ragged row": (text("x,z,class\n" + NUMBERS + "\n5\n"), ("42",)),
    "wrong encoding": (
        text(b"x,z,class\n" + NUMBERS.replace("a", "\xe9").encode("latin-1") + b"\n"),
        ("UTF-8",),
    ),
    "constants only": (
        rows([*(f"c{j}" for j in range(300)), "class"], lambda i: [*([1] * 300), "ab"[i % 2]]),
        ("'class'",),
    ),
    "no column but the target": (rows(["class"], lambda i: ["ab"[i % 2]]), ("'class'",)),
    "target all missing": (rows(["x", "z", "class"], lambda i: [i, i % 3, ""]), ("'class'",)),
}


@pytest.mark.parametrize("case", BAD_TABLES)
@pytest.mark.parametrize("command", ["compare", "fit", "fit in memory"])
def test_tables_that_cannot_be_learned_from(run: Run, tmp_path: Path, command: str, case: str) -> None:
    make, words = BAD_TABLES[case]
    make(tmp_path / "t.csv")
    if command == "compare":
        done = run(
            "compare", "t.csv", "--target", "class", "--candidates", "baseline", "--quiet", "--out", "run"
        )
    else:
        model = "gaussian_nb" if command == "fit" else "decision_tree"
        done = run("fit", "t.csv", "--target", "class", "--model", model, "--out", "model.assay")
    refused(done, *words)
    assert os.listdir(tmp_path) == ["t.csv"]


@pytest.mark.parametrize(
    "case", ["empty file", "header only", "no such target", "duplicate names", "ragged row"]
)
def test_tables_that_cannot_be_described(run: Run, tmp_path: Path, case: str) -> None:
    make, words = BAD_TABLES[case]
    make(tmp_path / "t.csv")
    refused(run("describe", "t.csv", "--target", "class"), *words)
    assert os.listdir(tmp_path) == ["t.csv"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["describe", "absent.csv"],
        ["compare", "absent.csv", "--target", "y"],
        ["fit", "absent.csv", "--target", "y", "--model", "gaussian_nb", "--out", "m.assay"],
        ["decide", "absent.csv"],
        ["predict", "absent.assay", "x.csv"],
        ["evaluate", "absent.assay", "x.csv"],
        ["explain", "absent.assay", "x.csv", "--row", "1"],
        ["report", "absent"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_files_that_are_not_there(run: Run, tmp_path: Path, arguments: list[str]) -> None:
    refused(run(*arguments), "absent")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--model", "gausian_nb"], ("'gausian_nb'", "'gaussian_nb'")),
        (["--model", "least_squares", "--set", "l3=1"], ("'l3'", "'l2'")),
        (["--model", "least_squares", "--set", "l2=-1"], ("l2=-1", "at least 0")),
        (["--model", "least_squares", "--set", "l2=much"], ("'much'", "a number")),
        (["--model", "least_squares", "--set", "l2"], ("name=value",)),
        (["--model", "gaussian_nb", "--type", "x"], ("column=type",)),
        (["--model", "gaussian_nb", "--type", "x=nummeric"], ("nummeric",)),
        (["--model", "gaussian_nb", "--type", "xx=numeric"], ("'xx'", "'x'")),
        (["--model", "gaussian_nb", "--drop", "xx"], ("'xx'", "'x'")),
        (["--model", "gaussian_nb", "--query", "SELECT 1"], ("--query",)),
    ],
)
def test_wrong_options_of_fit(run: Run, tmp_path: Path, options: list[str], words: tuple[str, ...]) -> None:
    write_csv(tmp_path / "t.csv", ["x", "z", "class"], ROWS)
    refused(run("fit", "t.csv", "--target", "class", "--out", "m.assay", *options), *words)
    assert os.listdir(tmp_path) == ["t.csv"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--candidates", "nearest"], ("'nearest'", "'nearest_mean'")),
        (["--candidates", ","], ("candidate",)),
        (["--plan", "tenfold"], ("kfold:10",)),
        (["--plan", "kfold:1"], ("'kfold:1'", "two folds")),
        (["--plan", "loo"], ("kfold:10",)),
        (["--budget", "soon"], ("10m",)),
        (["--loss", "a:c=5"], ("'c'",)),
        (["--loss", "x:a=5"], ("'x'", "not a class")),
        (["--loss", "absent.json"], ("absent.json",)),
        (["--priors", "a=0.5"], ("'b'",)),
        (["--priors", "a=0.5,b=0.6"], ("sum to 1.1",)),
        (["--seed", "-1"], ("--seed", "-1")),
        (["--resume"], ("--out",)),
        (["--threads", "0"], ("--threads",)),
        (["--out", "t.csv"], ("t.csv",)),
    ],
)
def test_wrong_options_of_compare(
    run: Run, tmp_path: Path, options: list[str], words: tuple[str, ...]
) -> None:
    write_csv(tmp_path / "t.csv", ["x", "z", "class"], ROWS)
    more = [] if "--candidates" in options else ["--candidates", "baseline"]
    refused(run("compare", "t.csv", "--target", "class", "--quiet", *more, *options), *words)
    assert os.listdir(tmp_path) == ["t.csv"]


@pytest.fixture
def model(run: Run, tmp_path: Path) -> Path:
    """A model of x (numbers) and job (categories)."""
    table = [[i % 11, ["none", "paid"][i % 2], "ab"[(i % 11) > 5]] for i in range(66)]
    write_csv(tmp_path / "train.csv", ["x", "job", "class"], table)
    done = run(
        "fit", "train.csv", "--target", "class", "--model", "gaussian_nb", "--out", "m.assay", "--quiet"
    )
    assert done == Done(0, "", "")
    return tmp_path / "m.assay"


@pytest.mark.parametrize(
    "command", [["predict"], ["evaluate"], ["explain", "--row", "1"]], ids=lambda c: c[0]
)
@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("x,class\n1,a\n", ("'job'",)),
        ("x,job,class\nmany,none,a\n", ("'x'", "'many'")),
        ("", ("new.csv",)),
        ("x,job,class\n1,none\n", ("new.csv",)),
    ],
    ids=["a column is lacking", "text for a number", "empty", "ragged"],
)
def test_tables_that_do_not_fit_the_model(
    run: Run, tmp_path: Path, model: Path, command: list[str], content: str, words: tuple[str, ...]
) -> None:
    (tmp_path / "new.csv").write_text(content)
    name, *options = command
    refused(run(name, model, "new.csv", *options), *words)


def test_a_failed_prediction_leaves_no_file_and_keeps_the_old_one(
    run: Run, tmp_path: Path, model: Path
) -> None:
    lines = [f"{i % 11},none" for i in range(20_000)] + ["many,none"]
    (tmp_path / "new.csv").write_text("x,job\n" + "\n".join(lines) + "\n")
    before = sorted(os.listdir(tmp_path))
    refused(run("predict", model, "new.csv", "--out", "p.csv"), "'many'", "20002")
    assert sorted(os.listdir(tmp_path)) == before
    (tmp_path / "p.csv").write_text("old")
    refused(run("predict", model, "new.csv", "--out", "p.csv"), "'many'")
    assert (tmp_path / "p.csv").read_text() == "old"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_one_sentence(run: Run, model: Path) -> None:
    refused(run("predict", model, "train.csv", "--out", "/dev/full"), "/dev/full", "full")
    args = ("--target", "class", "--model", "gaussian_nb", "--out", "/dev/full")
    refused(run("fit", "train.csv", *args), "/dev/full", "full")


def test_a_disk_that_fills_up_leaves_nothing_behind(
    run: Run, tmp_path: Path, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    before = sorted(os.listdir(tmp_path))
    monkeypatch.setattr("assay.data.write.atomic.os.fsync", full)
    refused(run("predict", model, "train.csv", "--out", "p.csv"), "p.csv", "disk is full")
    args = ("--target", "class", "--model", "gaussian_nb", "--out", "n.assay")
    refused(run("fit", "train.csv", *args), "n.assay", "disk is full")
    assert sorted(os.listdir(tmp_path)) == before


def test_an_interrupt_leaves_nothing_behind(
    run: Run, tmp_path: Path, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    before = sorted(os.listdir(tmp_path))
    monkeypatch.setattr("assay.models.table.table_classifier.TableClassifier.predict", interrupted)
    assert run("predict", model, "train.csv", "--out", "p.csv") == (130, "", "assay: interrupted.\n")
    assert sorted(os.listdir(tmp_path)) == before


@pytest.mark.parametrize("name", ["gaussian_shared", "decision_tree"])
def test_odd_columns_are_left_out_or_used_and_named(run: Run, tmp_path: Path, name: str) -> None:
    rows = [
        [f"2020-01-{1 + i % 28:02d}", "", f"c{i % 10_000}", i % 7, "ab"[i % 7 > 3]] for i in range(10_500)
    ]
    write_csv(tmp_path / "t.csv", ["day", "gap", "code", "x", "class"], rows)
    done = run("fit", "t.csv", "--target", "class", "--model", name, "--out", "m.assay", "--json")
    assert done.code == 0
    notes = " ".join(done.json["notes"])
    assert "'gap'" in notes and "'code'" in notes and done.json["features"] == 2


def test_levels_and_gaps_never_seen_are_predicted(run: Run, tmp_path: Path, model: Path) -> None:
    (tmp_path / "new.csv").write_text("x,job,more\n3,pirate,1\n,,2\n")
    done = run("predict", model, "new.csv")
    assert (done.code, done.out.count("\n")) == (0, 3)
    assert (
        done.err
        == "assay: Note D229: Column 'job' has 1 value of 1 that was never seen in training ('pirate'); the known "
        "categories are 'none', 'paid'.\n"
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["predict", "m.assay", "train.csv", "--format", "xlsx"], ("'xlsx'", "parquet")),
        (["predict", "m.assay", "train.csv", "--format", "parquet"], ("--out",)),
        (["predict", "m.assay", "train.csv", "--out", "no/where.csv"], ("no/where.csv",)),
        (["predict", "m.assay", "train.csv", "--out", "."], ("folder",)),
        (["predict", "train.csv", "train.csv"], ("train.csv",)),
        (["evaluate", "m.assay", "train.csv", "--target", "klass"], ("'klass'", "'class'")),
        (["evaluate", "m.assay", "train.csv", "--target", "job"], ("'job'", "a feature of the model")),
        (["evaluate", "m.assay", "other.csv"], ("Row 2", "'class'", "'a', 'b'")),
        (["evaluate", "m.assay", "train.csv", "--loss", "c:a=3"], ("'c'",)),
        (["evaluate", "m.assay", "train.csv", "--priors", "a=2"], ("'b'",)),
        (["explain", "m.assay", "train.csv", "--row", "0"], ("first row is 1",)),
        (["explain", "m.assay", "train.csv", "--row", "67"], ("66 rows",)),
        (["explain", "m.assay", "train.csv", "--row", "one"], ("--row",)),
        (["explain", "m.assay", "train.csv", "--row", "1", "--top", "0"], ("--top",)),
        (
            ["fit", "train.csv", "--target", "class", "--model", "fisher", "--out", "no/m.assay"],
            ("no/m.assay",),
        ),
        (["report", "."], ("run",)),
    ],
)
def test_wrong_options_of_the_others(
    run: Run, model: Path, arguments: list[str], words: tuple[str, ...]
) -> None:
    (model.parent / "other.csv").write_text("x,job,class\n1,none,a\n2,none,c\n")
    before = sorted(os.listdir(model.parent))
    refused(run(*arguments), *words)
    assert sorted(os.listdir(model.parent)) == before


@pytest.mark.parametrize(
    ("content", "options", "words"),
    [
        ("a,b\n0.5,0.6\n", [], ("sums to 1.1",)),
        ("a,b\n0.5,\n", [], ("Row 1", "'b'")),
        ("a,b\n0.5,x\n", [], ("'x'",)),
        ("a\n1\n", [], ("two classes",)),
        ("a,b\n0.5,0.5\n", ["--loss", "c:a=1"], ("'c'",)),
        ("a,b\n0.5,0.5\n", ["--priors", "a=0.1,b=0.9"], ("--trained-priors",)),
        ("a,b\n0.5,0.5\n", ["--priors", "a=0.1,b=0.9", "--trained-priors", "a=1"], ("trained priors", "'b'")),
    ],
)
def test_wrong_posteriors(
    run: Run, tmp_path: Path, content: str, options: list[str], words: tuple[str, ...]
) -> None:
    (tmp_path / "p.csv").write_text(content)
    refused(run("decide", "p.csv", *options, "--out", "d.csv"), *words)
    assert os.listdir(tmp_path) == ["p.csv"]
