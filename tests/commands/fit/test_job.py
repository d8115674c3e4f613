"""Fitting from a source: block by block equals all at once, and nothing secret is kept."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy as np
import pytest

from assay.catalog import entry
from assay.commands.evaluate.job import evaluate_model
from assay.commands.fit.job import FitRequest, fit_and_save, fit_in_memory, fit_streaming
from assay.commands.predict.job import Predictions
from assay.data import read
from assay.data.sources.database_address import source_name
from assay.models.table.build import build
from assay.storage.model_file import describe_file, load
from tests.raised import raises


def quiet(doing: str, share: float) -> None:
    return None


def table(n: int = 40_000) -> dict[str, list[object]]:
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=n)
    return {
        "x": rng.normal(y, 1.0).tolist(),
        "z": [None if i % 50 == 0 else value for i, value in enumerate(rng.normal(size=n).tolist())],
        "job": np.array(["none", "paid", "self"])[(y + rng.integers(2, size=n)) % 3].tolist(),
        "y": [None if i % 97 == 0 else "ab"[k] for i, k in enumerate(y)],
    }


@pytest.mark.parametrize("name", ["gaussian_nb", "gaussian_shared", "least_squares"])
def test_blocks_give_what_all_rows_give(name: str) -> None:
    source = table()
    streamed, n_streamed, told = fit_streaming(
        FitRequest(build(entry(name)), entry(name), source, "y", quiet)
    )
    whole, n_whole, also_told = fit_in_memory(FitRequest(build(entry(name)), entry(name), source, "y", quiet))
    assert n_streamed == n_whole and "413" in told[0] and "413" in also_told[0]
    rows = read(source)
    for method in ("predict_proba", "decision_function"):
        if hasattr(whole, method):
            expected = getattr(whole, method)(rows)
            assert np.allclose(getattr(streamed, method)(rows), expected, rtol=1e-8, atol=1e-8)


def test_a_database_password_is_not_kept(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "shop.db") as base:
        base.execute("CREATE TABLE visits (x REAL, y TEXT)")
        base.executemany(
            "INSERT INTO visits VALUES (?, ?)", [(i % 7 + 0.5, "ab"[i % 7 > 3]) for i in range(70)]
        )
    base.close()
    address = f"sqlite:///{tmp_path / 'shop.db'}"
    done = fit_and_save(address, "y", "gaussian_nb", tmp_path / "m.assay", query="visits")
    assert done.rows == 70 and describe_file(tmp_path / "m.assay")["about"]["model"] == "gaussian_nb"
    assert source_name("postgresql://me:secret@host/shop") == "postgresql://me@host/shop"


def test_predictions_count_what_they_give_out(tmp_path: Path) -> None:
    source = table(20_000)
    fit_and_save(source, "y", "fisher", tmp_path / "m.assay")
    given = Predictions(load(tmp_path / "m.assay"), source, proba=True)
    blocks = list(given)
    assert len(blocks) == 2 and given.rows == 20_000 == sum(given.counts.values())
    assert list(blocks[0]) == ["predicted", "P(a)", "P(b)"]


def test_an_assessment_of_a_source_with_one_class_has_no_area(tmp_path: Path) -> None:
    source = table(500)
    fit_and_save(source, "y", "gaussian_shared", tmp_path / "m.assay")
    model = load(tmp_path / "m.assay")
    kept = [i for i, label in enumerate(source["y"]) if label == "a"]
    only = {name: [values[i] for i in kept] for name, values in source.items()}
    found = evaluate_model(model, only)
    assert found.auc is None and found.rows == len(kept) and found.source == "a dict"
    with raises("C038"):
        evaluate_model(model, {**only, "y": [None] * len(kept)})
