"""What a model uses: weights, densities, importances."""

from __future__ import annotations

import numpy as np
import pytest

from assay.data import Column, Schema, Table
from assay.models.inspection.permutation_importance import (
    densities,
    held_out,
    importances,
    linear_weights,
    smoothed,
    telling,
)


def test_weights_are_ordered_by_effect() -> None:
    found = linear_weights(np.array([[1.0, -3.0, 0.0]]), np.array([10.0, 1.0, 5.0]), ["a", "b", "c"])
    assert found.columns == ["a", "b"]
    assert found.effects.tolist() == [[10.0, -3.0]]


def test_what_all_classes_share_is_no_effect() -> None:
    coef = np.array([[5.0, 1.0], [5.0, -1.0], [5.0, 0.0]])
    found = linear_weights(coef, np.ones(2), ["a", "b"])
    assert found.columns == ["b"]
    assert found.weights[:, 0].tolist() == [1.0, -1.0, 0.0]


def test_a_density_integrates_to_one() -> None:
    values = np.random.default_rng(0).normal(3.0, 2.0, size=5000)
    grid = np.linspace(-9, 15, 400)
    density = smoothed(values, grid)
    assert np.trapezoid(density, grid) == pytest.approx(1.0, abs=1e-3)
    assert density.max() == pytest.approx(1 / (2 * np.sqrt(2 * np.pi)), rel=0.1)
    assert not smoothed(np.ones(5), grid).any()


def test_the_telling_column_comes_first() -> None:
    draw = np.random.default_rng(0)
    codes = (np.arange(300) % 3).astype(np.int32)
    columns = {
        "noise": draw.normal(size=300),
        "signal": 5.0 * codes + draw.normal(size=300),
        "flat": np.ones(300),
    }
    columns["noise"][::9] = np.nan
    rows = Table(Schema(tuple(Column(name, "numeric") for name in columns)), columns)
    found = densities(rows, codes, 3)
    assert [each.column for each in found][:1] == ["signal"]
    assert "flat" not in [each.column for each in found]
    assert found[0].telling > 0.8
    assert telling(columns["noise"], codes, 3) < 0.1


def test_held_out_rows_are_a_third_of_each_class() -> None:
    codes = np.repeat(np.arange(2), [30, 300]).astype(np.int32)
    train, test = held_out(codes, 0)
    assert not set(train) & set(test) and len(train) + len(test) == 330
    assert np.bincount(codes[test]).tolist() == [10, 100]


def test_shuffling_the_column_that_decides_raises_the_error() -> None:
    draw = np.random.default_rng(0)
    a, b = draw.normal(size=400), draw.normal(size=400)
    rows = Table(Schema((Column("b", "numeric"), Column("a", "numeric"))), {"a": a, "b": b})
    found = importances(lambda t: t["a"] > 0, rows, a > 0, 1, rows.schema.names)
    assert [each.column for each in found] == ["a", "b"]
    assert found[0].rise == pytest.approx(0.5, abs=0.06)
    assert found[0].low < found[0].rise < found[0].high
    assert found[1].rise == 0.0


def test_columns_that_the_model_does_not_look_at_are_not_asked_about() -> None:
    a = np.random.default_rng(0).normal(size=50)
    rows = Table(Schema((Column("b", "numeric"), Column("a", "numeric"))), {"a": a, "b": a})
    assert [each.column for each in importances(lambda t: t["a"] > 0, rows, a > 0, 1, ["a"])] == ["a"]
