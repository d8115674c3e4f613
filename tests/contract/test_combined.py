"""scikit-learn's own suite on the combined classifiers, and what every estimator of the package promises besides."""

from __future__ import annotations

import inspect
import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from assay import GaussianNB, LeastSquaresClassifier
from assay.models.combine.calibrated import Calibrated
from assay.models.combine.one_vs_one import OneVsOne
from assay.models.combine.one_vs_rest import OneVsRest
from tests.contract.answers import LABELS
from tests.contract.registry import blobs, shown
from tests.contract.sklearn_checks import check_cases
from tests.raised import raises

ESTIMATORS = [
    OneVsRest(LeastSquaresClassifier()),
    OneVsRest(GaussianNB()),
    OneVsOne(LeastSquaresClassifier()),
    OneVsOne(GaussianNB(), vote="coupling"),
    Calibrated(LeastSquaresClassifier()),
    Calibrated(GaussianNB(), method="isotonic"),
]
# scikit-learn's CalibratedClassifierCV fails it too.
FOLDS = "the folds are of rows: a repeated row may lie in another fold than the row itself"
EXPECTED = {
    "Calibrated": {f"check_sample_weight_equivalence_on_{kind}_data": FOLDS for kind in ("dense", "sparse")}
}


@pytest.mark.parametrize(("estimator", "check"), list(check_cases(ESTIMATORS, EXPECTED)))
def test_scikit_learn_check(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize("cls", [OneVsRest, OneVsOne, Calibrated])
def test_declared_parameters_are_the_signature(cls: Any) -> None:
    signature = inspect.signature(cls.__init__).parameters
    given = {name: p.default for name, p in signature.items() if name != "self"}
    assert {param.name: param.default for param in cls.params} == given


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=shown)
def test_every_parameter_is_checked(estimator: Any) -> None:
    X, y = blobs()
    for param in estimator.params:
        wrong = clone(estimator).set_params(**{param.name: "no such value"})
        with raises("M023", name=param.name, value="no such value"):
            wrong.fit(X, y)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=shown)
def test_copies_layouts_and_types_give_the_same(estimator: Any) -> None:
    X, y = blobs()
    fitted = clone(estimator).fit(X, y)
    expected = fitted.decision_function(X)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(fitted)).decision_function(X), expected)
    for variant in (np.asfortranarray(X), X.tolist(), X[::-1][::-1]):
        np.testing.assert_allclose(
            clone(estimator).fit(variant, y).decision_function(variant), expected, rtol=1e-10, atol=1e-12
        )
    single = X.astype(np.float32)
    np.testing.assert_allclose(
        clone(estimator).fit(single, y).decision_function(single),
        clone(estimator).fit(single.astype(np.float64), y).decision_function(single.astype(np.float64)),
        rtol=1e-7,
        atol=1e-7,
    )


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=shown)
@pytest.mark.parametrize("kind", LABELS)
def test_labels_of_any_type(estimator: Any, kind: str) -> None:
    X, y = blobs()
    names = LABELS[kind]
    model = clone(estimator).fit(X, names[y])
    assert model.classes_.tolist() == sorted(names.tolist())
    assert set(model.predict(X).tolist()) <= set(names.tolist())
    assert (model.predict(X) == names[y]).mean() > 0.6
