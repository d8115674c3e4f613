"""The report shows training against validation error of the winner, and what is under- and over-fitted."""

from __future__ import annotations

from typing import Any

import pytest

from assay.charts.document import Figure
from assay.commands.compare.comparison import Comparison
from assay.commands.compare.job import compare
from assay.commands.compare.page import complexity
from assay.commands.compare.page.context import PageContext
from assay.commands.compare.page.hyperparameters import hyperparameters_section
from assay.notes.numbers import percent
from tests.commands.compare.page import cases


def curve(found: Comparison) -> Figure:
    section = hyperparameters_section(PageContext(found))
    assert section is not None
    (figure,) = (part for part in section.parts if isinstance(part, Figure) and part.key == "complexity")
    return figure


def test_the_validation_error_is_that_of_the_comparison_and_the_training_error_is_below_it() -> None:
    found = cases.penalised()
    rows = curve(found).data.rows
    winner = found.results["logistic"]
    assert [float(row[0]) for row in rows] == [setting["l2"] for setting in winner.settings]
    # The same folds: the validation errors are those that chose the setting.
    assert [row[2] for row in rows] == [percent(float(loss)) for loss in winner.nested.losses]
    share = [float(row[1].split("\u202f")[0]) for row in rows]
    assert share[-1] < float(rows[-1][2].split("\u202f")[0])
    assert {row[4] for row in rows} <= {"under-fitted", "about right", "over-fitted"}


def test_a_pruned_tree_is_under_fitted_where_classes_depend_on_two_columns() -> None:
    figure = curve(cases.tree())
    labels = {row[0]: row[4] for row in figure.data.rows}
    assert [value for value in labels if labels[value] == "under-fitted"] == ["0.1", "0.03"]
    assert "0.1, 0.03 (under-fitted)" in figure.says and labels["0.01"] == labels["0"] == "about right"
    assert "From simple on the left to complex on the right" in figure.caption


@pytest.mark.parametrize("plan", ["split:60/20/20", "holdout:0.3", "kfold:4x2"])
def test_every_scheme_of_a_comparison_has_a_curve(plan: str) -> None:
    table: Any = cases.penalised().bench.problem.features
    labels = cases.penalised().bench.problem
    rows = {name: table.columns[name] for name in ("a", "b", "c")}
    found = compare(
        {**rows, "answer": labels.classes[labels.codes].tolist()}, "answer",
        candidates=["baseline", "knn"], plan=plan, progress=False,
    )  # fmt: skip
    assert len(curve(found).data.rows) == 7


def test_there_is_none_without_numbers_or_time(monkeypatch: pytest.MonkeyPatch) -> None:

    monkeypatch.setattr(complexity, "MOST_SECONDS", 0.0)
    assert complexity.complexity_parts(PageContext(cases.penalised())) == []
