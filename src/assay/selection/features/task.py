"""What a search is about, and what it asks of those who know how good a set of features is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from assay.plans import Partition, Plan
from assay.selection.evaluation import Evaluation
from assay.selection.features.units import Units

Array = NDArray[np.float64]
Chosen = tuple[int, ...]


class Figure(NamedTuple):
    """How good a set of features is: what is searched by, its standard error, and the error."""

    loss: float
    standard_error: float
    error: float

    @classmethod
    def of(cls, evaluation: Evaluation) -> Figure:
        return cls(evaluation.mean_loss(), evaluation.loss_standard_error, evaluation.error)

    @classmethod
    def of_hits(cls, hits: float, count: float) -> Figure:
        """Of so many rows, each tested once, so many are right."""
        error = (count - hits) / count
        spread = float(np.sqrt(error * (1.0 - error) / (count - 1.0))) if count > 1 else float("nan")
        return cls(error, spread, error)


@dataclass(frozen=True)
class Task:
    """A model, rows, labels, and how sets of features are judged."""

    model: Any
    table: Any  # as it was given
    X: Any  # the same, numbers as an array
    y: Any
    codes: NDArray[np.int32]
    classes: NDArray[Any]
    weight: Array | None
    plan: Plan
    partitions: Sequence[Partition]  # empty where the plan has none
    row_groups: Any
    loss: Any
    units: Units
    both_ways: bool  # whether features may enter and leave
    n_jobs: int | None

    @property
    def plain(self) -> bool:
        """Whether the share of rows misclassified is all that counts."""
        return self.loss is None


class Judge(Protocol):
    """Knows the loss of every set that differs from the chosen one by a unit."""

    strategy: str

    def adding(self, chosen: Chosen, candidates: Sequence[int]) -> Array:
        """Loss with each candidate beside the chosen."""
        ...

    def dropping(self, chosen: Chosen, candidates: Sequence[int]) -> Array:
        """Loss without each candidate, one of the chosen."""
        ...

    def figure(self, chosen: Chosen, loss: float | None) -> Figure:
        """Everything about a set; its loss, where that is known."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """Difficulties, in words."""
        ...
