"""Where rows of results go: to standard output as they come, or to a file that appears when it is complete."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.workbench.row_files import Block


def deliver(blocks: Iterable[Block], out: str | None, form: str) -> int:
    """Write the blocks; returns the number of rows."""
    from assay.workbench.files import write_atomic
    from assay.workbench.row_files import write_rows

    if out is None:
        sys.stdout.flush()
        written = write_rows(sys.stdout.buffer, blocks, form)
        sys.stdout.buffer.flush()
        return written
    counts: list[int] = []
    write_atomic(out, lambda file: counts.append(write_rows(file, blocks, form)))
    return counts[0]
