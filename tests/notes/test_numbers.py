"""Numbers as people read them; a number that is not zero never looks like zero."""

from __future__ import annotations

import math

import pytest

from assay.notes.numbers import (
    THIN,
    count,
    format_duration,
    number,
    number_range,
    percent,
    percent_range,
    plain_number,
    plain_number_range,
    plain_percent,
    plain_percent_range,
    setting_text,
)


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0, "0.0"), (0.0004, "0.04"), (0.00004, "0.004"), (1e-9, "0.0"), (0.00096, "0.1"), (0.001, "0.1"),
     (0.0333, "3.3"), (0.999, "99.9"), (0.9996, "99.96"), (1.0, "100.0"), (-0.0004, "-0.04")],
)  # fmt: skip
def test_a_small_percentage_keeps_a_digit(share: float, text: str) -> None:
    assert plain_percent(share) == text
    assert percent(share).replace(THIN, " ") == f"{text} %"


def test_intervals() -> None:
    assert plain_percent_range((0.0004, 0.0123)) == "0.04 to 1.2"
    assert plain_percent_range((0.027, 0.1234)) == "2.7 to 12.3"
    for bounds in (plain_number_range, number_range):
        assert bounds((0.0619, 0.2571)) == "0.062 to 0.257"
        assert bounds((9.0, 123.4)) == "9 to 123"


def test_an_unknown_number_is_a_dash() -> None:
    unknown = (percent(None), percent(math.nan), number(math.inf), percent_range(None))
    assert {*unknown, format_duration(None, page=True)} == {"–"}
    assert plain_percent(math.nan) == format_duration(math.nan) == "-"


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.12345, "0.123"), (0.7, "0.700"), (12.345, "12.3"), (1234.5, "1234"), (48842.0, "48 842"),
     (0.00001234, "1.23e-5"), (3.2e9, "3.20e9"), (-0.5, "-0.500"), (0, "0")],
)  # fmt: skip
def test_a_number_has_three_digits(value: float, text: str) -> None:
    assert number(value).replace(THIN, " ") == text
    assert plain_number(value) == text.replace(" ", "")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.0, "0 s"), (0.0004, "0.4 ms"), (0.0994, "99.4 ms"), (0.0996, "99.6 ms"), (0.9, "900 ms"), (0.9996, "1 s"),
     (1.234, "1.23 s"), (12.34, "12.3 s"), (60, "60 s"), (150, "2.5 min"), (9000, "2.5 h")],
)  # fmt: skip
def test_durations(seconds: float, text: str) -> None:
    assert format_duration(seconds) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(2e-7, "200 ns"), (3.04e-6, "3.04 µs"), (0.012, "12 ms"), (1.26, "1.26 s")]
)
def test_a_page_has_shorter_units(seconds: float, text: str) -> None:
    assert format_duration(seconds, page=True).replace(THIN, " ") == text


def test_counts_and_hyperparameters() -> None:
    assert count(1234567).replace(THIN, " ") == "1 234 567"
    assert count(2.5) == "2.5"
    assert setting_text({"l2": 0.01, "depth": None}) == "l2 = 0.01, depth = None"
