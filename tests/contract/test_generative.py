"""Every generative model gives joint densities of rows and classes: its posterior and likelihood follow from them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.special import logsumexp
from sklearn.base import clone

import assay
from assay import FisherDiscriminant, GaussianClassifier, GaussianMixtureClassifier, GaussianNB
from assay.models.base.estimators import GenerativeClassifier
from assay.models.naive_bayes.poisson import PoissonNB
from tests.contract.registry import (
    blobs,
    counting_classifiers,
    mixture_classifiers,
    normal_classifiers,
    shown,
)


def named(value: Any) -> str:
    return "" if isinstance(value, np.ndarray) else shown(value)


X, y = blobs(rows=90, classes=4, seed=11)
COUNTS = np.random.default_rng(0).poisson(2.0 + y[:, None] % 3, size=(len(y), 4)).astype(float)
GENERATIVE = [
    *((model, X) for model in normal_classifiers()),
    *((FisherDiscriminant(q, variance=v), X) for q in (1, 2, None) for v in ("ml", "unbiased")),
    *((model, X) for model in mixture_classifiers()),
    *((model, COUNTS) for model in counting_classifiers() if not isinstance(model, assay.ComplementNB)),
    (PoissonNB(), COUNTS),
]


@pytest.mark.parametrize(("model", "rows"), GENERATIVE, ids=named)
def test_joint_densities_normalise_to_the_posterior(model: Any, rows: Any) -> None:
    fitted = clone(model).fit(rows, y)
    joint = fitted.predict_joint_log_proba(rows)
    posterior = np.exp(joint - logsumexp(joint, axis=1, keepdims=True))
    np.testing.assert_allclose(posterior, fitted.predict_proba(rows), rtol=1e-8, atol=1e-12)
    with pytest.raises(ValueError, match="not fitted"):
        clone(model).predict_joint_log_proba(rows)


LIKELIEST = [
    *((GaussianClassifier(shape), X) for shape in ("full", "shared", "diagonal", "shared_diagonal")),
    *((GaussianClassifier(shape), X) for shape in ("spherical", "shared_spherical")),
    (GaussianNB(), np.where(X > 5.0, np.nan, X)),
    *((FisherDiscriminant(q, variance="ml"), X) for q in (1, 2, 3)),
    (GaussianMixtureClassifier(2), X),
    (assay.MultinomialNB(smoothing=0.0), COUNTS),
    (assay.BernoulliNB(smoothing=0.0, threshold=2.0), COUNTS),
    (assay.CategoricalNB(smoothing=0.0), COUNTS),
    (PoissonNB(smoothing=0.0), COUNTS),
]


@pytest.mark.parametrize(("model", "rows"), LIKELIEST, ids=named)
def test_joint_densities_of_the_training_rows_add_up_to_the_likelihood(model: Any, rows: Any) -> None:
    fitted = model.fit(rows, y)
    joint = fitted.predict_joint_log_proba(rows)[np.arange(len(y)), y]
    assert joint.sum() == pytest.approx(fitted.log_likelihood_, rel=1e-9)


def test_every_public_model_with_a_joint_likelihood_is_generative() -> None:
    public = [getattr(assay, name) for name in assay.__all__]
    likely = {
        cls
        for cls in public
        if isinstance(cls, type) and hasattr(cls, "n_parameters_") and hasattr(cls, "predict_proba")
    }
    assert {cls for cls in likely if issubclass(cls, GenerativeClassifier)} == likely - {
        assay.LogisticRegression
    }
