"""Small typed tables for the tests of this folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from assay.data import Column, Schema, Table


def numbers(**columns: Any) -> Table:
    """A table of numeric columns."""
    arrays = {name: np.asarray(values, dtype=np.float64) for name, values in columns.items()}
    return Table(Schema(tuple(Column(name, "numeric") for name in arrays)), arrays)


def matrix(X: np.ndarray) -> Table:
    """A table of numeric columns x0, x1, ..."""
    return numbers(**{f"x{j}": X[:, j] for j in range(X.shape[1])})


def category(name: str, values: Sequence[Any]) -> tuple[Column, np.ndarray]:
    """A column of categories, None where there is no value."""
    levels = sorted({value for value in values if value is not None})
    codes = np.array([-1 if value is None else levels.index(value) for value in values], dtype=np.int32)
    kind = "binary" if len(levels) == 2 else "categorical"
    return Column(name, kind, tuple(levels), int((codes < 0).sum()), len(levels)), codes


def text(name: str, values: Sequence[str | None], kind: Any = "text") -> tuple[Column, Any]:
    """A column of texts, identifiers or constants."""
    return Column(name, kind, (), sum(value is None for value in values)), pa.array(values, pa.large_string())


def joined(*parts: Table | tuple[Column, Any]) -> Table:
    """Tables and columns side by side."""
    columns: list[Column] = []
    arrays: dict[str, Any] = {}
    for part in parts:
        if isinstance(part, Table):
            columns += part.schema.columns
            arrays |= part.columns
        else:
            columns.append(part[0])
            arrays[part[0].name] = part[1]
    return Table(Schema(tuple(columns)), arrays)
