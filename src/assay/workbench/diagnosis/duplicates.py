"""Texts of more than one row: a tested text with a copy in the training set is not new.

    repeated = rows whose text an earlier row has / rows with a text

Rows of numbers or categories often agree by chance, texts hardly ever: they were sent, posted or collected twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assay.data.table import Table, take_rows
from assay.notes import Note
from assay.workbench.diagnosis.findings import Finding

if TYPE_CHECKING:
    import pyarrow as pa


MENTIONED = 0.01  # proportion of rows from which copies can change an error noticeably


def repeat_findings(features: Table, copies: NDArray[np.integer] | None = None) -> tuple[Finding, ...]:
    """One finding for each text column in which a hundredth of the rows or more repeat an earlier one.

    Of rows that are known to be `copies`, by the number of their set, the first one is looked at.
    """
    names = [column.name for column in features.schema if column.type == "text"]
    texts = {name: features[name] for name in names}
    if copies is not None:
        first = np.unique(copies, return_index=True)[1]
        texts = {name: take_rows(values, first) for name, values in texts.items()}
    findings = (_finding(name, values) for name, values in texts.items())
    return tuple(finding for finding in findings if finding is not None)


def _finding(name: str, texts: pa.Array) -> Finding | None:
    present = len(texts) - texts.null_count
    repeated = present - len(texts.unique().drop_null())
    if repeated == 0 or repeated < MENTIONED * present:
        return None
    note = Note("P128", name, repeated=repeated, rows=present)
    return Finding.of("repeated texts", note, repeated / present)
