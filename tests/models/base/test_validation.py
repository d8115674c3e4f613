"""Bad input: one clear sentence each, naming the row, column, value or parameter at fault."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from assay import BasisExpansion, GaussianClassifier, GaussianNB, KernelSVM
from assay.notes import note_of
from tests.contract.registry import blobs, normal_classifiers, shown, statistics_classifiers, transformers
from tests.raised import Expected, raises

MODELS = statistics_classifiers()
UNIT_FREE = [model for model in MODELS if not getattr(model, "l2", 0.0)]  # a penalty has a unit of its own
PROPORTION = "a number of at least 0 and at most 1"
STRICT = [model for model in MODELS if not model.missing_ok]


def one_sentence(error: BaseException) -> str:
    text = str(error)
    assert "\n" not in text, text
    assert text.rstrip().endswith((".", "...")), text
    return text


def refused(expected: Expected, call: Any, *arguments: Any, **options: Any) -> None:
    with raises(expected, (ValueError, TypeError)) as caught:
        call(*arguments, **options)
    one_sentence(caught.value)


@pytest.mark.parametrize("model", STRICT, ids=shown)
def test_missing_values(model: Any) -> None:
    X, y = blobs()
    holed = X.copy()
    holed[5, 2] = np.nan
    refused(Expected("N028", where="row 5, column 2"), clone(model).fit, holed, y)
    frame = pd.DataFrame(holed, columns=list("abcd"))
    refused(Expected("N028", where="row 5, column 'c'"), clone(model).fit, frame, y)
    fitted = clone(model).fit(X, y)
    refused(Expected("N028", where="row 5, column 2"), fitted.predict, holed)
    refused(Expected("N028", where="row 5, column 2"), fitted.partial_fit, holed, y)


@pytest.mark.parametrize("model", MODELS, ids=shown)
@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinite_values(model: Any, value: float) -> None:
    X, y = blobs()
    broken = X.copy()
    broken[5, 2] = value
    refused(Expected("N026", where="row 5, column 2"), clone(model).fit, broken, y)
    fitted = clone(model).fit(X, y)
    refused(Expected("N026", where="row 5, column 2"), fitted.predict, broken)


@pytest.mark.parametrize("model", MODELS, ids=shown)
def test_huge_values(model: Any) -> None:
    X, y = blobs()
    huge = X.copy()
    huge[:, 1] *= 1e300
    refused(Expected("N700", column="column 1"), clone(model).fit, huge, y)
    single = X.copy()
    single[3, 1] = 1e300
    refused(Expected("N700", column="column 1", largest=1e300), clone(model).fit, single, y)


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
    refused(Expected("M032", n_rows=90, n_labels=89), clone(model).fit, X, y[:-1])
    refused(Expected("M040", shape=(90, 2)), clone(model).fit, X, np.c_[y, y])
    fitted = clone(model).fit(X, y)
    with pytest.raises(ValueError, match="X has 3 features, but .* is expecting 4 features"):
        fitted.predict(X[:, :3])


@pytest.mark.parametrize("model", MODELS, ids=shown)
def test_labels_that_are_no_classes(model: Any) -> None:
    X, y = blobs()
    refused(Expected("M033", label=0.0), clone(model).fit, X, np.zeros(90))
    refused(Expected("M033", label="a"), clone(model).fit, X, ["a"] * 90)
    refused(Expected("M042", label=0.5, row=1), clone(model).fit, X, np.arange(90) / 2)
    labels = y.astype(float)
    labels[8] = np.nan
    refused(Expected("M041", row=8), clone(model).fit, X, labels)
    words = np.array(["a", "b", "c"], dtype=object)[y]
    words[9] = None
    refused(Expected("M044", row=9), clone(model).fit, X, words)
    mixed = np.array([1, "b", 3.0], dtype=object)[y]
    refused(Expected("M043", kinds="float, int, str"), clone(model).fit, X, mixed)
    refused(Expected("M031", kind=type(model).__name__), clone(model).fit, X, None)


@pytest.mark.parametrize("model", MODELS, ids=shown)
def test_weights_that_are_none(model: Any) -> None:
    X, y = blobs()
    negative = np.ones(90)
    negative[17] = -1.0
    refused(Expected("M038", row=17, weight=-1.0), clone(model).fit, X, y, negative)
    negative[17] = np.nan
    refused(Expected("M038", row=17), clone(model).fit, X, y, negative)
    refused(Expected("M039"), clone(model).fit, X, y, np.zeros(90))
    with raises("M037", n_rows=90):
        clone(model).fit(X, y, np.ones(89))


@pytest.mark.parametrize("model", normal_classifiers(), ids=shown)
@pytest.mark.parametrize(
    ("priors", "expected"),
    [
        ([0.5, 0.5], Expected("L048", name="priors", shape=(2,), n_classes=3)),
        ([0.5, 0.6, 0.2], Expected("L050", name="priors", total=1.3)),
        ([1.2, -0.2, 0.0], Expected("L049", name="priors", position=1, value=-0.2)),
        ([0.5, np.nan, 0.5], Expected("L049", name="priors", position=1)),
        ("equal", Expected("M023", name="priors", value="equal")),
        (["a", "b", "c"], Expected("L055", name="priors")),
    ],
)
def test_priors_that_are_none(model: Any, priors: Any, expected: Expected) -> None:
    X, y = blobs()
    refused(expected, clone(model).set_params(priors=priors).fit, X, y)


@pytest.mark.parametrize(
    ("loss", "expected"),
    [
        ([[0, 1], [1, 0]], Expected("L030", shape=(2, 2), n_labels=3)),
        ([[0, 1, 2]], Expected("L030", shape=(1, 3), n_labels=3)),
        ([[0, 1, np.nan], [1, 0, 1], [1, 1, 0]], Expected("L019", action=2, label=0)),
        ([[0, 1, "x"], [1, 0, 1], [1, 1, 0]], Expected("L021")),
        ([[0, 1, np.inf], [1, 0, 1], [1, 1, 0]], Expected("L019", action=2, label=0, cost=np.inf)),
        ([[0, 1, 1, 2], [1, 0, 1, 2], [1, 1, 0, 2]], Expected("L030", shape=(3, 4), n_labels=3)),
        ({0: {0: 0, 1: 1}, 1: {0: 1, 1: 0}}, Expected("L026", label=2)),
    ],
)
def test_losses_that_are_none(loss: Any, expected: Expected) -> None:
    X, y = blobs()
    refused(expected, GaussianNB().fit(X, y).decide, X, loss)


def test_priors_at_decision_time() -> None:
    X, y = blobs()
    model = GaussianNB().fit(X, y)
    refused(Expected("L050", name="priors", total=0.8), model.decide, X, priors=[0.2, 0.2, 0.4])
    refused(Expected("L048", name="priors", shape=(2,), n_classes=3), model.decide, X, priors=[0.5, 0.5])


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"covariance": "round"}, Expected("M023", name="covariance", value="round")),
        ({"blend": 1.5}, Expected("M023", name="blend", value=1.5, expectation=PROPORTION)),
        ({"shrinkage": -0.1}, Expected("M023", name="shrinkage", value=-0.1, expectation=PROPORTION)),
        (
            {"variance": "biased"},
            Expected(
                "M023", name="variance", value="biased", expectation="'unbiased', or one of 'ml', 'unbiased'"
            ),
        ),
        ({"variance_floor": np.nan}, Expected("M023", name="variance_floor", expectation=PROPORTION)),
        ({"blend": True}, Expected("M023", name="blend", value=True, expectation=PROPORTION)),
        ({"blend": "half"}, Expected("M023", name="blend", value="half", expectation=PROPORTION)),
    ],
)
def test_parameters_out_of_range(settings: dict[str, Any], expected: Expected) -> None:
    X, y = blobs()
    refused(expected, GaussianClassifier(**settings).fit, X, y)


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
    refused(Expected("M020"), GaussianClassifier("full").fit(X, y).signed_distance, X, 0, 1)
    shared = GaussianClassifier("shared").fit(X, y)
    refused(Expected("M021"), shared.signed_distance, X)
    refused(Expected("M022", label="z", classes=[0, 1, 2]), shared.signed_distance, X, "z", 1)


@pytest.mark.parametrize(
    ("model", "nearest"),
    [(BasisExpansion("radail"), "radial"), (KernelSVM(kernel="polynomal"), "polynomial")],
    ids=["basis", "kernel"],
)
def test_a_misspelt_choice_is_answered_with_the_nearest(model: Any, nearest: str) -> None:
    with raises("M023") as caught:
        model.fit([[0.0], [1.0]], [0, 1])
    assert note_of(caught.value).values["expectation"].startswith(f"{nearest!r}, or one of ")
