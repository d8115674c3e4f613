"""Every compiled kernel with arguments that do not fit: right, or refused, and no call leaves its arrays.

Cases run in processes of their own, so that one that crashes is named. `make fuzz` runs many more of them
(ASSAY_FUZZ_CASES).
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.core.declarations import declared
from tests.fuzz.kernels import of_counts, of_networks, of_rows, of_searches, of_trees
from tests.fuzz.kernels.calls import CALLS

CASES = int(os.environ.get("ASSAY_FUZZ_CASES", "200"))
SEED = int(os.environ.get("ASSAY_FUZZ_SEED", "0"))
ROOMS = {
    room.__name__.rpartition(".")[2]: [name for name, call in CALLS.items() if call.room == room.__name__]
    for room in (of_counts, of_networks, of_rows, of_searches, of_trees)
}


def test_every_kernel_is_called() -> None:
    assert set(declared()) == set(CALLS)


@pytest.mark.parametrize("room", ROOMS)
def test_no_call_leaves_its_arrays(room: str, tmp_path: Path) -> None:
    running = tmp_path / "running"
    command = [sys.executable, "-m", "tests.fuzz.kernels", str(CASES), str(SEED), *ROOMS[room]]
    done = subprocess.run(
        [*command, "--progress", str(running)], capture_output=True, text=True, cwd=Path(__file__).parents[2]
    )
    crashed = f"{room} ended with {done.returncode} in {running.read_text().strip()}\n{done.stderr}"
    assert done.returncode in (0, 1) and not done.stderr, crashed
    assert done.returncode == 0, done.stdout
