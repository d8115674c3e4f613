"""Words among numbers: a note names the first value that keeps a column from being numeric, and its row."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import numpy as np

from assay.data.convert import is_number, keeps_zeros, plain, to_text
from assay.data.inference.value_counts import ColumnCounts
from assay.data.schema import Column
from assay.data.sources.stream import Stream
from assay.notes import Note

LEAST_SHARE = 0.9  # of the values that are numbers, and
LEAST_NUMBERS = 10  # different ones: 0, 1, 2 and "3 or more" are names of classes
GLANCE = 20
MOST_SHOWN = 40


def note_non_numeric(column: Column, tally: ColumnCounts, stream: Stream) -> Column:
    """The column with a note if most of its values are numbers and it is read as something else."""
    misfits = non_numeric_values(tally)
    if not misfits or column.type not in ("categorical", "identifier"):
        return column
    first = _first(tally, misfits, stream)
    if first is None:  # somebody has changed the file since it was counted
        return column
    row, value = first
    shown = value if len(value) <= MOST_SHOWN else value[: MOST_SHOWN - 3] + "..."
    assert tally.counts is not None
    others = sum(tally.counts[misfit] for misfit in misfits) - 1
    values = {"type": column.type, "place": stream.place(row), "source": stream.name, "value": shown}
    note = Note("D224", column.name, values, others=others) if others else Note("D223", column.name, values)
    return replace(column, note=note)


def non_numeric_values(tally: ColumnCounts) -> frozenset[str]:
    """The values that are not numbers, where nearly all others are; none where numbers are names."""
    if tally.kind != "text" or tally.forced or tally.counts is None:
        return frozenset()
    # A look at a few values first: most columns of text are just text.
    if 2 * sum(map(is_number, islice(tally.counts, GLANCE))) < min(GLANCE, len(tally.counts)):
        return frozenset()
    misfits = frozenset(value for value in tally.counts if not is_number(value))
    amount = sum(tally.counts[value] for value in misfits)
    few = amount <= (1 - LEAST_SHARE) * tally.present and len(tally.counts) - len(misfits) >= LEAST_NUMBERS
    return misfits if few and not any(map(keeps_zeros, tally.counts)) else frozenset()


def _first(tally: ColumnCounts, misfits: frozenset[str], stream: Stream) -> tuple[int, str] | None:
    """The first row that holds one of these values, counted from 0, and which."""
    import pyarrow as pa
    import pyarrow.compute as pc

    at, before, known = stream.names.index(tally.name), 0, pa.array(sorted(misfits), pa.large_string())
    for batch in stream.batches():
        values = to_text(plain(batch.column(at)), tally.markers)
        rows = np.flatnonzero(pc.is_in(values, known).to_numpy(zero_copy_only=False))
        if len(rows):
            return before + int(rows[0]), str(values[int(rows[0])].as_py())
        before += batch.num_rows
    return None
