"""The threads of a kernel end with its call: none is left to be missed after a fork."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

LISTS_THREADS = hasattr(os, "fork") and Path("/proc/self/task").exists()
PROGRAM = """
import os, signal
import numpy as np
from assay import _core
rng = np.random.default_rng(0)
X, codes = rng.normal(size=(40_000, 5)), rng.integers(0, 2, 40_000).astype(np.int32)
order, start = np.arange(40_000), np.arange(0, 40_001, 1000)
rows = _core.logistic.FoldRows(
    X, None, None, order, np.zeros(5), np.ones(5), codes, None, start, np.zeros(40, np.int32), False, False
)

def sums(threads):
    scores, gradient, loss = np.zeros((40_000, 1)), np.zeros((1, 1, 6)), np.zeros(1)
    model = np.zeros((1, 5)), np.ones((1, 1, 5)), np.zeros((1, 1))
    _core.scores.linear_scores(X, None, None, None, None, *model, threads, scores)
    rows.gradients(np.ones((1, 1, 6)), np.array([0, 1]), True, threads, gradient, loss)
    return np.concatenate([scores.ravel(), gradient.ravel(), loss])

expected, before = sums(1), os.listdir("/proc/self/task")
assert np.array_equal(sums(3), expected)
assert os.listdir("/proc/self/task") == before
child = os.fork()
if not child:
    signal.alarm(60)  # a child that waits for threads which it does not have ends with a signal
    os._exit(0 if np.array_equal(sums(3), expected) else 1)
assert os.waitpid(child, 0)[1] == 0
"""


@pytest.mark.skipif(not LISTS_THREADS, reason="threads are counted in /proc, which only Linux has")
def test_threads_end_with_the_call_and_a_child_starts_its_own() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
