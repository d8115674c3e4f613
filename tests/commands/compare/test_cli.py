"""`assay compare` and `assay report`: the figures of Python, files where they are announced, and resuming."""

from __future__ import annotations

import csv
import io
import json
import shlex
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import assay.workbench.experiment.evaluate_candidate as candidate
from assay.commands.compare.job import compare
from assay.storage.model_file import load
from assay.workbench.experiment.reproduce import priors_text
from tests.commands.conftest import Run

FEW = "baseline,gaussian_nb,fisher"
QUICK = ("--candidates", FEW, "--plan", "kfold:5")


def test_the_figures_are_those_of_python(run: Run, loans: Path) -> None:
    done = run("compare", loans, "--target", "class", *QUICK, "--loss", "bad:good=5", "--json", "--quiet")
    assert (done.code, done.err) == (0, "")
    figures = done.json
    costs = {"bad": {"bad": 0, "good": 5}, "good": {"bad": 1, "good": 0}}
    found = compare(loans, "class", candidates=FEW.split(","), plan=5, loss=costs, progress=False)
    assert figures["best"] == found.best_name and figures["verdict"] == list(found.verdict)
    for line, standing in zip(figures["leaderboard"], found.leaderboard, strict=True):
        assert (line["name"], line["error"], line["loss"]) == (standing.name, standing.error, standing.loss)
        assert line["error_interval"] == list(standing.error_interval)
    assert figures["honest"]["loss"] == found.nested.mean_loss()
    assert figures["optimism"] == found.optimism


def test_the_page_tells_verdict_board_and_choice(run: Run, loans: Path) -> None:
    done = run("compare", loans, "--target", "class", *QUICK)
    assert done.code == 0
    assert "Error rate on new data: " in done.text
    for word in (
        "Leaderboard: kfold:5, 240 rows",
        "CV loss",
        "95 % CI",
        "fit time",
        "predict / row",
        "error, n=",
        "interpretability",
        "Nested cross-validation estimates an error rate of",
        "Selection bias: ",
    ):
        assert word in done.text
    for name in FEW.split(","):
        assert f"  {name} " in done.out
    assert "identifier" in done.text and "types=" not in done.text
    assert "--out run" in done.text
    assert done.out.isascii()
    # Nobody watches: progress is plain lines on the error stream.
    assert "%  gaussian_nb: error " in done.err and "\r" not in done.err and "\x1b" not in done.err


def test_costs_add_their_columns(run: Run, loans: Path) -> None:
    done = run("compare", loans, "--target", "class", *QUICK, "--loss", "bad:good=5,*:ask=0.3", "--quiet")
    assert (done.code, done.err) == (0, "")
    assert "mean loss" in done.out.splitlines()[0]
    assert len(done.out.splitlines()) == 4


def test_a_candidate_beyond_the_budget_is_named(run: Run, loans: Path) -> None:
    args = ("--candidates", "baseline,gradient_boosting", "--plan", "kfold:5x100", "--threads", "1")
    done = run("compare", loans, "--target", "class", *args, "--budget", "15s", "--json")
    assert done.code == 0
    assert list(done.json["omitted"]) == ["gradient_boosting"]
    assert "C152" in {note["code"] for note in done.json["codes"]}


def test_where_nothing_beats_the_baseline_the_last_line_is_about_the_model(run: Run) -> None:
    # Every other row is of the other class: neighbours are wrong more often than not.
    rows = [f"{at + 0.25},{('no', 'yes')[at % 2]}" for at in range(81)]
    Path("chance.csv").write_text("\n".join(["a,class", *rows]))
    args = ("compare", "chance.csv", "--candidates", "baseline,knn", "--plan", "kfold:5", "--out", "run")
    done = run(*args)
    assert done.code == 0 and done.text.startswith("Use none of these candidates. ")
    assert Path("run/model.assay").exists()
    assert done.text.endswith("which is not recommended.")
    assert "The model file contains " in done.text
    figures = run(*args, "--resume", "--json").json
    assert figures["recommended"] is None and figures["best"] in ("knn", "baseline")
    assert figures["verdict"][0].startswith("Use none of these candidates. ")
    assert figures["model"] == "run/model.assay"
    tuned = run("tune", "chance.csv", "--model", "knn", "--plan", "kfold:5")
    assert "Use none of these candidates. " in tuned.text


