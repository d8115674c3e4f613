"""AIC and BIC of every family: the counts of parameters, and which likelihood is meant."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline

from assay import (
    CategoricalNB,
    GaussianClassifier,
    GaussianMixtureClassifier,
    GaussianNB,
    LeastSquaresClassifier,
    LogisticRegression,
    MultinomialNB,
    Standardize,
    aic,
    bic,
)
from assay.selection.criteria import check_rule, choose, criteria

X, y = load_iris(return_X_y=True)
K, D = 3, 4
PAIRS = D * (D + 1) // 2


@pytest.mark.parametrize(
    ("model", "rows", "k"),
    [
        (GaussianNB(), X, 2 * K * D + K - 1),
        (GaussianClassifier("full"), X, K * (D + PAIRS) + K - 1),
        (GaussianClassifier("shared"), X, K * D + PAIRS + K - 1),
        (GaussianMixtureClassifier(n_blobs=1), X, K * (D + PAIRS) + K - 1),
        (GaussianMixtureClassifier(n_blobs=2), X, K * (2 * (D + PAIRS) + 1) + K - 1),
        (LogisticRegression(l2=1e-6), X, (K - 1) * (D + 1)),
        (MultinomialNB(), np.round(10 * X), K * (D - 1) + K - 1),
        (CategoricalNB(), (X > X.mean(axis=0)).astype(int), None),
    ],
    ids=lambda value: type(value).__name__ if hasattr(value, "fit") else "",
)
def test_parameters_are_counted_as_documented(model: Any, rows: Any, k: int | None) -> None:
    fitted = model.fit(rows, y)
    found = criteria(fitted)
    assert found is not None
    assert k is None or found.n_parameters == k
    assert (
        found.aic
        == pytest.approx(2 * found.n_parameters - 2 * found.log_likelihood)
        == pytest.approx(aic(fitted))
    )
    expected = found.n_parameters * math.log(len(y)) - 2 * found.log_likelihood
    assert found.bic == pytest.approx(expected) == pytest.approx(bic(fitted))
    assert found.likelihood == ("conditional" if isinstance(model, LogisticRegression) else "joint")


def test_no_likelihood_no_criteria() -> None:
    assert criteria(LeastSquaresClassifier().fit(X, y)) is None
    assert criteria(GaussianNB()) is None


def test_rules_of_choice() -> None:
    losses, errors = np.array([0.5, 0.3, 0.29]), np.array([0.1, 0.1, 0.02])
    assert choose(losses, errors, "min") == 2 and choose(losses, errors, "one_se") == 1
    assert choose(losses, np.full(3, np.nan), "one_se") == 2
    with pytest.raises(ValueError, match="rule='most' is unknown"):
        check_rule("most")


def test_a_pipeline_is_answered_with_its_last_part() -> None:
    model = make_pipeline(Standardize(), GaussianNB()).fit(*load_iris(return_X_y=True))
    with pytest.raises(ValueError, match=r"give that part, model\[-1\], a GaussianNB"):
        aic(model)
    assert criteria(model) is None
