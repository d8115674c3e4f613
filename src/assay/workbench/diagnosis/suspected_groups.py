"""Columns by whose values rows may belong together: rows of one patient in two folds give away each other's class.

A column named like a key, or like somebody who is measured more than once, is examined if its values repeat. Each row
is predicted the most frequent class of the *other* rows of its value, as in `leakage`.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from assay.data.inference.column_types import named_like_a_key
from assay.data.row_sample import sampled_rows
from assay.data.schema import Column
from assay.data.table import Table, Values, take_rows, value_codes
from assay.notes import Note
from assay.workbench.diagnosis.findings import Finding
from assay.workbench.diagnosis.leakage import (
    FEWEST_ERRORS,
    MOST_CELLS,
    MOST_ROWS,
    SampledLabels,
    error_reduction,
)

WHO = re.compile(
    r"(^|[_\W])(patient|subject|participant|person|customer|user|donor|speaker|author|household)s?$", re.I
)
SHARED = 0.2  # proportion of rows whose value another row has, from which a column is examined
KNOWN = 0.1  # proportion of the errors that other rows of the value avoid, from which Assay warns


def group_findings(features: Table, codes: NDArray[np.integer], n_classes: int) -> tuple[Finding, ...]:
    """One finding for each column of keys, or of people and the like, whose values repeat and tell the class."""
    rows = sampled_rows(features.n_rows, MOST_ROWS)
    labels = SampledLabels.of(np.asarray(codes)[rows], n_classes)
    if labels.baseline < FEWEST_ERRORS:
        return ()
    suspects = [column for column in features.schema if _suspect(column)]
    findings = (_finding(column, take_rows(features[column.name], rows), labels) for column in suspects)
    return tuple(finding for finding in findings if finding is not None)


def _suspect(column: Column) -> bool:
    named = named_like_a_key(column.name) or WHO.search(column.name.strip()) is not None
    return column.type == "identifier" or (
        named and column.type in ("numeric", "categorical", "binary", "text")
    )


def _finding(column: Column, values: Values, labels: SampledLabels) -> Finding | None:
    cells = value_codes(values).astype(np.int64)
    present = cells >= 0
    sizes = np.bincount(cells[present])
    if (
        len(sizes) < 2
        or (sizes[cells[present]] > 1).mean() < SHARED
        or len(cells) * labels.n_classes > MOST_CELLS
    ):
        return None
    # Rows without a value belong to nobody: each is alone.
    cells = np.where(present, cells, len(sizes) + np.cumsum(~present) - 1)
    reduction = error_reduction(cells, int(cells.max()) + 1, labels)
    if reduction < KNOWN:
        return None
    note = Note("P129", column.name, values={"values": len(sizes), "rows": int(present.sum())})
    return Finding.of("Rows that may belong together", note, reduction)
