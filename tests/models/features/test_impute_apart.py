"""Diagonal models behind Impute: diagonal moments serve them, in size too, whatever is missing where."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import (
    GaussianClassifier,
    GaussianNB,
    Impute,
    KFold,
    Standardize,
    TableClassifier,
    evaluate,
    load,
    save,
)
from assay.catalog import entry
from assay.models.table.build import build
from assay.models.table.partial_fit import Gathered
from assay.sharing.settings import model_of, steps_of
from assay.sharing.steps import form_behind
from assay.statistics import Filling, collect
from tests.models.features.mixed import mixed
from tests.models.table.classifiers import linear
from tests.sharing.tables import assert_same, refitted

MODELS = [
    linear(GaussianClassifier("shared_spherical"), Standardize()),
    linear(GaussianClassifier("diagonal", blend=0.5), Standardize()),
    linear(GaussianClassifier("spherical")),
    TableClassifier(linear(None).encoder, [Impute()], GaussianNB(variance_floor=1e-3)),
]


def by_rows(model: TableClassifier, table: Any, y: Any, weight: Any = None) -> Any:
    """The same parts fitted to rows, one after the other."""
    estimator = model.encoded(table).matrix_estimator()
    names = [name for name, _ in estimator.steps]
    weights = {} if weight is None else {f"{name}__sample_weight": weight for name in names}
    return estimator.fit(model.design(table), y, **weights)


@pytest.mark.parametrize("model", MODELS, ids=lambda m: str(m.estimator)[:60])
@given(
    seed=st.integers(0, 10**6),
    gaps=st.booleans(),
    weighted=st.booleans(),
    cuts=st.lists(st.integers(1, 159), max_size=3),
)
@settings(max_examples=20, deadline=None)
def test_blocks_are_the_rows(
    model: TableClassifier, seed: int, gaps: bool, weighted: bool, cuts: list[int]
) -> None:
    table, y = mixed(seed=seed, gaps=gaps)
    weight = np.random.default_rng(seed).integers(0, 3, 160) * 0.7 if weighted else np.ones(160)
    ends = sorted({0, 160, *cuts})
    weight[ends[:-1]] = 1.0  # a block in which no row counts is refused
    parts = [np.arange(a, b) for a, b in zip(ends, ends[1:], strict=False)]
    blocks = [(table.take(rows), y[rows], weight[rows]) for rows in parts]
    fitted = model.fit_blocks(blocks, classes=[0, 1, 2])
    assert fitted._gathered.moments.form == "diagonal"
    theirs = by_rows(model, table, y, weight)
    design = fitted.design(table)
    np.testing.assert_allclose(
        fitted.predict_proba(table), theirs.predict_proba(design), rtol=1e-8, atol=1e-12
    )
    np.testing.assert_allclose(
        fitted.steps_and_model_[0].means_, theirs.steps[0][1].means_, rtol=1e-10, atol=1e-12
    )


def test_a_class_without_a_value_and_a_column_without_any() -> None:
    rng = np.random.default_rng(1)
    y = np.arange(60) % 3
    X = rng.normal(size=(60, 4)) + y[:, None]
    X[y == 2, 1] = np.nan
    X[:, 3] = np.nan
    X[7, 0] = np.nan
    model = TableClassifier(linear(None).encoder, [Impute(indicator=True)], GaussianClassifier("diagonal"))
    for classes in ([0, 1, 2], [0, 1, 2, 9]):
        fitted = model.fit_blocks([(X[:20], y[:20]), (X[20:], y[20:])], classes=classes)
        theirs = by_rows(model, X, y)
        proba = fitted.predict_proba(X)[:, :3]
        np.testing.assert_allclose(proba, theirs.predict_proba(fitted.design(X)), rtol=1e-8, atol=1e-12)


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("model", MODELS[:3], ids=lambda m: str(m.estimator)[:60])
def test_folds_are_the_refits(model: TableClassifier, gaps: bool) -> None:
    table, y = mixed(gaps=gaps)
    estimator = model.encoded(table).matrix_estimator()
    X = model.design(table)
    found = evaluate(estimator, X, y, KFold(5))
    assert found.strategy == "statistics"
    assert_same(found, refitted(estimator, X, y, KFold(5)))


def test_without_gaps_no_products_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """600 columns in full form would take hundreds of megabytes for ten folds, and are not to be had here."""
    rng = np.random.default_rng(0)
    y = np.arange(80) % 2
    X = rng.normal(size=(80, 600)) + 0.2 * y[:, None]
    model = linear(GaussianClassifier("shared_spherical"), Standardize())
    estimator = model.encoded(X).matrix_estimator()
    steps, form = steps_of(estimator), model_of(estimator).moments_form
    assert [form_behind(steps, form, gaps) for gaps in (False, True)] == ["diagonal", "full"]
    monkeypatch.setenv("ASSAY_MEMORY", "20MB")
    found = evaluate(estimator, X, y, KFold(10))
    assert found.strategy == "statistics"
    assert_same(found, refitted(estimator, X, y, KFold(10)))
    X[0, 0] = np.nan
    assert evaluate(estimator, X, y, KFold(10)).strategy == "refit"


@pytest.mark.parametrize("gaps", [False, True])
def test_a_saved_nearest_mean_is_as_large_as_its_means(tmp_path: Path, gaps: bool) -> None:
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 400)) + 0.2 * y[:, None]
    if gaps:
        X[::7, ::5] = np.nan
    model = build(entry("nearest_mean")).fit(X, y)
    path = save(model, tmp_path / "near.assay")
    assert path.stat().st_size < 400_000  # the products of 400 columns would take 2.5 MB
    again = load(path)
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    more = again.partial_fit(X[:30] + 0.1, y[:30])
    both, labels = np.concatenate([X, X[:30] + 0.1]), np.concatenate([y, y[:30]])
    np.testing.assert_allclose(
        more.predict_proba(X), by_rows(more, both, labels).predict_proba(more.design(X)), rtol=1e-7
    )


def test_files_that_kept_products_go_on_learning(tmp_path: Path) -> None:
    """Earlier versions kept full moments with flags for these models."""
    table, y = mixed()
    first, rest = np.arange(100), np.arange(100, 160)
    model = linear(GaussianClassifier("shared_spherical"), Standardize())
    model.fit(table.take(first), y[first])
    X = model.design(table.take(first))
    flags = model._gathered.filling.indicators
    filling = Filling(model._gathered.filling.values, flags)
    codes = y[first].astype(np.int32)
    model._gathered = Gathered(model.classes_, collect(X, codes, 3, form="full", filling=filling), filling)
    assert model._gathered.moments.center.shape[-1] == X.shape[1] + len(flags)
    again = load(save(model, tmp_path / "old.assay"))
    assert again._gathered.moments.form == "full"
    again.partial_fit(table.take(rest), y[rest])
    theirs = by_rows(again, table, y)
    np.testing.assert_allclose(
        again.predict_proba(table), theirs.predict_proba(again.design(table)), rtol=1e-8, atol=1e-12
    )
