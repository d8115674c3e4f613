"""Durations as command lines spell them: ``90s``, ``10m``, ``1h30m``."""

from __future__ import annotations

import math
import re

from assay.notes import Note
from assay.numerics.scalars import is_number

_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


def parse_duration(text: str) -> float:
    """Seconds of ``90``, ``90s``, ``10m``, ``1.5h`` or ``1h30m``.

    Examples
    --------
    >>> parse_duration("1h30m")
    5400.0
    """
    parts = re.findall(r"(\d+(?:\.\d+)?)\s*([a-z]*)", text.strip().lower())
    spelled = "".join(number + unit for number, unit in parts)
    seconds = sum(float(number) * _UNITS.get(unit, 0.0) for number, unit in parts)
    if (
        spelled != re.sub(r"\s+", "", text.lower())
        or any(unit not in _UNITS for _, unit in parts)
        or not seconds
    ):
        raise ValueError(Note("O026", text=text))
    return seconds


def parse_budget(budget: object) -> float | None:
    """Seconds, as a number or as `parse_duration` parses them; None, and the word none, set no limit.

    Examples
    --------
    >>> parse_budget("10m"), parse_budget(90), parse_budget("none")
    (600.0, 90.0, None)
    """
    if budget is None or (isinstance(budget, str) and budget.strip().lower() == "none"):
        return None
    if isinstance(budget, str):
        return parse_duration(budget)
    if not is_number(budget) or not float(budget) > 0:
        raise ValueError(Note("O027", budget=budget))
    return float(budget)


def format_budget(seconds: float) -> str:
    """At least so many seconds, as `parse_budget` parses them.

    >>> format_budget(45.2), format_budget(270), format_budget(1800), format_budget(7200)
    ('46s', '5m', '30m', '2h')
    """
    if seconds <= 120.0:
        return f"{math.ceil(seconds)}s"
    minutes = math.ceil(seconds / 60.0)
    return f"{minutes}m" if minutes % 60 else f"{minutes // 60}h"
