"""`random_state` in every form that scikit-learn knows, wherever something is drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris

import assay
from assay.numerics.random_state import as_seed
from tests.raised import raises

X, Y = load_iris(return_X_y=True)
DRAWING = {
    "LinearSVM": assay.LinearSVM(solver="sgd", epochs=2, l2=0.1),
    "KernelSVM": assay.KernelSVM(landmarks=10, most_rows=20),
    "Perceptron": assay.Perceptron(epochs=3),
    "NeuralNetwork": assay.NeuralNetwork(hidden=(3,), epochs=2, early_stopping=True),
    "SingleLayerNetwork": assay.SingleLayerNetwork(solver="stochastic", epochs=2),
    "GaussianMixtureClassifier": assay.GaussianMixtureClassifier(2),
    "KMeans": assay.KMeans(3, start="random"),
    "Hierarchy": assay.Hierarchy(3, direction="top-down"),
    "BasisExpansion": assay.BasisExpansion(kind="radial", n_centers=4),
}
FORMS = {
    "none": lambda: None,
    "int": lambda: 5,
    "numpy": lambda: np.int64(5),
    "state": lambda: np.random.RandomState(5),
    "generator": lambda: np.random.default_rng(5),
}


def result(model: Any) -> Any:
    model.fit(X, Y)
    if hasattr(model, "transform"):
        return model.transform(X)
    return model.predict(X) if hasattr(model, "predict") else model.labels_


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", DRAWING)
def test_every_model_that_draws_takes_every_form(name: str, form: str) -> None:
    first, second = (clone(DRAWING[name]).set_params(random_state=FORMS[form]()) for _ in range(2))
    assert np.isfinite(np.asarray(result(first), dtype=float)).all()
    if form != "none":
        np.testing.assert_array_equal(result(clone(second)), result(second))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "make",
    [assay.KFold, assay.HoldOut, assay.RandomSubsampling, assay.Bootstrap, assay.TrainValidationTest],
)
def test_a_plan_keeps_what_it_draws(make: Any, form: str) -> None:
    plan = make(random_state=FORMS[form]())
    assert isinstance(plan.random_state, int)
    assert repr(plan.random_state) in repr(plan)
    for one, other in zip(plan.split(X, Y), plan.split(X, Y), strict=True):
        np.testing.assert_array_equal(one[1], other[1])


@pytest.mark.parametrize("form", FORMS)
def test_functions_take_every_form(form: str) -> None:
    make = FORMS[form]
    assay.learning_curve(assay.GaussianNB(), X, Y, plan=3, sizes=[0.5, 1.0], random_state=make())
    assay.select_features(assay.GaussianNB(), X, Y, n_features=1, random_state=make())
    assay.choose_clusters(X, [2, 3], n_starts=1, random_state=make())
    assay.MultivariateNormal().fit(X).sample(3, random_state=make())
    found = assay.compare((X, Y), candidates=["baseline", "gaussian_nb"], random_state=make(), progress=False)
    assert isinstance(found.random_state, int)


def test_none_draws_another_seed_each_time_and_generators_go_on() -> None:
    assert as_seed(None) != as_seed(None)
    generator = np.random.default_rng(0)
    assert as_seed(generator) != as_seed(generator)
    assert 0 <= as_seed(np.random) < 2**31


@pytest.mark.parametrize("bad", [-1, 2**64, 1.5, True, "0", np.float64(3)])
def test_anything_else_is_refused_in_one_sentence(bad: Any) -> None:
    with raises("N016"):
        as_seed(bad)
    with raises("M023", owner="KMeans", name="random_state"):
        assay.KMeans(2, random_state=bad).fit(X)
