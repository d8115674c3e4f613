"""A saved model on labelled rows: the record."""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.types import Label, Parameters


@dataclass(frozen=True)
class EvaluateResult:
    """Metrics of a model on labelled rows; None where the model or the rows do not have a metric."""

    source: str
    target: str
    rows: int
    classes: tuple[Label, ...]
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
    actions: tuple[Label, ...] | None = None
    decisions: list[list[float]] | None = None  # true class (rows) by action of least expected loss
    groups: Parameters | None = None
    weights: Parameters | None = None
    repeats: Parameters | None = None


@dataclass(frozen=True)
class ResampledResult(EvaluateResult):
    """Metrics of a model that was fitted again in every split of a validation scheme.

    Attributes
    ----------
    model, title : str
        As given, and for people.
    setting : dict
        Hyperparameters that were set.
    plan, strategy : str
        The scheme; and how its splits were computed, such as "statistics" or "refit".
    seconds : float
    standard_error : float
        Of the error, over rows.
    split_errors : list of float or None
        Error of each split, at most a thousand of them; None where every row is a split of its own.
    training_error, no_information_error, error_632, error_632_plus : float or None
        Of the bootstrap, whose `error` is that out of bag.
    """

    model: str = ""
    title: str = ""
    setting: dict[str, object] = field(default_factory=dict)
    plan: str = ""
    strategy: str = ""
    seconds: float = 0.0
    standard_error: float | None = None
    split_errors: list[float | None] | None = None
    training_error: float | None = None
    no_information_error: float | None = None
    error_632: float | None = None
    error_632_plus: float | None = None
