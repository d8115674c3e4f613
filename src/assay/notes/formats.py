"""How values look in the sentences of notes: ``{error:percent}``, ``{interval:number range}``, ``{names:columns}``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from assay.notes.digits import number, number_range, percent
from assay.notes.phrases import listed, spell_columns


def format_duration(seconds: float) -> str:
    """A time in the unit that suits it.

    >>> format_duration(0.001), format_duration(0.2), format_duration(75), format_duration(7300)
    ('1 ms', '0.2 s', '75 s', '2.0 h')
    """
    if seconds < 0.1:
        return f"{1e3 * seconds:.2g} ms"
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def _percents(ends: Iterable[float]) -> str:
    return " to ".join(f"{percent(end)} %" for end in ends)


def _points(difference: float) -> str:
    """A difference of proportions; one that is signed keeps its sign.

    >>> _points(0.01), _points(-0.0025)
    ('1 percentage point', '-0.25 percentage points')
    """
    shown = f"{100 * difference:.3g}"
    return f"{shown} percentage {'point' if shown == '1' else 'points'}"


def _probability(value: float) -> str:
    """
    >>> _probability(0.999), _probability(0.5)
    ('>99 %', '50 %')
    """
    return ">99 %" if value > 0.995 else f"{100 * value:.0f} %"


def _p_values(tests: Mapping[str, float]) -> str:
    """
    >>> _p_values({"corrected t-test": 0.15, "McNemar": 0.12})
    'corrected t-test p = 0.15, McNemar p = 0.12'
    """
    return ", ".join(f"{name} p = {p_value:.2g}" for name, p_value in tests.items())


FORMATS: dict[str, Callable[[Any], str]] = {
    "listed": lambda names: listed([str(name) for name in names]),
    "columns": spell_columns,
    "count": lambda value: f"{value:,}".replace(",", " "),
    "percent": lambda value: f"{percent(value)} %",
    "percent range": _percents,
    "points": _points,
    "signed points": lambda value: f"{100 * value:+.1f} percentage points",
    "number": number,
    "number range": number_range,
    "probability": _probability,
    "duration": format_duration,
    "p-values": _p_values,
}
