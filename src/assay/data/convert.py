"""Values as sources spell them, and what they mean: numbers, days, text, or nothing at all."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assay.data.missing_values import MISSING_MARKERS, clean

if TYPE_CHECKING:
    import pyarrow as pa

EXACT = 2**53  # whole numbers beyond this are no longer told apart by float64
# Blanks that surround a value; line ends too, because a file may end its lines in more than one way.
_LEADING_ZERO = re.compile(r"[+-]?0[0-9]+")
_NUMBER = re.compile(
    r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?inf(?:inity)?", re.IGNORECASE
)


class MisfitError(Exception):
    """A value that is not what its column holds; `row` counts from 0 within the array at hand."""

    def __init__(self, row: int, value: str) -> None:
        super().__init__(row, value)
        self.row, self.value = row, value


def plain(array: pa.Array) -> pa.Array:
    """Without dictionaries, extension types and kinds of strings: what is left is a number, a date or a text."""
    import pyarrow as pa

    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks() if array.num_chunks != 1 else array.chunk(0)
    if isinstance(array, pa.ExtensionArray):
        array = array.storage
    kind = array.type
    if pa.types.is_dictionary(kind):
        return plain(array.dictionary).take(array.indices)
    if pa.types.is_string(kind) or pa.types.is_string_view(kind):
        return array.cast(pa.large_string())
    if pa.types.is_decimal(kind):
        return array.cast(pa.large_string() if kind.scale == 0 else pa.float64())
    if pa.types.is_time(kind):
        return array.cast(pa.large_string())
    if pa.types.is_duration(kind):
        return days(array.cast(pa.int64()), kind.unit)
    return array


def days(counts: pa.Array, unit: str) -> pa.Array:
    """Time as a number of days."""
    import pyarrow as pa
    import pyarrow.compute as pc

    a_day = 86400 * {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
    return pc.divide(pc.cast(counts, pa.float64(), safe=False), float(a_day))


def is_text(array: pa.Array) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_large_string(array.type))


def to_numbers(array: pa.Array, markers: Sequence[str] = MISSING_MARKERS) -> NDArray[np.float64]:
    """float64 with NaN for missing values, or `MisfitError`."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = array.type
    if is_text(array):
        return _parse_numbers(array, markers)
    if pa.types.is_temporal(kind):
        return to_days(array)
    if pa.types.is_null(kind):
        return np.full(len(array), np.nan)
    return np.asarray(
        pc.cast(array, pa.float64(), safe=False).to_numpy(zero_copy_only=False), dtype=np.float64
    )


def _parse_numbers(array: pa.Array, markers: Sequence[str]) -> NDArray[np.float64]:
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        numbers = pc.cast(array, pa.float64())
    except pa.ArrowInvalid:
        cleaned = clean(array, markers)
        try:
            numbers = pc.cast(cleaned, pa.float64())
        except pa.ArrowInvalid:
            raise first_misfit(cleaned, is_number) from None
    return np.asarray(numbers.to_numpy(zero_copy_only=False), dtype=np.float64)


def to_days(array: pa.Array, markers: Sequence[str] = MISSING_MARKERS) -> NDArray[np.float64]:
    """Days since 1970-01-01 with NaN for missing values, or `MisfitError`."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if is_text(array):
        array = _parse_dates(clean(array, markers))
    if pa.types.is_timestamp(array.type):
        counts = days(array.cast(pa.int64()), array.type.unit)
    elif pa.types.is_date(array.type):
        counts = pc.cast(array.cast(pa.date32()).cast(pa.int32()), pa.float64())
    else:
        return to_numbers(array)
    return np.asarray(counts.to_numpy(zero_copy_only=False), dtype=np.float64)


def _parse_dates(cleaned: pa.Array) -> pa.Array:
    """ISO dates and times, those with a time zone in UTC."""
    import pyarrow as pa
    import pyarrow.compute as pc

    for kind in (pa.timestamp("us"), pa.timestamp("us", "UTC")):
        try:
            return pc.cast(cleaned, kind)
        except pa.ArrowInvalid:
            continue
    raise first_misfit(cleaned, is_date)


def is_date(text: str) -> bool:
    """Whether the text is an ISO date, with or without a time of day."""
    import pyarrow as pa
    import pyarrow.compute as pc

    for kind in (pa.timestamp("us"), pa.timestamp("us", "UTC")):
        try:
            pc.cast(pa.scalar(text, pa.large_string()), kind)
        except pa.ArrowInvalid:
            continue
        return True
    return False


def is_number(text: str) -> bool:
    """Whether the text is a number to `to_numbers`."""
    return _NUMBER.fullmatch(text.strip()) is not None


def keeps_zeros(text: str) -> bool:
    """Whether the text is digits after a leading zero: a key such as 00087, not a quantity."""
    return _LEADING_ZERO.fullmatch(text.strip()) is not None


def first_misfit(cleaned: pa.Array, fits: Callable[[str], bool]) -> MisfitError:
    """The first value that does not fit; of a mixture that fits value by value, the last one is named."""
    values = cleaned.to_pylist()
    known: dict[str, bool] = {}
    last = 0
    for row, value in enumerate(values):
        if value is None:
            continue
        last = row
        if value not in known:
            known[value] = bool(fits(value))
        if not known[value]:
            return MisfitError(row, value)
    return MisfitError(last, str(values[last]))


def to_text(array: pa.Array, markers: Sequence[str] = MISSING_MARKERS) -> pa.Array:
    """Strings with null for missing values; whole numbers without a decimal point."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if is_text(array):
        return clean(array, markers)
    if pa.types.is_floating(array.type):
        numbers = to_numbers(array)
        texts = [None if math.isnan(value) else number_text(value) for value in numbers.tolist()]
        return pa.array(texts, pa.large_string())
    return pc.cast(array, pa.large_string())


def number_text(value: float | int) -> str:
    """The shortest spelling of a number: 1 and 1.0 are both "1"."""
    if isinstance(value, int) or not math.isfinite(value):
        return str(value)
    return str(int(value)) if value == int(value) and abs(value) < EXACT else repr(value)


def spellings(value: object) -> list[str]:
    """The texts under which a value is known as a level, the most exact one first."""
    if isinstance(value, bool):
        return ["true" if value else "false", "1" if value else "0"]
    if isinstance(value, (int, float)):
        return [number_text(value)]
    text = str(value).strip()
    if is_number(text) and not keeps_zeros(text):
        whole = re.fullmatch(r"[+-]?[0-9]+", text)
        return [text, number_text(int(text) if whole else float(text))]
    return [text, text.lower()] if text.lower() in ("true", "false") else [text]
