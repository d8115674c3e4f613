"""Numbers and names as people read them."""

from __future__ import annotations

import math

import pytest

from assay.notes.numbers import (
    THIN,
    count,
    listed,
    name_of,
    number,
    number_range,
    percent,
    percent_range,
    seconds,
    setting_text,
    short_names,
    shorten,
)


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0203, "2.0 %"),
        (0.0, "0.0 %"),
        (0.00042, "0.04 %"),
        (1.0, "100.0 %"),
        (0.99999, "99.999 %"),
        (0.5, "50.0 %"),
    ],
)
def test_percent(share: float, text: str) -> None:
    assert percent(share).replace(THIN, " ") == text


def test_what_is_unknown_is_a_dash() -> None:
    assert (
        percent(None) == percent(math.nan) == number(math.inf) == seconds(None) == percent_range(None) == "–"
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.12345, "0.123"), (12.345, "12.3"), (1234.5, "1234"), (48842.0, "48 842"),
     (0.00001234, "1.23e-5"), (3.2e9, "3.20e9"),
     (-0.5, "-0.500"), (0, "0")],
)  # fmt: skip
def test_number(value: float, text: str) -> None:
    assert number(value).replace(THIN, " ") == text


def test_both_ends_of_a_range_have_the_same_decimals() -> None:
    assert number_range((0.0619, 0.2571)) == "0.062 to 0.257"
    assert number_range((9.0, 123.4)) == "9 to 123"


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0 s"), (2e-7, "200 ns"), (3.04e-6, "3.0 µs"), (0.012, "12 ms"), (1.26, "1.3 s"),
     (150, "2.50 min"), (9000, "2.50 h")],
)  # fmt: skip
def test_seconds(value: float, text: str) -> None:
    assert seconds(value).replace(THIN, " ") == text


def test_names_stay_different_when_they_are_cut() -> None:
    names = short_names(["a" * 50 + "1", "a" * 50 + "2", "b"], 20)
    assert len(set(names)) == 3 and all(len(name) <= 20 for name in names)
    assert names[2] == "b"


def test_names_are_one_line() -> None:
    assert name_of("a\n b\u2028c") == "a b c"
    assert name_of("  ") == "(empty)"
    assert shorten("abcdefgh", 6) == "abc…gh"
    assert shorten("abcdef", 6) == "abcdef"


def test_lists() -> None:
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed(list("abcdef"), 2) == "a, b and 4 more"
    assert count(1234567).replace(THIN, " ") == "1 234 567"
    assert setting_text({"l2": 0.01, "depth": None}) == "l2 = 0.01, depth = None"
