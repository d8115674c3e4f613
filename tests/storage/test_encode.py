"""A model file keeps how numbers and dates were written, so that a prediction reads them alike."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import assay
from assay import GaussianClassifier, Impute, OneHot
from assay.models.table.table_classifier import TableClassifier
from tests.raised import raises
from tests.storage.stored import rezip, saved, unzip

ROWS = 60


def european(path: Path) -> Path:
    rng = np.random.default_rng(0)
    y = np.arange(ROWS) % 2
    lines = ["price;day;kind"]
    for label in y:
        price = f"{1000 * label + rng.uniform(900, 1100):,.2f}".translate(str.maketrans(",.", ".,"))
        lines.append(f"{price} €;{rng.integers(1, 29):02}.{rng.integers(1, 13):02}.2024;{'ab'[label]}")
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def model(tmp_path: Path) -> TableClassifier:
    made = TableClassifier(OneHot(), [Impute()], GaussianClassifier("shared"))
    return made.fit(str(european(tmp_path / "learn.csv")), target="kind")


def test_a_loaded_model_reads_like_the_fitted_one(model: TableClassifier, tmp_path: Path) -> None:
    assert [(c.name, c.written) for c in model.schema_] == [("price", "1.234,5 €"), ("day", "dd.mm.yyyy")]
    loaded = assay.load(assay.save(model, tmp_path / "model.assay"))
    assert loaded.schema_ == model.schema_
    new = tmp_path / "new.csv"
    new.write_text("price;day\n2.000 €;01.02.2024\n999,5 €;1.2.2024\n")
    assert loaded.predict(str(new)).tolist() == ["b", "a"]
    np.testing.assert_array_equal(loaded.predict_proba(str(new)), model.predict_proba(str(new)))
    plain = {"price": [2000.0, 999.5], "day": ["01.02.2024", "01.02.2024"]}
    np.testing.assert_array_equal(loaded.predict_proba(plain), model.predict_proba(str(new)))
    new.write_text("price;day\n2000.50 €;01.02.2024\n")
    with raises("D700", place="line 2", source="new.csv", value="2000.50 €"):
        loaded.predict(str(new))


@pytest.mark.parametrize("written", ['"1,234,5"', '"dd.mm"', "7", "null"])
def test_a_way_of_writing_that_does_not_exist_is_damage(
    model: TableClassifier, tmp_path: Path, written: str
) -> None:
    header, members = unzip(saved(model, tmp_path))
    text = json.dumps(header)
    assert '"dd.mm.yyyy"' in text
    changed = json.loads(text.replace('"written": "dd.mm.yyyy"', f'"written": {written}'))
    path = tmp_path / "changed.assay"
    path.write_bytes(rezip(changed, members))
    with raises("F088", damage="column 'day' of its schema is not one that a table has"):
        assay.load(path)
