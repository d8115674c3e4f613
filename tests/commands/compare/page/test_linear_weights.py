"""Effects of linear models with their intervals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assay import KFold
from assay.catalog import entry
from assay.charts.document import Figure
from assay.commands.compare.page import interpretation
from assay.commands.compare.page import linear_weights as weights
from assay.commands.compare.page.context import PageContext
from assay.models.inspection.jackknife import fold_weights, jackknife_errors
from assay.models.table.build import build
from tests.commands.compare.page import cases
from tests.commands.compare.page.cases import penalised


def figure(found: Any) -> Figure:
    section = interpretation.interpretation_section(PageContext(found))
    assert section is not None
    (shown,) = [part for part in section.parts if isinstance(part, Figure) and part.key == "weights"]
    return shown


def test_effects_of_a_penalised_model_have_intervals_that_say_what_they_do_not_know() -> None:
    shown = figure(penalised())
    assert "jackknife intervals, from 5 fits that each leave out a fold" in shown.caption
    assert "the bias of the penalty towards 0" in shown.caption
    assert (
        "typical difference on the log odds" in shown.caption
        and "Reference categories: colour=" in shown.caption
    )
    names = [row[0] for row in shown.data.rows]
    assert names[:2] == ["a", "b"] and sum(name.startswith("colour=") for name in names) == 2
    assert shown.data.columns[3] == "95\u202f% CI"
    ends = [[float(end) for end in row[3].replace("−", "-").split(" to ")] for row in shown.data.rows]
    effects = [float(row[2].replace("−", "-")) for row in shown.data.rows]
    assert all(low <= effect <= high for (low, high), effect in zip(ends, effects, strict=True))
    assert ends[0][0] > 0 and '"low"' in str(shown.panels[0].chart.to_json())


def test_intervals_are_near_those_of_inference_without_a_penalty() -> None:
    s = PageContext(penalised())
    model = build(entry("logistic"), {"l2": 0.0}).fit(s.problem.table, target="answer")
    own, said = weights._reach(s, model, 8)
    assert own is not None and "from the standard errors of the model" in said
    partition = KFold(20).partitions(s.problem.codes)[0]
    leaving = fold_weights(
        model.model_,
        weights._design(model, s.problem.features),
        s.problem.codes,
        s.problem.classes,
        partition,
    )
    assert leaving is not None
    errors = jackknife_errors(leaving[:, 1:] - leaving[:, :1])
    assert 0.6 < float(np.median(errors / (own / weights.NORMAL))) < 1.6


def test_a_large_table_has_no_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "MOST_CELLS", 10)
    shown = figure(penalised())
    assert "There are no confidence intervals for tables this large." in shown.caption
    assert "interval" not in " ".join(shown.data.columns)


def test_several_classes_have_intervals_too() -> None:
    shown = figure(cases.iris())
    assert len(shown.data.rows) == 12 and "95\u202f% CI" in shown.data.columns
