"""`assay demo` in process, in a pipe and on terminals: what it prints are the figures of the API."""

from __future__ import annotations

import inspect
import json
import re
from typing import Any

import pytest
from typer.testing import CliRunner

import assay
from assay import Bootstrap, KFold, LeaveOneOut, aic, bic, evaluate
from assay.cli.demo import demo
from assay.cli.main import app
from assay.workbench.demo import COSTS, RACE_ROWS, family, load
from tests.cli.runs import in_pipe, on_terminal, visible

SMALL = ["demo", "--race-rows", "500"]


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture(scope="module")
def text() -> str:
    return run(*SMALL)


@pytest.fixture(scope="module")
def figures() -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads(run(*SMALL, "--json"))
    return parsed


@pytest.fixture(scope="module")
def evaluations() -> dict[str, Any]:
    models = {candidate.name: candidate.model for candidate in family()}
    plans = {"folds": KFold(10), "rest": LeaveOneOut(), "bootstrap": Bootstrap(200)}
    return {name: evaluate(models, *load(), plan) for name, plan in plans.items()}


def test_json_holds_every_part(figures: dict[str, Any]) -> None:
    assert list(figures) == ["assay", "data", "leaderboard", "decision", "race"]
    assert figures["assay"] == assay.__version__
    assert figures["data"]["rows"] == sum(figures["data"]["classes"].values()) == 569


def test_json_figures_are_those_of_the_api(figures: dict[str, Any], evaluations: dict[str, Any]) -> None:
    standings = figures["leaderboard"]["standings"]
    assert {line["name"] for line in standings} == {candidate.name for candidate in family()}
    for line in standings:
        folds = evaluations["folds"][line["name"]]
        assert line["error"] == folds.error
        assert line["error_interval"] == list(folds.error_interval)
        assert line["log_loss"] == (folds.log_loss if folds.probabilistic else None)
        assert line["leave_one_out_error"] == evaluations["rest"][line["name"]].error
        assert line["error_632_plus"] == evaluations["bootstrap"][line["name"]].error_632_plus


def test_json_criteria_are_those_of_the_api(figures: dict[str, Any]) -> None:
    shown = {line["name"]: (line["aic"], line["bic"]) for line in figures["leaderboard"]["standings"]}
    for candidate in family():
        if candidate.name in {"least squares", "full/shared blend"}:
            assert shown[candidate.name] == (None, None)
        else:
            fitted = candidate.model.fit(*load())
            assert shown[candidate.name] == (aic(fitted), bic(fitted))


def test_json_decision_is_that_of_the_api(figures: dict[str, Any], evaluations: dict[str, Any]) -> None:
    part = figures["decision"]
    evaluation = evaluations["folds"][part["model"]]
    assert part["outcomes"][-1]["mean_loss"] == pytest.approx(evaluation.mean_loss(COSTS), rel=1e-12)
    decision = evaluation.decide(COSTS)
    assert part["outcomes"][-1]["asked"] == decision.n_rejected
    row = part["case"]["row"]
    assert list(part["case"]["posterior"].values()) == evaluation.posterior[row].tolist()
    assert part["case"]["decision"] == decision.actions[row]


def test_the_page_shows_the_figures(text: str, figures: dict[str, Any]) -> None:
    lines = text.splitlines()
    for line in figures["leaderboard"]["standings"]:
        shown = next(each for each in lines if each.startswith(f"  {line['name']}  "))
        cells = re.split(r"  +", shown.strip())
        low, high = line["error_interval"]
        assert cells[1:3] == [f"{100 * line['error']:.1f}", f"{100 * low:.1f} to {100 * high:.1f}"]
        assert cells[6] == ("-" if line["aic"] is None else f"{line['aic']:.0f}")
    last = figures["decision"]["outcomes"][-1]
    shown = next(each for each in lines if each.startswith(f"  {last['rule']}  "))
    assert re.split(r"  +", shown.strip())[1:5] == [
        str(last[k]) for k in ("changed", "missed", "false_alarms", "asked")
    ]


def test_the_page_has_its_parts_in_order(text: str) -> None:
    titles = re.findall(r"^(\d)  (\w+)", text, flags=re.MULTILINE)
    assert titles == [
        ("1", "The"),
        ("2", "Leaderboard"),
        ("3", "Times"),
        ("4", "A"),
        ("5", "The"),
        ("6", "Next"),
    ]
    assert "run live, median of 3 alternating runs" in text
    assert "Errors equal in every fold." in " ".join(text.split())


def test_the_page_compares_the_best_two_in_words(text: str, figures: dict[str, Any]) -> None:
    best = figures["leaderboard"]["standings"][0]["name"]
    other = next(line for line in figures["leaderboard"]["standings"] if not line["like_best"])
    low, high = other["against_best"]["interval"]
    said = f"{best} and {other['name']}, the next, differ by {100 * other['against_best']['difference']:.1f} points"
    assert said in " ".join(text.split())
    verdict = "no difference that these patients can show" if low <= 0 <= high else "a clear difference"
    assert verdict in " ".join(text.split())


def test_quiet_is_the_leaderboard_only(text: str) -> None:
    quiet = run("demo", "--quiet")
    assert len(quiet.splitlines()) == 1 + len(family())
    assert quiet in text


def test_quiet_json_stops_after_the_leaderboard() -> None:
    assert list(json.loads(run("demo", "--quiet", "--json"))) == ["assay", "data", "leaderboard"]


def test_the_default_race_is_the_workbench_s() -> None:
    assert inspect.signature(demo).parameters["race_rows"].default == RACE_ROWS


def test_a_pipe_receives_plain_ascii_lines() -> None:
    done = in_pipe(*SMALL, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.isascii()
    assert "\x1b" not in done.stdout and "\r" not in done.stdout
    assert all(line == line.rstrip() for line in done.stdout.splitlines())


@pytest.mark.parametrize(("columns", "drawn"), [(80, False), (120, True)])
def test_a_terminal_receives_a_table_that_fits(columns: int, drawn: bool) -> None:
    code, received = on_terminal(columns, *SMALL)
    assert code == 0
    assert "\x1b[1;32m" in received  # the best model in bold green
    lines = visible(received)
    title = next(i for i, line in enumerate(lines) if line.split()[:1] == ["model"])
    assert set(lines[title + 1].strip()) == {"─"}
    board = lines[title + 2 : title + 2 + len(family())]
    assert all(("●" in line) is drawn for line in board)
    page = [line for line in lines[title - 1 :] if "━" not in line]  # without the bars that were wiped away
    assert max(map(len, page)) <= columns
    assert not any("…" in line or "wider terminal" in line for line in page)


def test_a_narrow_terminal_names_the_columns_it_has_no_room_for() -> None:
    code, received = on_terminal(60, "demo", "--quiet")
    assert code == 0
    assert "A wider terminal also shows:" in received and "BIC" in received
