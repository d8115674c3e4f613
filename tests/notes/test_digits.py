"""One rule of digits: nothing that is something looks like nothing."""

from __future__ import annotations

import pytest

from assay.notes.digits import number, number_range, percent, percent_range


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0, "0.0"), (0.0004, "0.04"), (0.00004, "0.004"), (1e-9, "0.0"), (0.00096, "0.1"), (0.001, "0.1"),
     (0.0333, "3.3"), (0.999, "99.9"), (0.9996, "99.96"), (1.0, "100.0"), (-0.0004, "-0.04")],
)  # fmt: skip
def test_a_small_share_keeps_a_digit(share: float, text: str) -> None:
    assert percent(share) == text


def test_intervals() -> None:
    assert percent_range((0.0004, 0.0123)) == "0.04 to 1.2"
    assert percent_range((0.027, 0.1234)) == "2.7 to 12.3"
    assert number_range((0.4861, 0.594)) == "0.486 to 0.594"
    assert number_range((9.0, 123.4)) == "9 to 123"


@pytest.mark.parametrize(
    ("value", "text"), [(0.54, "0.540"), (0.7, "0.700"), (12.345, "12.3"), (0, "0"), (3.2e9, "3.20e9")]
)
def test_a_number_has_three_digits(value: float, text: str) -> None:
    assert number(value) == text
