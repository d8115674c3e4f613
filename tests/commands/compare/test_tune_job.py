"""Every model of the catalog is tuned, over its own ranges and over given ones, by what its settings share."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from assay.catalog import ModelCard, cards
from assay.commands.compare.tune_job import tune_table
from assay.models.base.params import Param

SHARED = {
    "path": ["perceptron", "logistic", "lasso", "quadratic", "linear_svm", "calibrated_svm", "tfidf_logistic",
             "tfidf_svm", "calibrated_tfidf_svm"],
    "neighbors": ["knn"],
    "gram": ["kernel_svm", "calibrated_kernel_svm"],
    "counts": ["categorical_nb", "multinomial_nb", "bernoulli_nb", "complement_nb", "poisson_nb", "mixed_nb"],
    "statistics": [
        "baseline", "nearest_mean", "gaussian_nb", "least_squares", "fisher", "gaussian_shared", "gaussian_full",
    ],
}  # fmt: skip
STRATEGY = {name: strategy for strategy, names in SHARED.items() for name in names}

SLOW = (
    "calibrated_svm",
    "calibrated_tfidf_svm",
    "calibrated_kernel_svm",
    "random_forest",
    "gradient_boosting",
)  # one range is enough


def table(entry: ModelCard) -> pd.DataFrame:
    rng, encoding = np.random.default_rng(7), entry.encoding
    n = 45
    y = np.array(["a", "b", "c"])[np.arange(n) % 3]
    if entry.reads_words:
        words = np.array(["sun", "rain", "wind", "snow", "the", "a"])
        texts = [
            " ".join(rng.choice(words[: 3 + 3 * (label == "b")], 8)) + f" {i}" for i, label in enumerate(y)
        ]
        return pd.DataFrame({"text": texts, "kind": y})
    levels = np.where(rng.random(n) < 0.7, y, rng.choice(["a", "b", "c"], n))
    if encoding == "levels-flags":
        return pd.DataFrame({"one": levels, "two": rng.choice(["x", "y", "z"], n), "kind": y})
    numbers = rng.normal(size=(n, 3)) + np.eye(3)[np.arange(n) % 3]
    if entry.name == "poisson_nb":
        numbers = rng.poisson(np.exp(numbers)).astype(float)
    return pd.DataFrame({"u": numbers[:, 0], "v": numbers[:, 1], "w": numbers[:, 2], "kind": y})


def span(param: Param) -> str:
    """Two values that a parameter may have."""
    if param.choices:
        return f"{param.name}={','.join(map(str, param.choices[:2]))}"
    low = 0.0 if param.low is None else float(param.low)
    if param.kind == "int":
        return f"{param.name}={int(low) + 1}..{int(low) + 2}"
    high = low + 1.0 if param.high is None else float(param.high)
    return f"{param.name}={0.75 * low + 0.25 * high:g},{0.5 * (low + high):g}"


def range_of(entry: ModelCard) -> str | None:
    """A range of one of the entry's parameters that takes numbers or choices."""
    default_candidates = [
        param for param in entry.free_parameters() if param.kind in ("float", "int", "choice")
    ]
    own = [param for param in default_candidates if param.name in {each.name for each in entry.tuning}]
    return span((own or default_candidates)[0]) if default_candidates else None


@pytest.mark.parametrize("entry", cards(), ids=lambda entry: entry.name)
def test_every_entry_is_tuned(entry: ModelCard) -> None:
    source = table(entry)
    asked = [range_of(entry)] if range_of(entry) else ()
    given: list[Any] = [asked] if entry.name in SLOW else [(), asked]
    for ranges in given:
        found = tune_table(source, "kind", entry.name, ranges=ranges, plan="kfold:3", progress=False)
        result = found.results[entry.name]
        assert len(result.settings) == (2 if ranges else max(1, len(entry.settings())))
        assert result.strategy == STRATEGY.get(entry.name, "refit")
        assert np.isfinite(result.nested.losses).all() and np.isfinite(result.nested.standard_errors).all()
        assert (result.nested.chosen >= 0).all() and result.evaluation.error <= 1.0
