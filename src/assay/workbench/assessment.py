"""A saved model on labelled rows that it was not trained on: the figures of `assay evaluate`."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.selection.evaluation import Evaluation

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Figure:
    """A value with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Assessment:
    """What new rows say about a model; None stands where the model or the rows have no such figure."""

    source: str
    target: str
    rows: int
    classes: tuple[str, ...]
    error: float
    error_interval: tuple[float, float]
    mean_loss: Figure | None
    log_loss: Figure | None
    auc: Figure | None
    confusion: list[list[int]]  # true class (rows) by predicted class
    notes: tuple[str, ...]


def assess(
    model: Any,
    source: Any,
    target: str | None = None,
    *,
    loss: Any = None,
    priors: Any = None,
    query: str | None = None,
) -> Assessment:
    """Figures of a fitted model on labelled rows, read block by block.

    Parameters
    ----------
    model : fitted TableClassifier
    target : str, optional
        The column of the true classes; the one the model was trained to predict unless given.
    loss, priors
        As `read_loss` and `read_priors` take them.
    """
    column = target if target is not None else model.target_
    found, notes = evaluate_on(model, source, column, loss=loss, priors=priors, query=query)
    low, high = found.error_interval
    return Assessment(
        source=_name(source),
        target=str(column),
        rows=len(found.codes),
        classes=tuple(map(str, found.classes.tolist())),
        error=found.error,
        error_interval=(low, high),
        mean_loss=_figure(found, found.mean_loss(), "loss") if loss is not None else None,
        log_loss=_figure(found, found.log_loss, "log_loss") if found.probabilistic else None,
        auc=_figure(found, found.auc, "auc") if len(np.unique(found.codes)) == len(found.classes) else None,
        confusion=found.confusion.astype(int).tolist(),
        notes=(*notes, *_clipped(found)),
    )


def evaluate_on(
    model: Any, source: Any, target: str, *, loss: Any = None, priors: Any = None, query: str | None = None
) -> tuple[Evaluation, tuple[str, ...]]:
    """The evaluation of a fitted model on labelled rows, and what is to be said about the rows."""
    raise NotImplementedError
