"""What a classifier of tables learns from: a table, its labels and what is known of their column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from assay.data import Column, Table
from assay.models.base.validation import TrainingData, all_classes, check_targets, encode
from assay.notes import Note
from assay.types import Floats, Labels, Names, RowWeights

# A table whose labels are a column, or rows, labels and weights as far as there are some.
LabelledBlock: TypeAlias = (
    Table | tuple[object, ArrayLike | None] | tuple[object, ArrayLike | None, RowWeights]
)


def as_table(X: object, target: str | None = None) -> Table:
    if isinstance(X, Table) and (target is None or X.schema[target].type in ("categorical", "binary")):
        return X
    from assay.data import read  # reading brings DuckDB and Arrow along

    return read(X, target=target)


def labelled_rows(X: object, y: ArrayLike | None, target: str | None) -> tuple[Table, Labels, Column | None]:
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


def target_column(target: str, classes: Labels) -> Column:
    return Column(target, "binary" if len(classes) == 2 else "categorical", tuple(classes.tolist()))


def labelled_blocks(
    blocks: Iterable[LabelledBlock], target: str | None
) -> Iterator[tuple[Table, Labels, RowWeights, Column | None]]:
    """Table, labels, weights and target column of each block."""
    for block in blocks:
        table, labels, weight = (block, None, None) if isinstance(block, Table) else (*block, None, None)[:3]
        features, y, column = labelled_rows(table, labels, target)
        yield features, y, weight, column if labels is None else None


def training_block(
    design: Floats, labels: ArrayLike, weight: RowWeights, classes: ArrayLike | None, names: Names
) -> TrainingData:
    """Encoded rows of a block with class codes and weights; with `classes` these are the classes."""
    codes, block_classes, row_weight = check_targets(labels, weight, design.shape[0])
    if classes is not None:
        known = all_classes(classes, block_classes)
        codes, block_classes = np.searchsorted(known, block_classes).astype(np.int32)[codes], known
    return TrainingData(design, codes, block_classes, row_weight, names)
