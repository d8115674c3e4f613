"""Evaluations of counting models beside their refits."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.pipeline import make_pipeline

import assay
from assay import evaluate


class PassedOn(assay.SelectColumns):
    """Passes everything on; no way of sharing knows it."""

    def fit(self, X: Any, y: Any = None) -> Any:
        return self

    def transform(self, X: Any) -> Any:
        return X

    def __sklearn_is_fitted__(self) -> bool:
        return True


def refitted(model: Any, X: Any, y: Any, plan: Any, **options: Any) -> Any:
    """The same evaluation without sharing: a step that does nothing is in the way."""
    *steps, last = [part for _, part in model.steps] if hasattr(model, "steps") else [model]
    return evaluate(make_pipeline(*steps, PassedOn(), last), X, y, plan, **options)


def same(shared: Any, again: Any) -> None:
    assert shared.strategy == "counts" and again.strategy == "refit"
    np.testing.assert_allclose(shared.tested.scores, again.tested.scores, rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(shared.tested.predicted, again.tested.predicted)
    np.testing.assert_array_equal(shared.tested.split, again.tested.split)
    np.testing.assert_allclose(shared.tested.priors, again.tested.priors, rtol=1e-12)
    assert shared.error == again.error
