"""A saved model on labelled rows: the record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class EvaluateResult:
    """Metrics of a model on labelled rows; None where the model or the rows do not have a metric."""

    source: str
    target: str
    rows: int
    classes: tuple[Any, ...]
    error: float
    error_interval: tuple[float, float]
    loss: float | None
    loss_interval: tuple[float, float] | None
    log_loss: float | None
    log_loss_interval: tuple[float, float] | None
    auc: float | None
    auc_interval: tuple[float, float] | None
    confusion: list[list[float]]  # true class (rows) by predicted class: rows, or their weights
    notes: tuple[str, ...]
    actions: tuple[Any, ...] | None = None
    decisions: list[list[float]] | None = None  # true class (rows) by action of least expected loss
    groups: dict[str, Any] | None = None
    weights: dict[str, Any] | None = None
    repeats: dict[str, Any] | None = None
