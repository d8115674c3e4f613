"""A description of a table: the record and its JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from assay.data.schema import Category
from assay.workbench.diagnosis.diagnose import Finding


@dataclass(frozen=True)
class NumericSummary:
    """Of a numeric column or a date (in days since 1970-01-01); the median is that of the sample."""

    min: float
    mean: float
    median: float
    max: float
    deviation: float


@dataclass(frozen=True)
class CategoryShare:
    """One category: its rows, and their proportion of the rows that have a value."""

    level: Category
    rows: int
    share: float


@dataclass(frozen=True)
class ClassCount:
    """One class of the target: its rows, and their proportion of the rows that have a label."""

    label: Category
    rows: int
    share: float


@dataclass(frozen=True)
class ColumnSummary:
    """One column.

    Attributes
    ----------
    name, type, reason, missing, distinct, examples
        As in the schema, but the type of a column without any value is "no values"; `missing` counts all rows.
    numbers : NumericSummary or None
        Of numeric columns and dates that have a value.
    levels : tuple of CategoryShare
        The most frequent categories, at most five.
    by_class : tuple
        One entry per class, in the order of the classes: the mean of a number (None without one), or the proportions
        of `levels` within the class. Empty without a target, with more than 20 classes, and for the target itself.
    """

    name: str
    type: str
    reason: str
    missing: int
    distinct: int | None
    examples: tuple[str, ...]
    numbers: NumericSummary | None = None
    levels: tuple[CategoryShare, ...] = ()
    by_class: tuple[float | None | tuple[float, ...], ...] = ()

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> ColumnSummary:
        by_class = tuple(tuple(part) if isinstance(part, list) else part for part in data["by_class"])
        numbers = NumericSummary(**data["numbers"]) if data["numbers"] is not None else None
        levels = tuple(CategoryShare(**part) for part in data["levels"])
        parts = {
            "examples": tuple(data["examples"]),
            "numbers": numbers,
            "levels": levels,
            "by_class": by_class,
        }
        return cls(**{**data, **parts})


@dataclass(frozen=True)
class DescribeResult:
    """A table: its columns, classes and findings.

    Attributes
    ----------
    name : str
        Name of the source.
    n_rows : int
    columns : tuple of ColumnSummary
    target : str or None
    classes : tuple of ClassCount
        Empty without a target.
    unlabelled : int
        Rows without a value of the target.
    findings : tuple of Finding
        Columns of doubtful type, and with a target the checks of its labels and of the table; warnings first.
    notes : tuple of str
        How the numbers were computed.
    """

    name: str
    n_rows: int
    columns: tuple[ColumnSummary, ...]
    target: str | None = None
    classes: tuple[ClassCount, ...] = ()
    unlabelled: int = 0
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> ColumnSummary:
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)

    def to_json(self) -> dict[str, object]:
        """Plain values; `from_json` gives the description back."""
        plain: dict[str, Any] = _plain(asdict(self))
        return plain

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> DescribeResult:
        parts = {
            "columns": tuple(ColumnSummary.from_json(part) for part in data["columns"]),
            "classes": tuple(ClassCount(**part) for part in data["classes"]),
            "findings": tuple(Finding.from_json(part) for part in data["findings"]),
            "notes": tuple(data["notes"]),
        }
        return cls(**{**data, **parts})


def _plain(value: object) -> Any:
    """The same with lists for tuples, as JSON would give it back."""
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else value