def test_a_run_folder_with_report_and_model(run: Run, iris: Path) -> None:
    args = ("compare", iris, "--target", "species", *QUICK, "--out", "run")
    done = run(*args)
    assert done.code == 0 and "run/report.html" in done.text and "run/model.assay" in done.text
    figures = json.loads(Path("run/leaderboard.json").read_text())
    assert load("run/model.assay").target_ == "species"
    again = run(*args)
    assert again.code == 2 and "--resume" in again.err
    resumed = run(*args, "--resume", "--json", "--quiet")
    assert resumed.code == 0
    for line, kept in zip(resumed.json["leaderboard"], figures, strict=True):
        assert (line["name"], line["error"]) == (kept["name"], kept["error"])
    assert run("predict", "run/model.assay", iris).out.count("\n") == 151
    report = Path("run/report.html")
    written = report.read_bytes()
    report.unlink()
    assert run("report", "run", "--quiet") == (0, "", "")
    assert len(report.read_bytes()) == pytest.approx(len(written), rel=0.1)
    assert run("report", "run", "--out", "other.html", "--json").json["report"] == "other.html"
    assert Path("other.html").exists()


def test_an_interrupt_shows_what_has_finished_and_leaves_with_130(
    run: Run, iris: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, begun = candidate.evaluate_candidate, []

    def evaluate_candidate(entry: Any, *rest: Any) -> Any:
        begun.append(entry.name)
        if len(begun) % 3 == 0:  # the baseline and another candidate have finished
            raise KeyboardInterrupt
        return real(entry, *rest)

    monkeypatch.setattr("assay.workbench.experiment.schedule.evaluate_candidate", evaluate_candidate)
    told = run("compare", iris, "--target", "species", *QUICK, "--out", "told")
    assert told.code == 130 and "Resume it:" in told.out
    assert next(line for line in told.out.splitlines() if line.endswith(" --out told --resume"))
    done = run("compare", iris, "--target", "species", *QUICK, "--json", "--quiet", "--out", "run")
    assert (done.code, done.err) == (130, "assay: interrupted.\n")
    assert done.json["interrupted"] is True and list(done.json["omitted"]) == [begun[-1]]
    monkeypatch.undo()
    monkeypatch.chdir(iris.parent)
    done = run(
        "compare", iris, "--target", "species", *QUICK, "--quiet", "--out", "run", "--resume", "--json"
    )
    assert done.code == 0 and done.json["omitted"] == {}


def test_repeats_and_threads_change_no_bits(run: Run, loans: Path) -> None:
    args = (
        "compare",
        loans,
        "--target",
        "class",
        "--candidates",
        FEW,
        "--plan",
        "kfold:3x2",
        "--json",
        "--quiet",
    )
    one, two = (run(*args, "--threads", n).json for n in (1, 2))
    keep = ("error", "loss", "log_loss", "auc", "setting")
    assert [[line[k] for k in keep] for line in one["leaderboard"]] == [
        [line[k] for k in keep] for line in two["leaderboard"]
    ]


LABELS = ["a:b", "c, d", "=e", 'say "no"', "it's", "two words", "*", "$HOME `x` \\", "tab\there", "größer"]


@pytest.mark.parametrize("pair", [LABELS[i : i + 2] for i in range(0, len(LABELS), 2)], ids=repr)
def test_the_commands_run_as_they_are_printed_whatever_the_classes_are_called(
    run: Run, tmp_path: Path, pair: list[str]
) -> None:
    frame = {"x": [i % 7 + 3.0 * (i % 2) for i in range(80)], "a=b": [i % 5 for i in range(80)]}
    pq.write_table(pa.table({**frame, "class": [pair[i % 2] for i in range(80)]}), "t.parquet")
    costs = {pair[0]: {pair[0]: 0, pair[1]: 1 / 3}, pair[1]: {pair[0]: 7, pair[1]: 0}}
    Path("loss.json").write_text(json.dumps(costs))
    Path("priors.txt").write_text(priors_text(pair, [0.25, 0.75]))
    args = (
        "t.parquet",
        "--target",
        "class",
        "--candidates",
        "fisher",
        "--plan",
        "kfold:5",
        "--type",
        "a=b=numeric",
    )
    loss = ("--loss", "loss.json", "--priors", Path("priors.txt").read_text())
    first = run("compare", *args, *loss, "--out", "run")
    assert first.code == 0, first.err
    lines = [line.strip() for line in first.out.splitlines() if line.startswith("    assay ")]
    assert len(lines) == 1 and shlex.split(lines[0])[:2] == ["assay", "predict"]
    done = run(*(word.replace("NEW.csv", "t.parquet") for word in shlex.split(lines[0])[1:]))
    assert done.code == 0 and next(csv.reader(io.StringIO(done.out))) == ["action"]
    kept = run("compare", *args, *loss, "--json", "-q").json
    shown = run("compare", *args, *loss).out.splitlines()
    again = next(line.strip() for line in shown if line.startswith("    assay compare"))
    words = shlex.split(again)[1:]
    assert words[-2:] == ["--out", "run"]
    assert run(*words[:-2], "--json", "-q").json["honest"] == kept["honest"]


@pytest.mark.parametrize("plan", ["fold:3", "kfold:x", ""])
def test_a_wrong_plan_is_answered_with_plans_that_compare_takes(run: Run, iris: Path, plan: str) -> None:
    done = run("compare", iris, "--target", "species", "--plan", plan)
    assert done.code == 2 and "kfold:10" in done.err and "holdout:0.3" in done.err
    assert "loo" not in done.err and "bootstrap" not in done.err


def test_a_budget_too_small_for_anything_is_one_sentence(run: Run, iris: Path) -> None:
    done = run("compare", iris, "--target", "species", "--budget", "0.001s", "--quiet")
    assert (done.code, done.err) == (
        2,
        "assay: The time budget of 1 ms ended before any candidate was finished; set a larger --budget, or name fewer "
        "--candidates.\n",
    )


def test_progress_moves_while_cheap_candidates_are_tried(run: Run, iris: Path) -> None:
    done = run(
        "compare", iris, "--target", "species", "--candidates", FEW + ",decision_tree", "--plan", "kfold:3"
    )
    shares = [int(line.split()[0]) for line in done.err.splitlines()]
    assert len(shares) == 4 and all(a < b for a, b in zip(shares, shares[1:], strict=False))


def test_a_report_takes_its_table_from_where_it_is_now(run: Run, iris: Path) -> None:
    assert run("compare", iris.name, "--target", "species", *QUICK, "--out", "run", "-q").code == 0
    iris.rename("moved.csv")
    done = run("report", "run", "--out", "r.html")
    assert (
        done.code == 2 and "--source" in done.err and "source=" not in done.err and done.err.count("\n") == 1
    )
    assert "a run folder does not store" in run("report", "--help").text
    assert run("report", "run", "--out", "r.html", "--source", "moved.csv", "-q") == (0, "", "")
    assert Path("r.html").exists()


def test_the_report_of_a_database_says_how_to_give_the_password(run: Run, iris: Path) -> None:
    assert run("compare", iris, "--target", "species", *QUICK, "--out", "run", "-q").code == 0
    about = json.loads(Path("run/experiment.json").read_text())
    about["source"] = "postgresql://ann@127.0.0.1:1/shop"
    Path("run/experiment.json").write_text(json.dumps(about))
    done = run("report", "run")
    assert done.code == 2 and done.err.count("\n") == 1
    assert "A run folder stores no passwords; set PGPASSWORD, or give the address with --source." in done.err


OWN = """
from sklearn.tree import DecisionTreeClassifier

def stump():
    return DecisionTreeClassifier(max_depth=1)

def broken():
    return 1 / 0
"""


def test_an_own_estimator_is_named_by_its_function(
    run: Run, loans: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own_models.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    one = ("compare", loans, "--target", "class", "--candidates", "baseline", "--candidate")
    done = run(*one, "own_models:stump", "--out", "run", "--json", "--quiet")
    assert done.code == 0, done.err
    assert {row["name"] for row in done.json["leaderboard"]} == {"baseline", "stump"}
    assert done.json["model"] is None or done.json["best"] == "baseline"
    assert "--candidate stump=own_models:stump" in done.json["commands"][0]
    assert run(*shlex.split(done.json["commands"][0])[1:], "--resume", "--quiet").code == 0
    assert run("report", "run", "--candidate", "own_models:stump").code == 0
    done = run(*one, "mine=own_models:stump", "--candidate", "mine=own_models:stump")
    assert done.code == 2 and "two candidates called" in done.err
    for bad, words in (
        ("own_models:broken", "ZeroDivisionError"),
        ("nowhere:f", "nowhere"),
        ("own_models", "MODULE:FUNCTION"),
    ):
        done = run(*one, bad)
        assert done.code == 2 and words in done.err and "Traceback" not in done.err
