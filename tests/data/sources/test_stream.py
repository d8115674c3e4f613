"""A file of any size is read in bounded memory, and without scikit-learn."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

STREAM = """
import sys
from pathlib import Path
from assay.data import scan
source = scan(sys.argv[1])
print(source.n_rows, sum(block.n_rows for block in source.blocks()), "sklearn" in sys.modules)
print(next(line.split()[1] for line in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line))
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is read from /proc")
def test_a_large_file_streams_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "large.csv"
    block = "\n".join(
        ",".join(f"{v:.6f}" for v in row) for row in np.random.default_rng(1).normal(size=(5000, 15))
    )
    with path.open("w") as file:
        file.write(",".join(f"x{i}" for i in range(15)) + "\n")
        file.writelines(block + "\n" for _ in range(210))
    assert path.stat().st_size > 140e6
    run = subprocess.run(
        [sys.executable, "-c", STREAM, str(path)], capture_output=True, text=True, check=True
    )
    counts, peak = run.stdout.splitlines()
    assert counts == f"{210 * 5000} {210 * 5000} False"
    assert int(peak) / 1024 < 400  # megabytes; the text of all rows alone would take more
