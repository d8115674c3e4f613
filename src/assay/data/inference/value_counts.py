"""What one pass finds out about a column: how its values are to be read, which there are, how many are missing."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from assay.data.convert import (
    EXACT,
    MisfitError,
    is_date,
    is_number,
    is_text,
    keeps_zeros,
    number_text,
    to_days,
    to_numbers,
    to_text,
)
from assay.data.inference.detect_format import DetectedFormat, detect_format, few_misfits, may_be_formatted
from assay.data.inference.formats import ValueFormat, parse_format
from assay.data.missing_values import MISSING_MARKERS, clean, count_markers, numbers_removed
from assay.notes import Note
from assay.types import Array

if TYPE_CHECKING:
    import pyarrow as pa

Kind = Literal["number", "date", "truth", "text"]
MOST_NUMBERS = 10_000  # different numbers that are counted, and
MOST_TEXTS = 100_000  # different texts; beyond this nobody asks how many there are
MOST_CATEGORIES = 1_000_000  # categories of a column that has to be categorical
MOST_SEEN = 1000  # values that are remembered as examples of how a column is written


class RereadError(Exception):
    """A value shows that a column is written otherwise than it seemed: the pass has to begin again."""

    def __init__(self, name: str, detected: DetectedFormat, seen: tuple[str, ...]) -> None:
        super().__init__(name)
        self.name, self.detected, self.seen = name, detected, seen


def kind_of(array: pa.Array, markers: Sequence[str] = MISSING_MARKERS) -> Kind | None:
    """How the values of a column are to be read, from a sample of them; None if there is no value."""
    import pyarrow as pa

    kind = array.type
    if array.null_count == len(array):
        return None
    if is_text(array):
        return "number" if _are_plain_numbers(array) else _kind_of_text(clean(array, markers), markers)
    if pa.types.is_boolean(kind):
        return "truth"
    if pa.types.is_integer(kind):
        return "text" if np.abs(to_numbers(array)[_present(array)]).max() > EXACT else "number"
    if pa.types.is_floating(kind):
        return "number"
    if pa.types.is_temporal(kind):
        return "date"
    raise TypeError(Note("D096", type=str(kind)))


def _present(array: pa.Array) -> NDArray[np.bool_]:
    return np.asarray(array.is_valid().to_numpy(zero_copy_only=False))


def _are_plain_numbers(array: pa.Array) -> bool:
    """Whether a column of text is numbers throughout, none of them a key; quick, for tables with many columns."""
    import pyarrow as pa
    import pyarrow.compute as pc

    # A look at a few values first: a cast that fails in every row is slow.
    if not all(is_number(value) for value in array[:20].drop_null().to_pylist()):
        return False
    try:
        numbers = pc.cast(array, pa.float64())
    except pa.ArrowInvalid:
        return False
    if pc.max(pc.binary_length(array)).as_py() > 15 or not pc.any(pc.is_finite(numbers)).as_py():
        return False
    return not pc.any(pc.match_substring_regex(array, "^[+-]?0[0-9]+$")).as_py()


def _kind_of_text(cleaned: pa.Array, markers: Sequence[str]) -> Kind | None:
    import pyarrow.compute as pc

    counted = pc.value_counts(cleaned.drop_null())
    values, counts = counted.field(0).to_pylist(), counted.field(1).to_numpy()
    if not values:
        return None
    if all(is_date(value) for value in values[:3]):
        try:
            to_days(cleaned, markers)
        except MisfitError:
            return "text"
        return "date"
    number = np.array([is_number(value) for value in values])
    misfits = ~number
    if any(keeps_zeros(value) or _too_long(value) for value in values if value[-1:].isdigit()):
        return "text"
    # A word among many numbers is left for the pass to name: reading it as a category would hide it.
    return "number" if few_misfits(misfits, counts) else "text"


def _too_long(value: str) -> bool:
    """Whether a whole number has more digits than a float64 keeps."""
    return len(value) > 15 and re.fullmatch(r"[+-]?[0-9]+", value) is not None and abs(int(value)) > EXACT


@dataclass
class ColumnCounts:
    """Counts of one column, added batch by batch.

    `counts` holds the different values and how often each occurs, None once there are too many to count;
    `share` is then the part of the rows that had a value of its own when counting ended. `written` is how numbers or
    dates are written, None where plainly; `doubt` another way that the values so far allow as well. `marked` holds the
    texts of `markers` that were read as missing and how often each occurs.
    """

    name: str
    forced: bool = False
    kind: Kind | None = None
    rows: int = 0
    missing: int = 0
    counts: dict[Any, int] | None = field(default_factory=dict)
    share: float = 0.0
    whole: bool = True
    increasing: bool = True
    last: float = -np.inf
    characters: int = 0
    blanks: int = 0
    first: tuple[str, ...] = ()
    floating: bool = False  # numbers of a source that tells 1.0 from 1, as arrays do and text does not
    decimal_comma: bool = False
    written: ValueFormat | None = None
    doubt: str = ""
    seen: tuple[str, ...] = ()
    settled: bool = False  # somebody has said how it is written
    markers: tuple[str, ...] = MISSING_MARKERS
    marked: dict[str, int] = field(default_factory=dict)
    keeps_text: bool = False  # labels of a source that tells "1" from 1: they come back as they are

    @property
    def present(self) -> int:
        return self.rows - self.missing

    def add(self, array: pa.Array) -> None:
        """Count the values of a plain array; `MisfitError` if one is not of the column's kind."""
        import pyarrow as pa

        before = self.missing
        values = numbers_removed(array, self.markers)
        self.rows += len(array)
        self.floating = self.floating or pa.types.is_floating(array.type)
        self._find_kind(values)
        if self.kind is None:
            self.missing += len(array)
        else:
            try:
                self._add_as(self.kind, values)
            except MisfitError:
                self._look_again(values)
                raise
        if self.missing - before > array.null_count and (is_text(array) or values is not array):
            for marker, count in count_markers(array, self.markers).items():
                self.marked[marker] = self.marked.get(marker, 0) + count

    def count_as_value(self, marker: str) -> None:
        """Count a marker among the values after all."""
        assert self.counts is not None
        self.counts[marker] = self.marked.pop(marker)
        self.missing -= self.counts[marker]

    def _find_kind(self, array: pa.Array) -> None:
        """How the column is to be read, if that is still open."""
        if self.kind is None:
            self.kind = kind_of(array, self.markers)
            if self.keeps_text and self.kind is not None and is_text(array):
                self.kind = "text"
            if self.kind == "text" and not self.forced and is_text(array):
                self._take(
                    _detected(array, self.markers, self.decimal_comma), _different(array, self.markers)[0]
                )
        elif self.doubt and is_text(array):
            detected = _detected(array, self.markers)
            if detected is not None and self.written is not None and detected.example == self.written.example:
                self.doubt = self.doubt if detected.doubt else ""

    def _take(self, detected: DetectedFormat | None, values: Sequence[str]) -> None:
        if detected is not None:
            self.kind = detected.kind
            self.written, self.doubt = parse_format(detected.example), detected.doubt
            self.seen = tuple(values[:MOST_SEEN])

    def _look_again(self, array: pa.Array) -> None:
        """Begin again if the values up to here and those of the array are written in one other way."""
        if self.settled or self.forced or not is_text(array):
            return
        values = tuple(dict.fromkeys([*self._seen(), *_different(array, self.markers)[0]]))
        detected = detect_format(values, decimal_comma=self.decimal_comma, requested=True)
        if detected is None or detected.kind != self.kind:
            return
        if self.written is None or detected.example != self.written.example:
            raise RereadError(self.name, detected, values[:MOST_SEEN])

    def reread(self, error: RereadError) -> None:
        """Begin with what an earlier pass has detected."""
        self._take(error.detected, error.seen)

    def _seen(self) -> tuple[str, ...]:
        """Values that show how those counted so far are written; whole numbers are written alike in every way."""
        if self.written is not None or not self.first or (self.kind == "number" and self.whole):
            return self.seen
        return ("0.5",) if self.kind == "number" else ("2000-01-01",)

    def _add_as(self, kind: Kind, array: pa.Array) -> None:
        if kind == "number":
            self._add_numbers(_whole_numbers_only(array, self.whole, bool(self.last > -np.inf)))
        elif kind == "date":
            self._add_dates(array)
        elif kind == "truth":
            self._add_labels(array)
        else:
            self._add_text(to_text(array, self.markers))

    def _add_numbers(self, array: pa.Array) -> None:
        values = self._parsed(array, to_numbers)
        values = values[~np.isnan(values)]
        self.missing += len(array) - len(values)
        if not len(values):
            return
        if self.whole:
            self.whole = bool(np.all((values == np.rint(values)) & (np.abs(values) <= EXACT)))
        if self.increasing:
            self.increasing = bool(values[0] > self.last and np.all(values[1:] > values[:-1]))
            self.last = float(values[-1])
        self._remember(values[:20].tolist())
        if self.counts is not None:
            different, counts = np.unique(values, return_counts=True)
            many = self.whole and len(different) > 0.9 * len(values)
            self._count(different.tolist(), counts.tolist(), MOST_TEXTS if many else MOST_NUMBERS)

    def _parsed(self, array: pa.Array, plainly: Callable[[pa.Array, Sequence[str]], Array]) -> Array:
        written = self.written if is_text(array) else None
        values: Array = (plainly if written is None else written.parse)(array, self.markers)
        return values

    def _add_dates(self, array: pa.Array) -> None:
        if self.forced:
            self._add_text(to_text(array, self.markers))
            return
        values = self._parsed(array, to_days)
        present = ~np.isnan(values)
        self.missing += int(len(values) - present.sum())
        if not self.first:
            self._remember(to_text(array, self.markers).drop_null()[:20].to_pylist())
        if self.counts is not None:
            different, counts = np.unique(values[present], return_counts=True)
            self._count(different.tolist(), counts.tolist(), MOST_NUMBERS)

    def _add_text(self, cleaned: pa.Array) -> None:
        import pyarrow.compute as pc

        self.characters += pc.sum(pc.utf8_length(cleaned)).as_py() or 0
        self.blanks += pc.sum(pc.count_substring(cleaned, " ")).as_py() or 0
        self._add_labels(cleaned)

    def _add_labels(self, array: pa.Array) -> None:
        import pyarrow.compute as pc

        self.missing += array.null_count
        present = array.drop_null()
        if not self.first:
            self._remember(present[:20].to_pylist())
        if self.counts is not None:
            counted = pc.value_counts(present)
            self._count(counted.field(0).to_pylist(), counted.field(1).to_pylist(), MOST_TEXTS)

    def _count(self, values: Sequence[Any], counts: list[int], most: int) -> None:
        assert self.counts is not None
        for value, count in zip(values, counts, strict=True):
            self.counts[value] = self.counts.get(value, 0) + count
        if len(self.counts) > (MOST_CATEGORIES if self.forced else most):
            if self.forced:
                raise ValueError(Note("D097", self.name, most=MOST_CATEGORIES))
            self.share = len(self.counts) / max(1, sum(self.counts.values()))
            self.counts = None

    def _remember(self, values: Sequence[Any]) -> None:
        if not self.first:
            self.first = tuple(dict.fromkeys(_shown(value) for value in values))[:3]

    @property
    def examples(self) -> tuple[str, ...]:
        """Up to three values: the most frequent ones of a column with few, else the first ones."""
        if self.kind != "date" and self.counts is not None and len(self.counts) <= 0.5 * self.present:
            # A stable order: values that occur equally often are taken as they came.
            return tuple(
                _shown(value) for value, _ in sorted(self.counts.items(), key=lambda pair: -pair[1])[:3]
            )
        return self.first


