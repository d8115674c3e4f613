"""A finding: something about a table that its owner should know before believing a model of it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Finding:
    """One observation about a table.

    Attributes
    ----------
    title : str
        What was looked at, in a few words.
    observed : float or None
        The figure found in this table.
    expected : float or None
        The figure to hold it against: that of rows drawn uniformly from a cube, or a rule of thumb.
    sentence : str
        What it means, for a reader who knows neither formula.
    column : str or None
        The column it is about, if it is about one.
    warn : bool
        Whether to act on it before models are compared.
    """

    title: str
    observed: float | None
    expected: float | None
    sentence: str
    column: str | None = None
    warn: bool = False

    def to_json(self) -> dict[str, Any]:
        """Plain values; `from_json` gives the finding back."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Finding:
        return cls(**data)
