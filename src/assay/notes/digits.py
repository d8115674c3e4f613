"""How many digits a figure is shown with: one rule for verdict, command line and report."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

MOST_DECIMALS = 4  # of a share: what is closer to nothing than 0.0001 % may be called nothing


def percent(share: float) -> str:
    """A share as a number of per cents, without the sign: one decimal, more where it would look like 0 or 100.

    What is not known, as the standard error of a single row is not, is a dash.

    >>> percent(0.0333), percent(0.0004), percent(0.0), percent(0.99996), percent(math.nan)
    ('3.3', '0.04', '0.0', '99.996', '-')
    """
    if math.isnan(share):
        return "-"
    value = 100.0 * share
    away = min(abs(value), abs(100.0 - value))
    if away >= 0.095 or away < 0.5 * 10.0**-MOST_DECIMALS:
        return f"{value:.1f}"
    return f"{value:.{min(math.ceil(-math.log10(away) - 1e-6), MOST_DECIMALS)}f}"


def percent_range(ends: Iterable[float]) -> str:
    """An interval of shares, in per cents, without the sign."""
    return " to ".join(percent(end) for end in ends)


def number(value: float, digits: int = 3) -> str:
    """Three significant digits, without an exponent where a person would write none.

    >>> number(0.54), number(12.345), number(0.00001234)
    ('0.540', '12.3', '1.23e-5')
    """
    if value == 0 or math.isnan(value):
        return "0" if value == 0 else "-"
    size = math.floor(math.log10(abs(value)))
    if size >= 6 or size < -4:
        return f"{value:.{digits - 1}e}".replace("e+0", "e").replace("e-0", "e-").replace("e+", "e")
    return f"{value:.{max(digits - 1 - size, 0)}f}"


def number_range(ends: Iterable[float]) -> str:
    """An interval of numbers, both ends with as many decimals as the larger one needs.

    >>> number_range((0.0619, 0.2571))
    '0.062 to 0.257'
    """
    low, high = ends
    largest = max(abs(low), abs(high))
    places = 2 if largest == 0 else min(max(2 - math.floor(math.log10(largest)), 0), 6)
    return f"{low:.{places}f} to {high:.{places}f}"


def spell_number(value: float) -> str:
    """A number in as few digits as give it back.

    >>> spell_number(5.0), spell_number(0.1), spell_number(1 / 3)
    ('5', '0.1', '0.3333333333333333')
    """
    short = f"{value:g}"
    return short if float(short) == value else repr(float(value))


def date_text(days: float) -> str:
    """A date of `Numbers` as people write it.

    >>> date_text(0.0), date_text(18262.4)
    ('1970-01-01', '2020-01-01')
    """
    return (date(1970, 1, 1) + timedelta(days=int(math.floor(days)))).isoformat()


def in_digits(value: Any, digits: int = 6) -> str:
    """A fraction in so many digits, anything else as it is written.

    >>> in_digits(0.123456789, 3), in_digits(12), in_digits("rbf")
    ('0.123', '12', 'rbf')
    """
    return f"{value:.{digits}g}" if isinstance(value, float) else str(value)
