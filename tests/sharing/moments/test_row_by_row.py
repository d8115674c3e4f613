"""Leave-one-out in closed form equals N refits, degenerate rows included."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assay import GaussianClassifier, GaussianNB, LeaveOneOut, evaluate
from assay.models.gaussian.gaussian_classifier import COVARIANCES
from tests.contract.registry import shown, statistics_classifiers
from tests.raised import codes, raises
from tests.sharing.tables import TABLES, assert_same, refitted

REGULARISED = [
    GaussianClassifier(covariance, blend=blend, shrinkage=shrinkage, variance=variance)
    for covariance in ("full", "diagonal", "spherical")
    for blend, shrinkage, variance in ((0.5, 0.0, "unbiased"), (1.0, 0.1, "ml"), (0.3, 0.2, "ml"))
    if covariance != "spherical" or shrinkage == 0.0  # a sphere has nothing to shrink
]
PRIORS = [
    maker(priors=priors)  # type: ignore[operator]
    for maker in (GaussianNB, GaussianClassifier)
    for priors in ("uniform", [0.2, 0.5, 0.3])
]


def small(table: str) -> tuple[Any, Any]:
    """At most 36 rows: the difficulties stand at the front or at the end of the tables."""
    X, y = TABLES[table]()
    keep = np.r_[0:24, len(y) - 12 : len(y)] if len(y) > 36 else np.arange(len(y))
    return X[keep], y[keep]


@pytest.mark.parametrize("model", statistics_classifiers(), ids=shown)
@pytest.mark.parametrize("table", TABLES)
def test_equals_refits(model: Any, table: str) -> None:
    X, y = small(table)
    result = evaluate(model, X, y, LeaveOneOut())
    assert result.strategy == "statistics"
    assert_same(result, refitted(model, X, y, LeaveOneOut()))


@pytest.mark.parametrize("model", REGULARISED, ids=shown)
@pytest.mark.parametrize("table", ["rare_class", "few_rows", "constant_features", "equal_rows"])
def test_regularised_models_equal_refits(model: Any, table: str) -> None:
    X, y = small(table)
    assert_same(evaluate(model, X, y, LeaveOneOut()), refitted(model, X, y, LeaveOneOut()))


@pytest.mark.parametrize("model", PRIORS, ids=shown)
def test_priors_stay_what_they_are(model: Any) -> None:
    X, y = small("plain")
    assert_same(evaluate(model, X, y, LeaveOneOut()), refitted(model, X, y, LeaveOneOut()))


@pytest.mark.parametrize("covariance", COVARIANCES)
def test_the_closed_form_covers_ordinary_rows(covariance: str) -> None:
    """Ordinary data never takes the slow way, which solves row by row."""
    X, y = TABLES["plain"]()
    model = GaussianClassifier(covariance)
    result = evaluate(model, X, y, LeaveOneOut())
    assert "P700" not in codes(result.notes)
    from assay.models.base.validation import check_training
    from assay.statistics import collect

    data = check_training(model, X, y)
    moments = collect(data.X, data.codes, 3, form=model.moments_form)
    scores = model.loo_moments(moments, data)
    assert scores is not None and not np.isnan(scores).any()


def test_a_row_that_is_its_class_gets_posterior_zero() -> None:
    X, y = TABLES["one_row_class"]()
    for model in (GaussianNB(), GaussianClassifier("full"), GaussianClassifier("shared")):
        result = evaluate(model, X, y, LeaveOneOut())
        assert result.posterior[len(y) - 1, 2] == 0.0
        np.testing.assert_allclose(result.posterior.sum(axis=1), 1.0)
        assert result.n_clipped == 1


def test_two_rows_of_two_classes_are_refused() -> None:
    with raises("S211"):
        evaluate(GaussianNB(), [[0.0], [1.0]], [0, 1], LeaveOneOut())


@pytest.mark.parametrize(
    "model", [GaussianNB(), GaussianClassifier("full"), GaussianClassifier("shared")], ids=shown
)
@pytest.mark.parametrize("seed", range(4))
def test_tiny_tables(model: Any, seed: int) -> None:
    """Five to eight rows, where every row carries something."""
    rng = np.random.default_rng(seed)
    n = 5 + seed
    X, y = rng.normal(size=(n, 3)).round(1), np.arange(n) % 2
    assert_same(evaluate(model, X, y, LeaveOneOut()), refitted(model, X, y, LeaveOneOut()))
