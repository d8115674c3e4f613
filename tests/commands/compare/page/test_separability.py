"""The report says whether planes separate the classes, and shows a plane or a proof."""

from __future__ import annotations

import numpy as np

from assay.charts.document import DataTable, Paragraph
from assay.commands.compare.comparison import Comparison
from assay.commands.compare.job import compare
from assay.commands.compare.page.context import PageContext
from assay.commands.compare.page.separability import separability_section
from assay.notes.numbers import THIN
from tests.commands.compare.page import cases


def answer(found: Comparison) -> tuple[str, list[tuple[str, ...]]]:
    section = separability_section(PageContext(found))
    assert section is not None
    text, table = section.parts
    assert isinstance(text, Paragraph) and isinstance(table, DataTable)
    return text.text, list(table.rows)


def number(text: str) -> float:
    return float(text.replace(THIN, ""))


def test_separated_classes_have_a_plane_that_separates_them() -> None:
    draw = np.random.default_rng(0)
    y = np.arange(80) % 2
    X = draw.normal(size=(80, 2)) + np.where(y, 6.0, 0.0)[:, None]
    columns = {"a": X[:, 0], "b": X[:, 1], "class": np.where(y, "yes", "no").tolist()}
    text, rows = answer(
        compare(columns, "class", candidates=["baseline", "logistic"], plan=4, progress=False)
    )
    assert "are linearly separable" in text and "training error of 0" in text
    weights = {column: number(weight) for column, label, weight in rows if label == "yes"}
    side = X @ [weights.get("a", 0.0), weights.get("b", 0.0)] + weights["(intercept)"]
    assert ((side > 0) == y).all()


def test_mixed_classes_have_a_proof_of_rows() -> None:
    found = cases.penalised()
    text, rows = answer(found)
    assert "not linearly separable" in text and "misclassifies" in text
    codes, classes = found.bench.problem.codes, found.classes
    assert rows and all(classes[codes[int(number(row[0])) - 1]] == row[1] != row[2] for row in rows)
    assert [number(row[3]) for row in rows] == sorted((number(row[3]) for row in rows), reverse=True)


def test_texts_alone_have_no_answer() -> None:
    assert separability_section(PageContext(cases.texts())) is None


def test_programmes_that_would_take_long_are_left_out() -> None:
    assert separability_section(PageContext(cases.many())) is None  # 24 classes of 61 weights
