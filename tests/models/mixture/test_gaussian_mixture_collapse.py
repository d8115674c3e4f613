"""Blobs that would collapse are held up and named; tables that are hard give words and never NaN."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from assay import GaussianMixtureClassifier
from assay.models.mixture.gaussian_mixture import SHAPES
from tests.contract.registry import blobs, mixture_classifiers, shown
from tests.noted import codes, noted
from tests.raised import Expected, raises

Array = np.ndarray[Any, Any]


def sound(model: Any, X: Array) -> None:
    """Finite everywhere, never below the floor, and the likelihood never fell."""
    posterior = model.predict_proba(X)
    assert np.isfinite(posterior).all()
    np.testing.assert_allclose(posterior.sum(axis=1), 1.0, rtol=1e-9)
    assert np.isfinite(model.history_).all() and (np.diff(model.history_) >= 0).all()
    active = model.scale_ > 0
    unit = model.scale_[active]
    if model.covariance == "spherical":
        unit = np.full(len(unit), np.sqrt((unit**2).mean())) if len(unit) else unit
    for b in range(len(model.means_)):
        if hasattr(model, "variances_"):
            least = (model.variances_[b][active] / unit**2).min(initial=np.inf)
        else:
            natural = model.covariances_[b][np.ix_(active, active)] / unit[:, None] / unit
            least = np.linalg.eigvalsh(natural).min(initial=np.inf)
        assert least >= model.variance_floor * (1 - 1e-6)


@pytest.mark.parametrize("covariance", SHAPES)
def test_equal_rows_are_a_blob_that_is_held_up_and_named(covariance: str) -> None:
    X, y = blobs(80, classes=2)
    first = np.flatnonzero(y == 0)[:25]
    X[first] = [30.0, -20.0, 10.0, 5.0]
    model = GaussianMixtureClassifier(2, covariance=covariance, n_starts=1).fit(X, y)
    sound(model, X)
    singular = noted(model.diagnostics_, "M333")
    if covariance == "tied":
        assert not singular
    else:
        assert noted(singular, "M333", label="0", singular=4, n_columns=4)
        assert not noted(singular, "M333", label="1")


def test_bic_passes_over_blobs_that_collapse() -> None:
    X, y = blobs(80, classes=2)
    X[np.flatnonzero(y == 0)[:25]] = [30.0, -20.0, 10.0, 5.0]
    model = GaussianMixtureClassifier("bic").fit(X, y)
    sound(model, X)
    assert model.n_components_[0] == 1
    assert noted(model.diagnostics_, "M331", subject="Class 0")


@pytest.mark.parametrize("model", mixture_classifiers(), ids=shown)
def test_a_class_of_one_row(model: Any) -> None:
    X, y = blobs(60, classes=2)
    X, y = np.vstack([X, [9.0, 8.0, 7.0, 6.0]]), np.append(y, 2)
    fitted = clone(model).fit(X, y)
    sound(fitted, X)
    if fitted.shared == "none":
        assert fitted.n_components_[2] == 1 and fitted.predict(X[-1:]).tolist() == [2]
        assert noted(fitted.diagnostics_, "M329", label="2")


@pytest.mark.parametrize("covariance", SHAPES)
def test_classes_of_one_row_each(covariance: str) -> None:
    X = np.array([[0.0, 0.0], [1.0, 5.0], [3.0, 1.0]])
    model = GaussianMixtureClassifier(2, covariance=covariance).fit(X, [0, 1, 2])
    sound(model, X)
    assert model.predict(X).tolist() == [0, 1, 2]


def test_fewer_rows_than_components() -> None:
    X, y = blobs(60, classes=2)
    X, y = np.vstack([X, X[:5] + 4.0]), np.append(y, np.full(5, 2))
    model = GaussianMixtureClassifier(6, covariance="diagonal").fit(X, y)
    sound(model, X)
    assert model.n_components_.tolist() == [6, 6, 2]
    assert noted(model.diagnostics_, "M330", subject="Class 2", rows=5, wanted=6, count=2)


@pytest.mark.parametrize("model", mixture_classifiers(), ids=shown)
def test_a_constant_column_is_left_out(model: Any) -> None:
    X, y = blobs(90)
    wide = np.insert(X, 1, 7.0, axis=1)
    one, two = clone(model).fit(X, y), clone(model).fit(wide, y)
    sound(two, wide)
    assert noted(two.diagnostics_, "M300", columns=(1,))
    assert two.sample(4, 0)[0][:, 1].tolist() == [7.0] * 4
    if not isinstance(
        model.n_components, str
    ):  # the constant counts among the parameters, so BIC may choose otherwise
        np.testing.assert_allclose(one.predict_proba(X), two.predict_proba(wide), atol=1e-9)


@pytest.mark.parametrize("model", mixture_classifiers(), ids=shown)
def test_every_column_constant(model: Any) -> None:
    X, y = np.ones((9, 2)), np.arange(9) % 3
    fitted = clone(model).fit(X, y)
    np.testing.assert_allclose(fitted.predict_proba(X), np.full((9, 3), 1 / 3), atol=1e-12)
    assert fitted.sample(3, 0)[0].tolist() == [[1.0, 1.0]] * 3


@pytest.mark.parametrize("model", mixture_classifiers(), ids=shown)
def test_more_columns_than_rows(model: Any) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(24, 40)), np.arange(24) % 2
    fitted = clone(model).fit(X, y)
    sound(fitted, X)
    if model.covariance == "full":
        assert {"M333", "M334"} & set(codes(fitted.diagnostics_))


def test_a_class_of_weight_zero_is_never_predicted() -> None:
    X, y = blobs()
    for model in mixture_classifiers():
        fitted = clone(model).fit(X, y, sample_weight=(y != 1).astype(float))
        assert (fitted.predict_proba(X)[:, 1] == 0).all() and fitted.classes_.tolist() == [0, 1, 2]
        assert noted(fitted.diagnostics_, "M301", label="1")
        assert 1 not in fitted.sample(50, 0)[1]


def test_large_offsets_keep_their_digits() -> None:
    X, y = blobs(200)
    model = GaussianMixtureClassifier(2)
    near, far = model.fit(X, y).predict_proba(X), clone(model).fit(X + 1e7, y).predict_proba(X + 1e7)
    np.testing.assert_allclose(near, far, atol=1e-5)


def test_steps_that_run_out_are_told() -> None:
    X, y = blobs(200)
    model = GaussianMixtureClassifier(3, max_iter=2, tol=0.0).fit(X, y)
    assert len(model.history_) == 3
    assert noted(model.diagnostics_, "M332", max_iter=2)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(4, 40), st.integers(1, 4), st.integers(0, 10**6), st.sampled_from(SHAPES),
    st.sampled_from([1, 2, 4, "bic"]), st.sampled_from(["none", "all"]),
)  # fmt: skip
def test_any_table_of_few_values(
    rows: int, width: int, seed: int, covariance: str, n_components: Any, shared: str
) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (rows, width)) * 10.0 ** rng.integers(-3, 4, width)
    y = rng.permutation(np.arange(rows) % int(rng.integers(2, 4)))
    weight = rng.choice([0.5, 1.0, 3.0], rows)
    most = {"max_components": 3} if n_components == "bic" else {}
    model = GaussianMixtureClassifier(n_components, covariance=covariance, shared=shared, **most)
    sound(model.fit(X, y, weight), X)
    drawn, labels = model.sample(7, seed)
    assert np.isfinite(drawn).all() and set(labels) <= set(y)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (
            {"n_components": 0},
            Expected(
                "M023", name="n_components", value=0, expectation="a whole number of at least 1, or 'bic'"
            ),
        ),
        ({"n_components": "aic"}, Expected("M023", name="n_components", value="aic")),
        ({"n_components": 2.5}, Expected("M023", name="n_components", value=2.5)),
        ({"n_components": True}, Expected("M023", name="n_components", value=True)),
        ({"covariance": "round"}, Expected("M023", name="covariance", value="round")),
        ({"shared": "some"}, Expected("M023", name="shared", value="some")),
        ({"variance_floor": 0.0}, Expected("M023", name="variance_floor", value=0.0)),
        ({"max_components": 0}, Expected("M023", name="max_components", value=0)),
        ({"n_starts": 0}, Expected("M023", name="n_starts", value=0)),
        ({"tol": -1.0}, Expected("M023", name="tol", value=-1.0)),
        ({"priors": [0.5, 0.6]}, Expected("L048", n_classes=3)),
    ],
)
def test_parameters_that_are_none(given: dict[str, Any], expected: Expected) -> None:
    with raises(expected):
        GaussianMixtureClassifier(**given).fit(*blobs())


def test_input_that_cannot_be_used() -> None:
    X, y = blobs()
    model = GaussianMixtureClassifier()
    gap, far = X.copy(), X.copy()
    gap[4, 2], far[5, 1] = np.nan, 1e200
    with raises("N028", where="row 4, column 2"):
        model.fit(gap, y)
    with raises("N700", column="column 1", largest=1e200):
        model.fit(far, y)
    with raises("M033"):
        model.fit(X, np.zeros(len(X)))
    model.fit(X, y)
    with raises("N028", where="row 4, column 2"):
        model.predict(gap)
    with raises("N028", where="row 4, column 2"):
        model.responsibilities(gap)
    for count in (0, 1.5, True):
        with raises("M105"):
            model.sample(count)
