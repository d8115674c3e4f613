"""Numbers as people read them: percentages, digits, intervals, durations, dates.

Pages set thousands and units apart by a narrow space (`percent`, `number`); a terminal gets plain ASCII
(`plain_percent`, `plain_number`). The rule of digits is one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import date, timedelta

MOST_DECIMALS = 4  # of a percentage: less than 0.0001 % may be called zero
THIN = "\u202f"  # narrow and unbreakable: 48 842, 2.0 %
DASH = "–"
LEVEL = f"95{THIN}%"  # of every interval


def plain_percent(share: float) -> str:
    """A proportion in per cent, without the sign: one decimal, more where it would look like 0 or 100.

    A proportion that is unknown, such as the standard error of a single row, is a dash.

    >>> plain_percent(0.0333), plain_percent(0.0004), plain_percent(0.0), plain_percent(0.99996)
    ('3.3', '0.04', '0.0', '99.996')
    >>> plain_percent(math.nan)
    '-'
    """
    if math.isnan(share):
        return "-"
    value = 100.0 * share
    away = min(abs(value), abs(100.0 - value))
    if away >= 0.095 or away < 0.5 * 10.0**-MOST_DECIMALS:
        return f"{value:.1f}"
    return f"{value:.{min(math.ceil(-math.log10(away) - 1e-6), MOST_DECIMALS)}f}"


def plain_percent_range(ends: Iterable[float]) -> str:
    """An interval of proportions in per cent, without the sign."""
    return " to ".join(plain_percent(end) for end in ends)


def plain_number(value: float, digits: int = 3) -> str:
    """Three significant digits, without an exponent where a person would write none.

    >>> plain_number(0.54), plain_number(12.345), plain_number(0.00001234)
    ('0.540', '12.3', '1.23e-5')
    """
    if value == 0 or math.isnan(value):
        return "0" if value == 0 else "-"
    size = math.floor(math.log10(abs(value)))
    if size >= 6 or size < -4:
        return f"{value:.{digits - 1}e}".replace("e+0", "e").replace("e-0", "e-").replace("e+", "e")
    return f"{value:.{max(digits - 1 - size, 0)}f}"


def plain_number_range(ends: Iterable[float]) -> str:
    """An interval of numbers, both ends with as many decimals as the larger one needs.

    >>> plain_number_range((0.0619, 0.2571))
    '0.062 to 0.257'
    """
    low, high = ends
    largest = max(abs(low), abs(high))
    places = 2 if largest == 0 else min(max(2 - math.floor(math.log10(largest)), 0), 6)
    return f"{low:.{places}f} to {high:.{places}f}"


def percent(share: float | None) -> str:
    """A proportion with its sign, for a page."""
    return DASH if share is None or not math.isfinite(share) else f"{plain_percent(share)}{THIN}%"


def percent_range(ends: Iterable[float] | None) -> str:
    """An interval of proportions, for a page."""
    return DASH if ends is None else " to ".join(percent(end) for end in ends)


def points(difference: float) -> str:
    """A difference of proportions in percentage points."""
    return f"{plain_percent(difference)} percentage points"


def number(value: float | None, significant: int = 3) -> str:
    """Three significant digits with thousands set apart, for a page."""
    if value is None or not math.isfinite(value):
        return DASH
    text = plain_number(value, significant)
    return count(float(text)) if abs(value) >= 10_000 and text.lstrip("-").isdigit() else text


def number_range(ends: Iterable[float] | None) -> str:
    """An interval of numbers, for a page."""
    pair = () if ends is None else tuple(ends)
    return plain_number_range(pair) if pair and all(map(math.isfinite, pair)) else DASH


def count(value: float, space: str = THIN) -> str:
    """A number of things with thousands set apart; weights that are not whole numbers keep one decimal."""
    whole = float(value).is_integer()
    return (f"{value:,.0f}" if whole else f"{value:,.1f}").replace(",", space)


def format_duration(seconds: float | None, *, page: bool = False) -> str:
    """A time with about three digits, in the unit that suits it; a terminal has nothing shorter than a millisecond.

    >>> format_duration(0.0004), format_duration(0.9996), format_duration(75), format_duration(9000)
    ('0.4 ms', '1 s', '75 s', '2.5 h')
    >>> format_duration(0.0004, page=True).replace(THIN, " ")
    '400 µs'
    """
    if seconds is None or not math.isfinite(seconds):
        return DASH if page else "-"
    value, space = float(f"{seconds:.3g}"), THIN if page else " "
    if value >= 100:
        return f"{value / 60:.3g}{space}min" if value < 7200 else f"{value / 3600:.3g}{space}h"
    units = (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9))
    for unit, size in units if page else units[:2]:
        if value >= size:
            return f"{value / size:.3g}{space}{unit}"
    return f"{1e3 * value:.3g}{space}ms" if value else f"0{space}s"


def spell_number(value: float) -> str:
    """A number in as few digits as give it back.

    >>> spell_number(5.0), spell_number(0.1), spell_number(1 / 3)
    ('5', '0.1', '0.3333333333333333')
    """
    short = f"{value:g}"
    return short if float(short) == value else repr(float(value))


def date_text(days: float) -> str:
    """A date, counted in days since 1970, in ISO format.

    >>> date_text(0.0), date_text(18262.4)
    ('1970-01-01', '2020-01-01')
    """
    return (date(1970, 1, 1) + timedelta(days=int(math.floor(days)))).isoformat()


def in_digits(value: object, digits: int = 6) -> str:
    """A fraction in so many digits, anything else as it is written.

    >>> in_digits(0.123456789, 3), in_digits(12), in_digits("rbf")
    ('0.123', '12', 'rbf')
    """
    return f"{value:.{digits}g}" if isinstance(value, float) else str(value)


def setting_text(setting: Mapping[str, object]) -> str:
    """Hyperparameters in the cell of a table.

    >>> setting_text({"l2": 0.01, "kernel": "rbf"}), setting_text({})
    ('l2 = 0.01, kernel = rbf', 'no hyperparameters')
    """
    pairs = (f"{name} = {in_digits(value)}" for name, value in setting.items())
    return ", ".join(pairs) or "no hyperparameters"
