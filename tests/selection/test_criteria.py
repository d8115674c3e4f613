"""AIC and BIC of every family: the counts of parameters, and which likelihood is meant."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline

from assay import (
    CategoricalNB,
    FisherDiscriminant,
    GaussianClassifier,
    GaussianMixtureClassifier,
    GaussianNB,
    LeastSquaresClassifier,
    LogisticRegression,
    MultinomialNB,
    MultivariateNormal,
    Standardize,
    aic,
    bic,
)
from assay.notes import Note
from assay.selection.criteria import Criteria, check_rule, choose, criteria
from tests.raised import raises

X, y = load_iris(return_X_y=True)
K, D = 3, 4
PAIRS = D * (D + 1) // 2


@pytest.mark.parametrize(
    ("model", "rows", "k"),
    [
        (GaussianNB(), X, 2 * K * D + K - 1),
        (GaussianClassifier("full"), X, K * (D + PAIRS) + K - 1),
        (GaussianClassifier("shared"), X, K * D + PAIRS + K - 1),
        (GaussianMixtureClassifier(n_components=1), X, K * (D + PAIRS) + K - 1),
        (GaussianMixtureClassifier(n_components=2), X, K * (2 * (D + PAIRS) + 1) + K - 1),
        (LogisticRegression(), X, (K - 1) * (D + 1)),
        (MultinomialNB(), np.round(10 * X), K * (D - 1) + K - 1),
        (CategoricalNB(), (X > X.mean(axis=0)).astype(int), None),
    ],
    ids=lambda value: type(value).__name__ if hasattr(value, "fit") else "",
)
def test_parameters_are_counted_as_documented(model: Any, rows: Any, k: int | None) -> None:
    fitted = model.fit(rows, y)
    found = criteria(fitted)
    assert isinstance(found, Criteria)
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
    with raises("S077", rule="most"):
        check_rule("most")


def test_a_pipeline_is_answered_with_its_last_part() -> None:
    model = make_pipeline(Standardize(), GaussianNB()).fit(*load_iris(return_X_y=True))
    with raises("S079"):
        aic(model)
    assert criteria(model) is None


@pytest.mark.parametrize("floor", [0.0, 1e-9, 0.1, 0.5])
def test_a_variance_floor_does_not_move_the_criteria(floor: float) -> None:
    """704.10 is the figure of the maximum-likelihood fit of iris; a floor of .1 alone gave 945.14."""
    assert aic(GaussianNB(variance_floor=floor).fit(X, y)) == pytest.approx(704.1002, abs=1e-4)
    for likeliest, floored in [
        (GaussianClassifier("full"), GaussianClassifier("full", variance_floor=floor, shrinkage=0.3)),
        (GaussianClassifier("shared"), GaussianClassifier("shared", variance_floor=floor)),
        (GaussianClassifier("spherical"), GaussianClassifier("spherical", variance_floor=floor)),
        (FisherDiscriminant(1), FisherDiscriminant(1, variance_floor=floor)),
        (MultivariateNormal(), MultivariateNormal(variance_floor=floor, shrinkage=0.2)),
    ]:
        assert aic(floored.fit(X, y)) == pytest.approx(aic(likeliest.fit(X, y)), rel=1e-12)
        assert bic(floored) == pytest.approx(bic(likeliest), rel=1e-12)


def test_smoothing_and_blend_share_one_figure() -> None:
    counts = np.round(10 * X)
    for cls in (MultinomialNB, CategoricalNB):
        assert aic(cls(smoothing=5.0).fit(counts, y)) == aic(cls(smoothing=0.0).fit(counts, y))
    full = aic(GaussianClassifier("full").fit(X, y))
    assert aic(GaussianClassifier("full", blend=0.4).fit(X, y)) == pytest.approx(full, rel=1e-12)


@pytest.mark.parametrize(("own", "shared"), [("full", "shared"), ("diagonal", "shared_diagonal")])
def test_no_blend_is_the_shared_model(own: str, shared: str) -> None:
    blended, plain = GaussianClassifier(own, blend=0.0).fit(X, y), GaussianClassifier(shared).fit(X, y)
    assert aic(blended) == pytest.approx(aic(plain), rel=1e-12)
    assert bic(blended) == pytest.approx(bic(plain), rel=1e-12)


def test_a_density_without_labels_has_criteria() -> None:
    model = MultivariateNormal().fit(X)
    logs = multivariate_normal(X.mean(axis=0), np.cov(X.T, bias=True)).logpdf(X).sum()
    assert aic(model) == pytest.approx(2 * (D + PAIRS) - 2 * logs)
    assert bic(model) == pytest.approx((D + PAIRS) * math.log(len(X)) - 2 * logs)
    with pytest.raises(ValueError, match="MultivariateNormal is not fitted"):
        aic(MultivariateNormal())


@pytest.mark.parametrize("setting", [{"l2": 0.1}, {"l1": 0.01}, {"l2": 0.1, "class_weight": "balanced"}])
def test_penalised_models_are_refitted_or_rejected(setting: dict[str, Any]) -> None:
    likeliest = LogisticRegression().fit(X, y)
    penalised = LogisticRegression(**setting).fit(X, y)
    parameters = tuple(f"{name}={value!r}" for name, value in setting.items())
    with raises("S078", moved=" and ".join(parameters), kind="LogisticRegression"):
        aic(penalised)
    assert criteria(penalised) == Note("P701", parameters=parameters)
    assert aic(penalised, X, y) == aic(likeliest) == pytest.approx(33.12, abs=0.01)
    assert bic(penalised, X, y) == bic(likeliest)
    assert penalised.get_params() == {**LogisticRegression().get_params(), **setting}


def test_rows_are_fitted_with_their_weights() -> None:
    weight = np.arange(len(y)) % 3 + 1
    repeated = np.repeat(np.arange(len(y)), weight)
    for model in (GaussianNB(variance_floor=0.2), LogisticRegression(l2=0.1)):
        assert aic(model, X, y, weight) == pytest.approx(aic(model, X[repeated], y[repeated]), rel=1e-6)
