"""Permutation importance on held-out rows."""

from __future__ import annotations

import numpy as np
import pytest

from assay.data import Column, Schema, Table
from assay.models.inspection.permutation_importance import (
    held_out,
    importances,
)


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
