"""Random typed tables with columns of every kind, gaps included."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from assay.data import Column, Schema, Table

WORDS = ["sun", "rain", "wind", "snow", "fog", "hail"]
COLUMNS = (
    Column("size", "numeric"),
    Column("day", "date"),
    Column("sky", "categorical", ("blue", "grey", "black")),
    Column("town", "categorical", (10, 20, 30, 40)),
    Column("wet", "binary", ("no", "yes")),
    Column("calls", "numeric"),
    Column("note", "text"),
    Column("remark", "text"),
)
COUNTS = {"calls": "count"}


def column_values(column: Column, rng: Any, codes: Any, gaps: float) -> Any:
    """Values that depend on the class, each missing with a probability of `gaps`."""
    rows = len(codes)
    missing = rng.random(rows) < gaps
    if column.name == "calls":
        return np.where(missing, np.nan, rng.poisson(1.0 + 2.0 * codes))
    if column.type in ("numeric", "date"):
        return np.where(missing, np.nan, rng.normal(codes, 1.0 + codes, rows))
    if column.type in ("categorical", "binary"):
        drawn = (rng.integers(0, 2, rows) + codes) % len(column.levels)
        return np.where(missing, -1, drawn).astype(np.int32)
    texts = [" ".join(rng.choice(WORDS[k % 4 :], rng.integers(0, 6))) for k in codes]  # some are empty
    return pa.array([None if gap else text for gap, text in zip(missing, texts, strict=True)], pa.string())


def random_table(
    seed: int = 0, rows: int = 60, classes: int = 3, gaps: float = 0.1, columns: Any = COLUMNS
) -> tuple[Table, Any]:
    """A table and labels; every class has a row."""
    rng = np.random.default_rng(seed)
    codes = np.concatenate([np.arange(classes), rng.integers(0, classes, rows - classes)])
    table = Table(Schema(tuple(columns)), {c.name: column_values(c, rng, codes, gaps) for c in columns})
    return table, np.array(["ash", "beech", "cedar", "date"])[codes]


def without_values(table: Table, name: str) -> Table:
    """The table with every value of a column missing."""
    values: Any = table.columns[name]
    if isinstance(values, np.ndarray):
        values = np.full_like(values, np.nan if values.dtype.kind == "f" else -1)
    else:
        values = pa.nulls(table.n_rows, pa.string())
    return Table(table.schema, {**table.columns, name: values})
