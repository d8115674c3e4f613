"""Census incomes from end to end: 32 561 rows to learn from, 16 281 to be tested on."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np

import assay
from tests.journeys.steps import board, done, leftovers, predicted
from tests.realdata import data_path, load_csv

STATISTICS = "baseline,nearest_mean,gaussian_nb,least_squares,fisher,gaussian_shared,gaussian_full"


def test_adult_from_end_to_end(tmp_path: Path) -> None:
    _split(tmp_path)
    said = done(
        tmp_path, "compare", "train.csv.gz", "--target", "income", "--drop", "split", "--plan", "kfold:5",
        "--candidates", f"{STATISTICS},decision_tree", "--out", "run",
    )  # fmt: skip
    standings = board(tmp_path / "run")
    assert len(standings) == 8 and standings[-1]["name"] in ("baseline", "gaussian_nb")
    assert 0.135 < standings[0]["error"] < 0.16
    assert (tmp_path / "run" / "report.html").stat().st_size > 100_000 and "run/report.html" in said.text
    assert leftovers(tmp_path) == []

    tested = done(tmp_path, "evaluate", "run/model.assay", "test.csv.gz", "--json").json
    low, high = standings[0]["error_interval"]
    assert tested["rows"] == 16281 and low - 0.006 < tested["error"] < high + 0.006
    done(tmp_path, "predict", "run/model.assay", "test.csv.gz", "--out", "p.csv", "--quiet")
    labels = predicted((tmp_path / "p.csv").read_text())
    truth = load_csv("adult").query("split == 'test'")["income"].to_numpy()
    assert np.mean(np.array(labels) != truth) == tested["error"]
    assert labels == assay.load(tmp_path / "run" / "model.assay").predict(tmp_path / "test.csv.gz").tolist()


def test_a_linear_model_is_fitted_block_by_block(tmp_path: Path) -> None:
    _split(tmp_path)
    fit = ("fit", "train.csv.gz", "--target", "income", "--model", "gaussian_shared", "--drop", "split")
    figures = done(tmp_path, *fit, "--out", "m.assay", "--json").json
    assert figures["rows"] == 32561 and figures["features"] == 14
    error = done(tmp_path, "evaluate", "m.assay", "test.csv.gz", "--json").json["error"]
    assert 0.15 < error < 0.165


def _split(folder: Path) -> None:
    """The official parts as files of their own."""
    with gzip.open(data_path("adult.csv.gz"), "rt", encoding="utf-8") as file:
        head, *rows = file.readlines()
    assert head.startswith("split,")
    for part in ("train", "test"):
        with gzip.open(folder / f"{part}.csv.gz", "wt", encoding="utf-8", compresslevel=1) as file:
            file.writelines([head, *(row for row in rows if row.startswith(f"{part},"))])
