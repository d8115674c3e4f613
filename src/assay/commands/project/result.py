"""A projection as rows of a file and as plain figures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assay.commands.project.job import Projected
from assay.data.write.rows import Block

BLOCK = 16384


def coordinate_blocks(found: Projected, rows: int | None = BLOCK) -> Iterator[Block]:
    """Row number, coordinates and class of every row, in blocks of so many rows (None: one block)."""
    keys = [each.key for each in found.directions]
    label = found.target
    while label is not None and label in ("row", *keys):  # a target may be called like a direction
        label += "_"
    n = len(found.coordinates)
    for start in range(0, n, rows or n):
        part = slice(start, start + (rows or n))
        block: dict[str, list[Any]] = {"row": found.numbers[part].tolist()}
        block |= {key: found.coordinates[part, j].tolist() for j, key in enumerate(keys)}
        if label is not None and found.codes is not None and found.classes is not None:
            block[label] = found.classes[found.codes[part]].tolist()
        yield block


def figures(found: Projected) -> dict[str, Any]:
    """Everything that is printed, as plain values."""
    honest = found.evaluation
    return {
        "source": found.name,
        "target": found.target,
        "rows": len(found.coordinates),
        "columns": found.width,
        "classes": None if found.classes is None else found.classes.tolist(),
        "method": found.method,
        "directions": found.directions,
        "error": None if honest is None else honest.error,
        "error_interval": None if honest is None else tuple(honest.error_interval),
        "error_on_map": found.seen_error,
        "baseline": found.baseline,
        "notes": found.notes,
    }
