"""Densities of the classes along a column."""

from __future__ import annotations

import numpy as np
import pytest

from assay.data import Column, Schema, Table
from assay.models.inspection.class_densities import (
    correlation_ratio,
    densities,
    smoothed,
)


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
    assert found[0].correlation_ratio > 0.8
    assert correlation_ratio(columns["noise"], codes, 3) < 0.1
