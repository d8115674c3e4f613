"""Texts that stand for a missing value: which they are, where they are, and how often.

An empty value is always missing. The other markers are the usual ones, or those that the user names; blanks around a
marker and the case of its letters do not matter, and a marker that is a number means every spelling of that number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from assay.notes import Note
from assay.numerics.scalars import names_of

if TYPE_CHECKING:
    import pyarrow as pa

ABSENT = "(missing)"  # the level of a missing value, where that a value is missing is a value
MISSING_MARKERS = ("", "NA", "N/A", "null", "?", "nan", "-")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def read_markers(missing: str | Iterable[str] | None) -> tuple[str, ...]:
    """The markers that a user names; None means the usual ones, an empty list none but empty values.

    >>> read_markers(None)
    ('', 'NA', 'N/A', 'null', '?', 'nan', '-')
    >>> read_markers(["unknown", -999])
    ('unknown', '-999')
    """
    if missing is None:
        return MISSING_MARKERS
    listed = names_of(missing)
    for marker in listed:
        if isinstance(marker, bool) or not isinstance(marker, str | int | float):
            raise ValueError(Note("D100", marker=marker))
    return tuple(dict.fromkeys(str(marker).strip() for marker in listed if str(marker).strip()))


def without_categories(markers: Sequence[str], levels: Iterable[object]) -> tuple[str, ...]:
    """The markers that are not known values of a column themselves.

    >>> without_categories(["?", "-"], ["+", "-"])
    ('?',)
    """
    known = {str(level).lower() for level in levels}
    return tuple(marker for marker in markers if marker.lower() not in known)


@lru_cache(maxsize=256)
def _known(markers: tuple[str, ...]) -> frozenset[str]:
    return frozenset(marker.lower() for marker in markers) | {""}


@lru_cache(maxsize=256)
def _numbers(markers: tuple[str, ...]) -> tuple[float, ...]:
    return tuple(float(marker) for marker in markers if _NUMBER.fullmatch(marker))


def clean(array: pa.Array, markers: Sequence[str] = MISSING_MARKERS) -> pa.Array:
    """Text without surrounding blanks, null where a marker says that there is no value."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if len(array) == 0:
        return array
    encoded = array.dictionary_encode()
    # Each different value once: columns of categories are cleaned in no time.
    values = pc.utf8_trim_whitespace(encoded.dictionary)
    absent = _are_markers(values, tuple(markers))
    if pc.any(absent).as_py():
        values = pc.if_else(absent, pa.scalar(None, pa.large_string()), values)
    return values.take(encoded.indices)


def _are_markers(values: pa.Array, markers: tuple[str, ...]) -> pa.Array:
    """Which of the different trimmed texts are markers."""
    import pyarrow as pa
    import pyarrow.compute as pc

    known, numbers = _known(markers), _numbers(markers)
    short = pc.less_equal(pc.utf8_length(values), max(map(len, known)))
    if not pc.any(short).as_py() and not numbers:
        return short
    absent = pc.and_(short, pc.is_in(pc.utf8_lower(values), pa.array(sorted(known), pa.large_string())))
    if not numbers:
        return absent
    spelled = [_NUMBER.fullmatch(text) is not None and float(text) in numbers for text in values.to_pylist()]
    return pc.or_(absent, pa.array(spelled, pa.bool_()))


def numbers_removed(array: pa.Array, markers: Sequence[str]) -> pa.Array:
    """The array, null where it holds a marker that is a number; others are left to those who read the values."""
    import pyarrow as pa
    import pyarrow.compute as pc

    numbers = _numbers(tuple(markers))
    if not numbers:
        return array
    if pa.types.is_large_string(array.type):
        return clean(array, markers)
    if not (pa.types.is_integer(array.type) or pa.types.is_floating(array.type)):
        return array
    absent = pc.is_in(pc.cast(array, pa.float64(), safe=False), pa.array(numbers, pa.float64()))
    return pc.if_else(absent, pa.scalar(None, array.type), array)


def count_markers(array: pa.Array, markers: Sequence[str]) -> dict[str, int]:
    """How often each marker stands in a plain array, as it is spelled there; empty values are not counted."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_large_string(array.type):
        gone = pc.and_(array.is_valid(), numbers_removed(array, markers).is_null())
        array = pc.cast(array.filter(gone), pa.large_string())
    counted = pc.value_counts(pc.utf8_trim_whitespace(array.drop_null()))
    if len(counted) == 0:
        return {}
    marked = counted.filter(_are_markers(counted.field(0), tuple(markers)))
    pairs = zip(marked.field(0).to_pylist(), marked.field(1).to_pylist(), strict=True)
    return {marker: count for marker, count in pairs if marker}
