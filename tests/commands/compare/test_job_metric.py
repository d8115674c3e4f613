"""A comparison that chooses by a metric: its leaderboard, verdict, folder and bad input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assay import FunctionMetric, KFold, compare
from assay.commands.compare.comparison import Comparison
from assay.commands.compare.figures import figures
from assay.commands.compare.reopen import reopen
from assay.notes import as_note
from tests.commands.compare.frauds import rare
from tests.raised import raises

CANDIDATES = ["baseline", "gaussian_nb", "linear_svm", "logistic"]


def hits(y_true: Any, predicted: Any) -> float:
    return float((predicted[y_true == "fraud"] == "fraud").mean())


def run(source: Any = None, **more: Any) -> Comparison:
    more.setdefault("candidates", CANDIDATES)
    return compare(rare() if source is None else source, "kind", plan=KFold(4), progress=False, **more)


def test_candidates_are_ranked_by_the_metric() -> None:
    result = run(metric="balanced_accuracy", show="recall,mcc")
    losses = [row.scored for row in result.leaderboard]
    assert losses == sorted(losses)
    row = result.leaderboard[0]
    assert list(row.metrics) == ["balanced_accuracy", "recall", "mcc"]
    evaluation = result.evaluations[row.name]
    table = evaluation.metrics(positive="fraud")
    assert row.metrics["recall"].value == pytest.approx(table["recall"].value)
    assert row.metrics["mcc"].interval == pytest.approx((table["mcc"].low, table["mcc"].high))
    assert row.loss == pytest.approx(1 - table["balanced_accuracy"].value)
    first = as_note(result.verdict[0]).values["notes"]
    assert isinstance(first, tuple) and [note.code for note in first] == ["C204", "C205", "C105", "C222"]
    assert first[1].values["value"] == 0.5
    plain = figures(result)
    assert (plain["metric"], plain["positive"]) == ("balanced_accuracy", "fraud")
    assert "--metric balanced_accuracy --show recall,mcc" in result.commands[0] or len(result.commands) == 1
    assert "metric='balanced_accuracy'" in result.commands[-1]


def test_the_nested_estimate_chooses_inside_by_the_metric() -> None:
    result = run(metric="recall")
    first, *_ = result.results.values()
    assert result.nested.metric is not None and result.nested.metric.name == "recall"
    for f in range(4):
        here = result.nested.split == f
        inner = [r.inner[f, r.chosen[f]] for r in result.results.values()]
        best = [r for r, loss in zip(result.results.values(), inner, strict=True) if loss == min(inner)]
        assert any(np.array_equal(r.evaluation.predicted[here], result.nested.predicted[here]) for r in best)
    assert result.optimism == pytest.approx(result.nested.mean_loss() - first.final_cv_loss)


def test_a_metric_of_posteriors_leaves_margins_out() -> None:
    result = run(metric="log_loss")
    assert as_note(result.omitted["linear_svm"]).code == "C201"
    assert result.leaderboard[0].scored == pytest.approx(result.results[result.best_name].final_cv_loss)


def test_a_function_chooses_as_the_metric_that_it_computes(tmp_path: Path) -> None:
    named, own = run(metric="recall"), run(metric=hits, out=tmp_path / "run")
    assert list(named.results) == list(own.results)
    assert own.leaderboard[0].scored == pytest.approx(named.leaderboard[0].scored - 1)
    with raises("C203", name="hits"):
        reopen(tmp_path / "run", rare())
    assert reopen(tmp_path / "run", rare(), metric=hits).best_name == own.best_name


def test_a_folder_is_opened_with_its_metric(tmp_path: Path) -> None:
    result = run(metric="f1", positive="fair", out=tmp_path / "run")
    opened = reopen(tmp_path / "run", rare())
    assert opened.nested.mean_loss() == pytest.approx(result.nested.mean_loss())
    assert opened.bench.metrics.positive == 0
    with raises("C007", key="metric"):
        run(metric="mcc", positive="fair", out=tmp_path / "run", resume=True)


def test_bad_input() -> None:
    with raises("L100", name="f2"):
        run(metric="f2")
    with raises("L100", name="speed"):
        run(show="speed")
    with raises("L103", label="frauds"):
        run(positive="frauds")
    with raises("S301"):
        run(metric="f1", loss="fraud:fair=5")
    with raises("C200", address="nowhere:profit", kind="ModuleNotFoundError"):
        run(metric="nowhere:profit")
    with raises("L105", name="<lambda>"):
        run(metric=lambda y, p: float("nan"))
    with raises("L104", name="money", kind="KeyError"):
        run(metric=FunctionMetric(lambda y, p: {}["x"], name="money"))
