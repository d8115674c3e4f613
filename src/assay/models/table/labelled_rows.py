"""What a classifier of tables learns from: a table, its labels and what is known of their column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data import Column, Table
from assay.models.base.validation import encode
from assay.notes import Note


def as_table(X: Any, target: str | None = None) -> Table:
    if isinstance(X, Table) and (target is None or X.schema[target].type in ("categorical", "binary")):
        return X
    from assay.data import read  # reading brings DuckDB and Arrow along

    return read(X, target=target)


def labelled_rows(X: Any, y: Any, target: str | None) -> tuple[Table, Any, Column | None]:
    """Features, labels and the target's column, if it is known."""
    if y is None and target is None:
        raise ValueError(Note("M046"))
    if y is None:
        assert target is not None
        table = as_table(X, target)
        return table.without(target), table.labels(target), table.schema[target]
    table, labels = as_table(X), np.asarray(y)
    if target is not None and target in table.schema:
        table = table.without(target)
    return table, labels, None if target is None else target_column(target, encode(labels)[1])


def target_column(target: str, classes: NDArray[Any]) -> Column:
    return Column(target, "binary" if len(classes) == 2 else "categorical", tuple(classes.tolist()))


def labelled_blocks(
    blocks: Iterable[Any], target: str | None
) -> Iterator[tuple[Table, Any, Any, Column | None]]:
    """Table, labels, weights and target column of each block."""
    for block in blocks:
        table, labels, weight = (block, None, None) if isinstance(block, Table) else (*block, None, None)[:3]
        features, y, column = labelled_rows(table, labels, target)
        yield features, y, weight, column if labels is None else None
