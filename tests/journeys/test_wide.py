"""Wide tables: genes of colon tissue (62 rows, 2000 columns) and madelon (2600 rows, 500 columns, mostly noise)."""

from __future__ import annotations

import json

import numpy as np
import pytest

from assay import (
    FeatureSearch,
    GaussianClassifier,
    GaussianNB,
    KFold,
    LeastSquaresClassifier,
    evaluate,
    select_features,
)
from assay.main import main
from tests.realdata import data_folder, load_csv


def test_colon(capsys: pytest.CaptureFixture[str]) -> None:
    load_csv("colon_alon")
    assert main(["features", str(data_folder() / "colon_alon.csv.gz"), "--n", "4", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["features"]) == 4 and found["strategy"] == "sums over features"
    assert found["path_error"] < found["error"] < found["baseline"]
    assert any("rows" in note and "column" in note for note in found["notes"])


def test_genes_are_searched_with_every_quick_model() -> None:
    frame = load_csv("colon_alon")
    target = next(name for name in frame.columns if frame[name].nunique() == 2)
    y = frame[target].to_numpy()
    X = frame.drop(columns=target).to_numpy(dtype=np.float64)
    for model in (GaussianNB(), GaussianClassifier("shared"), LeastSquaresClassifier(0.1)):
        found = select_features(model, X, y, n_features=5)
        assert len(found.features) == 5 and found.error < 0.2
    back = select_features(LeastSquaresClassifier(1.0), X[:, :300], y, search="backward", n_features=250)
    assert len(back.path) == 51 and back.strategy == "sweeps"


def test_madelon_warns_of_its_columns(capsys: pytest.CaptureFixture[str]) -> None:
    load_csv("madelon")
    source = str(data_folder() / "madelon.csv.gz")
    assert main(["features", source, "--target", "y", "--drop", "split", "--n", "3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["features"]) == 3 and found["error"] < found["baseline"]
    said = "are many for 2 600 rows: hardly any row has others nearby."
    assert sum(said in note for note in found["notes"]) == 1


def test_madelon() -> None:
    frame = load_csv("madelon")
    target = next(name for name in frame.columns if frame[name].nunique() == 2)
    X, y = frame.drop(columns=target).to_numpy(dtype=np.float64), frame[target].to_numpy()
    plan = KFold(3)
    found = select_features(GaussianNB(), X, y, n_features=8)
    honest = evaluate(FeatureSearch(GaussianNB(), n_features=8), X, y, plan)
    assert found.error < honest.error < 0.5
    back = select_features(GaussianClassifier("shared"), X, y, search="backward", n_features=480)
    assert len(back.features) == 480 and back.strategy == "sweeps"
