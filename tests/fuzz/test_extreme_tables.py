"""Every candidate of the catalog on tables that are legal and unkind: posteriors, or one sentence."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay import KFold, catalog, evaluate
from assay.data import MISSING, Column, Schema, Table
from assay.models.table.build import build
from tests.fuzz.answers import one_sentence, posteriors

SLOW = ("random_forest", "gradient_boosting")
# Models of words read texts alone; tests/fuzz/test_extreme_texts.py is theirs.
OF_TABLES = tuple(each.name for each in catalog.cards() if not each.reads_words)
SMALL = {"random_forest": {"n_estimators": 3}, "gradient_boosting": {"max_iter": 2}}


def constant_in_a_class(values: Any, y: Any, rng: Any) -> Any:
    return np.where(y == 1, 3.0, values)


def same_in_every_row(values: Any, y: Any, rng: Any) -> Any:
    return np.full(len(y), 0.1)


def far_away(values: Any, y: Any, rng: Any) -> Any:
    return values + 1e8


def tells_the_class(values: Any, y: Any, rng: Any) -> Any:
    return y.astype(np.float64)


def one_outlier(values: Any, y: Any, rng: Any) -> Any:
    return np.where(np.arange(len(y)) == 0, 1e12, values)


def mostly_missing(values: Any, y: Any, rng: Any) -> Any:
    return np.where(rng.random(len(y)) < 0.9, np.nan, values)


def missing_in_a_class(values: Any, y: Any, rng: Any) -> Any:
    return np.where(y == 0, np.nan, values)


def tiny(values: Any, y: Any, rng: Any) -> Any:
    return values * 1e-30


def huge(values: Any, y: Any, rng: Any) -> Any:
    return values * 1e30


def as_it_is(values: Any, y: Any, rng: Any) -> Any:
    return values


KINDS = (
    as_it_is, constant_in_a_class, same_in_every_row, far_away, tells_the_class, one_outlier, mostly_missing,
    missing_in_a_class, tiny, huge,
)  # fmt: skip


@st.composite
def unkind(draw: Any) -> tuple[Table, Any]:
    """Columns of several unkind kinds, some twice, and a level that one row has; the last class has two rows."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rows, classes = draw(st.integers(12, 40)), draw(st.integers(2, 4))
    y = np.sort(np.append(rng.integers(0, classes - 1, rows - 2), [classes - 1] * 2))
    arrays: dict[str, Any] = {}
    for j, kind in enumerate(draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=5))):
        arrays[f"c{j}"] = kind(rng.normal(size=rows) + 0.5 * y, y, rng)
        if draw(st.booleans()):
            arrays[f"again{j}"] = arrays[f"c{j}"].copy()
    columns = [
        Column(name, "numeric", missing=int(np.isnan(values).sum())) for name, values in arrays.items()
    ]
    if draw(st.booleans()):
        arrays["level"] = np.where(np.arange(rows) == 0, 2, rng.integers(0, 2, rows)).astype(np.int32)
        arrays["level"][1] = MISSING
        columns.append(Column("level", "categorical", ("a", "b", "c"), missing=1))
    order = rng.permutation(rows)
    table = Table(Schema(tuple(columns)), {name: values[order] for name, values in arrays.items()})
    return table, np.array(["p", "q", "r", "s"])[y[order]]


@pytest.mark.parametrize("name", OF_TABLES)
@given(data=st.data())
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_posteriors_or_one_sentence(name: str, data: Any) -> None:
    table, y = data.draw(unkind())
    entry = catalog.entry(name)
    setting = data.draw(st.sampled_from(entry.settings())) | SMALL.get(name, {})
    model = build(entry, setting)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", module="sklearn")
            model.fit(table, y)
    except ValueError as error:
        if not entry.foreign:  # the words of others are theirs; a comparison says who spoke
            one_sentence(error)
        return
    assert set(model.predict(table)) <= set(y)
    if "posterior" in entry.capabilities:
        posteriors(model.predict_proba(table))
    else:
        assert np.isfinite(model.decision_function(table)).all()
    assert all(isinstance(note, str) and note.endswith(".") for note in model.diagnostics_)


@pytest.mark.parametrize("name", [each for each in OF_TABLES if each not in SLOW])
@given(data=st.data())
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_every_fold_gives_posteriors_or_one_sentence(name: str, data: Any) -> None:
    table, y = data.draw(unkind())
    entry = catalog.entry(name)
    model = build(entry, data.draw(st.sampled_from(entry.settings()))).encoded(table)
    try:
        found = evaluate(model.matrix_estimator(), model.design(table), y, KFold(2))
    except ValueError as error:
        one_sentence(error)
        return
    if found.probabilistic:
        posteriors(found.posterior)
    assert np.isfinite(found.tested.scores[found.tested.scores > -np.inf]).all()
    assert 0.0 <= found.error <= 1.0


@pytest.mark.parametrize(
    "name", [each for each in OF_TABLES if each not in (*SLOW, "poisson_nb")]
)  # counts alone
def test_ordinary_difficulties_are_never_refused(name: str) -> None:
    """All the unkind columns at once that have values enough: a model, not a sentence."""
    rng = np.random.default_rng(3)
    y = np.append(np.arange(58) % 2, [2, 2])
    kinds = [kind for kind in KINDS if kind is not same_in_every_row]
    arrays = {kind.__name__: kind(rng.normal(size=60) + 0.5 * y, y, rng) for kind in kinds}
    arrays["twin"] = arrays["far_away"].copy()
    model = build(catalog.entry(name)).fit(arrays, y)
    assert set(model.predict(arrays)) <= {0, 1, 2}
    assert (model.predict(arrays) == y).mean() >= (29 / 60 if name == "baseline" else 0.8)
