"""A table of metrics: one line per metric, or per metric and class, with its interval."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from assay.decision.intervals import Estimate
from assay.notes import Note
from assay.notes.hints import name_hint
from assay.types import Json, Label


@dataclass(frozen=True)
class MetricRow:
    """A metric and its 95 % interval; `of` is the class that it is about, None where it is about all.

    The value is NaN where it is not defined, such as the precision of a class that was never predicted.
    """

    metric: str
    title: str
    of: Label | None
    value: float
    standard_error: float
    low: float
    high: float

    @classmethod
    def from_estimate(cls, metric: str, title: str, of: Label | None, estimate: Estimate) -> MetricRow:
        """The line of an estimate."""
        low, high = map(float, estimate.interval)
        return cls(metric, title, of, float(estimate.value), float(estimate.standard_error), low, high)

    @property
    def name(self) -> str:
        """The title, with the class that it is about."""
        return self.title if self.of is None else f"{self.title} of {self.of!r}"

    @property
    def figures(self) -> dict[str, Json]:
        """Plain values; None for what is not defined."""
        plain = asdict(self)
        numbers = ("value", "standard_error", "low", "high")
        return {**plain, **{key: plain[key] if math.isfinite(plain[key]) else None for key in numbers}}


@dataclass(frozen=True)
class MetricTable:
    """Metrics by name: ``table["f1"]``; those of one class of several also as ``table["f1", "virginica"]``."""

    rows: tuple[MetricRow, ...]

    def __iter__(self) -> Iterator[MetricRow]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, name: str | tuple[str, Label]) -> MetricRow:
        metric, *label = (name,) if isinstance(name, str) else name
        for row in self.rows:
            if row.metric == metric and (not label or row.of == label[0]):
                return row
        known = list(dict.fromkeys(row.metric for row in self.rows))
        raise KeyError(Note("L107", name=name, hint=name_hint(str(metric), known)))

    def __str__(self) -> str:
        width = max((len(row.name) for row in self.rows), default=0)
        return "\n".join(
            f"{row.name:{width}}  {row.value:7.4f}  ({row.low:.4f} to {row.high:.4f})" for row in self.rows
        )

    def __repr__(self) -> str:
        return f"<MetricTable: {len(self.rows)} metrics>\n{self}"
