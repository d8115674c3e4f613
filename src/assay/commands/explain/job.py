"""One row of a source: its predicted class as a sum over columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assay.catalog import cards, title_of
from assay.data import Table, scan
from assay.data.read import Markers
from assay.data.sources.database_address import source_name
from assay.models.inspection.contributions import column_contributions
from assay.models.inspection.explanation import Explanation
from assay.models.table.table_classifier import TableClassifier
from assay.notes import Note


def explain(model: TableClassifier, table: Table, rows: Sequence[int]) -> list[Explanation]:
    """Explain the predictions of the rows at these positions (the first is 0).

    Parameters
    ----------
    model : fitted TableClassifier
        Naive Bayes or a linear model.
    table : Table
        With the columns that the model was fitted with.
    """
    explanations = column_contributions(model, table, rows)
    if explanations is not None:
        return explanations
    able = ", ".join(entry.name for entry in cards() if "contributions" in entry.capabilities)
    raise ValueError(Note("C043", title=title_of(model.steps_and_model_[-1]), models=able))


def explain_row(
    model: TableClassifier, source: object, row: int, *, query: str | None = None, missing: Markers = None
) -> Explanation:
    """Explain the prediction of one row of a source (the first is 1); later rows are not read."""
    if row < 1:
        raise ValueError(Note("C045", row=row))
    first = 1
    for table in scan(source, schema=model.schema_, query=query, missing=missing).blocks():
        if row < first + table.n_rows:
            return replace(explain(model, table, [row - first])[0], row=row)
        first += table.n_rows
    raise ValueError(Note("C044", row=row, source=source_name(source), rows=first - 1))
