"""A note: a code, what it is about, and its numbers. The sentence is made from them, at the edge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

TEXTS = {
    "S000": "{subject} does not share in this way.",  # never shown: another way serves
    "S001": "{subject} overrides {name} of {home}: every split was refitted.",
    "S002": "Sparse rows are not shared by the folds: every split was fitted anew.",
    "S003": "{subject} cannot be followed from the statistics of a training set: every split was fitted anew.",
    "S004": "The table has missing values, which {subject} cannot follow: every split was fitted anew.",
    "S005": (
        "The statistics of all splits would take {gibibytes:.1f} GiB, more than ASSAY_MEMORY allows: every split was "
        "fitted anew."
    ),
    "S006": "The table is wider than long, and {subject} is found among the rows: every split was fitted anew.",
    "S007": "{subject} begins at weights that were given (start): every split was refitted.",
    "S008": "{subject} takes {gibibytes:.1f} GiB, more than ASSAY_MEMORY allows: it was left out.",
    "S010": (
        "The Gram matrix of {rows} rows would take {gibibytes:.1f} GiB, more than ASSAY_MEMORY allows: every split was "
        "fitted anew."
    ),
    "S011": (
        "{rows} rows are more than most_rows={most}, from which on landmarks stand for all rows of {subject}: every "
        "split was fitted anew."
    ),
    "S020": (
        "The counts of all splits would take {gibibytes:.1f} GiB, more than ASSAY_MEMORY allows: every split was "
        "fitted anew."
    ),
    "S009": "The rows are not a table of numbers: every split was fitted anew.",
    "S012": "Its steps cannot lose a single row: every split was fitted anew.",
    "S022": "Folds are solved together, single rows are not: every split was fitted anew.",
    "S031": "Inside these splits {subject} has no folds to learn from: every split was refitted.",
    "S032": "{step} before {subject} may learn something else for each of its parts: every split was refitted.",
    "S033": "The parts of {subject} leave out other rows each: every split was refitted.",
}


@dataclass(frozen=True)
class Note:
    """Something to say.

    Attributes
    ----------
    code : str
        What it says, see `TEXTS`.
    subject : str
        What it is about: a model, a step, a column.
    values : mapping
        The numbers and names in it.
    level : {"info", "warning", "error"}

    Examples
    --------
    >>> str(Note("S007", "LogisticRegression"))
    'LogisticRegression begins at weights that were given (start): every split was refitted.'
    """

    code: str
    subject: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    level: str = "info"

    def __str__(self) -> str:
        return TEXTS[self.code].format(subject=self.subject, **self.values)
