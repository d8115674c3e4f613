"""Naive Bayes of all kinds of columns as a candidate: tried where kinds differ, read, explained, stored."""

from __future__ import annotations

import csv
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import assay
from assay.catalog import default_candidates, entry
from assay.commands.compare.page import interpretation
from assay.commands.compare.page.context import PageContext
from assay.commands.compare.page.interpretation import mean_evidence
from assay.commands.explain.job import explain
from assay.data import Column, Schema, Table
from assay.main import main
from assay.models.features.typed_table import Typed
from assay.models.table.build import build
from assay.notes import as_note
from assay.workbench.experiment.candidates import applicable_candidates
from tests.models.naive_bayes.mixed.tables import random_table

CLASSES = ("ash", "beech", "cedar")


def labelled(table: Table, y: Any) -> Table:
    """The table with its labels as a column."""
    schema = Schema((*table.schema.columns, Column("tree", "categorical", CLASSES)))
    codes = np.searchsorted(np.array(CLASSES), y).astype(np.int32)
    return Table(schema, {**table.columns, "tree": codes})


@cache
def compared() -> Any:
    """All kinds of columns, a few candidates."""
    table = labelled(*random_table(rows=120))
    return assay.compare(table, "tree", candidates=["baseline", "gaussian_nb", "mixed_nb"], plan=4)


def test_it_uses_what_others_cannot() -> None:
    found = compared()
    assert found.best_name == "mixed_nb"
    assert found.results["mixed_nb"].strategy == "counts"
    assert found.best.model_.kinds_["note"] == "text"
    errors = {name: result.evaluation.error for name, result in found.results.items()}
    assert errors["mixed_nb"] < errors["gaussian_nb"] < errors["baseline"]


@pytest.mark.parametrize(
    ("names", "tried"), [(("size", "calls"), False), (("sky", "wet"), False), (("size", "sky"), True)]
)
def test_it_is_tried_where_kinds_of_columns_differ(names: tuple[str, ...], tried: bool) -> None:
    table, y = random_table(rows=60, gaps=0.0)
    few = labelled(table.select(names), y)
    assert (
        "mixed_nb"
        in {each.name for each in applicable_candidates(default_candidates(False), few.without("tree"))}
    ) is tried
    asked = assay.compare(few, "tree", candidates=["baseline", "mixed_nb"], plan=2)  # by name, always
    assert "mixed_nb" in asked.results


def test_the_folds_of_a_comparison_are_those_of_the_bare_model() -> None:
    found = compared()
    table, y = random_table(rows=120)
    bare = assay.evaluate(assay.MixedNB(**found.results["mixed_nb"].settings[0]), table, y, found.plan)
    assert found.results["mixed_nb"].cv_error[0] == pytest.approx(bare.error)


def test_the_evidence_of_the_columns_adds_up_to_the_odds() -> None:
    table, y = random_table(rows=120)
    model = build(entry("mixed_nb")).fit(table, y)
    posterior = model.predict_log_proba(table)
    for found in explain(model, table, [0, 7, 31]):
        amounts = {part.column: part.amount for part in found.contributions}
        assert set(amounts) == set(table.schema.names)
        assert found.start + sum(amounts.values()) == pytest.approx(found.difference)
        a, b = (CLASSES.index(label) for label in (found.predicted, found.runner_up))
        assert found.difference == pytest.approx(posterior[found.row - 1, a] - posterior[found.row - 1, b])
        for part in found.contributions:
            if part.value == "(missing)":
                assert part.amount == 0.0


def test_the_report_shows_the_evidence() -> None:
    section = interpretation.interpretation_section(PageContext(compared()))
    assert section is not None
    shown = {part.key: part for part in section.parts if hasattr(part, "panels")}
    assert "evidence" in shown and "importances" in shown
    table, y = random_table(rows=120)
    codes = np.searchsorted(np.array(CLASSES), y).astype(np.int32)
    means = mean_evidence(compared().best.model_.contributions(table), codes)
    assert means.shape == (3, 8) and (means[:, list(table.schema.names).index("calls")] > 0.3).all()


def test_a_table_is_handed_on_with_its_levels_and_without_what_says_nothing() -> None:
    table, _ = random_table(rows=30, gaps=0.0)
    columns = {**table.columns, "id": table.columns["note"]}
    wide = Table(Schema((*table.schema.columns, Column("id", "identifier"))), columns)
    encoder = Typed().fit(wide)
    assert encoder.transform(wide).schema.names == table.schema.names
    assert encoder.get_feature_names_out().tolist() == list(table.schema.names)
    note = as_note(encoder.notes_[0])
    assert note.code == "M407" and note.values["column"] == "id"
    rows = {"size": [1.0], "day": [None], "sky": ["green"], "town": [20], "wet": ["no"], "calls": [3]}
    given = encoder.transform({**rows, "note": ["sun"], "remark": [None]})
    assert given["sky"].tolist() == [-2] and given["town"].tolist() == [1]


def test_from_a_file_to_an_explanation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(1)
    path, model = tmp_path / "mail.csv", tmp_path / "mail.assay"
    with path.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["length", "sender", "text", "label"])
        for i in range(80):
            spam = i % 3 == 0
            words = rng.choice(
                ["cash", "prize", "win", "now"] if spam else ["lunch", "see", "you", "noon"], 6
            )
            out.writerow([round(rng.normal(40 + 20 * spam), 1), rng.choice(["known", "new", "list"]),
                          f"{' '.join(words)} {i}", "spam" if spam else "ham"])  # fmt: skip
    assert main(["fit", str(path), "--target", "label", "--model", "mixed_nb", "--out", str(model)]) == 0
    capsys.readouterr()
    assert main(["explain", str(model), str(path), "--row", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    amounts = {part["column"]: part["amount"] for part in told["contributions"]}
    assert told["predicted"] == "spam" and amounts["text"] > 3.0 and abs(amounts["sender"]) < 1.0
