"""`assay compare` without --out keeps its run in the cache; a candidate can be added to a finished run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay import compare
from assay.workbench.experiment.run_lock import RunLock
from tests.commands.compare.purchases import mixed
from tests.program import Run, refused
from tests.raised import raises

QUICK = ("--target", "species", "--candidates", "baseline,fisher", "--plan", "kfold:4")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "assay" / "runs"


def test_it_says_where_the_run_is_which_can_be_reported_and_resumed(
    run: Run, iris: Path, cache: Path
) -> None:
    done = run("compare", iris, *QUICK)
    (folder,) = cache.iterdir()
    assert done.code == 0 and str(folder) in done.text and (folder / "model.assay").exists()
    assert not (folder / "report.html").exists()
    assert run("report", folder).code == 0 and (folder / "report.html").exists()
    again = run("compare", iris, *QUICK, "--out", folder, "--resume", "--json")
    assert again.code == 0 and "taken from the interrupted run" in (folder / "log.txt").read_text()
    assert again.json["folder"] == str(folder)


def test_nothing_is_kept_where_nobody_wants_it(run: Run, iris: Path, cache: Path) -> None:
    done = run("compare", iris, *QUICK, "--no-keep")
    assert done.code == 0 and not cache.exists() and "--out FOLDER" in done.out
    assert compare(mixed(), "bought", candidates=["baseline"], progress=False).folder is None
    assert not cache.exists()


def test_an_unwritable_cache_is_a_note(
    run: Run, iris: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    done = run("compare", iris, *QUICK, "--json")
    assert done.code == 0 and "C067" in {note["code"] for note in done.json["codes"]}


def test_a_candidate_is_added_to_a_finished_run(run: Run, iris: Path) -> None:
    assert run("compare", iris, *QUICK, "--out", "run").code == 0
    stored = {path.name: path.stat().st_mtime_ns for path in Path("run/candidates").iterdir()}
    more = ("--target", "species", "--candidates", "baseline,fisher,gaussian_nb", "--plan", "kfold:4")
    done = run("compare", iris, *more, "--out", "run", "--resume", "--json")
    assert done.code == 0 and len(done.json["leaderboard"]) == 3
    for name, when in stored.items():
        assert (Path("run/candidates") / name).stat().st_mtime_ns == when
    assert list(json.loads(Path("run/experiment.json").read_text())["candidates"])[-1] == "gaussian_nb"
    assert run("report", "run").code == 0
    refused(run("compare", iris, *QUICK, "--out", "run", "--resume"), "candidates")


def test_a_run_that_another_process_writes_is_left_alone(tmp_path: Path) -> None:
    options = {"candidates": ["baseline"], "out": tmp_path / "run", "progress": False}
    compare(mixed(), "bought", **options)  # type: ignore[arg-type]
    lock = RunLock.of(tmp_path / "run")
    with raises("C068", BlockingIOError, path=str(tmp_path / "run")):
        compare(mixed(), "bought", resume=True, **options)  # type: ignore[arg-type]
    lock.release()
    compare(mixed(), "bought", resume=True, **options)  # type: ignore[arg-type]
