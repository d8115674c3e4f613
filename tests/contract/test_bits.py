"""The same bits for any number of our threads and any thread setting of BLAS."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).with_name("bits.py")
BLAS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS")


def digests(blas_threads: int) -> dict[str, dict[str, str]]:
    """For 1, 2 and 8 threads of ours, the digest of every result."""
    settings = {name: str(blas_threads) for name in BLAS}
    done = subprocess.run(
        [sys.executable, SCRIPT, "1", "2", "8"],
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_threads_of_ours_and_of_blas_do_not_change_a_bit() -> None:
    found = {(ours, blas): results for blas in (1, 2) for ours, results in digests(blas).items()}
    assert len(found) == 6
    expected = found["1", 1]
    assert len(set(expected.values())) > 50
    for (ours, blas), results in found.items():
        changed = [name for name in expected if results.get(name) != expected[name]]
        assert changed == [], f"{ours} threads, BLAS {blas}"
