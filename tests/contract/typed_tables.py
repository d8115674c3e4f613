"""A typed table with every column type that a candidate accepts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from assay.catalog import ModelCard
from assay.data import MISSING, Column, Schema, Table


def table_for(entry: ModelCard, rows: int = 150, gaps: bool = True) -> tuple[Table, np.ndarray[Any, Any]]:
    """A table of every column type that the entry accepts, and classes 0, 1, 2 that depend on it."""
    rng = np.random.default_rng(5)
    y = rng.permutation(np.arange(rows) % 3)
    holes = rng.random(rows) < (0.1 if gaps else 0.0)
    columns: dict[str, Any] = {
        "größe": np.where(holes, np.nan, rng.normal(y, 1.0)),
        "when": np.floor(19_000 + 40.0 * y + rng.normal(0, 30, rows)),
        "sex": np.where(holes, MISSING, (rng.random(rows) < 0.2 + 0.3 * y)).astype(np.int32),
        "work type": np.where(holes, MISSING, (y + rng.integers(0, 3, rows)) % 4).astype(np.int32),
        "other": rng.normal(size=rows),
        "text": pa.array([None if hole else _text(k, rng) for hole, k in zip(holes, y, strict=True)]),
    }
    missing = int(holes.sum())
    schema = Schema(
        (
            Column("größe", "numeric", missing=missing),
            Column("when", "date"),
            Column("sex", "binary", ("f", "m"), missing=missing),
            Column("work type", "categorical", ("none", "paid", "self", "state"), missing=missing),
            Column("other", "numeric"),
            Column("text", "text", missing=missing),
        )
    )
    kept = [column.name for column in schema if column.type in entry.column_types]
    table = Table(schema, columns).select(kept)
    if entry.unsuited is not None and entry.unsuited(table) is not None:  # of counts
        counts = {name: rng.poisson(1.0 + 2.0 * y) for name in kept if schema[name].type == "numeric"}
        columns |= {name: np.where(holes & (name == "größe"), np.nan, counts[name]) for name in counts}
        table = Table(schema, columns).select(kept)
    return table, y


def _text(k: int, rng: np.random.Generator) -> str:
    """Five words, most of them of the class."""
    own = ["ham eggs".split(), "green größe".split(), "spam now".split()][k]
    return " ".join(rng.choice([*own, *own, "the", "eggs", "now"], 5))
