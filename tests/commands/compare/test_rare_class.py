"""What the verdict and the report say about a rare class."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assay import KFold, compare
from assay.commands.compare.comparison import Comparison
from assay.commands.compare.rare_class import rare_class_notes
from tests.commands.compare.frauds import rare
from tests.noted import codes


def run(source: Any, **more: Any) -> Comparison:
    more.setdefault("candidates", ["baseline", "gaussian_nb"])
    return compare(source, "kind", plan=KFold(4), progress=False, **more)


def test_most_frauds_are_missed() -> None:
    result = run(rare())
    (note,) = rare_class_notes(result)
    recall = result.nested.metrics(positive="fraud")["recall"]
    assert note.code == "C220" and note.level == "warning"
    assert note.values["missed"] == pytest.approx(1 - recall.value)
    assert note.values["recall_interval"] == pytest.approx((recall.low, recall.high))
    assert (note.values["costs"], note.values["metric"]) == ("fraud:fair=10", "f1")
    verdict = result.verdict[0].values["notes"]
    assert isinstance(verdict, tuple) and "C220" in codes(verdict)


def test_costs_or_a_metric_were_given_already() -> None:
    assert codes(rare_class_notes(run(rare(), loss="fraud:fair=10"))) == ["C222"]
    assert codes(rare_class_notes(run(rare(), metric="recall"))) == ["C222"]


def test_nothing_is_said_of_classes_that_are_not_rare_and_of_the_baseline() -> None:
    assert rare_class_notes(run(rare(), candidates=["baseline"])) == []
    assert rare_class_notes(run(rare(), positive="fair")) == []
    half = {**rare(), "kind": np.where(np.arange(600) % 2, "a", "b")}
    assert rare_class_notes(run(half)) == []


def test_none_is_found() -> None:
    table = rare()
    noise = np.random.default_rng(0).normal(size=600)
    result = run({"noise": noise, "kind": table["kind"]}, candidates=["gaussian_nb"])
    assert codes(rare_class_notes(result)) == ["C221"]


def test_of_three_classes_the_rarest() -> None:
    table = rare()
    kind = np.where(table["kind"] == "fair", np.where(table["age"] > 0, "old", "fair"), "fraud")
    (note,) = rare_class_notes(run({**table, "kind": kind}))
    assert note.values["label"] == "fraud" and note.values.get("metric", "f1_macro") == "f1_macro"


def test_the_report_draws_precision_and_recall(tmp_path: Path) -> None:
    page = run(rare()).report(tmp_path / "report.html").read_text(encoding="utf-8")
    assert 'id="precision-recall"' in page and "Average precision" in page
