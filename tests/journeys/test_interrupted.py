"""A run that is killed, interrupted or out of time keeps what was finished, and goes on to the same end."""

from __future__ import annotations

import json
import random
import signal
import time
from pathlib import Path

import pytest

from assay.notes import Note
from tests.journeys.steps import assay_in, board, done, ended, leftovers, start, wait_until, write_blobs

CHEAP = "baseline,nearest_mean,gaussian_nb,fisher,gaussian_shared,least_squares,gaussian_full"
SLOW = f"{CHEAP},decision_tree"
PLAN = ("--plan", "kfold:3")
ROWS = 1500  # enough for a tree that takes a while


def finished(run: Path) -> set[str]:
    """Candidates whose results are on the disk."""
    return {path.stem for path in (run / "candidates").glob("*.npz")}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the same question that nobody disturbed."""
    folder = tmp_path_factory.mktemp("whole")
    asked = ("compare", write_blobs(folder, ROWS).name, "--target", "class", *PLAN)
    done(folder, *asked, "--candidates", SLOW, "--out", "run")
    return folder


@pytest.mark.parametrize("when", ["at the start", "after 2", "after 5", "after 8", "any time"])
def test_a_killed_run_resumes_to_the_same_leaderboard(whole: Path, tmp_path: Path, when: str) -> None:
    run = tmp_path / "run"
    asked = ("compare", write_blobs(tmp_path, ROWS).name, "--target", "class", *PLAN)
    asked = (*asked, "--candidates", SLOW, "--out", "run")
    with ended(start(tmp_path, *asked)) as process:
        if when == "any time":
            wait_until((run / "experiment.json").exists, process)
            time.sleep(random.random())
        elif when == "at the start":
            wait_until(run.exists, process)
        else:
            wait_until(lambda: len(finished(run)) >= int(when.split()[1]), process)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    kept = {name: (run / "candidates" / f"{name}.npz").read_bytes() for name in finished(run)}
    (run / "candidates").mkdir(exist_ok=True)
    for folder in (run, run / "candidates"):  # as if the kill had come in the middle of writing
        (folder / ".assay-0123456789abcdef.part").write_bytes(b"half")
    done(tmp_path, *asked, "--resume")
    assert board(run) == board(whole / "run")
    # Whatever was finished was not computed again: times measured before the kill are still there.
    for name, content in kept.items():
        assert (run / "candidates" / f"{name}.npz").read_bytes() == content
    log = (run / "log.txt").read_text()
    assert log.count("taken from the interrupted run") == len(kept)
    assert leftovers(tmp_path) == []


def test_a_run_killed_before_it_described_itself_begins_anew(tmp_path: Path) -> None:
    (tmp_path / "run" / "candidates").mkdir(parents=True)
    (tmp_path / "run" / ".assay-0123456789abcdef.part").write_bytes(b"half")
    asked = ("compare", write_blobs(tmp_path, 60).name, "--target", "class", "--candidates", "baseline")
    done(tmp_path, *asked, "--out", "run", "--resume", "--quiet")
    assert len(board(tmp_path / "run")) == 1 and leftovers(tmp_path) == []


def test_ctrl_c_shows_and_keeps_what_is_finished(whole: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    asked = ("compare", write_blobs(tmp_path, ROWS).name, "--target", "class", *PLAN)
    asked = (*asked, "--candidates", SLOW, "--out", "run")
    with ended(start(tmp_path, *asked)) as process:
        wait_until(lambda: len(finished(run)) >= 7, process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert process.returncode == 130, (out, err)
    assert err.endswith("assay: interrupted.\n") and "Traceback" not in err
    assert str(Note("C153")) in " ".join(out.split()) and "decision_tree" in out
    shown = [name for name in CHEAP.split(",") if f"\n  {name} " in out]
    assert len(shown) == 7
    assert (run / "report.html").exists() and (run / "model.assay").exists()
    done(tmp_path, *asked, "--resume")
    assert board(run) == board(whole / "run")
    assert leftovers(tmp_path) == []


def test_ctrl_c_before_anything_is_finished(tmp_path: Path) -> None:
    asked = ("compare", write_blobs(tmp_path, 2000).name, "--target", "class", *PLAN)
    asked = (*asked, "--candidates", "random_forest", "--out", "run")
    with ended(start(tmp_path, *asked)) as process:
        wait_until((tmp_path / "run" / "experiment.json").exists, process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert process.returncode == 130
    assert out == "" and err.endswith("assay: interrupted.\n") and "Traceback" not in err
    assert leftovers(tmp_path) == []


def test_a_budget_ends_a_run_cleanly_and_names_what_it_left_out(tmp_path: Path) -> None:
    source = write_blobs(tmp_path, 20_000, 30)
    asked = ("compare", source.name, "--target", "class", "--plan", "kfold:10", "--out", "run")
    said = done(tmp_path, *asked, "--budget", "3s")
    assert "Omitted" in said.out
    figures = json.loads((tmp_path / "run" / "leaderboard.json").read_text())
    tried = {row["name"] for row in figures}
    assert "baseline" in tried and {"random_forest", "decision_tree"} & tried == set()
    for name in ("random_forest", "gradient_boosting", "decision_tree"):
        assert f"  {name} " in said.out.partition("\nOmitted")[2]
    assert "budget of 3 s" in said.text
    assert leftovers(tmp_path) == []


def test_resuming_what_is_no_run_or_another_one_is_refused(tmp_path: Path) -> None:
    asked = ("compare", write_blobs(tmp_path, 60).name, "--target", "class", "--candidates", "baseline")
    done(tmp_path, *asked, "--out", "run", "--quiet")
    before = sorted((path, path.stat().st_mtime_ns) for path in (tmp_path / "run").rglob("*"))
    for more in (["--seed", "1"], ["--plan", "kfold:4"], ["--drop", "x0"], ["--loss", "a:b=2"]):
        said = assay_in(tmp_path, *asked, "--out", "run", "--resume", "--quiet", *more)
        assert said.code == 2 and said.err.count("\n") == 1 and "name another folder" in said.err
    said = assay_in(tmp_path, *asked, "--out", ".", "--resume", "--quiet")
    assert said.code == 2 and "does not contain a run" in said.err
    assert sorted((path, path.stat().st_mtime_ns) for path in (tmp_path / "run").rglob("*")) == before
