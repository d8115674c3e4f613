"""Frames, arrays and tables in memory as streams; their values are never turned into Python objects."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from assay.data.convert import is_text, plain
from assay.data.labels import UNNAMED, check_beside, column_names, label_name
from assay.data.sources.stream import BATCH_ROWS, Stream, check_names, plain_place
from assay.data.sources.text_folder import TEXT
from assay.data.table import Table
from assay.notes import Note
from assay.numerics.scalars import is_list, is_number
from assay.types import Cells

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


class ArrowStream(Stream):
    """An Arrow table in memory."""

    target: str | None = None
    texts: tuple[str, ...] = ()
    texts_reason = Note("D219")

    def __init__(self, table: pa.Table, name: str = "the table") -> None:
        self.name = name
        self.names = check_names(table.column_names, name)
        self.table = table

    def batches(self, rows: int = BATCH_ROWS) -> Iterator[pa.RecordBatch]:
        yield from self.table.to_batches(max_chunksize=rows)

    def place(self, row: int) -> str:
        return plain_place(row)


class TableStream(ArrowStream):
    """A typed table, its levels written out again."""

    def __init__(self, table: Table) -> None:
        super().__init__(table.to_arrow(), "the table")


def stream_of(source: object) -> ArrowStream | None:
    """The stream of an object in memory, or None if it is not one that holds a table."""
    import pyarrow as pa

    if isinstance(source, tuple) and len(source) == 2:
        return _pair(*source)
    if isinstance(source, list | np.ndarray | pa.Array) and (texts := _texts(source)):
        return texts
    home = type(source).__module__.partition(".")[0]
    if home == "pandas" and hasattr(source, "columns"):
        return ArrowStream(_from_pandas(source), "the frame")
    readers: tuple[tuple[type, Callable[[Any], pa.Table], str], ...] = (
        (np.ndarray, _from_array, "the array"),
        (Mapping, _from_columns, "the dictionary"),
        (pa.RecordBatchReader, pa.RecordBatchReader.read_all, "the table"),
        (pa.RecordBatch, pa.table, "the table"),
    )
    for kind, read, name in readers:
        if isinstance(source, kind):
            return ArrowStream(read(source), name)
    if hasattr(source, "__arrow_c_stream__"):
        return ArrowStream(_from_arrow(source), "the frame" if home == "polars" else "the table")
    return None


def _from_arrow(source: object) -> pa.Table:
    """A table, or a single column as one: a series of pandas or polars, a chunked array."""
    import pyarrow as pa

    column = getattr(source, "dtype", None) is not None or isinstance(source, pa.ChunkedArray)
    if not column:
        return pa.table(source)
    name = getattr(source, "name", None)
    return _from_columns({"x0" if name in (None, "") else name: source})


def _from_pandas(frame: pd.DataFrame) -> pa.Table:
    import pyarrow as pa

    names = check_names([str(name) for name in frame.columns], "the frame")
    frame = frame.set_axis(list(names), axis=1)
    sparse = {name: kind.subtype for name, kind in frame.dtypes.items() if _is_sparse(kind)}
    frame = frame.astype(sparse) if sparse else frame  # Arrow does not know sparse columns
    try:
        return pa.Table.from_pandas(frame, preserve_index=False)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):
        for name in names:
            _arrow_column(frame[name].to_numpy(), name)
        raise ValueError(Note("D037")) from None


def _is_sparse(kind: object) -> bool:
    """Whether a type of pandas is that of a column that stores only what differs from its fill value."""
    return hasattr(kind, "fill_value") and hasattr(kind, "subtype")


def _from_columns(columns: Mapping[Hashable, object]) -> pa.Table:
    import pyarrow as pa

    names = check_names([str(name) for name in columns], "the dictionary")
    arrays = [_arrow_column(values, name) for name, values in zip(names, columns.values(), strict=True)]
    lengths = {name: len(array) for name, array in zip(names, arrays, strict=True)}
    if len(set(lengths.values())) > 1:
        (first, rows), (other, others) = (
            min(lengths.items(), key=lambda p: p[1]),
            max(lengths.items(), key=lambda p: p[1]),
        )
        raise ValueError(Note("D030", first=first, rows=rows, other=other, others=others))
    return pa.table(arrays, names=list(names))


def _arrow_column(values: object, name: str) -> pa.Array:
    """One column as an Arrow array; values of different types in one column are an error that names the row."""
    import pyarrow as pa

    if _is_sparse(getattr(values, "dtype", None)):
        values = np.asarray(values)
    if hasattr(values, "__arrow_c_array__") or hasattr(values, "__arrow_c_stream__"):
        return pa.chunked_array(values) if hasattr(values, "__arrow_c_stream__") else pa.array(values)
    if isinstance(values, (str, bytes)) or not hasattr(values, "__len__"):
        raise ValueError(Note("D031", name))
    column = cast("Cells", values)
    if np.ndim(column) != 1:
        raise ValueError(Note("D032", name, dimensions=np.ndim(column)))
    try:
        return pa.array(values, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
        raise _mixture(list(column), name) from None


def _mixture(values: Sequence[object], name: str) -> ValueError:
    first: object = None
    for row, value in enumerate(values, 1):
        if value is None or value != value:
            continue
        if first is None:
            first = value
        elif _family(value) != _family(first):
            return ValueError(
                Note(
                    "D038",
                    name,
                    row=row,
                    value=value,
                    type=type(value).__name__,
                    earlier=type(first).__name__,
                )
            )
    return ValueError(Note("D029", name, type=type(first).__name__))


def _family(value: object) -> type:
    return float if is_number(value) else type(value)


def _from_array(array: Any) -> pa.Table:
    import pyarrow as pa

    if array.dtype.names:
        return _from_columns({name: array[name] for name in array.dtype.names})
    if array.ndim != 2:
        raise ValueError(Note("D033", shape=array.shape))
    names = check_names([f"x{at}" for at in range(array.shape[1])], "the array")
    return pa.table([_arrow_column(array[:, at], name) for at, name in enumerate(names)], names=list(names))


def _pair(X: object, y: object) -> ArrowStream:
    """The columns of X, and y as a further column."""
    if hasattr(X, "toarray"):
        raise ValueError(Note("D034"))
    features = TableStream(X) if isinstance(X, Table) else _texts(X) or stream_of(_rows(X))
    if features is None:
        raise ValueError(Note("D035"))
    name = label_name(y)
    check_beside(features.names, name)
    labels = _arrow_column(_labels(y), name)
    if len(labels) != features.table.num_rows:
        raise ValueError(Note("D036", rows=features.table.num_rows, labels=len(labels)))
    stream = ArrowStream(features.table.append_column(name, labels), "the pair (X, y)")
    stream.target, stream.texts = name, features.texts
    return stream


def _rows(X: object) -> object:
    """Rows that are not a table with names as an array."""
    named = hasattr(X, "columns") or hasattr(X, "__arrow_c_stream__") or isinstance(X, Mapping)
    return X if named else np.asarray(X)


def _labels(y: object) -> object:
    """Labels as values of one column."""
    if hasattr(y, "to_pylist"):  # Arrow, whose dictionaries NumPy does not read
        return y
    values = y.to_numpy() if hasattr(y, "to_numpy") else np.asarray(y)
    return values[:, 0] if values.ndim == 2 and values.shape[1] == 1 else values


def _texts(X: object) -> ArrowStream | None:
    """The stream of a list, a series or an array of texts, one per row; None of anything else."""
    if is_list(X):
        if not all(isinstance(text, str | None) for text in X):
            return None
        column: object = np.array(X, dtype=object)
    else:
        flat = len(getattr(X, "shape", ())) == 1 or (hasattr(X, "to_pylist") and column_names(X) is None)
        if not flat or getattr(getattr(X, "dtype", None), "names", None):
            return None
        column = X
    texts = plain(_arrow_column(column, TEXT))
    if not is_text(texts):
        return None
    import pyarrow as pa

    name = label_name(X)
    stream = ArrowStream(pa.table({TEXT if name == UNNAMED else name: texts}), "the texts")
    stream.texts = stream.names
    return stream
