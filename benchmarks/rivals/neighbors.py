"""Lists of neighbours by the libraries that are known for them: scikit-learn, scikit-learn-intelex and faiss-cpu.

Each is given float32 rows and asked for the k nearest of every query by Euclidean distance, as a user would ask; the
quickest of the first round is the rival of the others. Those that are not installed are left out, and the row says so.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors

from benchmarks.agreement import Splits
from benchmarks.harness import Part, Run
from benchmarks.rivals.sklearn import WORKERS

Rows = NDArray[np.float32]
TRIED = 2  # settings that a grid search really runs


def _sklearn(rows: Rows, queries: Rows, k: int) -> Any:
    return (
        NearestNeighbors(n_neighbors=k, algorithm="brute")
        .fit(rows)
        .kneighbors(queries, return_distance=False)
    )


def _intelex(rows: Rows, queries: Rows, k: int) -> Any:
    make = import_module("sklearnex.neighbors").NearestNeighbors
    return make(n_neighbors=k, algorithm="brute").fit(rows).kneighbors(queries, return_distance=False)


def _faiss(rows: Rows, queries: Rows, k: int) -> Any:
    faiss = import_module("faiss")
    index = faiss.IndexFlatL2(rows.shape[1])
    index.add(rows)
    return index.search(queries, k)[1]


LIBRARIES: dict[str, tuple[str, Callable[[Rows, Rows, int], Any]]] = {
    "scikit-learn": ("sklearn", _sklearn),
    "scikit-learn-intelex": ("sklearnex", _intelex),
    "faiss-cpu": ("faiss", _faiss),
}
NAME = f"the best of {', '.join(LIBRARIES)}"


def lists(rows: Rows, queries: Rows, k: int) -> Part:
    """The k nearest rows of every query, each library one setting."""
    runs: dict[str, Run] = {
        name: (lambda search=search: search(rows, queries, k))
        for name, (module, search) in LIBRARIES.items()
        if find_spec(module)
    }
    head = rows[:100]
    for module, search in LIBRARIES.values():  # the first call loads a library and starts its threads
        if find_spec(module):
            search(head, head, 1)
    return Part(NAME, runs)


def absent_note() -> str:
    """Which libraries are not installed."""
    missing = [name for name, (module, _) in LIBRARIES.items() if not find_spec(module)]
    return f"not installed and so not among the rivals: {', '.join(missing)}" if missing else ""


def grid_search(X: Rows, y: Any, splits: Splits, sizes: range) -> Part:
    """A grid search over numbers of neighbours, of which two are really run."""
    tried = {"n_neighbors": [sizes[0], sizes[-1]]}

    def with_jobs(n_jobs: int | None) -> Run:
        model = KNeighborsClassifier(algorithm="brute")
        return lambda: GridSearchCV(model, tried, cv=splits, n_jobs=n_jobs, refit=False).fit(X, y)

    settings = {"n_jobs=None": with_jobs(None), f"n_jobs={WORKERS}": with_jobs(WORKERS)}
    return Part("GridSearchCV KNeighborsClassifier", settings, TRIED, len(sizes))
