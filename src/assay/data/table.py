"""A typed table in memory, a column an array.

| type | array | missing |
|---|---|---|
| numeric | float64 | NaN |
| date | float64, days since 1970-01-01 | NaN |
| categorical, binary | int32 codes into the column's levels | MISSING; UNSEEN for a level the schema does not know |
| text, identifier, constant | Arrow strings | null |
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import DTypeLike

from assay.data.schema import Category, Column, Schema
from assay.notes import Note
from assay.types import Cells, Codes, Index, Integers, Labels, Mask

if TYPE_CHECKING:
    import pyarrow as pa

MISSING, UNSEEN = -1, -2
Values: TypeAlias = "Cells | pa.Array"  # of one column: numbers and codes, or texts


@dataclass(frozen=True, eq=False)
class Table:
    """A table in memory: columns of equal length and their schema.

    `unseen` holds, by column, some of the values whose code is UNSEEN.

    Examples
    --------
    >>> import numpy as np
    >>> from assay.data.schema import Column
    >>> schema = Schema((Column("age", "numeric"), Column("sex", "binary", ("f", "m"))))
    >>> table = Table(schema, {"age": np.array([31.0, np.nan]), "sex": np.array([1, 0], dtype=np.int32)})
    >>> table.n_rows, table.labels("sex").tolist()
    (2, ['m', 'f'])
    """

    schema: Schema
    columns: Mapping[str, Any]
    unseen: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        lengths = {name: len(self.columns[name]) for name in self.schema.names}
        if len(set(lengths.values())) > 1:
            raise ValueError(Note("D104", lengths=lengths))

    @property
    def n_rows(self) -> int:
        return len(self.columns[self.schema.names[0]]) if len(self.schema) else 0

    def __len__(self) -> int:
        return self.n_rows

    @property
    def shape(self) -> tuple[int, int]:
        return self.n_rows, len(self.schema)

    def __getitem__(self, name: str) -> Any:
        """The array of a column."""
        self.schema[name]
        return self.columns[name]

    def take(self, rows: Integers | Sequence[int]) -> Table:
        """The rows at these positions, in this order."""
        at = np.asarray(rows, dtype=np.int64)
        return Table(
            self.schema, {name: take_rows(self.columns[name], at) for name in self.schema.names}, self.unseen
        )

    def slice(self, start: int, stop: int) -> Table:
        """The rows from `start` up to `stop`; no values are copied."""
        return Table(
            self.schema, {name: self.columns[name][start:stop] for name in self.schema.names}, self.unseen
        )

    def select(self, names: Sequence[str]) -> Table:
        """The named columns; no values are copied."""
        return Table(self.schema.select(names), {name: self.columns[name] for name in names}, self.unseen)

    def without(self, *names: str) -> Table:
        """All columns but the named ones; no values are copied."""
        return self.select(self.schema.without(*names).names)

    def labels(self, name: str) -> Labels:
        """The values of a categorical or binary column, one a row; a row without a value is an error."""
        codes, levels = label_codes(self.schema[name], self.columns[name])
        if self.schema[name].type not in ("categorical", "binary"):
            raise ValueError(Note("D105", name, type=self.schema[name].type))
        absent = np.flatnonzero(codes < 0)
        if len(absent):
            raise ValueError(Note("D106", name, row=int(absent[0]) + 1, rows=len(absent)))
        return np.asarray(category_array(levels)[codes])

    def to_arrow(self) -> pa.Table:
        """The columns as an Arrow table, categories written out."""
        import pyarrow as pa

        return pa.table({c.name: _arrow_column(c, self.columns[c.name]) for c in self.schema})

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> Cells:
        """The values as rows and columns: what estimators of other libraries read."""
        return np.asarray(self.to_arrow(), dtype=dtype)


def _arrow_column(column: Column, values: Any) -> pa.Array:
    """The values of a column as an Arrow array; null where there is none."""
    import pyarrow as pa

    if column.type in ("categorical", "binary"):
        codes, known = label_codes(column, values)
        levels = category_array(known) if known else np.array([], dtype=str)
        if levels.dtype == object:
            levels = np.array([str(level) for level in known])
        return pa.array(levels).take(pa.array(codes, mask=codes < 0))
    if column.type == "date":
        stamps = np.where(np.isnan(values), 0, np.rint(values * 86400e6)).astype("int64")
        return pa.array(stamps, mask=np.isnan(values)).cast(pa.timestamp("us"))
    return pa.array(values, from_pandas=True) if isinstance(values, np.ndarray) else values


def label_codes(column: Column, codes: Codes) -> tuple[Codes, tuple[Category, ...]]:
    """Codes and levels of a column as labels: of one value or none, a row without it has no label."""
    if not column.presence:
        return codes, column.levels
    return np.maximum(codes - 1, MISSING).astype(np.int32), column.levels[1:]


def category_array(levels: Sequence[Category]) -> Labels:
    """Levels as an array of their own type: integers, numbers, text or booleans; objects where they differ."""
    kinds = {type(level) for level in levels}
    return np.asarray(levels) if len(kinds) == 1 else np.asarray(levels, dtype=object)


def empty(schema: Schema) -> Table:
    """A table of these columns without rows."""
    import pyarrow as pa

    arrays = {
        "numeric": np.empty(0),
        "date": np.empty(0),
        "categorical": np.empty(0, dtype=np.int32),
        "binary": np.empty(0, dtype=np.int32),
    }
    return Table(schema, {c.name: arrays.get(c.type, pa.array([], pa.string())) for c in schema})


def stack(tables: Iterable[Table]) -> Table:
    """Tables of one schema, one under the other."""
    parts = list(tables)
    if len(parts) == 1:
        return parts[0]
    columns = {name: _stack_column([part.columns[name] for part in parts]) for name in parts[0].schema.names}
    unseen: dict[str, tuple[str, ...]] = {}
    for part in parts:
        for name, values in part.unseen.items():
            unseen[name] = tuple(dict.fromkeys((*unseen.get(name, ()), *values)))
    return Table(parts[0].schema, columns, unseen)


def _stack_column(arrays: list[Values]) -> Values:
    if isinstance(arrays[0], np.ndarray):
        return np.concatenate(arrays)
    import pyarrow as pa

    return pa.chunked_array(arrays).combine_chunks()


def value_codes(values: Values) -> Codes:
    """A number for each different value of a column, MISSING where there is none.

    >>> value_codes(np.array([7.5, np.nan, 2.0, 7.5]))
    array([ 1, -1,  0,  1], dtype=int32)
    """
    if not isinstance(values, np.ndarray):  # Arrow texts
        indices = values.dictionary_encode().indices.fill_null(MISSING)
        return np.asarray(indices.to_numpy(zero_copy_only=False), dtype=np.int32)
    if values.dtype.kind == "i":
        return np.asarray(values, dtype=np.int32)
    present = ~np.isnan(values)
    codes = np.full(len(values), MISSING, dtype=np.int32)
    codes[present] = np.unique(values[present], return_inverse=True)[1]
    return codes


def is_missing(values: Values) -> Mask:
    """Where a column of a table has no value; a level that the schema does not know is one.

    >>> is_missing(np.array([7.5, np.nan])), is_missing(np.array([0, MISSING, UNSEEN]))
    (array([False,  True]), array([False,  True, False]))
    """
    if not isinstance(values, np.ndarray):  # Arrow texts
        return np.asarray(values.is_null().to_numpy(zero_copy_only=False))
    return np.asarray(values == MISSING if values.dtype.kind == "i" else np.isnan(values))


def take_rows(values: Any, rows: Index) -> Any:
    """The values of a column at these positions."""
    if isinstance(values, np.ndarray):
        return values[rows]
    import pyarrow as pa

    return values.take(pa.array(rows))
