"""Documents from lists, arrays, series and Arrow columns, where they lie; what is not text is told by its row."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay import _core
from assay.notes import Note

SHOWN = 40  # characters of a value in a message
TEXTUAL = ("string", "large_string", "binary", "large_binary")


def as_texts(X: Any, threads: int) -> _core.text.Texts:
    """The documents of X, checked; a missing one is empty."""
    texts = _core.text.Texts()
    if isinstance(X, str | bytes):
        raise ValueError(Note("M085"))
    if hasattr(X, "to_arrow"):  # polars; "to_arrow" of a frame gives a table, refused below
        X = X.to_arrow()
    if type(X).__module__.partition(".")[0] == "pyarrow":
        _add_arrow(texts, X)
    elif not _add_pandas(texts, X):
        _add_values(texts, _as_list(X))
    fault = texts.survey(threads)
    if fault is not None:
        raise _not_text(*fault)
    return texts


def _add_pandas(texts: _core.text.Texts, X: Any) -> bool:
    """Strings that pandas keeps as Arrow columns are read there."""
    if getattr(getattr(X, "dtype", None), "storage", None) != "pyarrow" or not hasattr(X, "array"):
        return False
    _add_arrow(texts, X.array.__arrow_array__())
    return True


def _add_arrow(texts: _core.text.Texts, X: Any) -> None:
    import pyarrow as pa  # only those who have Arrow columns wait for it

    if not isinstance(X, pa.Array | pa.ChunkedArray):
        raise ValueError(Note("M086", kind=type(X).__name__))
    kind = X.type.value_type if pa.types.is_dictionary(X.type) else X.type
    if pa.types.is_null(kind) or kind in (pa.string_view(), pa.binary_view()):
        X = X.cast(pa.large_string())
    elif str(kind) not in TEXTUAL:
        row = next((i for i, valid in enumerate(X.is_valid().to_pylist()) if valid), 0)
        value = X[row].as_py() if len(X) else None
        raise _no_string(row, value)
    elif kind is not X.type:
        X = X.cast(kind)
    for chunk in X.chunks if isinstance(X, pa.ChunkedArray) else [X]:
        _add_chunk(texts, chunk)


def _add_chunk(texts: _core.text.Texts, chunk: Any) -> None:
    if len(chunk) == 0:
        return
    wide = str(chunk.type).startswith("large")
    _, offsets, values = chunk.buffers()
    bounds: Any = np.frombuffer(offsets, dtype=np.int64 if wide else np.int32)
    data = np.empty(0, dtype=np.uint8) if values is None else np.frombuffer(values, dtype=np.uint8)
    missing = np.asarray(chunk.is_null()) if chunk.null_count else None
    texts.add_column(bounds[chunk.offset : chunk.offset + len(chunk) + 1], data, missing)


def _as_list(X: Any) -> list[object]:
    if isinstance(X, list):
        return X
    shape = getattr(X, "shape", None)
    if shape is not None and len(shape) != 1:
        raise ValueError(Note("M087", shape=tuple(shape)))
    if isinstance(X, dict) or not hasattr(X, "__iter__"):
        raise ValueError(Note("M088", shown=_shown(X)))
    return list(X.tolist() if hasattr(X, "tolist") else X)


def _add_values(texts: _core.text.Texts, values: list[object]) -> None:
    for row in texts.add_values(values):
        if not _is_missing(values[row]):
            raise _no_string(row, values[row])


def _is_missing(value: object) -> bool:
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float | np.floating) and bool(np.isnan(value))


def _no_string(row: int, value: object) -> ValueError:
    return ValueError(Note("M083", row=row, shown=_shown(value)))


def _not_text(row: int, position: int, unit: int) -> ValueError:
    if unit > 0xFF:
        return ValueError(Note("M089", row=row, unit=unit, position=position))
    return ValueError(Note("M084", row=row, unit=unit, position=position))


def _shown(value: object) -> str:
    shown = repr(value)
    return f"{shown if len(shown) <= SHOWN else shown[:SHOWN] + '...'} ({type(value).__name__})"
