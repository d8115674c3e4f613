"""Columns by whose values rows may belong together: the rows of one patient, taken apart, tell each other's class.

A column called like a key, or like somebody who is measured more than once, is looked at if its values repeat. Each row
is told the most frequent class of the *other* rows of its value, as in `leaks`.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.inference.column_types import named_like_a_key
from assay.data.row_sample import sampled_rows
from assay.data.schema import Column
from assay.data.table import Table, take_rows, value_codes
from assay.notes.phrases import plural
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
SHARED = 0.2  # share of rows whose value another row has, from which a column is looked at
KNOWN = 0.1  # share of the errors that other rows of the value avoid, from which it is warned of


def group_findings(features: Table, codes: NDArray[np.integer], n_classes: int) -> tuple[Finding, ...]:
    """One finding for each column of keys, or of people and the like, whose values repeat and tell the class."""
    rows = sampled_rows(features.n_rows, MOST_ROWS)
    labels = SampledLabels.of(np.asarray(codes)[rows], n_classes)
    if labels.baseline < FEWEST_ERRORS:
        return ()
    suspects = [column for column in features.schema if _suspect(column)]
    found = (_finding(column, take_rows(features[column.name], rows), labels) for column in suspects)
    return tuple(finding for finding in found if finding is not None)


def _suspect(column: Column) -> bool:
    named = named_like_a_key(column.name) or WHO.search(column.name.strip()) is not None
    return column.type == "identifier" or (
        named and column.type in ("numeric", "categorical", "binary", "text")
    )


def _finding(column: Column, values: Any, labels: SampledLabels) -> Finding | None:
    cells = value_codes(values).astype(np.int64)
    there = cells >= 0
    sizes = np.bincount(cells[there])
    if (
        len(sizes) < 2
        or (sizes[cells[there]] > 1).mean() < SHARED
        or len(cells) * labels.n_classes > MOST_CELLS
    ):
        return None
    # Rows without a value belong to nobody: each is alone.
    cells = np.where(there, cells, len(sizes) + np.cumsum(~there) - 1)
    removed = error_reduction(cells, int(cells.max()) + 1, labels)
    if removed < KNOWN:
        return None
    return Finding(
        title="Rows that may belong together",
        observed=removed,
        expected=None,
        sentence=f"Rows share values of column {column.name!r} ({plural(len(sizes), 'value')} in "
        f"{plural(int(there.sum()), 'row')}), and rows of one value are often of one class: if they belong together, "
        "as all rows of one patient do, name the column with groups= (--groups), or errors look smaller than "
        "they are for values that are new.",
        column=column.name,
        warn=True,
    )
