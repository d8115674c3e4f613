"""What sections say where tables are wide, classes many, rows few, or nothing can be said."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris

from assay.charts.confusion import confusion_chart
from assay.charts.document import DataTable, Section, data_table
from assay.commands.compare.job import compare
from assay.commands.compare.page import (
    data_overview,
    interpretation,
    leaderboard,
    learning_curve,
    scatter,
    winner,
)
from assay.commands.compare.page.context import PageContext
from assay.commands.compare.page.page import page, render
from assay.commands.compare.reopen import reopen
from assay.main import main
from assay.models.inspection.permutation_importance import Importance
from assay.notes import Note
from assay.notes.numbers import DASH, THIN
from assay.notes.voices import SHELL_PAGE
from tests.commands.compare.page import cases
from tests.commands.compare.page.section_words import figures, words


def cells(part: DataTable) -> str:
    return " ".join(cell for row in part.rows for cell in row)


def test_a_long_table_says_how_long_it_is() -> None:
    long = data_table("Columns", ("name",), [(f"g{i}",) for i in range(2000)], folded=True)
    text = render(PageContext(cases.iris()), [Section("data", "The data", "Data", (long,))]).replace(
        THIN, " "
    )
    assert "Columns (2 000)" in text and "The first 400 of 2 000 are listed." in text
    short = data_table("Columns", ("name",), [("g",)], folded=True)
    text = render(PageContext(cases.iris()), [Section("data", "The data", "Data", (short,))])
    assert "Columns (1)" in text and "are listed" not in text


def test_counts_in_the_matrix_are_whole_numbers() -> None:
    chart = confusion_chart(np.array([[32660.0, 17.0], [3266.0, 120500.0]]), ["no", "yes"])
    text = json.dumps(chart.to_dict(), ensure_ascii=False).replace(THIN, " ")
    shown = re.findall(r'"n": "([^"]*)"', text)
    assert set(shown) == {"32 660", "17", "3 266", "120 500"}


def confused(counts: Any) -> Section:
    names = [f"class {k}" for k in range(len(counts))]
    evaluation = SimpleNamespace(
        decision_matrix=np.array(counts, dtype=float), tested=SimpleNamespace(rows=None), priors=None
    )
    stub: Any = SimpleNamespace(
        evaluation=evaluation, decisions=None, class_names=names, short_classes=names, titles={"m": "M"}, best="m",
        weighted=False, action_names=names, class_of_action=np.arange(len(names)),
    )  # fmt: skip
    return winner.confusion_section(stub)


def test_one_row_is_a_row() -> None:
    said = words(confused([[4, 1], [0, 5]]))
    assert "1 row, 20.0 % of the class" in said and "1 rows" not in said
    assert "3 rows, 30.0 %" in words(confused([[7, 3], [0, 5]]))


def test_many_classes_without_a_mistake_need_no_picture() -> None:
    assert figures(confused(np.eye(24))) == {}
    assert "No row was misclassified." in words(confused(np.eye(24)))


@pytest.mark.parametrize("case", [cases.iris, cases.cancer, cases.tree, cases.many])
def test_nothing_is_said_of_one_things(case: Any) -> None:
    assert not re.findall(r"\b1 (?:rows|columns|classes|splits|groups|settings|candidates)\b", page(case()))


def test_the_brier_score_is_defined_where_it_stands() -> None:
    two, three = (
        words(winner.calibration_section(PageContext(case()))) for case in (cases.cancer, cases.iris)
    )
    assert "summed over both classes (twice the score of one class alone): 0 is perfect, 2 the worst" in two
    assert "summed over all classes: 0 is perfect, 2 the worst" in three


def test_the_bars_below_the_calibration_have_words_of_their_own() -> None:
    above, below = figures(winner.calibration_section(PageContext(cases.cancer())))["calibration"].panels
    assert above.says == "" and below.says.startswith("Histogram of the predicted probability of malignant")


def test_candidates_left_out_are_called_by_their_titles() -> None:
    found = replace(cases.iris(), omitted={"random_forest": "It would take 3 hours; see budget=."})
    (left,) = [
        part
        for part in leaderboard.leaderboard_section(PageContext(found)).parts
        if isinstance(part, DataTable) and "Omitted" in part.caption
    ]
    assert left.rows == (("Random forest", "It would take 3 hours; see budget=."),)


def test_a_density_model_says_what_error_it_expects_of_itself() -> None:
    shown = words(winner.calibration_section(PageContext(cases.cancer())))
    assert re.search(
        r"If the class densities of .* were correct, its error would be \d+\.\d+ %.*; on test rows "
        r"it is \d+\.\d+ %",
        shown,
    )
    assert "class densities" not in words(winner.calibration_section(PageContext(cases.tree())))


def test_a_penalised_model_has_a_dash_and_the_reason_for_aic(tmp_path: Path) -> None:
    bunch = load_iris()
    rows = cases.table(bunch.data, [str(k) for k in bunch.target], bunch.feature_names, "species")
    chosen = {"gaussian_nb": {"variance_floor": [0.1]}, "logistic": {"l2": [0.1]}}
    compare(
        rows, "species", candidates=list(chosen), ranges=chosen, plan=3, out=tmp_path / "run", progress=False
    )
    section = leaderboard.leaderboard_section(PageContext(reopen(tmp_path / "run", rows)))
    (shown,) = [part for part in section.parts if isinstance(part, DataTable) and "AIC" in part.columns]
    assert "have the same AIC" in shown.caption
    of, parameters, *both, _ = shown.rows[0][1:]
    assert (of, parameters, *both) == ("joint, onehot-flags", "26", "704.10", "782.38")
    reason, *dashes, loss = shown.rows[1][1:]
    assert reason == Note("P701", parameters=("l2=0.1",))
    assert dashes == [DASH] * 3 and loss != DASH


def test_a_baseline_far_above_does_not_press_the_curves_flat() -> None:
    found = cases.iris()
    section = learning_curve.learning_section(PageContext(found))
    baseline = found.results["baseline"].evaluation.error
    assert baseline > 0.6 and f"the baseline, {100 * baseline:.1f} %, is above the frame" in words(section)
    spec = json.dumps(figures(section)["learning"].panels[0].chart.to_dict())
    assert "Most frequent class" not in spec and '"strokeDash"' not in spec
    assert "dashed line is the baseline" in words(learning_curve.learning_section(PageContext(cases.tree())))


def test_a_threshold_beyond_the_frame_is_told() -> None:
    steep = [[0, 1], [300, 0]]
    rows = cases.cancer().bench.problem.table
    found = compare(rows, "diagnosis", loss=steep, candidates=cases.QUICK, plan=5, progress=False)
    (figure,) = [
        f for key, f in figures(winner.cost_section(PageContext(found))).items() if key == "threshold"
    ]
    assert "The line leaves the frame and reaches" in figure.caption
    (plain,) = [
        f
        for key, f in figures(winner.cost_section(PageContext(cases.cancer()))).items()
        if key == "threshold"
    ]
    assert "leaves the frame" not in plain.caption


def mixed() -> Any:
    """A table for neighbours with a column of 300 names, which trees alone can use."""
    draw = np.random.default_rng(3)
    X = draw.normal(size=(300, 2))
    labels = ["yes" if product > 0 else "no" for product in X[:, 0] * X[:, 1]]
    names = tuple(f"n{i:03d}" for i in range(300))
    more = {"ticket": (names, draw.permutation(300))}
    return cases.table(X, labels, ["a", "b"], "same", more)


def test_columns_left_out_are_not_among_those_used() -> None:
    found = compare(mixed(), "same", candidates=["baseline", "knn"], plan=4, progress=False)
    assert any("'ticket'" in note for note in found.notes)
    shown = figures(interpretation.interpretation_section(PageContext(found)))["importances"]
    assert "ticket" not in cells(shown.data) and {row[0] for row in shown.data.rows} == {"a", "b"}


def test_where_no_column_matters_that_is_said_and_densities_are_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        interpretation, "importances", lambda *_: [Importance(name, 0.0, 0.0, 0.0) for name in "ab"]
    )
    section = interpretation.interpretation_section(PageContext(cases.tree()))
    assert "No single column matters: shuffling any of the 2 columns" in words(section)
    assert set(figures(section)) == {"densities"}
    panel = figures(section)["densities"].panels[0]
    assert "peak for" in panel.says


def test_a_wide_table_says_which_directions_it_is_seen_along() -> None:
    draw = np.random.default_rng(0)
    labels = ["n" if k % 2 else "t" for k in range(30)]
    rows = cases.table(draw.normal(size=(30, 60)), labels, [f"g{j}" for j in range(60)], "kind")
    found = compare(rows, "kind", candidates=["baseline", "nearest_mean"], plan=3, progress=False)
    assert "principal components" in words(scatter.scatter_section(PageContext(found)))
    assert "(Fisher's; mostly" in words(scatter.scatter_section(PageContext(cases.iris())))


def test_advice_is_in_the_words_of_whoever_asked() -> None:
    found = replace(cases.iris(), notes=(Note("D065", "tags", source="a.csv", reason="holds lists"),))
    assert "leave it out with drop=." in words(data_overview.data_section(PageContext(found)))
    told = words(data_overview.data_section(PageContext(found, voice=SHELL_PAGE)))
    assert "leave it out with --drop." in told and "drop=" not in told


def test_a_report_made_by_a_command_speaks_of_options(tmp_path: Path) -> None:
    lines = ["ticket,a,kind"] + [f"T{k:04d},{k % 7},{'yes' if k % 7 > 3 else 'no'}" for k in range(300)]
    source = tmp_path / "rows.csv"
    source.write_text("\n".join(lines) + "\n", encoding="utf-8")
    asked = [
        "compare",
        str(source),
        "--target",
        "kind",
        "--candidates",
        "baseline,gaussian_nb",
        "--plan",
        "kfold:3",
    ]
    assert main([*asked, "--type", "ticket=categorical", "--out", str(tmp_path / "run"), "--quiet"]) == 0
    text = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    advice = "".join(re.findall(r'<div class="note.*?</div>', text, re.DOTALL))
    assert "--type ticket=numeric" in advice and "types=" not in advice


def test_classes_that_are_not_drawn_are_told() -> None:
    shown = figures(interpretation.interpretation_section(PageContext(cases.many())))
    assert shown and all(
        "Shown are the 7 most frequent of 24 classes." in each.caption for each in shown.values()
    )
    assert "Shown are" not in words(interpretation.interpretation_section(PageContext(cases.iris())))
