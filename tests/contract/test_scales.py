"""Units from 1e-300 to 1e300: the same classes as in ordinary units, or one sentence that names the column."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from assay import (
    PCA,
    Bootstrap,
    GaussianClassifier,
    GaussianNB,
    Impute,
    KFold,
    LeastSquaresClassifier,
    LeaveOneOut,
    MultivariateNormal,
    Standardize,
    evaluate,
)
from assay.models.base.validation import RangeError
from assay.notes import Note, note_of
from tests.contract.registry import shown, statistics_classifiers
from tests.raised import raises

PLANS = (KFold(3), LeaveOneOut(), Bootstrap(4))
# Powers of two change no digit; beyond 2^±490 (1e±147) a column may be refused, and within it never is.
POWERS = st.integers(-1040, 1000)
SAFE = 470


def table() -> tuple[Any, Any]:
    rng = np.random.default_rng(4)
    y = np.repeat([0, 1, 2], 15)
    return rng.normal(size=(45, 3)) + 0.9 * y[:, None] * [1.0, -0.5, 0.3], y


def one_penalty(model: Any) -> bool:
    return getattr(model, "l2", 0.0) > 0.0


def mixes_units(model: Any) -> bool:
    """Whether a model compares columns with each other, so that their units matter."""
    spherical = "spherical" in getattr(model, "covariance", "")
    return spherical or getattr(model, "shrinkage", 0.0) > 0.0 or one_penalty(model)


def columns_named(error: RangeError, columns: tuple[int, ...]) -> None:
    note = note_of(error)
    assert error.column in columns and note is not None
    assert note.code in ("N700", "N701") and note.values["column"] == f"column {error.column}"


@pytest.mark.parametrize("model", [m for m in statistics_classifiers() if not one_penalty(m)], ids=shown)
@given(power=POWERS)
@settings(max_examples=25, deadline=None)
def test_a_table_in_other_units(model: Any, power: int) -> None:
    X, y = table()
    scaled = np.ldexp(X, power)
    try:
        fitted = clone(model).fit(scaled, y)
    except RangeError as error:
        assert abs(power) > SAFE
        columns_named(error, (0, 1, 2))
        return
    plain = clone(model).fit(X, y)
    np.testing.assert_array_equal(fitted.predict(scaled), plain.predict(X))
    if hasattr(plain, "predict_proba"):
        np.testing.assert_allclose(fitted.predict_proba(scaled), plain.predict_proba(X), rtol=1e-6)


@pytest.mark.parametrize(
    "model",
    [
        *(m for m in statistics_classifiers() if not mixes_units(m)),
        *(
            make_pipeline(Impute(), Standardize(), m)
            for m in (
                GaussianNB(),
                GaussianClassifier("shared_spherical"),
                GaussianClassifier("shared", shrinkage=0.3),
                GaussianClassifier("full", shrinkage=0.1, blend=0.4),
                GaussianClassifier("diagonal", variance_floor=1e-9),
                LeastSquaresClassifier(0.1),
            )
        ),
    ],
    ids=lambda m: shown(m).replace(" ", "")[:70],
)
@given(power=POWERS, plan=st.sampled_from(PLANS))
@settings(max_examples=15, deadline=None)
def test_one_column_in_other_units(model: Any, power: int, plan: Any) -> None:
    X, y = table()
    scaled = X.copy()
    scaled[:, 1] = np.ldexp(X[:, 1], power)
    try:
        found = evaluate(model, scaled, y, plan)
        fitted = clone(model).fit(scaled, y)
    except RangeError as error:
        assert abs(power) > SAFE
        columns_named(error, (1,))
        return
    plain = evaluate(model, X, y, plan)
    np.testing.assert_array_equal(found.predicted, plain.predicted)
    np.testing.assert_array_equal(fitted.predict(scaled), clone(model).fit(X, y).predict(X))


@pytest.mark.parametrize("model", statistics_classifiers(), ids=shown)
@given(powers=st.tuples(*[POWERS] * 3))
@settings(max_examples=15, deadline=None)
def test_columns_of_very_different_units(model: Any, powers: tuple[int, ...]) -> None:
    """Models that compare columns with each other may lose the smaller ones, but not the numbers."""
    X, y = table()
    scaled = np.ldexp(X, powers)
    try:
        fitted = clone(model).fit(scaled, y)
    except RangeError as error:
        columns_named(error, tuple(j for j in range(3) if abs(powers[j]) > SAFE))
        return
    scores = fitted.decision_function(scaled)
    assert np.isfinite(scores).all()
    if hasattr(fitted, "predict_proba"):
        posterior = fitted.predict_proba(scaled)
        np.testing.assert_allclose(posterior.sum(axis=1), 1.0, rtol=1e-9)


@pytest.mark.parametrize("model", [PCA(), PCA(2), MultivariateNormal(), Standardize()], ids=shown)
@given(power=POWERS)
@settings(max_examples=25, deadline=None)
def test_models_without_labels_in_other_units(model: Any, power: int) -> None:
    X, _ = table()
    scaled = np.ldexp(X, power)
    try:
        fitted = clone(model).fit(scaled)
    except RangeError as error:
        assert abs(power) > SAFE
        columns_named(error, (0, 1, 2))
        return
    if hasattr(fitted, "log_pdf"):
        moved = fitted.log_pdf(scaled) + 3 * power * np.log(2.0)
        np.testing.assert_allclose(moved, clone(model).fit(X).log_pdf(X), rtol=1e-6, atol=1e-6)
        return
    size = np.ldexp(1.0, -power) if isinstance(model, PCA) else 1.0
    np.testing.assert_allclose(
        fitted.transform(scaled) * size, clone(model).fit(X).transform(X), rtol=1e-6, atol=1e-9
    )


@pytest.mark.parametrize("size", [1e-160, 1e-300, 1e300])
def test_fewer_rows_than_columns(size: float) -> None:
    X = np.random.default_rng(0).normal(size=(4, 9))
    X[:, 5] *= size
    with raises("N700" if size > 1 else "N701", RangeError, column="column 5"):
        PCA().fit(X)


def test_the_column_is_called_by_its_name() -> None:
    X, y = table()
    frame = pd.DataFrame(X * [1.0, 1e-300, 1.0], columns=["a", "mass", "c"])
    with raises("N701", RangeError, column="column 'mass'"):
        GaussianNB().fit(frame, y)
    with raises("N701", RangeError, column="column 'mass'"):
        evaluate(GaussianNB(), frame, y, KFold(3))


def test_constant_columns_of_any_size_vary_nowhere() -> None:
    X, y = table()
    for value in (0.0, 5e-324, 1e-300, -1e-160, 1e100):
        wide = np.column_stack([X, np.full(len(X), value)])
        np.testing.assert_array_equal(
            GaussianNB().fit(wide, y).predict(wide), GaussianNB().fit(X, y).predict(X)
        )


def test_rows_of_weight_zero_do_not_make_a_column_narrow() -> None:
    X, y = table()
    weight = np.ones(len(X))
    weight[:3] = 0.0
    X[3:, 1] = 7.0
    GaussianNB().fit(X, y, sample_weight=weight)
    with raises("N701", RangeError, column="column 1"):
        GaussianNB().fit((X - [0, 7, 0]) * [1, 1e-300, 1], y)


@pytest.mark.parametrize("weight", [1e-40, 1e40])
def test_weights_of_any_size(weight: float) -> None:
    X, y = table()
    model = GaussianNB().fit(X * 1e-100, y, sample_weight=np.full(len(y), weight))
    np.testing.assert_array_equal(model.predict(X * 1e-100), GaussianNB().fit(X, y).predict(X))
    tiny = np.full(len(y), 1e-80)
    with raises("N701", RangeError):
        GaussianNB().fit(X * 1e-125, y, sample_weight=tiny)


def test_the_error_survives_a_pickle_and_a_name() -> None:
    error = pickle.loads(pickle.dumps(RangeError("N700", 1, ["x", "y"], {"largest": 1e300})))
    assert error.args == (Note("N700", largest=1e300, column="column 'y'"),)
    assert error.named(["a", "b"]) == Note("N700", largest=1e300, column="column 'b'")
