"""What scikit-learn and the house ask of every estimator, of both networks."""

from __future__ import annotations

import inspect
import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from assay.models.network.multi_layer import NeuralNetwork
from assay.models.network.single_layer import SingleLayerNetwork
from tests.contract.registry import blobs
from tests.noted import noted
from tests.raised import Expected, raises

SINGLE = [
    SingleLayerNetwork(),
    SingleLayerNetwork("sigmoid"),
    SingleLayerNetwork("linear", targets="pm1", l2=0.01),
    SingleLayerNetwork("step"),
    SingleLayerNetwork(surrogate="squared_error"),
]
MULTI = [
    NeuralNetwork((16,), learning_rate=0.01, epochs=60),
    NeuralNetwork((8, 8), activation="tanh", learning_rate=0.01, epochs=60, dtype="float32"),
]


def rounding(estimator: Any) -> dict[str, str]:
    if getattr(estimator, "dtype", "") != "float32":
        return {}
    reason = "in float32 a weighted row and repeated ones differ in the last place, which training magnifies"
    return {"check_sample_weight_equivalence_on_dense_data": reason}


@parametrize_with_checks([*SINGLE, *MULTI], expected_failed_checks=rounding)
def test_scikit_learn_contract(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize("cls", [SingleLayerNetwork, NeuralNetwork])
def test_parameters_are_declared_as_they_are_taken(cls: Any) -> None:
    taken = {p.name: p.default for p in list(inspect.signature(cls.__init__).parameters.values())[1:]}
    assert {p.name: p.default for p in cls.params} == taken


@pytest.mark.parametrize("model", [SingleLayerNetwork(epochs=20), NeuralNetwork((4,), epochs=5)], ids=repr)
@pytest.mark.parametrize(
    "names",
    [["b", "a", "c"], [7, -1, 3], [2.0, 1.0, 5.0], [b"x", b"q", b"z"]],
    ids=["str", "int", "float", "bytes"],
)
def test_labels_of_any_type(model: Any, names: list[Any]) -> None:
    X, y = blobs(rows=60)
    labels = np.array(names)
    order = np.argsort(labels)  # the classes in sorted order are 0, 1, 2 of the twin
    rank = np.empty(3, dtype=int)
    rank[order] = np.arange(3)
    one = model.fit(X, labels[y]).predict(X)
    two = model.fit(X, rank[y]).predict(X)
    assert (one == labels[order][two]).all()
    assert (SingleLayerNetwork().fit(X, y > 0).predict(X).dtype) == bool


@pytest.mark.parametrize("model", [SingleLayerNetwork("linear"), NeuralNetwork((4,), epochs=5)], ids=repr)
def test_order_in_memory_and_precision_do_not_matter(model: Any) -> None:
    X, y = blobs()
    X = X.astype(np.float32)
    one = model.fit(X, y).decision_function(X)
    np.testing.assert_allclose(model.fit(np.asfortranarray(X), y).decision_function(X), one, rtol=1e-12)
    np.testing.assert_allclose(model.fit(X.astype(float), y).decision_function(X), one, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("model", [*SINGLE, *MULTI], ids=repr)
def test_weights_zero_absent_and_pickles(model: Any) -> None:
    X, y = blobs()
    weight = np.ones(len(y))
    weight[::5] = 0.0
    spoiled = X.copy()
    spoiled[::5] = 1e6
    fitted = model.fit(spoiled, y, sample_weight=weight)
    one = fitted.decision_function(X)
    assert (pickle.loads(pickle.dumps(fitted)).decision_function(X) == one).all()
    assert (model.fit(X[weight > 0], y[weight > 0]).decision_function(X) == one).all()


@pytest.mark.parametrize("model", [SingleLayerNetwork(), NeuralNetwork((4,), epochs=5)], ids=repr)
def test_class_weight_is_a_weight_of_rows(model: Any) -> None:
    X, y = blobs()
    expected = model.fit(X, y, np.where(y == 1, 5.0, 1.0)).predict_proba(X)
    given = model.set_params(class_weight={1: 5.0}).fit(X, y).predict_proba(X)
    np.testing.assert_allclose(given, expected, rtol=1e-12)
    assert np.isfinite(model.set_params(class_weight="balanced").fit(X, y).predict_proba(X)).all()


@pytest.mark.parametrize("model", [*SINGLE, *MULTI], ids=repr)
def test_a_class_without_weight_is_never_predicted(model: Any) -> None:
    X, y = blobs()
    model.fit(X, y, (y != 1).astype(float))
    assert model.classes_.tolist() == [0, 1, 2] and not (model.predict(X) == 1).any()
    assert any("Class 1" in sentence for sentence in model.diagnostics_)


@pytest.mark.parametrize("model", [SingleLayerNetwork(), NeuralNetwork((4,), epochs=5)], ids=repr)
def test_constant_columns_are_left_out_and_named(model: Any) -> None:
    X, y = blobs()
    wide = np.column_stack([X[:, :2], np.full(len(X), 3.3), X[:, 2:]])
    model.fit(wide, y)
    assert noted(model.diagnostics_, "M300", columns=(2,))
    bad = wide.copy()
    bad[4, 2] = np.nan
    with raises("N028", where="row 4, column 2"):
        model.predict(bad)
    assert model.fit(np.ones((len(X), 2)), y).predict(np.ones((1, 2))).shape == (1,)


WRONG = [
    (SingleLayerNetwork("cubic"), Expected("M023", name="output", value="cubic")),
    (SingleLayerNetwork("step", surrogate="cross_entropy"), Expected("M164")),
    (SingleLayerNetwork("linear", surrogate="cross_entropy"), Expected("M164")),
    (SingleLayerNetwork("sigmoid", targets="pm1"), Expected("M165")),
    (SingleLayerNetwork(targets="pm1"), Expected("M165")),
    (SingleLayerNetwork("step", l2=0.1), Expected("M166", l2=0.1)),
    (SingleLayerNetwork(l2=-1.0), Expected("M023", name="l2", value=-1.0)),
    (SingleLayerNetwork(learning_rate=0.0), Expected("M023", name="learning_rate", value=0.0)),
    (SingleLayerNetwork(epochs=0), Expected("M023", name="epochs", value=0)),
    (SingleLayerNetwork("linear", learning_rate=1e6, epochs=500), Expected("N044")),
    (SingleLayerNetwork("linear", solver="stochastic", learning_rate=1e6), Expected("N044")),
    (NeuralNetwork((0,)), Expected("M023", name="hidden", value=(0,))),
    (NeuralNetwork(100), Expected("M023", name="hidden", value=100)),  # type: ignore[arg-type]
    (NeuralNetwork((2.5,)), Expected("M023", name="hidden", value=(2.5,))),  # type: ignore[arg-type]
    (NeuralNetwork("ab"), Expected("M023", name="hidden", value="ab")),  # type: ignore[arg-type]
    (NeuralNetwork(activation="swish"), Expected("M023", name="activation", value="swish")),
    (NeuralNetwork(batch_size=0), Expected("M023", name="batch_size", value=0)),
    (NeuralNetwork(validation_share=1.0), Expected("M023", name="validation_share", value=1.0)),
    (NeuralNetwork(dtype="float16"), Expected("M023", name="dtype", value="float16")),
    (NeuralNetwork(random_state=-1), Expected("M023", name="random_state", value=-1)),
    (NeuralNetwork(solver="sgd", learning_rate=1e100), Expected("N040")),
]


@pytest.mark.parametrize(("model", "expected"), WRONG, ids=lambda value: repr(value))
def test_bad_parameters_are_refused_in_one_sentence(model: Any, expected: Expected) -> None:
    X, y = blobs()
    with raises(expected):
        model.fit(X, y)


@pytest.mark.parametrize("model", [SingleLayerNetwork(), NeuralNetwork((4,), epochs=5)], ids=repr)
@pytest.mark.parametrize(("value", "code"), [(np.nan, "N028"), (np.inf, "N026")])
def test_values_that_no_model_can_use_are_named(model: Any, value: float, code: str) -> None:
    X, y = blobs()
    bad = X.copy()
    bad[7, 2] = value
    with raises(code, where="row 7, column 2"):
        model.fit(bad, y)
    model.fit(X, y)
    with raises(code, where="row 7, column 2"):
        model.predict(bad)
    with raises(code, where="row 7, column 2"):
        model.predict_proba(bad)


@pytest.mark.parametrize("model", [SingleLayerNetwork(), NeuralNetwork((4,), epochs=5)], ids=repr)
def test_other_bad_input(model: Any) -> None:
    X, y = blobs()
    with raises("M033"):
        model.fit(X, np.zeros(len(X)))
    with raises("M038"):
        model.fit(X, y, -np.ones(len(X)))
    with raises("S129", label=9):
        model.set_params(class_weight={9: 1.0}).fit(X, y)
    model.set_params(class_weight=None)
    with raises("M032"):
        model.fit(X, y[:-1])
