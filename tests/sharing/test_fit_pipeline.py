"""Pipelines fitted with weights: the same models as with keywords for every step, to the bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from assay import DropReference, GaussianNB, Impute, KFold, NeuralNetwork, OneHot, Standardize, evaluate
from assay.sharing.fit_pipeline import fit_weighted
from tests.models.features.mixed import mixed

NETWORK = NeuralNetwork((6,), epochs=4, batch_size=20, early_stopping=True)


def design(gaps: bool = False) -> tuple[Any, Any, Any]:
    table, y = mixed(gaps=gaps)
    encoder = OneHot().fit(table)
    return encoder.transform(table), y, encoder.groups_


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("indicator", [False, True])
@pytest.mark.parametrize("more", [[], [Standardize()]], ids=["", "scaled"])
@pytest.mark.parametrize(
    "last", [NETWORK, clone(NETWORK).set_params(hidden=(), dtype="float32"), GaussianNB()]
)
def test_the_same_bits_as_the_pipeline(
    gaps: bool, weighted: bool, indicator: bool, more: Any, last: Any
) -> None:
    X, y, groups = design(gaps)
    weight = np.random.default_rng(0).integers(0, 3, len(y)).astype(float) if weighted else None
    model = make_pipeline(Impute(indicator=indicator), DropReference(groups), *more, last)
    whole, piped = clone(model), clone(model)
    named = [] if weight is None else [f"{name}__sample_weight" for name, _ in model.steps]
    whole.fit(X, y, **dict.fromkeys(named, weight))
    fit_weighted(piped, X, y, weight)
    assert np.array_equal(piped.predict_proba(X), whole.predict_proba(X))
    assert piped[-1].n_features_in_ == whole[-1].n_features_in_
    assert piped[-1].diagnostics_ == whole[-1].diagnostics_


def test_folds_transform_their_rows_once(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y, groups = design()
    calls, own = [], DropReference.transform
    monkeypatch.setattr(DropReference, "transform", lambda self, X: calls.append(len(X)) or own(self, X))
    model = make_pipeline(Impute(), DropReference(groups), NETWORK)
    found = evaluate(model, X, y, KFold(4))
    assert found.strategy == "refit" and sum(calls) == 4 * len(y)  # three times in training, once tested
    for rows, test in KFold(4).split(X, y):
        one = clone(model).fit(X[rows], np.asarray(y)[rows])
        assert np.array_equal(found.tested.scores[test], one.predict_log_proba(X[test]))


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_rows_without_gaps_are_copied_not_lent(order: Any, dtype: Any) -> None:
    X = np.asarray(design()[0], dtype=dtype, order=order)
    found = Impute(indicator=True).fit_transform(X)
    assert found.dtype == np.float64 and np.array_equal(found, X) and not np.shares_memory(found, X)
    kept = DropReference([(2, 5), (6, 8)]).fit(X)
    assert np.array_equal(kept.transform(X), X[:, kept.kept_]) and len(
        np.diff(kept.kept_)[np.diff(kept.kept_) > 1]
    )
