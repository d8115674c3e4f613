"""What every source becomes first: named columns, handed out as Arrow record batches, as often as asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import pyarrow as pa

BATCH_ROWS = 65536


class Stream(Protocol):
    """A source of rows before anyone has said what its columns mean.

    Attributes
    ----------
    name : str
        What messages call the source: a file name, "the frame", ...
    names : tuple of str
        Column names, unique and not empty (see `check_names`).
    target : str or None
        The column that holds the labels where the source itself says so (a folder of class folders); None otherwise.
    """

    @property
    def name(self) -> str: ...
    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def target(self) -> str | None: ...

    def batches(self, rows: int = BATCH_ROWS) -> Iterator[pa.RecordBatch]:
        """All rows from the first one on, at most `rows` at a time, with whatever Arrow types the source has."""

    def place(self, row: int) -> str:
        """Where row number `row`, counted from 0, is found by a person: "line 7" of a file, "row 6" of a frame."""


def plain_place(row: int) -> str:
    """`Stream.place` of a source without lines: rows counted from 1."""
    return f"row {row + 1}"


def check_names(names: Sequence[str], source: str) -> tuple[str, ...]:
    """Column names as given, or the error for none, empty or repeated ones."""
    if not names:
        raise ValueError(f"{source} has no columns.")
    for position, name in enumerate(names, 1):
        if not name.strip():
            raise ValueError(f"Column {position} of {source} has no name; give every column a name in the header.")
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        listed = ", ".join(map(repr, repeated[:5])) + (" and others" if len(repeated) > 5 else "")
        raise ValueError(f"{source} has more than one column named {listed}; give each a name of its own.")
    return tuple(names)