def _different(array: pa.Array, markers: Sequence[str]) -> tuple[list[str], NDArray[np.int64]]:
    """The different values of a column of text, cleaned, and the rows of each."""
    import pyarrow.compute as pc

    counted = pc.value_counts(clean(array, markers).drop_null())
    return counted.field(0).to_pylist(), counted.field(1).to_numpy()


def _detected(array: pa.Array, markers: Sequence[str], decimal_comma: bool = False) -> DetectedFormat | None:
    """How a column of text is written, if it is numbers or dates that are not written plainly."""
    # A look at a few values first: most columns of text are just text.
    if not may_be_formatted(_different(array[:50], markers)[0]):
        return None
    return detect_format(*_different(array, markers), decimal_comma=decimal_comma)


def _shown(value: object) -> str:
    text = number_text(value) if isinstance(value, float) else str(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _whole_numbers_only(array: pa.Array, whole: bool, later: bool) -> pa.Array:
    """The array, or `MisfitError` where a key such as 00087 turns up among whole numbers: its zeros would be lost."""
    import pyarrow.compute as pc

    if whole and later and is_text(array):
        suspects = pc.and_(pc.starts_with(array, "0"), pc.greater(pc.binary_length(array), 1))
        if pc.any(suspects).as_py():
            for row in np.flatnonzero(suspects.fill_null(False).to_numpy(zero_copy_only=False)):
                if keeps_zeros(array[int(row)].as_py()):
                    raise MisfitError(int(row), array[int(row)].as_py())
    return array
