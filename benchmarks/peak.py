"""A process that evaluates once and reports its peak memory: `python -m benchmarks.peak MODEL N D K F`.

The peak is the kernel's own high-water mark of resident memory (VmHWM), reset just before the evaluation.
`ru_maxrss` is the same figure but survives `exec`: a child of a large process starts with its parent's peak.
"""

from __future__ import annotations

import gc
import json
import sys
from ctypes import CDLL
from pathlib import Path

from benchmarks import ours
from benchmarks.data import Array, Labels, gaussian_classes

STATUS = Path("/proc/self/status")
CLEAR = Path("/proc/self/clear_refs")
RESET_PEAK = "5"
BLENDS, SHRINKAGES = (0.0, 0.25, 0.5, 0.75, 1.0), (0.0, 0.1, 0.2, 0.4)  # of a nested choice


def resident(field: str) -> int:
    """Bytes of a memory field of this process: VmRSS now, VmHWM at its highest."""
    for line in STATUS.read_text().splitlines():
        if line.startswith(field + ":"):
            return 1024 * int(line.split()[1])
    raise RuntimeError(f"{STATUS} does not report {field}.")


def give_back() -> None:
    """Return freed memory to the kernel: its reuse by the evaluation would stay uncounted."""
    gc.collect()
    trim = getattr(CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def reset_peak() -> bool:
    """Let the high-water mark start from now; False where the kernel does not allow it."""
    try:
        CLEAR.write_text(RESET_PEAK)
    except OSError:
        return False
    return True


def measure(name: str, n_rows: int, n_features: int, n_classes: int, n_folds: int) -> dict[str, float | bool]:
    """Size of X, peak memory above what X and the libraries occupy, and the posteriors' share of it."""
    ours.warm_up()
    X, y = gaussian_classes(n_rows, n_features, n_classes)
    X.sum()  # every page is resident before the count begins
    run = _nested if name == "nested" else _evaluated
    give_back()
    exact = reset_peak()
    before = resident("VmRSS")
    stored = run(name, X, y, n_folds)
    extra = resident("VmHWM") - before
    return {"size": X.nbytes, "extra": extra, "posteriors": stored, "exact": exact}


def _evaluated(name: str, X: Array, y: Labels, n_folds: int) -> int:
    """Bytes of the posteriors that an evaluation keeps."""
    models = ours.family() if name == "family" else {name: ours.model(name)}
    found = ours.evaluated(models, X, y, ours.KFold(n_folds), posterior=False)
    return sum(each.scores.nbytes for each in found.values())


def _nested(name: str, X: Array, y: Labels, n_folds: int) -> int:
    """Bytes of the posteriors that a nested choice among settings of a Gaussian classifier keeps."""
    found = ours.nested_gaussian(X, y, ours.KFold(n_folds), None, BLENDS, SHRINKAGES)
    return int(found.evaluation.scores.nbytes)


def main() -> None:
    name, *sizes = sys.argv[1:]
    n_rows, n_features, n_classes, n_folds = map(int, sizes)
    sys.stdout.write(json.dumps(measure(name, n_rows, n_features, n_classes, n_folds)))


if __name__ == "__main__":
    main()
