"""Runs in the user's cache: where they are, how many stay, and what an unwritable cache is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from assay.workbench.experiment import run_cache
from assay.workbench.experiment.run_cache import cache_folder, keep_run, remove_old_runs
from assay.workbench.experiment.run_lock import RunLock


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "assay" / "runs"


def kept(count: int, size: int = 10) -> list[Path]:
    """So many runs of that size, the oldest first."""
    paths = []
    for number in range(count):
        path, _ = keep_run("shop/visits.csv.gz")
        assert path is not None
        (path / "log.txt").write_bytes(b"x" * size)
        os.utime(path, (1000.0 + number, 1000.0 + number))
        paths.append(path)
    return paths


def test_a_run_has_a_folder_of_its_own_named_after_its_table(cache: Path) -> None:
    first, second = kept(2)
    assert first.parent == second.parent == cache == cache_folder() and first != second
    assert "visits" in first.name


def test_without_the_variable_or_with_a_relative_path_it_is_the_usual_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Path, "home", lambda: Path("/home/ann"))
    for value in ("", "relative/cache"):
        monkeypatch.setenv("XDG_CACHE_HOME", value)
        assert cache_folder() == Path("/home/ann/.cache/assay/runs")


def test_the_newest_twenty_stay(cache: Path) -> None:
    paths = kept(23)
    remove_old_runs()
    assert sorted(cache.iterdir()) == sorted(paths[3:])


def test_runs_beyond_a_gigabyte_go_the_oldest_first_and_the_newest_stays(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_cache, "MOST_BYTES", 250)
    paths = kept(4, 100)
    remove_old_runs()
    assert sorted(cache.iterdir()) == sorted(paths[2:])
    monkeypatch.setattr(run_cache, "MOST_BYTES", 50)
    remove_old_runs()
    assert list(cache.iterdir()) == paths[3:]


def test_a_run_that_is_being_written_stays(cache: Path) -> None:
    paths = kept(22)
    lock = RunLock.of(paths[0])
    remove_old_runs()
    assert paths[0].exists() and not paths[1].exists()
    lock.release()
    remove_old_runs()
    assert len(list(cache.iterdir())) == 20


def test_a_cache_that_cannot_be_written_to_is_a_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    path, (note,) = keep_run("a.csv")
    assert path is None and note.code == "C067" and note.values["strerror"] == "Not a directory"
