"""Moments of training sets combined from cells: as if they had been collected from the rows themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assay.statistics import Extremes, collect, collect_extremes
from assay.statistics.moments import Moments

FORMS = ["diagonal", "pooled", "full"]
CELLS, ROWS, CLASSES = 5, 200, 3


def drift(rng: Any) -> Any:
    return rng.normal(size=(ROWS, 4)) + np.linspace(0, 1e6, ROWS)[:, None]


def outlier(rng: Any) -> Any:
    X = rng.normal(size=(ROWS, 4))
    X[0] = 1e12
    return X


def far_classes(rng: Any) -> Any:
    return rng.normal(size=(ROWS, 4)) + 1e8 * (np.arange(ROWS) % CLASSES)[:, None]


TABLES = {
    "plain": lambda rng: rng.normal(size=(ROWS, 4)) + [5, -100, 0, 3],
    "outlier": outlier,
    "drift": drift,
    "far classes": far_classes,
}


def layout(rng: Any) -> tuple[Any, Any, Any]:
    codes = (np.arange(ROWS) % CLASSES).astype(np.int32)
    cell = np.sort(rng.integers(-1, CELLS, ROWS)).astype(np.int32)
    cell[0] = 0
    copies = np.concatenate(
        [1 - np.eye(CELLS), np.eye(CELLS), rng.integers(0, 4, (6, CELLS)) + np.eye(6, CELLS)]
    )
    return codes, cell, copies.astype(np.uint16)


def assert_equal(found: Moments, wanted: Moments, tolerance: float = 5e-12) -> None:
    assert found.weight == pytest.approx(wanted.weight, rel=1e-13)
    assert found.rows == pytest.approx(wanted.rows)
    unit = np.sqrt(np.maximum(wanted.within_diagonal(), 1e-300) / wanted.weight.sum())
    there = (wanted.feature_weight() > 0).all(axis=-1)
    apart = ((found.center - wanted.center) + (found.offset - wanted.offset))[there]
    assert (np.abs(apart) <= tolerance * np.maximum(unit, np.abs(wanted.mean[there]) * 4e-4)).all()
    size = np.sqrt(np.abs(wanted.scatter.diagonal(axis1=-2, axis2=-1))) if wanted.form != "diagonal" else None
    bound = np.abs(wanted.scatter) if size is None else size[..., :, None] * size[..., None, :]
    assert (np.abs(found.scatter - wanted.scatter) <= tolerance * bound).all()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("table", TABLES)
def test_sets_of_cells_are_those_of_their_rows(table: str, form: Any, weighted: bool) -> None:
    rng = np.random.default_rng(0)
    X, (codes, cell, copies) = TABLES[table](rng), layout(rng)
    weight = rng.integers(0, 3, ROWS).astype(float) if weighted else None
    cells = collect(X, codes, CLASSES, form=form, group=cell, n_groups=CELLS, weight=weight)
    found = cells.combined(copies)
    for m, seen in enumerate(copies):
        rows = np.repeat(np.arange(ROWS), np.where(cell >= 0, seen[np.maximum(cell, 0)], 0))
        own = None if weight is None else weight[rows]
        assert_equal(found[m], collect(X[rows], codes[rows], CLASSES, form=form, weight=own))


def test_values_that_are_missing_are_skipped() -> None:
    rng = np.random.default_rng(1)
    X, (codes, cell, copies) = TABLES["plain"](rng), layout(rng)
    X[rng.random(X.shape) < 0.2] = np.nan
    X[codes == 1, 2] = np.nan  # a class that never shows a value
    cells = collect(X, codes, CLASSES, form="diagonal", group=cell, n_groups=CELLS, missing=True)
    found = cells.combined(copies)
    for m, seen in enumerate(copies):
        rows = np.repeat(np.arange(ROWS), np.where(cell >= 0, seen[np.maximum(cell, 0)], 0))
        wanted = collect(X[rows], codes[rows], CLASSES, form="diagonal", missing=True)
        assert found[m].feature_weight() == pytest.approx(wanted.feature_weight())
        assert found[m].mean == pytest.approx(wanted.mean, rel=1e-12, abs=1e-12)
        assert found[m].scatter == pytest.approx(wanted.scatter, rel=1e-11, abs=1e-11)


@pytest.mark.parametrize("form", FORMS)
def test_a_class_that_a_set_lacks_weighs_nothing(form: Any) -> None:
    rng = np.random.default_rng(2)
    X, codes = rng.normal(size=(60, 3)) + 7, np.repeat(np.arange(3), 20).astype(np.int32)
    cells = collect(X, codes, 3, form=form, group=codes, n_groups=3)
    found = cells.combined(1 - np.eye(3))
    assert (found.weight == 20 * (1 - np.eye(3))).all()
    assert np.isfinite(found.mean).all() and (found.mean[[0, 1, 2], [0, 1, 2]] == 0).all()
    if form != "pooled":
        assert (found.scatter[[0, 1, 2], [0, 1, 2]] == 0).all()


@pytest.mark.parametrize("form", FORMS)
def test_hundreds_of_cells_are_merged_from_both_ends(form: Any) -> None:
    rng = np.random.default_rng(3)
    X, codes = TABLES["drift"](rng), (np.arange(ROWS) % CLASSES).astype(np.int32)
    cell = (np.arange(ROWS) * 100 // ROWS).astype(np.int32)
    cells = collect(X, codes, CLASSES, form=form, group=cell, n_groups=100)
    found = cells.combined(1 - np.eye(100))
    for m in (0, 37, 99):
        assert_equal(found[m], collect(X[cell != m], codes[cell != m], CLASSES, form=form))


def test_extremes_of_sets_are_those_of_their_rows() -> None:
    rng = np.random.default_rng(4)
    X, (_, cell, copies) = TABLES["plain"](rng), layout(rng)
    X[rng.random(X.shape) < 0.2] = np.nan
    weight = rng.integers(0, 2, ROWS).astype(float)
    found = collect_extremes(X, cell, CELLS, weight).combined(copies)
    for m, seen in enumerate(copies):
        rows = np.flatnonzero((np.where(cell >= 0, seen[np.maximum(cell, 0)], 0) > 0) & (weight > 0))
        assert np.array_equal(found.low[m], np.nanmin(X[rows], axis=0))
        assert np.array_equal(found.high[m], np.nanmax(X[rows], axis=0))
    nothing = collect_extremes(X, cell, CELLS, weight).combined(np.zeros((1, CELLS)))
    assert np.isnan(nothing.low).all() and isinstance(nothing, Extremes)
