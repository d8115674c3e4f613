"""The quadratic candidate: tried where products help and are few, left out with the reason where not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assay import Impute, KFold, LogisticRegression, OneHot, Standardize, TableClassifier, compare, evaluate
from assay.catalog import entry
from assay.charts.document import Figure
from assay.commands.compare.page import interpretation
from assay.commands.compare.page.context import PageContext
from assay.commands.explain.job import explain
from assay.data import Column, Schema, Table, read
from assay.models.table.build import build
from tests.raised import raises


def ring(rows: int = 200, gaps: float = 0.0) -> dict[str, Any]:
    """Classes inside and outside a circle, which no straight line tells apart."""
    rng = np.random.default_rng(3)
    a, b = rng.normal(5.0, 1.0, rows), rng.normal(-2.0, 1.0, rows)
    inside = (a - 5.0) ** 2 + (b + 2.0) ** 2 < 1.4
    return {
        "a": np.where(rng.random(rows) < gaps, np.nan, a),
        "b": b,
        "job": np.where(rng.random(rows) < 0.5, "paid", np.where(rng.random(rows) < 0.5, "none", "self")),
        "where": np.where(inside, "in", "out"),
    }


def test_products_are_tried_on_the_shared_path_and_told_in_the_report() -> None:
    found = compare(ring(), "where", candidates="logistic,quadratic", plan=KFold(5), progress=False)
    assert found.best_name == "quadratic" and found.omitted == {}
    straight, curved = (found.results[name] for name in ("logistic", "quadratic"))
    assert curved.strategy == "path" and curved.evaluation.error < 0.1 < straight.evaluation.error
    section = interpretation.interpretation_section(PageContext(found))
    assert section is not None
    (shown,) = [part for part in section.parts if isinstance(part, Figure)]
    assert shown.key == "weights" and "a^2" in shown.says and "b^2" in shown.says


def test_a_table_without_numbers_and_one_with_too_many_are_left_out_by_name() -> None:
    rng = np.random.default_rng(0)
    y = np.array(["no", "yes"])[np.arange(60) % 2]
    wide: dict[str, Any] = {f"c{j:02}": rng.normal(size=60) for j in range(40)}
    found = compare({**wide, "y": y}, "y", candidates="baseline,quadratic", plan=KFold(3), progress=False)
    assert found.omitted == {
        "quadratic": "The 40 numeric columns have 820 squares and products; at most 500 are tried. Drop columns, "
        "or fit the model by name."
    }
    levels = {"job": rng.choice(["p", "q", "r"], 60), "y": y}
    with raises("C156"):
        compare(levels, "y", candidates="quadratic", plan=KFold(3), progress=False)


def test_an_omission_is_told_again_when_a_run_is_resumed(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    table = {"job": rng.choice(["p", "q", "r"], 60), "y": np.array(["no", "yes"])[np.arange(60) % 2]}
    options: dict[str, Any] = {
        "candidates": "baseline,quadratic", "plan": KFold(3), "progress": False, "out": tmp_path / "run"
    }  # fmt: skip
    first = compare(table, "y", **options)
    again = compare(table, "y", resume=True, **options)
    assert list(first.omitted) == ["quadratic"] and again.omitted == first.omitted


def test_with_gaps_folds_are_those_of_refits() -> None:
    table = read(ring(120, gaps=0.15), target="where")
    model = build(entry("quadratic"), {"l2": 0.01}).encoded(table.without("where"))
    X, y = model.design(table.without("where")), table.labels("where")
    assert np.isnan(X).any() and "missing_a" in model.design_names_.tolist()
    shared = evaluate(model.matrix_estimator(), X, y, KFold(5))
    rows = np.arange(len(y))
    splits = [(np.setdiff1d(rows, rows[shared.split == f]), rows[shared.split == f]) for f in range(5)]
    assert shared.strategy == "path"
    for train, test in splits:
        alone = build(entry("quadratic"), {"l2": 0.01}).encoded(table.without("where")).matrix_estimator()
        alone.fit(X[train], y[train])
        assert shared.posterior[test] == pytest.approx(alone.predict_proba(X[test]), abs=1e-6)


def test_the_columns_are_levels_flags_squares_and_products() -> None:
    schema = Schema(
        (Column("a", "numeric", missing=1), Column("on", "binary", ("n", "y")), Column("b", "numeric"))
    )
    columns = {
        "a": np.array([2.0, np.nan]),
        "on": np.array([1, 0], dtype=np.int32),
        "b": np.array([3.0, 5.0]),
    }
    encoder = OneHot(products=True).fit(Table(schema, columns))
    names = ["a", "on=y", "b", "missing_a", "a^2", "a b", "b^2"]
    assert encoder.get_feature_names_out().tolist() == names and encoder.n_features_out_ == 7
    nan = np.nan
    expected = [[2.0, 1.0, 3.0, 0.0, 4.0, 6.0, 9.0], [nan, 0.0, 5.0, 1.0, nan, nan, 25.0]]
    np.testing.assert_array_equal(encoder.transform(Table(schema, columns)), expected)


def test_products_beyond_memory_are_refused_before_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    table = read(ring()).without("where")
    encoder = OneHot(products=True).fit(table)
    monkeypatch.setenv("ASSAY_MEMORY", "10KB")
    with raises("M066", n_products=3, n_numeric=2, n_rows=200):
        encoder.transform(table)


def test_a_column_has_no_share_of_its_own() -> None:
    table = read(ring(), target="where")
    model = TableClassifier(OneHot(products=True), [Impute(), Standardize()], LogisticRegression(l2=0.01))
    model.fit(table, target="where")
    with raises("M108"):
        explain(model, table, [0])
