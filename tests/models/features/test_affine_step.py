"""Scaling, imputing and choosing columns, each beside scikit-learn's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from assay import Impute, SelectColumns, Standardize
from assay.statistics import collect
from tests.contract.registry import blobs
from tests.noted import noted
from tests.raised import Expected, raises


def table(gaps: bool = False) -> Any:
    X = blobs(rows=50, width=4, seed=80)[0] * np.array([1.0, 1e4, 1e-4, 7.0]) + np.array(
        [0.0, 1e6, 5.0, -3.0]
    )
    if gaps:
        X[np.random.default_rng(0).random(X.shape) < 0.2] = np.nan
    return X


def test_zscores() -> None:
    X = table()
    np.testing.assert_allclose(
        Standardize(variance="ml").fit_transform(X), StandardScaler().fit_transform(X), rtol=1e-9, atol=1e-9
    )
    unbiased = Standardize().fit(X)
    np.testing.assert_allclose(unbiased.scale_, X.std(axis=0, ddof=1), rtol=1e-9)
    np.testing.assert_allclose(unbiased.center_, X.mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(unbiased.inverse_transform(unbiased.transform(X)), X, rtol=1e-9)


def test_ranges() -> None:
    X = table()
    ours = Standardize("range").fit(X)
    np.testing.assert_allclose(ours.transform(X), MinMaxScaler().fit_transform(X), rtol=1e-9, atol=1e-12)
    assert ours.transform(X).min() == 0.0 and ours.transform(X).max() == pytest.approx(1.0)


@pytest.mark.parametrize("step", [Standardize(), Standardize("range")], ids=repr)
def test_a_constant_column_becomes_zero(step: Any) -> None:
    X = table()
    X[:, 1] = 0.1
    scaled = step.fit_transform(X)
    np.testing.assert_allclose(scaled[:, 1], 0.0, atol=1e-12)
    assert np.isfinite(scaled).all() and step.scale_[1] == 1.0


def test_weighted_scores() -> None:
    X, weight = table(), np.random.default_rng(1).integers(0, 4, 50)
    repeated = np.repeat(X, weight, axis=0)
    for step in (Standardize(), Standardize(variance="ml"), Standardize("range")):
        weighted = step.fit(X, sample_weight=weight).transform(X)
        np.testing.assert_allclose(weighted, step.fit(repeated).transform(X), rtol=1e-9, atol=1e-9)


def test_a_single_row() -> None:
    for step in (Standardize(), Standardize("range")):
        assert step.fit_transform([[3.0, 4.0]]).tolist() == [[0.0, 0.0]]


@pytest.mark.parametrize("method", ["zscore", "range"])
def test_scaling_names_values_it_cannot_use(method: str) -> None:
    X = table()
    step = Standardize(method).fit(X)
    X[4, 2] = np.nan
    for call in (Standardize(method).fit, step.transform):
        with raises("N028", where="row 4, column 2"):
            call(X)
    X[4, 2] = np.inf
    for call in (Standardize(method).fit, step.transform):
        with raises("N026", where="row 4, column 2"):
            call(X)
    with raises("M023", owner="Standardize", name="method", value="rank"):
        Standardize("rank").fit(table())


@pytest.mark.parametrize("indicator", [False, True])
def test_imputed_means(indicator: bool) -> None:
    X = table(gaps=True)
    theirs = SimpleImputer(add_indicator=indicator, keep_empty_features=True)
    ours = Impute(indicator=indicator)
    np.testing.assert_allclose(ours.fit_transform(X), theirs.fit_transform(X), rtol=1e-10)
    fresh = table()
    fresh[0] = np.nan
    np.testing.assert_allclose(ours.transform(fresh), theirs.transform(fresh), rtol=1e-10)


def test_flags_only_for_columns_with_gaps_in_training() -> None:
    X = pd.DataFrame(table(), columns=list("abcd"))
    X.loc[3, "b"] = np.nan
    step = Impute(indicator=True).fit(X)
    assert step.get_feature_names_out().tolist() == ["a", "b", "c", "d", "missing_b"]
    later = X.copy()
    later.loc[5, "c"] = np.nan
    out = step.transform(later)
    assert out.shape == (50, 5)
    assert out[:, 4].sum() == 1.0 and out[3, 4] == 1.0
    assert out[5, 2] == pytest.approx(X["c"].mean())


def test_a_column_without_any_value() -> None:
    X = table()
    X[:, 3] = np.nan
    step = Impute().fit(X)
    assert (step.transform(X)[:, 3] == 0.0).all()
    assert len(step.diagnostics_) == 1 and noted(step.diagnostics_, "M404", column=3)


def test_imputing_names_infinite_values() -> None:
    X = table(gaps=True)
    step = Impute().fit(X)
    X[7, 1] = -np.inf
    with raises("N026", where="row 7, column 1"):
        Impute().fit(X)
    with raises("N026", where="row 7, column 1"):
        step.transform(X)


def test_columns_by_place_and_name() -> None:
    X = table()
    frame = pd.DataFrame(X, columns=list("abcd"))
    np.testing.assert_array_equal(SelectColumns([3, 1]).fit_transform(X), X[:, [3, 1]])
    np.testing.assert_array_equal(SelectColumns(["d", "b"]).fit_transform(frame), X[:, [3, 1]])
    np.testing.assert_array_equal(SelectColumns(np.array([0])).fit_transform(X), X[:, :1])
    np.testing.assert_array_equal(SelectColumns([1, 1]).fit_transform(X), X[:, [1, 1]])
    np.testing.assert_array_equal(SelectColumns().fit_transform(X), X)
    assert SelectColumns(["d", "b"]).fit(frame).get_feature_names_out().tolist() == ["d", "b"]
    assert SelectColumns([2]).fit(X).get_feature_names_out().tolist() == ["x2"]


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ([4], Expected("M708", column=4, last=3)),
        ([-1], Expected("M708", column=-1)),
        (["z"], Expected("M708", column="z")),
        ([], Expected("M072")),
        ("ab", Expected("M023", name="columns", value="ab")),
    ],
)
def test_columns_that_are_not_there(columns: Any, expected: Expected) -> None:
    with raises(expected):
        SelectColumns(columns).fit(table())


@pytest.mark.parametrize("form", ["diagonal", "pooled", "full"])
@pytest.mark.parametrize(
    "step", [Standardize(), Standardize(variance="ml"), SelectColumns([2, 0, 2])], ids=repr
)
def test_moments_behind_a_step_are_those_of_the_rows(step: Any, form: Any) -> None:
    X, y = blobs(rows=50, seed=81)
    codes = y.astype(np.int32)
    m = collect(X, codes, 3, form=form)[None]
    mapped = step.fold_map(m).moments(m)
    rows = collect(step.fit_transform(X), codes, 3, form=form)
    np.testing.assert_allclose(mapped.mean[0], rows.mean, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(mapped.scatter[0], rows.scatter, rtol=1e-9, atol=1e-9)
