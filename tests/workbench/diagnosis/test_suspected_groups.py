"""Columns by which rows may belong together: found by repetition, where they tell the class, whatever their names."""

from __future__ import annotations

import numpy as np

from assay.workbench.diagnosis.diagnose import diagnosis_of
from assay.workbench.diagnosis.suspected_groups import group_findings
from tests.commands.tables import category, joined, numbers, text

WHO = np.repeat(np.arange(40), 5)
SICK = (np.random.default_rng(0).permutation(np.arange(40) % 2))[WHO]


def test_patients_of_several_rows_are_found_in_every_type() -> None:
    names = [f"p{i}" for i in WHO]
    for column in (
        text("patient_id", names, "identifier"),
        category("patient", names),
        text("Subject", names),
    ):
        (found,) = group_findings(joined(column), SICK, 2)
        assert found.warn and found.column == column[0].name
        assert (found.note.code, found.note.values) == ("P129", {"values": 40, "rows": 200})
    (found,) = group_findings(numbers(user_id=WHO), SICK, 2)
    assert found.observed is not None and found.observed > 0.9


def test_nothing_is_said_without_repetition_a_name_or_a_class_that_is_shared() -> None:
    rng = np.random.default_rng(1)
    assert not group_findings(numbers(patient_id=np.arange(200)), SICK, 2)
    assert not group_findings(numbers(height=WHO), SICK, 2)
    assert not group_findings(numbers(patient_id=WHO), rng.integers(0, 2, 200), 2)
    assert not group_findings(numbers(patient_id=np.where(WHO < 38, np.nan, WHO)), np.arange(200) % 2, 2)


def test_rows_that_resemble_each_other_are_found_whatever_the_name_of_the_column() -> None:
    rng = np.random.default_rng(5)
    centres = rng.normal(size=(40, 3))[WHO]
    measured = centres + 0.05 * rng.normal(size=(200, 3))
    alike = {f"x{i}": measured[:, i] for i in range(3)}
    (found,) = group_findings(numbers(station=WHO, **alike), SICK, 2)
    assert found.column == "station"
    free = {f"x{i}": rng.normal(size=200) for i in range(3)}
    assert not group_findings(numbers(height=WHO, **free), SICK, 2)
    assert not group_findings(numbers(height=WHO + 0.5, **alike), SICK, 2)  # whole numbers alone are keys


def test_a_measurement_that_goes_with_the_others_is_no_key() -> None:
    rng = np.random.default_rng(6)
    heat = {"x": WHO + 0.05 * rng.normal(size=200), "y": -WHO + 0.05 * rng.normal(size=200)}
    assert not group_findings(numbers(degrees=WHO, **heat), SICK, 2)
    (found,) = group_findings(
        numbers(degrees=rng.permutation(40)[WHO], **heat), SICK, 2
    )  # the size says nothing
    assert found.column == "degrees"


def test_many_values_of_few_rows_are_groups_and_few_values_are_a_feature() -> None:
    (found,) = group_findings(joined(category("ticket", [f"t{i}" for i in WHO])), SICK, 2)
    assert found.column == "ticket"
    five = np.arange(200) % 5
    assert not group_findings(joined(category("colour", [f"c{i}" for i in five])), (five > 2).astype(int), 2)


def test_whoever_has_named_groups_is_not_told_of_others() -> None:
    table = numbers(patient_id=WHO, x=np.random.default_rng(2).normal(size=200))
    titles = [finding.title for finding in diagnosis_of(table, SICK, 2).leaks]
    assert "Rows that may belong together" in titles
    assert "Rows that may belong together" not in [
        finding.title for finding in diagnosis_of(table, SICK, 2, grouped=True).leaks
    ]
