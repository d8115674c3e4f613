"""Which texts of a table were read as missing values, and how often."""

from __future__ import annotations

from collections.abc import Iterable

from assay.data import Column
from assay.notes.phrases import listed, plural

MOST_COLUMNS = 3


def marker_notes(columns: Iterable[Column]) -> tuple[str, ...]:
    """One sentence about the markers that were read as missing values; none if there were none.

    >>> marker_notes([Column("age", "numeric", marked=(("?", 2),)), Column("sex", "binary", marked=(("?", 1),))])
    ("Read as missing values: '?' 3 times ('age', 'sex'); name other markers with missing= if these are values.",)
    """
    counts: dict[str, dict[str, int]] = {}
    for column in columns:
        for marker, count in column.marked:
            counts.setdefault(marker, {})[column.name] = count
    if not counts:
        return ()
    told = [
        f"{marker!r} {plural(sum(places.values()), 'time')} ({listed(list(map(repr, places)), MOST_COLUMNS)})"
        for marker, places in counts.items()
    ]
    return (f"Read as missing values: {listed(told)}; name other markers with missing= if these are values.",)
