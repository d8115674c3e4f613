"""Ctrl-C in the middle of a compiled pass: it ends soon, as Python's KeyboardInterrupt."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from assay.engines.local import spread
from assay.numerics.interrupt import check_interrupt

# Each would take minutes, the network in a single pass; after an interrupt it must end within the test's limit.
PASSES = {
    "network": "NeuralNetwork((2048, 2048), epochs=1, batch_size=100).fit(X, y)",
    "folds": "evaluate(NeuralNetwork((2048, 2048), epochs=1, batch_size=100), X, y, KFold(2), n_jobs=2)",
    "logistic": "evaluate([LogisticRegression(l) for l in np.logspace(-1, -9, 5000)], X, y, KFold(5))",
    "perceptron": "Perceptron(epochs=1000).fit(X, y)",
    "kernel machine": "KernelSVM(C=1e9, gamma=1e-6, tol=1e-8).fit(noise, flips)",
    "kernel folds": "evaluate(KernelSVM(C=1e9, gamma=1e-6, tol=1e-8), noise[:9000], flips[:9000], 2, n_jobs=2)",
    "one kernel fold": "evaluate(KernelSVM(C=1e9, gamma=1e-6, tol=1e-8), noise[:9000], flips[:9000], 2, n_jobs=1)",
    "kernel values": "machine.predict(np.tile(X, (3, 1)))",
    "features": "select_features(GaussianNB(), np.tile(X, (1, 2)), y, search='backward', n_jobs=2)",
    "features by neighbours": "select_features(KNeighborsClassifier(), X, y, n_jobs=2)",
    "neighbours": "evaluate(KNeighborsClassifier(), np.tile(X, (8, 2)), np.tile(y, 8), KFold(2), n_jobs=2)",
    "k-means": "KMeans(200, start='random', n_starts=1000).fit(np.random.default_rng(1).normal(size=(60_000, 100)))",
    "ratings": "rating_errors(np.tile(rng.integers(1, 6, (1000, 100)), (40, 1)), 'leave_one_out')",
    "single layer": "SingleLayerNetwork(solver='stochastic', epochs=10**6, learning_rate=1e-9, tol=1e-12).fit(X, y)",
}
PROGRAM = """
import numpy as np
from assay import KFold, KMeans, KNeighborsClassifier, LogisticRegression, NeuralNetwork, Perceptron, SingleLayerNetwork
from assay import GaussianNB, select_features
from assay import KernelSVM, evaluate, rating_errors
rng = np.random.default_rng(0)
X, y = np.tile(rng.normal(size=(1000, 200)), (60, 1)), np.tile(rng.integers(0, 2, 1000), 60)
noise, flips = rng.normal(size=(30_000, 20)), rng.integers(0, 2, 30_000)
machine = KernelSVM().fit(X[:1000], y[:1000])
machine.support_vectors_ = np.tile(machine.support_vectors_, (100, 1))
machine.dual_coef_ = np.tile(machine.dual_coef_, 100)
print("begun", flush=True)
try:
    {work}
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


@pytest.mark.parametrize("name", PASSES)
def test_a_pass_is_broken_off(name: str) -> None:
    program = [sys.executable, "-c", PROGRAM.format(work=PASSES[name])]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "begun\n"
        time.sleep(1.5)
        running.send_signal(signal.SIGINT)
        told, complaints = running.communicate(timeout=30)
    assert (told, complaints, running.returncode) == ("stopped\n", "", 0)


def test_the_command_line_ends_with_its_own_code_and_writes_nothing(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    # Minutes of work, so that it is not over when the signal comes, however fast the machine.
    table = np.column_stack([rng.normal(size=(6_000, 30)).round(3), rng.integers(0, 2, 6_000)])
    names = ",".join([*(f"x{j}" for j in range(30)), "y"])
    np.savetxt(tmp_path / "rows.csv", table, delimiter=",", header=names, comments="", fmt="%g")
    command = [sys.executable, "-m", "assay", "fit", "rows.csv", "--target", "y", "--model", "kernel_svm"]
    options = ["--set", "C=1e9", "--set", "gamma=1e-6", "--set", "tol=1e-8", "--out", "model.assay"]
    with subprocess.Popen(
        [*command, *options], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        wait_for_the_core(running.pid)
        time.sleep(2)
        running.send_signal(signal.SIGINT)
        told, complaints = running.communicate(timeout=60)
    assert (told, running.returncode) == ("", 130)
    assert complaints.splitlines()[-1] == "assay: interrupted." and "Traceback" not in complaints
    assert [path.name for path in tmp_path.iterdir()] == ["rows.csv"]


def wait_for_the_core(pid: int) -> None:
    """Until the command is at work, however slow the machine: its kernels are loaded then."""
    maps, end = Path(f"/proc/{pid}/maps"), time.monotonic() + 60
    while maps.exists() and "assay/_core" not in maps.read_text() and time.monotonic() < end:
        time.sleep(0.1)


def test_threads_end_when_nobody_waits_for_them() -> None:
    """The first item fails; the others would go on for ever."""
    begun = threading.Event()

    def work(item: int, threads: int) -> None:
        if item == 0:
            begun.wait()
            raise ValueError("enough")
        while True:
            begun.set()
            check_interrupt()

    with pytest.raises(ValueError, match="enough"):
        spread(work, [0, 1], 2)
