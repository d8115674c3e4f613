"""A date column that orders the rows, and drift along the order."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from assay.data import Column, Schema, Table
from assay.workbench.diagnosis.diagnose import diagnosis_of
from assay.workbench.diagnosis.row_order import chi_square, order_findings
from tests.noted import codes

DAYS = 19_000.0 + np.arange(300)
NOISE = np.random.default_rng(0).normal(size=300)
CLASSES = np.random.default_rng(1).integers(0, 2, 300)


def table(days: np.ndarray, **numbers: np.ndarray) -> Table:
    columns = (Column("day", "date"), *(Column(name, "numeric") for name in numbers))
    return Table(Schema(columns), {"day": days, **numbers})


def found(rows: Table, y: np.ndarray, time: str | None = None) -> list[str]:
    return codes(finding.note for finding in order_findings(rows, y, ["a", "b"], time))


def test_a_date_column_in_order_is_told_with_the_command() -> None:
    assert found(table(DAYS, x=NOISE), CLASSES) == ["P154"]
    assert found(table(np.repeat(DAYS[:150], 2), x=NOISE), CLASSES) == ["P154"]
    for days in (DAYS[::-1], np.full(300, 19_000.0), np.where(np.arange(300) == 7, np.nan, DAYS)):
        assert found(table(days, x=NOISE), CLASSES) == []
    assert found(table(DAYS[:40], x=NOISE[:40]), CLASSES[:40]) == []


def test_drift_of_classes_and_columns() -> None:
    rising = (np.random.default_rng(2).random(300) < np.linspace(0.1, 0.6, 300)).astype(int)
    findings = order_findings(table(DAYS, x=NOISE), rising, ["a", "b"], "day")
    assert codes(finding.note for finding in findings) == ["P155"]
    values = findings[0].note.values
    assert values["first"] == pytest.approx((rising[:60] == int(values["label"] == "b")).mean())
    assert found(table(DAYS, x=NOISE + DAYS / 100), CLASSES, "day") == ["P156"]


def test_chance_is_seldom_taken_for_drift() -> None:
    generator = np.random.default_rng(3)
    tables = [table(DAYS, x=generator.normal(size=300), z=generator.normal(size=300)) for _ in range(300)]
    told = [found(rows, generator.integers(0, 2, 300), "t") for rows in tables]
    assert sum(map(bool, told)) <= 12  # about 3 are expected, of 300 at the level 0.01


def test_chi_square_is_scipys() -> None:
    counts = np.random.default_rng(4).integers(5, 40, (5, 3))
    assert chi_square(counts) == pytest.approx(stats.chi2_contingency(counts).pvalue)
    assert chi_square(counts[:, :1]) == 1.0


def test_the_diagnosis_has_it() -> None:
    warnings = diagnosis_of(table(DAYS, x=NOISE), CLASSES, 2).warnings
    assert "P154" in codes(finding.note for finding in warnings)
    assert "P154" not in codes(
        f.note for f in diagnosis_of(table(DAYS, x=NOISE), CLASSES, 2, time="day").warnings
    )
