"""Bad input: one clear sentence each, naming the row, column, value or parameter at fault."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from assay import GaussianClassifier, GaussianNB
from tests.contract.registry import blobs, normal_classifiers, shown, statistics_classifiers, transformers
from tests.raised import raises

MODELS = statistics_classifiers()
UNIT_FREE = [model for model in MODELS if not getattr(model, "l2", 0.0)]  # a penalty has a unit of its own
STRICT = [model for model in MODELS if not model.missing_ok]


def one_sentence(error: BaseException) -> str:
    text = str(error)
    assert "\n" not in text, text
    assert text.rstrip().endswith((".", "...")), text
    return text


def refused(pattern: str, call: Any, *arguments: Any, **options: Any) -> None:
    with pytest.raises((ValueError, TypeError), match=pattern) as caught:
        call(*arguments, **options)
    one_sentence(caught.value)


@pytest.mark.parametrize("model", STRICT, ids=shown)
def test_missing_values(model: Any) -> None:
    X, y = blobs()
    holed = X.copy()
    holed[5, 2] = np.nan
    refused("contains NaN at row 5, column 2; impute", clone(model).fit, holed, y)
    frame = pd.DataFrame(holed, columns=list("abcd"))
    refused("contains NaN at row 5, column 'c'", clone(model).fit, frame, y)
    fitted = clone(model).fit(X, y)
    refused("contains NaN at row 5, column 2", fitted.predict, holed)
    refused("contains NaN at row 5, column 2", fitted.partial_fit, holed, y)


@pytest.mark.parametrize("model", MODELS, ids=shown)
@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinite_values(model: Any, value: float) -> None:
    X, y = blobs()
    broken = X.copy()
    broken[5, 2] = value
    refused("contains infinity at row 5, column 2; replace", clone(model).fit, broken, y)
    fitted = clone(model).fit(X, y)
    refused("contains infinity at row 5, column 2", fitted.predict, broken)


@pytest.mark.parametrize("model", MODELS, ids=shown)
def test_huge_values(model: Any) -> None:
    X, y = blobs()
    huge = X.copy()
    huge[:, 1] *= 1e300
    refused("column 1 reach .*overflow; rescale", clone(model).fit, huge, y)
    single = X.copy()
    single[3, 1] = 1e300
    refused("column 1 reach 1e\\+300", clone(model).fit, single, y)


@pytest.mark.parametrize("model", UNIT_FREE, ids=shown)
@pytest.mark.parametrize("size", [1e100, 1e-100, 1e-150])
def test_large_and_small_units_are_fine(model: Any, size: float) -> None:
    X, y = blobs()
    scaled = clone(model).fit(X * size, y)
    agreement = (scaled.predict(X * size) == clone(model).fit(X, y).predict(X)).mean()
    assert agreement == 1.0


@pytest.mark.parametrize("model", MODELS, ids=shown)
def test_huge_test_rows(model: Any) -> None:
    """A row of 1e200 has no finite squared distance: said so, or decided by a linear score."""
    X, y = blobs()
    fitted = clone(model).fit(X, y)
    far = X[:2] * 1e200
    try:
        assert set(fitted.predict(far)) <= {0, 1, 2}
    except ValueError as error:
        assert "1e+200" in str(error) or "overflow" in str(error) or "e+20" in str(error)
        one_sentence(error)


@pytest.mark.parametrize("model", [*MODELS, *transformers()], ids=shown)
def test_text_in_a_column(model: Any) -> None:
    X, y = blobs()
    table = X.astype(object)
    table[4, 1] = "tall"
    with raises("M045", row=4, where="column 1", value="tall"):
        clone(model).fit(table, y)
    with raises("M045", row=4, where="column 1", value="tall"):
        clone(model).fit(pd.DataFrame(table), y)


@pytest.mark.parametrize("model", [*MODELS, *transformers()], ids=shown)
@pytest.mark.parametrize("shape", [(0, 4), (6, 0)])
def test_empty_tables(model: Any, shape: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="0 (sample|feature)"):
        clone(model).fit(np.empty(shape), np.arange(shape[0]) % 2)


@pytest.mark.parametrize("model", MODELS, ids=shown)
def test_wrong_shapes(model: Any) -> None:
    X, y = blobs()
    with pytest.raises(ValueError, match="2D array, got 1D"):
        clone(model).fit(X[:, 0], y)
    refused("X has 90 rows and y has 89", clone(model).fit, X, y[:-1])
    refused(r"y should be a 1d array, got an array of shape \(90, 2\)", clone(model).fit, X, np.c_[y, y])
    fitted = clone(model).fit(X, y)
    with pytest.raises(ValueError, match="X has 3 features, but .* is expecting 4 features"):
        fitted.predict(X[:, :3])


@pytest.mark.parametrize("model", MODELS, ids=shown)
def test_labels_that_are_no_classes(model: Any) -> None:
    X, y = blobs()
    refused(r"y has one class \(0.0\); .*at least two", clone(model).fit, X, np.zeros(90))
    refused("one class", clone(model).fit, X, ["a"] * 90)
    refused("continuous values such as 0.5 at row 1", clone(model).fit, X, np.arange(90) / 2)
    labels = y.astype(float)
    labels[8] = np.nan
    refused("y contains NaN or infinity at row 8", clone(model).fit, X, labels)
    words = np.array(["a", "b", "c"], dtype=object)[y]
    words[9] = None
    refused("NaN or None at row 9", clone(model).fit, X, words)
    mixed = np.array([1, "b", 3.0], dtype=object)[y]
    refused("mixes labels of types", clone(model).fit, X, mixed)
    refused("y to be passed, but the target y is None", clone(model).fit, X, None)


@pytest.mark.parametrize("model", MODELS, ids=shown)
def test_weights_that_are_none(model: Any) -> None:
    X, y = blobs()
    negative = np.ones(90)
    negative[17] = -1.0
    refused("sample_weight of row 17 is -1.0", clone(model).fit, X, y, negative)
    negative[17] = np.nan
    refused("sample_weight of row 17 is nan", clone(model).fit, X, y, negative)
    refused("All sample weights are zero", clone(model).fit, X, y, np.zeros(90))
    with raises("M037", n_rows=90):
        clone(model).fit(X, y, np.ones(89))


@pytest.mark.parametrize("model", normal_classifiers(), ids=shown)
@pytest.mark.parametrize(
    ("priors", "sentence"),
    [
        ([0.5, 0.5], "one number for each of the 3 classes"),
        ([0.5, 0.6, 0.2], "sum to 1.3"),
        ([1.2, -0.2, 0.0], "Entry 1 of the priors is -0.2"),
        ([0.5, np.nan, 0.5], "Entry 1 of the priors is nan"),
        ("equal", "priors='equal'.*'ml', 'uniform' or an array"),
        (["a", "b", "c"], "priors are not numbers"),
    ],
)
def test_priors_that_are_none(model: Any, priors: Any, sentence: str) -> None:
    X, y = blobs()
    refused(sentence, clone(model).set_params(priors=priors).fit, X, y)


@pytest.mark.parametrize(
    ("loss", "sentence"),
    [
        ([[0, 1], [1, 0]], "3"),
        ([[0, 1, 2]], "3"),
        ([[0, 1, np.nan], [1, 0, 1], [1, 1, 0]], "nan"),
        ([[0, 1, "x"], [1, 0, 1], [1, 1, 0]], "(?i)number"),
        ([[0, 1, np.inf], [1, 0, 1], [1, 1, 0]], "inf"),
        ([[0, 1, 1, 2], [1, 0, 1, 2], [1, 1, 0, 2]], "(?i)action"),
        ({0: {0: 0, 1: 1}, 1: {0: 1, 1: 0}}, "2"),
    ],
)
def test_losses_that_are_none(loss: Any, sentence: str) -> None:
    X, y = blobs()
    refused(sentence, GaussianNB().fit(X, y).decide, X, loss)


def test_priors_at_decision_time() -> None:
    X, y = blobs()
    model = GaussianNB().fit(X, y)
    refused("sum to 0.8", model.decide, X, priors=[0.2, 0.2, 0.4])
    refused("each of the 3 classes", model.decide, X, priors=[0.5, 0.5])


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"covariance": "round"}, "covariance='round'.*'full', 'shared'"),
        ({"blend": 1.5}, "blend=1.5.*at least 0 and at most 1"),
        ({"shrinkage": -0.1}, "shrinkage=-0.1"),
        ({"variance": "biased"}, "variance='biased'.*'ml', 'unbiased'"),
        ({"variance_floor": np.nan}, "variance_floor=nan"),
        ({"blend": True}, "blend=True"),
        ({"blend": "half"}, "blend='half'.*a number"),
    ],
)
def test_parameters_out_of_range(settings: dict[str, Any], sentence: str) -> None:
    X, y = blobs()
    refused(sentence, GaussianClassifier(**settings).fit, X, y)


@pytest.mark.parametrize("model", MODELS, ids=shown)
def test_models_that_are_not_fitted(model: Any) -> None:
    X, y = blobs()
    for method in ("predict", "decision_function"):
        with pytest.raises(Exception, match=f"{type(model).__name__} instance is not fitted yet"):
            getattr(clone(model), method)(X)
    with pytest.raises(Exception, match="not fitted yet"):
        clone(model).forget(X, y)
    with pytest.raises(Exception, match="not fitted yet"):
        clone(model).merge(clone(model))


def test_boundaries_that_are_curved_have_no_distance() -> None:
    X, y = blobs()
    refused("curved boundaries", GaussianClassifier("full").fit(X, y).signed_distance, X, 0, 1)
    shared = GaussianClassifier("shared").fit(X, y)
    refused("name the two to compare", shared.signed_distance, X)
    refused(re.escape("'z' is not one of the classes [0, 1, 2]"), shared.signed_distance, X, "z", 1)
