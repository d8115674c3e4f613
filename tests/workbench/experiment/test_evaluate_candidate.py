"""Every candidate of a comparison is chosen by the same inner folds, and its estimate is right on new rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.model_selection import TimeSeriesSplit

from assay import HoldOut, KFold, compare, evaluate
from assay.commands.compare.comparison import Comparison
from tests.realdata import data_path, load_csv
from tests.sharing.refits import inner_splits

# One for every way of sharing: moments, paths, counts, neighbours, Gram matrices, and none.
WAYS = {
    "gaussian_full": {"blend": [0.2, 1.0], "shrinkage": [0.1]},
    "logistic": {"l2": [0.5, 0.01]},
    "mixed_nb": {"smoothing": [1.0]},
    "knn": {"n_neighbors": [9, 1]},
    "kernel_svm": {"gamma": [0.5], "l2": [0.1, 0.001]},
    "decision_tree": {"max_depth": [1, 3]},
}


def people(rows: int = 150) -> dict[str, Any]:
    rng = np.random.default_rng(4)
    age, work = rng.normal(40, 10, rows), rng.integers(0, 3, rows)
    score = (age - 40) / 10 + np.array([1.5, -1.0, 0.0])[work] + rng.normal(0, 0.8, rows)
    return {
        "age": age,
        "size": rng.normal(size=rows),
        "work": np.array(["paid", "none", "self"])[work],
        "bought": np.where(score > 0.4, "yes", "no"),
    }


@pytest.mark.parametrize("plan", [KFold(4), KFold(2), HoldOut(0.3), TimeSeriesSplit(2)], ids=repr)
def test_all_candidates_are_chosen_by_the_same_inner_folds(plan: Any) -> None:
    """Inner losses of every way of sharing are those of the same training and test rows, split by split."""
    ranges: Any = WAYS
    found = compare(people(), "bought", candidates=list(WAYS), ranges=ranges, plan=plan, progress=False)
    bench = found.bench
    inside = [inner_splits(bench.splits, f) for f in range(bench.n_splits)]
    assert set(found.results) == set(WAYS) and len(inside) == bench.n_splits
    strategies = {result.strategy for result in found.results.values()}
    assert strategies == {"statistics", "path", "counts", "neighbors", "gram", "refit"}
    for result in found.results.values():
        models = [bench.classifier(result.entry, s).matrix_estimator() for s in result.settings]
        X = bench.design(result.entry)
        for splits, losses in zip(inside, result.inner, strict=True):
            refits = [evaluate(model, X, bench.labels, splits, progress=False).error for model in models]
            assert losses == pytest.approx(refits, abs=1e-12)


def waves() -> tuple[Any, Any]:
    table = load_csv("waveform5000")
    return table.iloc[:, :-1].to_numpy(np.float64), table.iloc[:, -1].to_numpy()


def digits() -> tuple[Any, Any]:
    """Images of 28 x 28 pixels as the means of 7 x 7 squares, or covariances of all pixels take a minute."""
    with np.load(data_path("mnist.npz")) as stored:
        X, y = stored["X_train"], stored["y_train"]
    return X.reshape(-1, 7, 4, 7, 4).mean(axis=(2, 4)).reshape(len(X), 49), y


@pytest.mark.filterwarnings("ignore:column")  # pixels of two values in the training rows
@pytest.mark.parametrize(("table", "rows"), [(waves, 1500), (digits, 4000)], ids=["waveform", "mnist"])
def test_the_nested_error_is_that_on_new_rows(table: Any, rows: int) -> None:
    X, y = table()
    order = np.random.default_rng(0).permutation(len(y))
    seen, new = order[:rows], order[rows:]
    found = compare((X[seen], y[seen]), candidates=["gaussian_full", "knn"], budget=None, progress=False)
    wrong = np.asarray(found.predict(X[new]).astype(str) != y[new].astype(str), dtype=np.float64)
    spread = np.hypot(found.nested.standard_error, wrong.std(ddof=1) / np.sqrt(len(new)))
    assert abs(found.nested_error - wrong.mean()) < 3 * spread
    assert len(new) > 3000 and abs(nested_error(found) - wrong.mean()) < 3 * spread


def nested_error(found: Comparison) -> float:
    """Nested error of the candidate to use alone."""
    return found.results[found.best_name].evaluation.error
