"""Leak suspects: a comparison without them, and then with them on the same folds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import assay.commands.compare.run as run_module
from assay import compare, load
from assay.commands.compare.comparison import Comparison
from assay.commands.compare.figures import figures
from assay.commands.compare.reopen import reopen
from assay.commands.compare.tune_job import tune_table
from assay.notes import as_note
from tests.commands.compare.statements import codes, values
from tests.raised import raises
from tests.realdata import load_csv

Frame = dict[str, Any]
QUICK: dict[str, Any] = {
    "candidates": ["baseline", "gaussian_nb"],
    "plan": 5,
    "progress": False,
}


def leaky(copies: int = 0) -> Frame:
    """A column that knows a little, and two that were filled in afterwards: one for one class only, one the answer."""
    draw = np.random.default_rng(0)
    outcome = np.arange(200) % 2
    size = draw.normal(size=200) + 1.2 * outcome
    ward = np.where((outcome == 1) & (draw.uniform(size=200) < 0.6), draw.normal(size=200), np.nan)
    answer = 10.0 * outcome + draw.normal(size=200)
    frame = {"size": size, "ward": ward, "answer": answer, "class": np.array(["no", "yes"])[outcome]}
    again = np.arange(copies)
    return {name: np.append(values, values[again]) for name, values in frame.items()}


@pytest.fixture(scope="module")
def found() -> Comparison:
    return compare(leaky(), "class", **QUICK)


def test_the_comparison_is_without_them_and_the_other_with_them(found: Comparison) -> None:
    assert found.suspects == ("ward", "answer") and found.schema.names == ("size",)
    other = found.with_suspects
    assert other is not None and other.with_suspects is None and other.suspects == ()
    assert other.schema.names == ("size", "ward", "answer")
    assert other.bench.partitions == found.bench.partitions
    assert other.nested_error < 0.03 < 0.15 < found.nested_error
    assert found.best.schema_.names == ("size",)


def test_the_verdict_gives_the_figure_without_them_first(found: Comparison) -> None:
    assert found.with_suspects is not None
    first = found.verdict[0]
    assert codes(first) == ["C101", "C103", "C112"]
    assert values(first, "C101")["error"] == found.nested_error
    assert values(first, "C112") == {
        "columns": ("ward", "answer"),
        "error": found.with_suspects.nested_error,
    }
    costs = compare(leaky(), "class", loss="yes:no=4", **QUICK)
    assert costs.with_suspects is not None
    assert codes(costs.verdict[0])[-1] == "C113"
    assert values(costs.verdict[0], "C113")["cost"] == costs.with_suspects.nested.mean_loss()


def test_they_are_warned_about_and_written_down(found: Comparison) -> None:
    titles = [finding.title for finding in found.diagnosis.warnings]
    assert titles[:3] == [
        "Possible leakage, excluded",
        "Filled in for one class",
        "Tells the class by itself",
    ]
    assert found.diagnosis.warnings[0].sentence.code == "C170"
    plain = figures(found)
    assert plain["suspects"] == ("ward", "answer") and plain["features"] == 1
    assert plain["with_suspects"]["features"] == 3 and plain["with_suspects"]["with_suspects"] is None
    assert "keep_suspects" not in found.commands[-1]
    assert found.with_suspects is not None and "keep_suspects=True" in found.with_suspects.commands[-1]


def test_the_run_folder_has_both(tmp_path: Path, found: Comparison) -> None:
    kept = compare(leaky(), "class", out=tmp_path / "run", **QUICK)
    inside = tmp_path / "run" / "with-suspects"
    for folder in (tmp_path / "run", inside):
        for name in ("experiment.json", "leaderboard.json", "report.html", "log.txt"):
            assert (folder / name).exists()
        assert len(list((folder / "candidates").glob("*.npz"))) == 2
    assert load(tmp_path / "run" / "model.assay").schema_.names == ("size",)
    whole = load(tmp_path / "run" / "model-with-suspects.assay")
    assert whole.schema_.names == ("size", "ward", "answer")
    plain = figures(kept)
    assert plain["with_suspects"]["model"] == str(tmp_path / "run" / "model-with-suspects.assay")
    assert plain["with_suspects"]["report"] == str(inside / "report.html")
    again = reopen(tmp_path / "run", leaky())
    assert again.verdict == kept.verdict == found.verdict and again.suspects == kept.suspects
    assert [each.title for each in again.diagnosis.warnings] == [
        each.title for each in kept.diagnosis.warnings
    ]
    alone = reopen(inside, leaky())
    assert again.with_suspects is not None and alone.leaderboard == again.with_suspects.leaderboard
    described = json.loads((inside / "experiment.json").read_text())
    assert described["suspects"] == ["ward", "answer"] and described["keep_suspects"]


def test_a_run_that_was_stopped_in_the_second_part_is_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found: Comparison
) -> None:
    started: list[int] = []
    whole = run_module.Run.compare

    def stopped(self: Any, *arguments: Any) -> Comparison:
        started.append(len(started))
        if len(started) == 2:
            raise KeyboardInterrupt
        return whole(self, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(run_module.Run, "compare", stopped)
        first = compare(leaky(), "class", out=tmp_path / "run", **QUICK)
    assert first.interrupted and first.with_suspects is None and "C112" not in codes(first.verdict[0])
    assert reopen(tmp_path / "run", leaky()).with_suspects is None
    resumed = compare(leaky(), "class", out=tmp_path / "run", resume=True, **QUICK)
    assert resumed.verdict == found.verdict and not resumed.interrupted
    with raises("C007", key="keep_suspects", before=False, now=True):
        compare(leaky(), "class", out=tmp_path / "run", resume=True, keep_suspects=True, **QUICK)


def test_each_run_has_half_of_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds: list[float | None] = []
    whole = run_module.Run.compare

    def timed(self: Any, tell: Any, budget: float | None, *more: Any) -> Comparison:
        seconds.append(budget)
        return whole(self, tell, budget, *more)

    monkeypatch.setattr(run_module.Run, "compare", timed)
    compare(leaky(), "class", budget="50s", **QUICK)
    compare(leaky(), "class", budget=None, **QUICK)
    compare(leaky(), "class", budget="50s", keep_suspects=True, **QUICK)
    assert seconds == [25.0, 25.0, None, None, 50.0]


def test_they_can_be_kept(found: Comparison) -> None:
    kept = compare(leaky(), "class", keep_suspects=True, **QUICK)
    assert kept.with_suspects is None and kept.suspects == () and len(kept.schema) == 3
    assert (
        found.with_suspects is not None
        and kept.leaderboard[0].error == found.with_suspects.leaderboard[0].error
    )
    assert "C112" not in codes(kept.verdict[0]) and "keep_suspects=True" in kept.commands[-1]
    assert not any(as_note(note).code == "C172" for note in kept.notes)


def test_keeping_what_is_not_there_is_a_note(tmp_path: Path) -> None:
    harmless = {name: values for name, values in leaky().items() if name in ("size", "class")}
    kept = compare(harmless, "class", keep_suspects=True, out=tmp_path / "run", **QUICK)
    for comparison in (kept, reopen(tmp_path / "run", harmless)):
        assert [as_note(note).code for note in comparison.notes] == ["C172"]
    plain = compare(harmless, "class", **QUICK)
    assert plain.with_suspects is None and plain.suspects == () and plain.notes == ()


def test_where_no_column_would_be_left_there_is_one_run_with_a_warning() -> None:
    suspects = {name: values for name, values in leaky().items() if name != "size"}
    kept = compare({**suspects, "same": ["x"] * 200}, "class", **QUICK)
    assert kept.with_suspects is None and kept.suspects == () and "answer" in kept.schema.names
    finding = kept.diagnosis.warnings[0]
    note = as_note(finding.sentence)
    assert (note.code, note.values) == ("C171", {"columns": ("'ward'", "'answer'")})


def test_both_runs_have_the_same_copies_in_one_fold(tmp_path: Path) -> None:
    """Rows that agree but for a suspect are copies where it is left out."""
    frame = leaky(copies=40)
    frame["answer"][200:] += 0.5
    both = compare(frame, "class", out=tmp_path / "run", **QUICK)
    assert both.with_suspects is not None
    for each in (both, both.with_suspects):
        assert each.bench.problem.repeats is not None and each.bench.problem.repeats.count == 40
    assert both.bench.partitions == both.with_suspects.bench.partitions
    again = reopen(tmp_path / "run", frame)
    assert again.with_suspects is not None and again.with_suspects.bench.partitions == both.bench.partitions


def test_a_model_that_is_tuned_keeps_them() -> None:
    tuned = tune_table(leaky(), "class", "gaussian_nb", plan=5, progress=False)
    assert len(tuned.schema) == 3 and tuned.with_suspects is None and tuned.notes == ()


def test_the_lifeboat_is_not_the_first_thing_said_about_the_titanic() -> None:
    names = ["baseline", "decision_tree"]
    told = compare(load_csv("titanic3"), "survived", candidates=names, drop=["name"], progress=False)
    assert told.suspects == ("boat", "body") and told.nested_error > 0.15
    suspicious = values(told.verdict[0], "C112")
    assert suspicious["columns"] == ("boat", "body") and 0.02 <= suspicious["error"] < 0.03
