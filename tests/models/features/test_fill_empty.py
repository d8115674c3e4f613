"""Columns without a value in training are constant, and nothing else changes."""

from __future__ import annotations

import numpy as np

from assay.catalog import entry
from assay.data import Column, Schema, Table
from assay.models.features.fill_empty import FillEmpty
from assay.models.table.build import build
from tests.noted import noted

NAN = np.nan


def test_only_empty_columns_are_filled() -> None:
    X = np.array([[1.0, NAN, NAN], [NAN, NAN, 2.0]])
    step = FillEmpty().fit(X)
    assert step.empty_.tolist() == [1]
    np.testing.assert_array_equal(step.transform(X), [[1.0, 0.0, NAN], [NAN, 0.0, 2.0]])
    np.testing.assert_array_equal(step.transform(X[:, [0, 2, 1]] * 5), [[5.0, 0.0, NAN], [NAN, 0.0, NAN]])
    assert np.isnan(X[0, 1])  # the caller's rows are left alone


def test_rows_without_such_columns_pass_uncopied() -> None:
    X = np.array([[1.0, NAN], [NAN, 2.0]])
    assert np.shares_memory(FillEmpty().fit(X).transform(X), X)


def test_boosting_says_which_column_it_could_not_look_at() -> None:
    rng = np.random.default_rng(0)
    schema = Schema((Column("size", "numeric"), Column("lost", "numeric")))
    table = Table(schema, {"size": rng.normal(size=60), "lost": np.full(60, NAN)})
    y = (table["size"] > 0).astype(int)
    model = build(entry("gradient_boosting")).fit(table, y)
    assert noted(model.diagnostics_, "M405", column="lost")
    again = Table(schema, {"size": table["size"], "lost": rng.normal(size=60)})
    assert np.array_equal(model.predict_proba(again), model.predict_proba(table))
