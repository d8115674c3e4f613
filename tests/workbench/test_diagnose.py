"""Diagnosis of any source: the findings of the table that it becomes."""

from __future__ import annotations

import numpy as np
import pytest

from assay import diagnose, dimension_diagnosis
from assay.workbench.diagnosis.diagnose import diagnosis_of
from assay.workbench.problem import read_problem
from tests.raised import raises

CUBE = np.random.default_rng(0).uniform(-1, 1, (3000, 3))
SIDES = np.where(CUBE[:, 0] > 0, "right", "left")
TABLE = {"x": CUBE[:, 0], "y": CUBE[:, 1], "side": SIDES}


def test_a_source_is_diagnosed_as_its_problem() -> None:
    problem = read_problem(TABLE, "side")
    expected = diagnosis_of(problem.features, problem.codes, 2, classes=problem.classes.tolist())
    assert diagnose(TABLE, "side") == expected
    assert [finding.column for finding in expected.warnings] == ["x"]


def test_columns_can_be_dropped_and_labels_given_apart() -> None:
    assert not diagnose(TABLE, "side", drop=["x"]).warnings
    assert diagnose({"y": TABLE["y"]}, SIDES) == diagnose(TABLE, "side", drop=["x"])


def test_uniform_rows_show_what_is_expected_of_them() -> None:
    findings = dimension_diagnosis(CUBE)
    shell, norm = findings[:2]
    assert shell.expected == pytest.approx(0.1426, abs=5e-5) and norm.expected == 1.0
    for finding in findings:
        assert finding.observed == pytest.approx(finding.expected, abs=0.03), finding.title


def test_rows_per_class_are_counted_where_classes_are_known() -> None:
    plain = dimension_diagnosis(CUBE)
    *others, rows = dimension_diagnosis(CUBE, SIDES)
    assert tuple(others) == plain
    assert rows.observed == min(np.unique(SIDES, return_counts=True)[1]) / 3
    assert dimension_diagnosis((CUBE, SIDES)) == dimension_diagnosis(CUBE, SIDES)


def test_a_table_of_one_class_is_no_problem() -> None:
    with raises("P011", subject="side"):
        diagnose({**TABLE, "side": ["left"] * 3000}, "side")
