"""A source as a typed table, whole (`read`) or block by block (`scan`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os import fspath
from typing import TYPE_CHECKING, cast

from assay.data.apply_schema import SchemaReader, conform_table, misfit_error, required_columns
from assay.data.convert import MisfitError, plain
from assay.data.inference.column_types import (
    DASH,
    RequestedType,
    as_target,
    column_of_type,
    dash_is_value,
    infer,
    requested_types,
)
from assay.data.inference.formats import parse_format
from assay.data.inference.non_numeric import note_non_numeric
from assay.data.inference.value_counts import ColumnCounts, Kind, RereadError
from assay.data.labels import check_beside, label_name
from assay.data.missing_values import read_markers
from assay.data.schema import Column, Schema, unknown_column
from assay.data.sources.database_address import is_address
from assay.data.sources.stream import BATCH_ROWS, CachedStream, Stream
from assay.data.table import Table, empty, stack
from assay.notes import Note
from assay.numerics.scalars import names_of

if TYPE_CHECKING:
    import pyarrow as pa

MOST_REREADS = 4  # of one column
DATABASES = ("postgresql", "postgres", "sqlite")
Markers = str | Iterable[str] | None  # as `read_markers` takes them


def open_stream(source: object, query: str | None = None) -> Stream:
    """The stream of whatever holds rows: a path, a folder, a database address, a frame, an array, ..."""
    if is_address(source):
        return _open_address(fspath(source), query)
    if query is not None:
        raise ValueError(Note("D057"))
    from assay.data.sources.frames import TableStream, stream_of

    stream = TableStream(source) if isinstance(source, Table) else stream_of(source)
    if stream is None:
        raise ValueError(Note("D058", kind=type(source).__name__))
    return stream


def _open_address(address: str | bytes, query: str | None) -> Stream:
    text = address.decode() if isinstance(address, bytes) else address
    scheme, separator, _ = text.partition("://")
    if separator and scheme.lower() in DATABASES:
        from assay.data.sources.database import DatabaseStream

        return cast(Stream, DatabaseStream(text, query))
    if separator and scheme.isalnum():
        raise ValueError(Note("D059", scheme=scheme, text=text))
    if query is not None:
        raise ValueError(Note("D060", text=text))
    from assay.data.sources.files import open_path

    return open_path(text)


@dataclass(frozen=True)
class Source:
    """A source whose columns are known, to be read block by block.

    Attributes
    ----------
    schema : Schema
    name : str
        What messages call the source.
    n_rows : int or None
        Rows, where they have been counted.
    """

    schema: Schema
    name: str
    n_rows: int | None
    stream: Stream

    def blocks(self, rows: int = BATCH_ROWS) -> Iterator[Table]:
        """Tables of `rows` rows, the last one shorter, in the order of the source.

        Without any row there is one empty table: nothing can be learned from it, but all of it can be predicted.
        """
        if rows < 1:
            raise ValueError(Note("D064", rows=rows))
        conform = SchemaReader(self.schema, self.stream)
        first_row = 0
        held: list[Table] = []
        # Raw text takes more room than typed columns: few rows are raw at a time, however many a block has.
        for batch in self.stream.batches(min(rows, BATCH_ROWS)):
            held.append(conform.table(batch, first_row))
            first_row += batch.num_rows
            if sum(part.n_rows for part in held) >= rows:
                whole = stack(held)
                full = whole.n_rows - whole.n_rows % rows
                yield from (whole.slice(at, at + rows) for at in range(0, full, rows))
                held = [whole.slice(full, whole.n_rows)] if full < whole.n_rows else []
        if held:
            yield stack(held)
        if first_row == 0:
            yield empty(self.schema)


def scan(
    source: object,
    *,
    types: Mapping[str, str] | None = None,
    drop: Sequence[str] = (),
    target: str | None = None,
    query: str | None = None,
    schema: Schema | None = None,
    missing: Markers = None,
) -> Source:
    """A source to be read in blocks; one pass finds the types and levels of its columns (see `read`)."""
    return _scan(open_stream(source, query), types, drop, target, schema, missing)


def _scan(
    stream: Stream,
    types: Mapping[str, str] | None,
    drop: Sequence[str],
    target: str | None,
    schema: Schema | None,
    missing: Markers,
) -> Source:
    if schema is not None:
        return Source(required_columns(_marked(schema, missing), stream, target), stream.name, None, stream)
    if unlearnable := stream.unlearnable:
        raise ValueError(unlearnable)
    requested = {name: RequestedType("text") for name in stream.texts} | requested_types(types or {})
    drop = names_of(drop)
    target = stream.target if target is None and stream.target not in drop else target
    for name in [*requested, *drop, *([target] if target is not None else [])]:
        if name not in stream.names:
            raise unknown_column(name, stream.names)
    if target in drop:
        raise ValueError(Note("P003", target=target))
    names = [name for name in stream.names if name not in drop]
    if not names:
        raise ValueError(Note("D062", source=stream.name, columns=list(drop)))
    tallies = _count(stream, names, requested, target, read_markers(missing))
    for tally in tallies:
        if missing is None and dash_is_value(tally, tally.name == target):
            tally.count_as_value(DASH)
    columns = tuple(
        _with_source_notes(_column(tally, requested, target), stream, types or {}) for tally in tallies
    )
    columns = tuple(
        column
        if column.name == target or column.name in requested
        else note_non_numeric(column, tally, stream)
        for column, tally in zip(columns, tallies, strict=True)
    )
    return Source(Schema(columns), stream.name, tallies[0].rows, stream)


def _marked(schema: Schema, missing: Markers) -> Schema:
    """The schema with other texts that stand for missing values, if any are named."""
    if missing is None:
        return schema
    return Schema(tuple(replace(column, markers=read_markers(missing)) for column in schema))


def _with_source_notes(column: Column, stream: Stream, types: Mapping[str, str]) -> Column:
    """The column with what its source says of it: that it holds texts, and what was left out."""
    if column.name not in stream.texts:
        return column
    reason = column.reason if column.name in types else stream.texts_reason
    return replace(column, reason=reason, note=stream.note)


def _column(tally: ColumnCounts, requested: dict[str, RequestedType], target: str | None) -> Column:
    request = requested.get(tally.name)
    if tally.name == target:
        return as_target(tally, named=request is not None and request.type in ("categorical", "binary"))
    return infer(tally) if request is None else column_of_type(tally, request.type)


def _count(
    stream: Stream,
    names: list[str],
    requested: dict[str, RequestedType],
    target: str | None,
    markers: tuple[str, ...],
) -> list[ColumnCounts]:
    """One pass over the source; it begins again where a value far down shows how a column is really written."""
    again: list[RereadError] = []
    while True:
        tallies = [_tally(name, requested.get(name), name == target, stream, markers) for name in names]
        for error in again:
            tallies[names.index(error.name)].reread(error)
        # A column whose values cannot agree on a way ends in the error for the value that does not fit.
        for tally in tallies:
            tally.settled |= sum(error.name == tally.name for error in again) >= MOST_REREADS
        try:
            return _pass(stream, names, tallies)
        except RereadError as error:
            again.append(error)


def _pass(stream: Stream, names: list[str], tallies: list[ColumnCounts]) -> list[ColumnCounts]:
    positions = [stream.names.index(name) for name in names]
    first_row = 0
    for batch in stream.batches():
        for tally, at in zip(tallies, positions, strict=True):
            _add(tally, batch.column(at), stream, first_row)
        first_row += batch.num_rows
    if first_row == 0:
        raise _no_rows(stream)
    return tallies


def _tally(
    name: str, requested: RequestedType | None, target: bool, stream: Stream, markers: tuple[str, ...]
) -> ColumnCounts:
    chosen = None if requested is None or target else requested.type
    kinds: dict[str | None, Kind] = {
        "numeric": "number",
        "date": "date",
        "text": "text",
        "identifier": "text",
    }
    tally = ColumnCounts(
        name, forced=target or chosen in ("categorical", "binary"), kind=kinds.get(chosen), markers=markers
    )
    tally.decimal_comma = stream.decimal_comma
    tally.keeps_text = target and not stream.untyped
    if requested is not None and requested.written and not target:
        tally.written, tally.settled = parse_format(requested.written), True
    return tally


def _add(tally: ColumnCounts, array: pa.Array, stream: Stream, first_row: int) -> None:
    try:
        tally.add(plain(array))
    except MisfitError as misfit:
        example = "" if tally.written is None else tally.written.example
        column = Column(tally.name, "numeric" if tally.kind == "number" else "date", written=example)
        raise misfit_error(column, misfit, stream, first_row, learned=False) from None
    except TypeError as error:
        raise ValueError(Note("D065", tally.name, source=stream.name, reason=error.args[0])) from None


def _no_rows(stream: Stream) -> ValueError:
    return ValueError(Note("D056", source=stream.name))


def read(
    source: object,
    *,
    types: Mapping[str, str] | None = None,
    drop: Sequence[str] = (),
    target: str | None = None,
    query: str | None = None,
    schema: Schema | None = None,
    missing: Markers = None,
) -> Table:
    """Read a table and infer the types of its columns.

    Parameters
    ----------
    source
        A file (.csv, .tsv, .txt, .jsonl, .ndjson, .json, each also .gz or .zst; .parquet, .arrow, .feather), a folder
        of class folders with texts, a database address with `query`, a pandas or polars frame, an Arrow table, a NumPy
        array, a dictionary of columns, a list of texts, a pair (X, y) of rows and labels, or a `Table`.
    types : dict, optional
        Types of columns, instead of inferred ones, such as {"zip": "categorical"}. Numbers and dates may have a format:
        {"price": "numeric:1.234,5", "day": "date:mm/dd/yyyy"}.
    drop : sequence of str
        Columns to leave out.
    target : str, optional
        The column of labels, which is read as categories, whatever its values are.
    query : str, optional
        What to read from a database: SQL, or the name of a table.
    schema : Schema, optional
        Read the columns by this schema, as for a table to be predicted: further columns are ignored, unseen categories
        get the code UNSEEN, the target may be absent.
    missing : sequence of str or numbers, optional
        Markers of missing values besides empty values, in every column; [] for none. By default NA, N/A, null, ?, nan
        and -, where - is a value of a column that also has +, and the label of a target with one other. With a
        `schema`, its markers of each column.

    Examples
    --------
    >>> from assay import read
    >>> table = read({"height": [1.72, None, 1.81, 1.64], "smoker": ["yes", "no", "no", "?"]})
    >>> [(column.name, column.type, column.missing) for column in table.schema]
    [('height', 'numeric', 1), ('smoker', 'binary', 1)]
    >>> table["smoker"], table.schema["smoker"].levels
    (array([ 1,  0,  0, -1], dtype=int32), ('no', 'yes'))
    """
    if isinstance(source, Table) and query is None:
        if schema is not None:
            return _conformed(source, _marked(schema, missing), target)
        if not types and target is None and missing is None:
            return source.without(*drop) if len(drop) else source
    typed = _scan(CachedStream(open_stream(source, query)), types, drop, target, schema, missing)
    return stack(typed.blocks())


def _conformed(table: Table, schema: Schema, target: str | None) -> Table:
    from assay.data.sources.frames import TableStream

    return conform_table(table, required_columns(schema, TableStream(table), target))


def with_labels(X: Table, y: object) -> Table:
    """A typed table with the labels as its last column."""
    name = label_name(y)
    check_beside(X.schema.names, name)
    labels = read({name: y}, target=name)
    if labels.n_rows != X.n_rows:
        raise ValueError(Note("D036", rows=X.n_rows, labels=labels.n_rows))
    return Table(Schema((*X.schema, *labels.schema)), {**X.columns, **labels.columns})
