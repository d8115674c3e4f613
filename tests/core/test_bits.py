"""The same bits for any number of our threads and any thread setting of BLAS."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).with_name("bits.py")
BLAS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS")


def digests(threads: int, blas_threads: int) -> dict[str, str]:
    settings = {"ASSAY_THREADS": str(threads), **{name: str(blas_threads) for name in BLAS}}
    done = subprocess.run(
        [sys.executable, SCRIPT], env={**os.environ, **settings}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_threads_of_ours_and_of_blas_do_not_change_a_bit() -> None:
    first, *others = itertools.product((1, 2, 8), (1, 2))
    expected = digests(*first)
    assert len(set(expected.values())) > 50
    for threads, blas_threads in others:
        found = digests(threads, blas_threads)
        changed = [name for name in expected if found.get(name) != expected[name]]
        assert changed == [], f"{threads} threads, BLAS {blas_threads}"
