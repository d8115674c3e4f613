"""Numbers and names as people read them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from assay.notes import digits
from assay.notes.digits import in_digits

THIN = "\u202f"  # narrow and unbreakable: 48 842, 2.0 %
DASH = "–"
LEVEL = f"95{THIN}%"  # of every interval
NAME_WIDTH = 27


def percent(share: float | None) -> str:
    """A share with its sign, with the digits it has everywhere."""
    return DASH if share is None or not math.isfinite(share) else f"{digits.percent(share)}{THIN}%"


def percent_range(ends: Iterable[float] | None) -> str:
    """An interval of shares."""
    return DASH if ends is None else " to ".join(percent(end) for end in ends)


def points(difference: float) -> str:
    """A difference of shares in percentage points, with the digits of a share."""
    return f"{digits.percent(difference)} percentage points"


def number(value: float | None, significant: int = 3) -> str:
    """Three significant digits, thousands apart."""
    if value is None or not math.isfinite(value):
        return DASH
    text = digits.number(value, significant)
    return count(float(text)) if abs(value) >= 10_000 and text.lstrip("-").isdigit() else text


def number_range(ends: Iterable[float] | None) -> str:
    """An interval of numbers, both ends with as many decimals as the larger one needs."""
    found = () if ends is None else tuple(ends)
    return digits.number_range(found) if found and all(map(math.isfinite, found)) else DASH


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


def drawn_of(shown: int, rows: int) -> str:
    """Whether a picture shows all rows or a sample."""
    if shown == rows:
        return f"All {plural(rows, 'row')}."
    return f"{plural(shown, 'row')} of {count(rows)}, drawn at random."


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
    parts = (f"{key} = {in_digits(v)}" for key, v in setting.items())
    return ", ".join(parts)


def source_name(name: str) -> str:
    """The last part of a path or an address: folders and passwords are nobody's business."""
    return str(name).rstrip("/").rpartition("/")[2] or str(name)
