"""Columns ranked and selected: the record and its JSON."""

from __future__ import annotations

from dataclasses import dataclass

from assay.selection.evaluation import Evaluation
from assay.selection.features.select import FeatureSelection
from assay.types import Label, Parameters


@dataclass(frozen=True)
class RankedColumn:
    """How much one column alone says about the classes."""

    column: str
    correlation: float
    correlation_ratio: float
    information: float


@dataclass(frozen=True, eq=False)
class FeaturesResult:
    """Columns of a table, ranked and selected.

    Attributes
    ----------
    ranking : tuple of RankedColumn
        Best first, by `by`.
    selection : FeatureSelection or None
        The search; None where columns were only ranked.
    nested : Evaluation or None
        Of the whole search, repeated inside every fold.
    everything : Evaluation or None
        Of the model with all columns.
    """

    name: str
    target: str
    rows: int
    columns: int
    classes: tuple[Label, ...]
    baseline: float
    by: str
    ranking: tuple[RankedColumn, ...]
    search: str
    model: str | None
    title: str | None
    selection: FeatureSelection | None
    nested: Evaluation | None
    everything: Evaluation | None
    notes: tuple[str, ...]
    groups: Parameters | None = None
    weights: Parameters | None = None

    def to_json(self) -> dict[str, object]:
        """Everything that is printed, as plain values."""
        chosen, nested, everything = self.selection, self.nested, self.everything
        plain: dict[str, object] = {
            "source": self.name,
            "target": self.target,
            "groups": self.groups,
            "weights": self.weights,
            "rows": self.rows,
            "classes": list(self.classes),
            "by": self.by,
            "ranking": self.ranking,
            "search": self.search,
            "name": self.model,
            "title": self.title,
            "baseline": self.baseline,
            "notes": self.notes,
        }
        if chosen is None:
            return plain
        return {
            **plain,
            "features": chosen.features,
            "path": chosen.path,
            "chosen": chosen.chosen,
            "rule": chosen.rule,
            "strategy": chosen.strategy,
            "path_error": chosen.error,
            "error": None if nested is None else nested.error,
            "error_interval": None if nested is None else tuple(nested.error_interval),
            "error_of_all_columns": None if everything is None else everything.error,
        }
