"""A candidate that is trained on a sample is marked wherever it is named, and its model is fitted to such a sample."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assay import KFold, compare, load
from assay.commands.compare.comparison import Comparison
from assay.commands.compare.reopen import reopen
from assay.storage.model_file import describe_file
from assay.workbench.experiment.evaluate_candidate import evaluate_candidate
from assay.workbench.experiment.schedule import Schedule
from tests.commands.compare.purchases import mixed
from tests.commands.compare.statements import codes, values
from tests.commands.conftest import write_csv

ROWS = 600


@pytest.fixture
def sampled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Comparison:
    """Two candidates, of which the better one is trained on a sample."""

    def on_a_sample(self: Schedule, entry: Any, before: float, step: float) -> Any:
        return evaluate_candidate(entry, self.setup, None, 200 if entry.name == "logistic" else None)

    monkeypatch.setattr(Schedule, "_within_share", on_a_sample)
    table = mixed(ROWS)
    source = write_csv(tmp_path / "mixed.csv", list(table), list(zip(*table.values(), strict=True)))
    names = ["baseline", "logistic"]
    return compare(source, "bought", plan=KFold(5), candidates=names, out=tmp_path / "run", progress=False)


def test_it_is_marked_in_verdict_notes_report_and_model_file(sampled: Comparison) -> None:
    assert sampled.recommended == "logistic" and sampled.folder is not None
    assert values(sampled.verdict[0], "C116") == {"rows": 200, "total": ROWS}
    assert sampled.sampled is not None and sampled.sampled.values["samples"] == ("logistic (sample of 200)",)
    assert [row.sample_rows for row in sampled.leaderboard] == [200, None]
    assert "sample of 200" in (sampled.folder / "report.html").read_text()
    assert describe_file(sampled.folder / "model.assay")["about"]["sample"] == {"rows": 200, "of": ROWS}


def test_the_model_is_a_fit_to_the_sample(sampled: Comparison) -> None:
    assert sampled.folder is not None
    setup, mask = sampled.bench, sampled.bench.sample(200)
    assert mask.sum() == 200
    features = setup.problem.features
    alone = setup.classifier(sampled.results["logistic"].entry, sampled.results["logistic"].setting)
    alone.fit(
        features.take(np.flatnonzero(mask)), setup.problem.classes[setup.problem.codes[mask]], target="bought"
    )
    stored = load(sampled.folder / "model.assay")
    np.testing.assert_array_equal(stored.predict_proba(features), alone.predict_proba(features))


def test_a_sample_is_stratified_and_larger_ones_contain_it(sampled: Comparison) -> None:
    setup = sampled.bench
    small, large, codes_ = setup.sample(100), setup.sample(300), setup.problem.codes
    assert not (small & ~large).any()
    shares = np.bincount(codes_[large]) / large.sum()
    np.testing.assert_allclose(shares, np.bincount(codes_) / ROWS, atol=0.01)
    for partition in setup.partitions:
        np.testing.assert_allclose(np.bincount(partition.fold[large]), 60, atol=1)


def test_a_run_read_again_is_the_same(sampled: Comparison) -> None:
    assert sampled.folder is not None
    again = reopen(sampled.folder)
    assert again.results["logistic"].sample_rows == 200 and codes(again.verdict[0]) == codes(
        sampled.verdict[0]
    )
    np.testing.assert_array_equal(again.predict_proba(mixed()), sampled.predict_proba(mixed()))


def test_its_learning_curve_ends_with_the_sample(sampled: Comparison) -> None:
    points = sampled.results["logistic"].curve
    assert points[-1].rows == 160 and points[-1].error == sampled.results["logistic"].evaluation.error
    assert [point.rows for point in points] == sorted(point.rows for point in points)
