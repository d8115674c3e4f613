"""Numbers and names as people read them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

THIN = "\u202f"  # narrow and unbreakable: 48 842, 2.0 %
DASH = "–"
LEVEL = f"95{THIN}%"  # of every interval
NAME_WIDTH = 27


def percent(share: float | None) -> str:
    """A share: one decimal, more only where it would vanish, none from 99.95 % on."""
    if share is None or not math.isfinite(share):
        return DASH
    value = 100.0 * share
    digits = 1 if abs(value) >= 0.1 or value == 0 else 2
    text = f"{value:.{digits}f}"
    return f"{'100' if text == '100.0' else '0' if value == 0 else text}{THIN}%"


def percent_range(ends: Iterable[float] | None) -> str:
    """An interval of shares."""
    return DASH if ends is None else " to ".join(percent(end) for end in ends)


def number(value: float | None, digits: int = 3) -> str:
    """Three significant digits, without exponents where a person would write none."""
    if value is None or not math.isfinite(value):
        return DASH
    if value == 0:
        return "0"
    size = math.floor(math.log10(abs(value)))
    if size >= 6 or size < -4:
        return f"{value:.{digits - 1}e}".replace("e+0", "e").replace("e-0", "e-").replace("e+", "e")
    text = f"{value:.{max(digits - 1 - size, 0)}f}"
    return text if size < 4 else count(round(float(text)))


def number_range(ends: Iterable[float] | None) -> str:
    """An interval of numbers, both ends with as many decimals as the wider one needs."""
    if ends is None:
        return DASH
    low, high = ends
    if not (math.isfinite(low) and math.isfinite(high)):
        return DASH
    largest = max(abs(low), abs(high))
    places = 2 if largest == 0 else min(max(2 - math.floor(math.log10(largest)), 0), 6)
    return f"{low:.{places}f} to {high:.{places}f}"


def count(value: float) -> str:
    """A number of things, thousands apart; weights that are no whole numbers keep one decimal."""
    whole = float(value).is_integer()
    return (f"{value:,.0f}" if whole else f"{value:,.1f}").replace(",", THIN)


def seconds(value: float | None) -> str:
    """A time with the unit that suits it."""
    if value is None or not math.isfinite(value):
        return DASH
    if value >= 100:
        return f"{number(value / 60)}{THIN}min" if value < 7200 else f"{number(value / 3600)}{THIN}h"
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= size:
            return f"{number(value / size, 2)}{THIN}{unit}"
    return f"{number(value * 1e9, 2)}{THIN}ns" if value > 0 else f"0{THIN}s"


def listed(names: Sequence[str], most: int = 4) -> str:
    """Names in a sentence, the rest as a number."""
    shown, rest = list(names[:most]), len(names) - most
    if rest > 0:
        return ", ".join(shown) + f" and {rest} more"
    return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + f" and {shown[-1]}"


def plural(n: int, one: str, many: str | None = None) -> str:
    return f"{count(n)} {one if n == 1 else many or one + 's'}"


def name_of(label: Any) -> str:
    """A label as one line of text; nothing at all is named, too."""
    text = " ".join(str(label).split())
    return text or "(empty)"


def shorten(text: str, width: int = NAME_WIDTH) -> str:
    """The beginning and the end of a long text: names of one table often differ in their last letters only."""
    if len(text) <= width:
        return text
    end = width // 3
    return text[: width - 1 - end].rstrip() + "…" + text[len(text) - end :].lstrip()


def short_names(labels: Iterable[Any], width: int = NAME_WIDTH) -> list[str]:
    """Labels short enough for an axis, still different from each other."""
    names: list[str] = []
    taken: set[str] = set()
    for label in labels:
        name = base = shorten(name_of(label), width)
        turn = 2
        while name in taken:
            name = f"{shorten(base, width - len(str(turn)) - 3)} ({turn})"
            turn += 1
        taken.add(name)
        names.append(name)
    return names


def setting_text(setting: dict[str, Any]) -> str:
    """Parameters of a model in a table's cell."""
    if not setting:
        return "nothing to set"
    parts = (f"{key} = {f'{v:g}' if isinstance(v, float) else v}" for key, v in setting.items())
    return ", ".join(parts)
