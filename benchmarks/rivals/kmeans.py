"""k-means by the libraries that are known for it: scikit-learn (both algorithms), scikit-learn-intelex and faiss-cpu.

Each is given float32 rows and the same centres, and takes the same number of steps, without stopping early; the
quickest of the first round is the rival of the others. Those that are not installed are left out, and the row says so.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.harness import Part, Run

Rows = NDArray[np.float32]


def _sklearn(algorithm: str, module: str = "sklearn.cluster") -> Callable[[Rows, Rows, int], Any]:
    def fit(X: Rows, start: Rows, steps: int) -> Any:
        make = import_module(module).KMeans
        model = make(len(start), init=start, n_init=1, max_iter=steps, tol=0.0, algorithm=algorithm)
        return model.fit(X).labels_

    return fit


def _faiss(X: Rows, start: Rows, steps: int) -> Any:
    found = import_module("faiss").Kmeans(
        X.shape[1], len(start), niter=steps, min_points_per_centroid=1, max_points_per_centroid=len(X)
    )
    found.train(X, init_centroids=start)
    return found.index.search(X, 1)[1][:, 0]


LIBRARIES: dict[str, tuple[str, Callable[[Rows, Rows, int], Any]]] = {
    "scikit-learn, lloyd": ("sklearn", _sklearn("lloyd")),
    "scikit-learn, elkan": ("sklearn", _sklearn("elkan")),
    "scikit-learn-intelex": ("sklearnex", _sklearn("lloyd", "sklearnex.cluster")),
    "faiss-cpu": ("faiss", _faiss),
}
NAME = "the best of scikit-learn, scikit-learn-intelex, faiss-cpu"


def fits(X: Rows, start: Rows, steps: int) -> Part:
    """Labels after so many steps, each library one setting."""
    runs: dict[str, Run] = {}
    for name, (module, fit) in LIBRARIES.items():
        if find_spec(module):
            fit(
                X[: 4 * len(start)], X[: len(start)], 1
            )  # the first call loads a library and starts its threads
            runs[name] = lambda fit=fit: fit(X, start, steps)
    return Part(NAME, runs)


def absent_note() -> str:
    """Which libraries are not installed."""
    missing = [name for name, (module, _) in LIBRARIES.items() if not find_spec(module)]
    return f"not installed and so not among the rivals: {', '.join(missing)}" if missing else ""
