"""A run folder is written by one process at a time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from assay.workbench.experiment.run_lock import LOCK, RunLock, is_locked
from tests.raised import raises

HOLD = """
import sys
from pathlib import Path
from assay.workbench.experiment.run_lock import RunLock
RunLock.of(Path(sys.argv[1]))
print("locked", flush=True)
sys.stdin.read()
"""


def test_another_process_is_refused_until_the_first_one_ends(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None and other.stdout.readline() == "locked\n"
        assert is_locked(tmp_path)
        with raises("C068", BlockingIOError, path=str(tmp_path)):
            RunLock.of(tmp_path)
        other.kill()  # however it ends
        other.wait()
    assert not is_locked(tmp_path)


def test_a_released_lock_leaves_nothing_behind(tmp_path: Path) -> None:
    lock = RunLock.of(tmp_path)
    with pytest.raises(BlockingIOError):
        RunLock.of(tmp_path)
    lock.release()
    assert not (tmp_path / LOCK).exists() and not is_locked(tmp_path)
    RunLock.of(tmp_path).release()
