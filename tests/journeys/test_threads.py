"""The same bits for any number of threads, whether a model is solved or refitted."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.journeys.steps import board, done, write_blobs, write_iris

CASES = {
    "statistics": "baseline,nearest_mean,gaussian_nb,least_squares,fisher,gaussian_shared,gaussian_full",
    "trees": "baseline,decision_tree,gradient_boosting",
}


@pytest.mark.parametrize("case", CASES)
def test_threads_change_no_bit(tmp_path: Path, case: str) -> None:
    source = write_blobs(tmp_path, 3000) if case == "statistics" else write_iris(tmp_path)
    target = "class" if case == "statistics" else "species"
    asked = ("compare", source.name, "--target", target, "--candidates", CASES[case], "--plan", "kfold:3")
    for threads in (1, 2):
        done(tmp_path, *asked, "--threads", threads, "--out", f"run{threads}")
    assert board(tmp_path / "run1") == board(tmp_path / "run2")
    models = [(tmp_path / f"run{threads}" / "model.assay").read_bytes() for threads in (1, 2)]
    assert models[0] == models[1]
