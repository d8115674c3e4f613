"""`compare` beside grid searches on a tiny table: the same settings and folds, counted; what is left out is named."""

from __future__ import annotations

import gc
from pathlib import Path

import numpy as np
import pytest

from assay import KFold, catalog
from assay.workbench.experiment.setup import ExperimentSetup
from assay.workbench.problem import read_problem
from benchmarks import harness
from benchmarks.harness import Settings
from benchmarks.rivals import grid
from benchmarks.rows import Row
from benchmarks.workloads import compare_grid
from tests.benchmarks.mixed_table import mixed

NAMES = ("baseline", "gaussian_nb", "mixed_nb", "logistic", "knn")


@pytest.fixture(autouse=True)
def unrepeated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody reads these figures: turns are not repeated, memory is not swept before, no rival starts processes."""
    monkeypatch.setattr(harness, "SHORT_SECONDS", 0.0)
    monkeypatch.setattr(gc, "collect", lambda: 0)
    monkeypatch.setattr(grid, "WORKERS", 1)
    monkeypatch.setattr(grid, "start_workers", lambda: None)


@pytest.fixture(scope="module")
def bench() -> ExperimentSetup:
    return ExperimentSetup(read_problem(mixed(), "label"), KFold(3, random_state=0), None, None, 0)


def test_every_candidate_has_a_row_and_the_last_is_their_sum() -> None:
    rows: list[Row] = list(compare_grid.families(Settings(), "tiny", mixed(), "label", folds=3, names=NAMES))
    assert [row.workload.split(",")[0] for row in rows] == [*NAMES, "all 5 candidates"]
    assert [row.target for row in rows] == [None] * 5 + [30.0]
    for round_ in range(3):
        *each, whole = rows
        assert whole.ours[round_] == pytest.approx(sum(row.ours[round_] for row in each))
        assert whole.theirs[round_] == pytest.approx(sum(row.theirs[round_] for row in each))
    assert "one outer fold" in rows[-1].extrapolated
    assert "kernel_svm" in rows[-1].notes[-1] and "random_forest" in rows[-1].notes[-1]


@pytest.mark.parametrize("name", [entry.name for entry in catalog.cards() if entry.name in grid.COUNTERPARTS])
def test_the_rival_searches_as_many_settings_on_as_many_folds(name: str, bench: ExperimentSetup) -> None:
    entry = catalog.entry(name)
    work = compare_grid.against(entry, bench)
    assert work.n_settings == len(entry.settings())
    assert work.n_inner == 2  # of three outer folds the two others
    assert work.part.total == 3 * (work.n_settings * work.n_inner + 1)
    assert 1 < work.part.done <= work.part.total // 3
    run = next(run for words, run in work.part.settings.items() if "None" in words)
    (score,) = run()
    assert 0.0 <= score <= 1.0


def test_the_naive_bayes_of_both_kinds_adds_evidence_as_ours_does(bench: ExperimentSetup) -> None:
    X, fixed = compare_grid.levels_and_numbers(bench)
    assert fixed["numbers"] == 1
    assert fixed["levels"].tolist() == [4]  # three levels and the gap
    model = grid.MixedNaiveBayes(**fixed, alpha=1e-9).fit(X, bench.problem.codes.astype(np.int64))
    entry = catalog.entry("mixed_nb")
    ours = bench.classifier(entry, {"variance_floor": 1e-9, "smoothing": 1e-9})
    ours.fit(bench.problem.features, bench.problem.codes)
    given = ours.predict(bench.problem.features)
    full = X[:, 1] < 3  # ours leaves gaps out, the rival counts them as a level
    assert (model.predict(X)[full] == given[full]).mean() > 0.97


@pytest.mark.parametrize("name", ["logistic", "neural_network"])
def test_the_rival_is_given_what_our_steps_make_of_the_table(name: str, bench: ExperimentSetup) -> None:
    entry = catalog.entry(name)
    model = bench.classifier(entry, {}).matrix_estimator()
    X = compare_grid.given(model, entry, bench)
    assert np.isfinite(X).all()
    np.testing.assert_allclose(X.mean(axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(X.std(axis=0), 1.0, rtol=0.01)


def test_without_the_data_the_workload_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ASSAY_DATA", str(tmp_path))
    (row,) = compare_grid.rows(Settings())
    assert row.absent == f"{tmp_path}/adult.csv.gz is not there (ASSAY_DATA names the folder)"
    assert row.target == 30.0
