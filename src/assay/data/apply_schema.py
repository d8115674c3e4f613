"""From raw Arrow columns to the arrays of a table, as a schema says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assay.data.convert import MisfitError, is_text, plain, spellings, to_days, to_numbers, to_text
from assay.data.inference.formats import parse_format
from assay.data.missing_values import ABSENT, MISSING_MARKERS, numbers_removed, without_categories
from assay.data.schema import Column, Schema
from assay.data.sources.stream import Stream
from assay.data.table import MISSING, UNSEEN, Table, Values
from assay.notes import Note

if TYPE_CHECKING:
    import pyarrow as pa


class CategoryCodes:
    """Codes of the values of a categorical column; `1`, `1.0` and `"1"` are one category."""

    def __init__(self, column: Column) -> None:
        self._known: dict[str, int] = {}
        self.unseen: dict[str, None] = {}  # values without a code, as a set that keeps its order
        self._absent = column.levels.index(ABSENT) if column.presence else MISSING
        for rank in range(2):  # an exact spelling goes before another category's second one
            for code, level in enumerate(column.levels):
                for text in spellings(level)[rank : rank + 1]:
                    self._known.setdefault(text, code)

    def code(self, value: object) -> int:
        if value is None or value != value:
            return self._absent
        for text in spellings(value):
            if text in self._known:
                return self._known[text]
        return UNSEEN

    def _noted_code(self, value: object) -> int:
        code = self.code(value)
        if code == UNSEEN and len(self.unseen) < MOST_NOTED:
            self.unseen[str(value)] = None
        return code

    def encode(self, array: pa.Array, markers: Sequence[str] = MISSING_MARKERS) -> NDArray[np.int32]:
        encoded = _as_labels(array, markers).dictionary_encode()
        if len(encoded) == 0:
            return np.empty(0, dtype=np.int32)
        codes = np.array(
            [*map(self._noted_code, encoded.dictionary.to_pylist()), self._absent], dtype=np.int32
        )
        indices = encoded.indices.fill_null(len(codes) - 1).to_numpy(zero_copy_only=False)
        return np.asarray(codes[indices], dtype=np.int32)


def _as_labels(array: pa.Array, markers: Sequence[str]) -> pa.Array:
    """Numbers and truth values as they are, everything else as cleaned text."""
    import pyarrow as pa

    kind = array.type
    if (
        pa.types.is_integer(kind)
        or pa.types.is_floating(kind)
        or pa.types.is_boolean(kind)
        or pa.types.is_null(kind)
    ):
        return array
    return to_text(array, markers)


MOST_NOTED = 100  # values of a column that were never seen in training
WHAT = {"numeric": "numbers", "date": "dates"}


class SchemaReader:
    """A raw record batch becomes a `Table` of the schema."""

    def __init__(self, schema: Schema, stream: Stream) -> None:
        self.schema, self.stream = schema, stream
        self._position = {name: at for at, name in enumerate(stream.names)}
        self._written = {c.name: parse_format(c.written) for c in schema if c.written}
        # What is a value of a column cannot stand for a missing one in it.
        self._markers = {c.name: without_categories(c.markers, c.levels) for c in schema}
        self._codes = {c.name: CategoryCodes(c) for c in schema if c.type in ("categorical", "binary")}

    def table(self, batch: pa.RecordBatch, first_row: int) -> Table:
        """The rows of `batch`, which starts at row `first_row` of its source."""
        columns = {column.name: self._column(column, batch, first_row) for column in self.schema}
        unseen = {name: tuple(codes.unseen) for name, codes in self._codes.items() if codes.unseen}
        return Table(self.schema, columns, unseen)

    def _column(self, column: Column, batch: pa.RecordBatch, first_row: int) -> Values:
        array = plain(batch.column(self._position[column.name]))
        array = numbers_removed(array, self._markers[column.name])
        try:
            return self._typed(column, array)
        except MisfitError as misfit:
            raise misfit_error(column, misfit, self.stream, first_row) from None

    def _typed(self, column: Column, array: pa.Array) -> Values:
        written, markers = self._written.get(column.name), self._markers[column.name]
        if written is not None and is_text(array):
            return written.parse(array, markers)
        if column.type == "numeric":
            return to_numbers(array, markers)
        if column.type == "date":
            return to_days(array, markers)
        if column.name in self._codes:
            return self._codes[column.name].encode(array, markers)
        return to_text(array, markers)


def misfit_error(
    column: Column, misfit: MisfitError, stream: Stream, first_row: int, *, learned: bool = True
) -> ValueError:
    """The error for a value that is not what its column holds, as a schema or (not `learned`) the user says."""
    shown = misfit.value if len(misfit.value) <= 40 else misfit.value[:37] + "..."
    place = stream.place(first_row + misfit.row)
    values = {"expected": WHAT[column.type], "place": place, "source": stream.name, "value": shown}
    if not column.written:
        return ValueError(Note("D089" if learned else "D235", column.name, values))
    return ValueError(Note("D700" if learned else "D701", column.name, values, written=column.written))


def required_columns(schema: Schema, stream: Stream, target: str | None) -> Schema:
    """The part of a schema that a source has to fill: all columns, only the target may be absent."""
    absent = [name for name in schema.names if name not in stream.names and name != target]
    if absent:
        raise ValueError(Note("D090", source=stream.name, columns=absent))
    return schema.select([name for name in schema.names if name in stream.names])


def conform_table(table: Table, schema: Schema) -> Table:
    """A table of another schema as one of this schema; categories it does not know become UNSEEN."""
    from assay.data.sources.frames import TableStream

    columns: dict[str, Values] = {}
    unseen = dict(table.unseen)
    raw = SchemaReader(schema, TableStream(table))
    batch = None
    for column in schema:
        old = table.schema[column.name]
        coded = column.type in ("categorical", "binary")
        if old.type == column.type and (not coded or old.levels == column.levels):
            columns[column.name] = table.columns[column.name]
        elif coded and old.type in ("categorical", "binary"):
            # Appended in this order so that the negative codes index them from the end.
            codes = CategoryCodes(column)
            new = np.array([*map(codes.code, old.levels), UNSEEN, codes.code(None)], dtype=np.int32)
            columns[column.name] = new[table.columns[column.name]]
            strange = [str(level) for level, code in zip(old.levels, new[:-2], strict=True) if code == UNSEEN]
            unseen[column.name] = (*unseen.get(column.name, ()), *strange[:MOST_NOTED])
        else:
            batch = next(TableStream(table).batches(max(1, table.n_rows))) if batch is None else batch
            columns[column.name] = raw._column(column, batch, 0)
    return Table(schema, columns, unseen)
