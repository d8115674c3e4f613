"""Computes a bit of everything and prints a SHA-256 of each result; run by test_bits.py in other processes.

Usage: python bits.py 1 2 8        (thread counts of ours; that of BLAS comes from the environment)
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator

import numpy as np
from sklearn.pipeline import make_pipeline

import assay
from assay.engines.local import thread_count
from assay.statistics import Moments, collect, collect_replicates

N, D, K = 40_000, 12, 4  # three strands of rows, many tiles
WIDE = 257  # products of this width are worth a thread to a threaded BLAS


def table(n: int, width: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(20)
    codes = rng.integers(0, K, n).astype(np.int32)
    X = rng.normal(size=(n, width)) + 0.2 * codes[:, None]
    X[:, 1:] += 0.6 * X[:, :-1]  # correlated without a matrix product, whose bits are BLAS's own affair
    return X, codes, rng.uniform(0.1, 3.0, n), rng.integers(0, 10, n).astype(np.int32)


def digest(*arrays: np.ndarray) -> str:
    found = hashlib.sha256()
    for array in arrays:
        found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()


def of_moments(m: Moments) -> str:
    return digest(*(value for name, value in m.to_arrays().items() if name != "form"))


def statistics() -> Iterator[tuple[str, str]]:
    threads = thread_count()
    for n, width in ((N, D), (4000, WIDE)):
        X, codes, weight, group = table(n, width)
        for form in ("diagonal", "pooled", "full"):
            cells = collect(X, codes, K, form=form, group=group, n_groups=10, weight=weight, threads=threads)
            yield f"{form} {width}", of_moments(cells)
            yield f"{form} {width} complement", of_moments(cells.complement())
            one = collect(X[:50], codes[:50], K, form=form, weight=weight[:50], threads=threads)
            yield f"{form} {width} without", of_moments(cells.together().without(one)[0])
    X, codes, weight, _ = table(N, D)
    drawn = np.random.default_rng(21).poisson(1.0, (8, N)).astype(np.uint16)
    for form in ("diagonal", "pooled", "full"):
        yield (
            f"{form} replicates",
            of_moments(collect_replicates(X, codes, K, drawn, form=form, threads=threads)),
        )
    X[::7, 3] = np.nan
    yield (
        "missing",
        of_moments(collect(X, codes, K, form="diagonal", weight=weight, missing=True, threads=threads)),
    )


def models() -> dict[str, object]:
    return {
        "naive": assay.GaussianNB(),
        "shared": assay.GaussianClassifier(covariance="shared"),
        "full": assay.GaussianClassifier(covariance="full"),
        "blended": assay.GaussianClassifier(covariance="full", blend=0.5),
        "least squares": assay.LeastSquaresClassifier(l2=0.1),
        "Fisher": assay.FisherDiscriminant(),
        "scaled": make_pipeline(assay.Standardize(), assay.GaussianClassifier()),
    }


def evaluations() -> Iterator[tuple[str, str]]:
    for n, width in ((N, D), (1400, WIDE)):
        X, codes, weight, _ = table(n, width)
        found = assay.evaluate(models(), X, codes, assay.KFold(5), sample_weight=weight)
        for name, result in found.items():
            yield f"{name} {width} 5-fold", digest(result.scores)
        yield f"posterior {width} 5-fold", digest(found["full"].posterior)
        X[::5, ::9] = np.nan
        gaps = make_pipeline(assay.Impute(), assay.GaussianClassifier(covariance="shared"))
        yield f"imputed {width} 5-fold", digest(assay.evaluate(gaps, X, codes, assay.KFold(5)).scores)
    X, codes, _, _ = table(500, D)
    for name, result in assay.evaluate(models(), X, codes, assay.LeaveOneOut()).items():
        yield f"{name} leave-one-out", digest(result.scores)
    for name, result in assay.evaluate(models(), X, codes, assay.Bootstrap(20)).items():
        yield f"{name} bootstrap", digest(result.scores)


def sharers() -> Iterator[tuple[str, str]]:
    """Scores of models that are not solved from moments, by every sharer and by refits."""
    X, codes, weight, _ = table(9000, D)
    numbers = {
        "logistic": assay.LogisticRegression(l2=1e-3),
        "lasso": assay.LogisticRegression(l1=1e-3),
        "SVM": assay.LinearSVM(l2=1e-2),
        "squared SVM": assay.LinearSVM(surrogate="squared_hinge", l2=1e-2, class_weight="balanced"),
        "perceptron": assay.Perceptron(epochs=3),
        "neighbours": assay.KNeighborsClassifier(7),
        "scaled neighbours": make_pipeline(assay.Standardize(), assay.KNeighborsClassifier(7)),
        "calibrated": assay.Calibrated(assay.LeastSquaresClassifier(l2=0.1)),
        "rest": assay.OneVsRest(assay.GaussianNB()),
        "network": assay.NeuralNetwork((3,), epochs=2, random_state=0),
    }
    counts = np.clip(np.floor(X + 2), 0, 6)
    of_counts = {
        "categories": assay.CategoricalNB(),
        "words": assay.MultinomialNB(),
        "Poisson": assay.PoissonNB(),
    }
    few = slice(None, 700)
    of_few = {
        "kernel SVM": assay.KernelSVM(gamma=0.1),
        "kernel": assay.KernelSVM(kernel="polynomial", l2=0.1),
    }
    for rows, kinds, some in ((X, numbers, slice(None)), (counts, of_counts, slice(None)), (X, of_few, few)):
        for plan in (assay.KFold(3), assay.Bootstrap(3)):
            found = assay.evaluate(kinds, rows[some], codes[some], plan, sample_weight=weight[some])
            for name, result in found.items():
                yield f"{name} {type(plan).__name__}", digest(result.scores)


def fits() -> Iterator[tuple[str, str]]:
    for n, width in ((N, D), (1400, WIDE)):
        X, codes, weight, _ = table(n, width)
        for name, model in list(models().items())[:-1]:
            fitted = model.fit(X, codes, sample_weight=weight)  # type: ignore[attr-defined]
            yield f"{name} {width} fit", digest(*arrays_of(fitted))
            yield f"{name} {width} predict", digest(fitted.predict(X))
        found = assay.PCA().fit(X)
        yield f"PCA {width} fit", digest(*arrays_of(found), found.transform(X[:500]))


def searches() -> Iterator[tuple[str, str]]:
    X, codes, weight, _ = table(6000, D)
    for name in ("naive", "shared"):
        model = assay.GaussianNB() if name == "naive" else assay.GaussianClassifier("shared")
        for search in ("forward", "backward"):
            found = assay.select_features(model, X, codes, search=search, sample_weight=weight)
            yield f"{name} {search} search", digest(np.array([step.loss for step in found.path]))


def arrays_of(fitted: object) -> list[np.ndarray]:
    values = [value for name, value in sorted(vars(fitted).items()) if name.endswith("_")]
    return [value for value in values if isinstance(value, np.ndarray) and value.dtype.kind == "f"]


def everything() -> dict[str, str]:
    return {
        name: value for part in (statistics, evaluations, sharers, fits, searches) for name, value in part()
    }


if __name__ == "__main__":
    found = {}
    for threads in sys.argv[1:]:
        os.environ["ASSAY_THREADS"] = (
            threads  # read anew by every computation; BLAS reads its own when loaded
        )
        found[threads] = everything()
    json.dump(found, sys.stdout)
