"""The table of metrics."""

from __future__ import annotations

import math

from assay.decision.metric_table import MetricRow, MetricTable
from tests.raised import raises

TABLE = MetricTable(
    (
        MetricRow("f1", "F1", "a", 0.5, 0.1, 0.3, 0.7),
        MetricRow("f1", "F1", "b", math.nan, math.nan, 0.0, 1.0),
        MetricRow("mcc", "MCC", None, 0.25, 0.1, 0.05, 0.45),
    )
)


def test_lines_are_found_by_name_and_class() -> None:
    assert TABLE["f1"].of == "a" and TABLE["f1", "b"].of == "b"
    assert TABLE["mcc"].name == "MCC" and TABLE["f1"].name == "F1 of 'a'"
    assert [row.metric for row in TABLE] == ["f1", "f1", "mcc"] and len(TABLE) == 3
    with raises("L107", KeyError, name="f2"):
        TABLE["f2"]


def test_what_is_not_defined_is_none_in_json() -> None:
    assert TABLE["f1", "b"].figures["value"] is None and TABLE["f1", "a"].figures["high"] == 0.7


def test_the_text_has_a_line_per_metric() -> None:
    assert str(TABLE).splitlines()[2].split() == ["MCC", "0.2500", "(0.0500", "to", "0.4500)"]
