"""Every catalogued candidate on typed tables: the checks are chosen by what the entry says it can do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from sklearn.base import clone

from assay import catalog, load, save
from assay.catalog import ModelCard
from assay.data import MISSING, UNSEEN, Table
from assay.models.table.build import build
from tests.contract.typed_tables import table_for

LABELS: dict[str, list[Any]] = {
    "text": ["añejo", "bad one", "zz"],
    "integers": [-3, 0, 70_000],
    "numbers": [1.0, 2.0, 3.0],
}
EACH = pytest.mark.parametrize("entry", catalog.cards(), ids=lambda entry: entry.name)


def scores(model: Any, table: Table) -> np.ndarray[Any, Any]:
    return np.asarray(
        model.predict_proba(table) if hasattr(model, "predict_proba") else model.decision_function(table)
    )


@EACH
@pytest.mark.parametrize("kind", LABELS)
def test_labels_of_any_type_come_back(entry: ModelCard, kind: str) -> None:
    table, y = table_for(entry)
    labels = np.array(LABELS[kind])[y]
    model = build(entry).fit(table, labels)
    assert model.classes_.tolist() == LABELS[kind]
    predicted = model.predict(table)
    assert set(predicted.tolist()) <= set(LABELS[kind])
    assert (predicted == labels).mean() >= (0.3 if entry.name == "baseline" else 0.5)


@EACH
def test_posteriors_are_there_if_and_only_if_promised(entry: ModelCard) -> None:
    table, y = table_for(entry)
    model = build(entry).fit(table, y)
    assert hasattr(model, "predict_proba") == ("posterior" in entry.capabilities)
    if "posterior" in entry.capabilities:
        assert model.predict_proba(table).sum(axis=1) == pytest.approx(1.0)
        assert model.decide(table, loss=1.0 - np.eye(3)).labels.tolist() == model.predict(table).tolist()


@EACH
def test_every_setting_learns(entry: ModelCard) -> None:
    table, y = table_for(entry)
    for setting in entry.settings():
        found = scores(build(entry, setting).fit(table, y), table)
        assert np.isfinite(found).all()


@EACH
def test_the_same_twice_and_after_clone(entry: ModelCard) -> None:
    table, y = table_for(entry)
    model = build(entry, random_state=7).fit(table, y)
    again = clone(build(entry, random_state=7)).fit(table, y)
    assert np.array_equal(scores(model, table), scores(again, table))


@EACH
def test_columns_in_another_order_give_the_same(entry: ModelCard) -> None:
    table, y = table_for(entry)
    model = build(entry).fit(table, y)
    turned = table.select(tuple(reversed(table.schema.names)))
    assert np.array_equal(model.predict(turned), model.predict(table))


@EACH
def test_unseen_levels_and_new_gaps_never_crash(entry: ModelCard) -> None:
    table, y = table_for(entry, gaps=False)
    model = build(entry).fit(table, y)
    columns = {name: np.array(table[name]) for name in table.schema.names}
    for column in table.schema:
        if column.type == "text":
            gone = [None] * 20 + [""] * 20 + ["unheard of"] * 20
            columns[column.name] = pa.array([*gone, *table[column.name].to_pylist()[60:]])
            continue
        columns[column.name][:40] = UNSEEN if column.levels else np.nan
        columns[column.name][40:60] = MISSING if column.levels else np.nan
    found = scores(model, Table(table.schema, columns))
    assert np.isfinite(found).all()


@EACH
def test_one_row_at_a_time_is_the_same_as_all(entry: ModelCard) -> None:
    table, y = table_for(entry)
    model = build(entry).fit(table, y)
    alone = np.concatenate([model.predict(table.take([i])) for i in range(0, 150, 10)])
    assert np.array_equal(alone, model.predict(table)[::10])


@EACH
def test_integer_weights_are_repeated_rows(entry: ModelCard) -> None:
    table, y = table_for(entry)
    if not {"statistics", "counts"} & entry.capabilities:
        return  # trees draw and break ties by position: a weight is not a repetition there
    weight = np.random.default_rng(0).integers(1, 4, len(y))
    weighted = build(entry).fit(table, y, sample_weight=weight.astype(float))
    rows = np.repeat(np.arange(len(y)), weight)
    repeated = build(entry).fit(table.take(rows), y[rows])
    assert scores(weighted, table) == pytest.approx(scores(repeated, table), abs=1e-7)


@EACH
def test_saved_and_loaded_it_predicts_the_same(entry: ModelCard, tmp_path: Path) -> None:
    table, y = table_for(entry)
    model = build(entry).fit(table, np.array(LABELS["text"])[y], target="kind")
    loaded = load(save(model, tmp_path / "model.assay"))
    assert np.array_equal(scores(loaded, table), scores(model, table))
    assert loaded.target_ == "kind" and loaded.schema_ == model.schema_
