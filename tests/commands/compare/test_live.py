"""While a comparison runs: the leaderboard so far on a terminal, a line per finished candidate elsewhere."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from assay import compare
from assay.commands.compare.comparison import Comparison
from assay.commands.compare.live import Board, Lines, live_view
from assay.notes.numbers import plain_percent, plain_percent_range
from assay.workbench.experiment.evaluate_candidate import CandidateResult
from tests.commands.compare.purchases import ASK, mixed

NAMES = ["baseline", "gaussian_nb", "gaussian_shared"]


@pytest.fixture(scope="module")
def heard() -> tuple[Comparison, list[CandidateResult]]:
    results: list[CandidateResult] = []
    found = compare(mixed(), "bought", candidates=NAMES, progress=False, finished=results.append)
    return found, results


def shown(board: Board) -> list[str]:
    console = Console(file=io.StringIO(), width=100)
    console.print(board.renderable())
    return console.file.getvalue().splitlines()  # type: ignore[attr-defined,no-any-return]


def test_every_candidate_is_heard_of_once_the_baseline_first(
    heard: tuple[Comparison, list[CandidateResult]],
) -> None:
    found, results = heard
    assert results[0].name == "baseline" and sorted(r.name for r in results) == sorted(found.results)
    for result in results:
        assert found.results[result.name].evaluation is result.evaluation


def test_a_resumed_run_shows_what_it_has(tmp_path: object) -> None:
    for resume in (False, True):
        results: list[CandidateResult] = []
        options = {"candidates": NAMES, "out": f"{tmp_path}/run", "resume": resume}
        compare(mixed(), "bought", progress=False, finished=results.append, **options)  # type: ignore[arg-type]
        assert sorted(result.name for result in results) == sorted(NAMES)


def test_a_terminal_shows_the_best_first_and_what_is_running(
    heard: tuple[Comparison, list[CandidateResult]],
) -> None:
    found, results = heard
    board = Board(Console(file=io.StringIO(), width=100, height=40))
    for result in results:
        board.finished(result)
    board("Decision tree", 0.5)
    lines = shown(board)
    assert [line.split()[0] for line in lines[:3]] == list(found.results)
    for line, result in zip(lines, found.results.values(), strict=False):
        error = result.evaluation
        assert f"error {plain_percent(error.error)} % ({plain_percent_range(error.error_interval)})" in line
    assert "Decision tree" in lines[3]


def test_a_low_terminal_shows_the_best_alone(heard: tuple[Comparison, list[CandidateResult]]) -> None:
    found, results = heard
    board = Board(Console(file=io.StringIO(), width=100, height=4))
    for result in results:
        board.finished(result)
    assert [line.split()[0] for line in shown(board)[:-1]] == [found.best_name]


def test_a_pipe_gets_a_line_per_finished_candidate(
    heard: tuple[Comparison, list[CandidateResult]], capsys: pytest.CaptureFixture[str]
) -> None:
    _, results = heard
    with live_view() as view:
        assert isinstance(view, Lines)
        view("Baseline", 0.25)
        view.finished(replace(results[0], sample_rows=100))
    line = capsys.readouterr().err
    assert line.startswith(" 25 %  baseline (sample of 100): error 43.3 % (") and line.endswith("s\n")
    with live_view(show=False) as view:
        view.finished(results[0])
    assert capsys.readouterr() == ("", "")


def test_under_costs_the_mean_loss_is_shown_too(capsys: pytest.CaptureFixture[str]) -> None:
    view = Lines()
    compare(mixed(), "bought", candidates=["baseline"], loss=ASK, progress=False, finished=view.finished)
    assert "mean loss" in capsys.readouterr().err
