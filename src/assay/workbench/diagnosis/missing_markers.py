"""Which texts of a table were read as missing values, and how often."""

from __future__ import annotations

from collections.abc import Iterable

from assay.data import Column
from assay.notes import Note
from assay.notes.phrases import listed, plural

MOST_COLUMNS = 3


def marker_notes(columns: Iterable[Column]) -> tuple[str, ...]:
    """One note about the markers that were read as missing values; none if there were none.

    >>> columns = [Column("age", "numeric", marked=(("?", 2),)), Column("sex", "binary", marked=(("?", 1),))]
    >>> print(*marker_notes(columns))
    Read as missing values: '?' 3 times ('age', 'sex'); if these are values, name other markers with missing=.
    """
    counts: dict[str, dict[str, int]] = {}
    for column in columns:
        for marker, count in column.marked:
            counts.setdefault(marker, {})[column.name] = count
    if not counts:
        return ()
    markers = [
        f"{marker!r} {plural(sum(places.values()), 'time')} ({listed([repr(name) for name in places], MOST_COLUMNS)})"
        for marker, places in counts.items()
    ]
    return (Note("P145", markers=markers),)
