"""A saved model on labelled rows that it was not trained on: the figures of `assay evaluate`."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data import MISSING, UNSEEN, Column, Schema, Table, scan
from assay.data.schema import unknown_column
from assay.data.sources import open_stream
from assay.decision import confusion
from assay.models.catalog import calibrated_names
from assay.models.sharing import Tested
from assay.selection.evaluation import Evaluation
from assay.workbench.diagnosis.findings import plural
from assay.workbench.losses import read_loss, read_priors
from assay.workbench.prediction import source_name, title_of

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Assessment:
    """What new rows say about a model; None stands where the model or the rows have no such figure."""

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
    if column is None:
        raise ValueError("The model does not say which column it predicts; name the column of the classes.")
    found, notes = evaluate_on(model, source, column, loss=loss, priors=priors, query=query)
    low, high = found.error_interval
    matrix, area = loss is not None, _has_area(found)
    return Assessment(
        source=source_name(source),
        target=str(column),
        rows=len(found.codes),
        classes=tuple(found.classes.tolist()),
        error=found.error,
        error_interval=(low, high),
        loss=found.mean_loss() if matrix else None,
        loss_interval=_pair(found, "loss") if matrix else None,
        log_loss=found.log_loss if found.probabilistic else None,
        log_loss_interval=_pair(found, "log_loss") if found.probabilistic else None,
        auc=found.auc if area else None,
        auc_interval=_pair(found, "auc") if area else None,
        confusion=confusion(found.truth, found.predicted, len(found.classes)).astype(int).tolist(),
        notes=(*notes, *_clipped(found)),
    )


def _has_area(found: Evaluation) -> bool:
    """Whether there is an area under the curve: at least two classes are there, and each has two rows."""
    counts = np.bincount(found.codes)
    counts = counts[counts > 0]
    return len(counts) > 1 and bool(counts.min() > 1)


def evaluate_on(
    model: Any, source: Any, target: str, *, loss: Any = None, priors: Any = None, query: str | None = None
) -> tuple[Evaluation, tuple[str, ...]]:
    """The evaluation of a fitted model on labelled rows, and what is to be said about the rows."""
    probabilistic = hasattr(model, "predict_proba")
    if target in model.schema_:
        raise ValueError(
            f"Column {target!r} is one that the model predicts from; name the column of the true classes."
        )
    if priors is not None and not probabilistic:
        raise ValueError(
            "Other priors need posteriors, and the model gives margins only; leave the priors out, or fit another "
            f"model, such as {calibrated_names()}."
        )
    matrix = None if loss is None else read_loss(loss, model.classes_)
    replaced = read_priors(priors, model.classes_)
    start = time.perf_counter()
    codes, predicted, scores, unlabelled = _scored(model, source, target, query, probabilistic)
    trained = np.full(len(model.classes_), np.nan) if model.class_prior_ is None else model.class_prior_
    tested = Tested(None, np.zeros(len(codes), dtype=np.int32), scores, predicted, trained[None])
    found = Evaluation(
        name=title_of(model.model_),
        classes=model.classes_,
        codes=codes,
        weight=None,
        tested=tested,
        probabilistic=probabilistic,
        n_splits=1,
        strategy="saved model",
        seconds=time.perf_counter() - start,
        loss=matrix,
        priors=replaced,
    )
    return found, (f"Rows without a class, left out: {unlabelled}.",) if unlabelled else ()


def _scored(
    model: Any, source: Any, target: str, query: str | None, probabilistic: bool
) -> tuple[NDArray[np.int32], NDArray[np.int32], Array, int]:
    """True codes, predicted codes and scores of the labelled rows, and how many rows have no label."""
    names = open_stream(source, query).names
    if target not in names:
        raise unknown_column(target, names, "target column")
    classes = model.classes_.tolist()
    schema = Schema((*model.schema_, Column(target, "categorical", tuple(classes))))
    position = {label: code for code, label in enumerate(classes)}
    parts: list[tuple[NDArray[np.int32], NDArray[np.int32], Array]] = []
    first, unlabelled = 1, 0
    for table in scan(source, schema=schema, query=query).blocks():
        codes = table[target]
        for i in np.flatnonzero(codes == UNSEEN)[:1]:
            raise ValueError(
                f"Row {first + i} has a class in column {target!r} that the model does not know; it knows "
                f"{', '.join(map(repr, classes[:8]))}{' and others' if len(classes) > 8 else ''}."
            )
        kept = np.flatnonzero(codes != MISSING)
        first, unlabelled = first + len(codes), unlabelled + len(codes) - len(kept)
        rows = table if len(kept) == len(codes) else table.take(kept)
        if rows.n_rows:
            predicted = np.array([position[label] for label in model.predict(rows).tolist()], dtype=np.int32)
            parts.append((codes[kept], predicted, _scores(model, rows, probabilistic)))
    if not parts:
        raise ValueError(f"No row has a class in column {target!r}; nothing can be tested.")
    true, guess, scores = (np.concatenate(part) for part in zip(*parts, strict=True))
    return true, guess, scores, unlabelled


def _scores(model: Any, table: Table, probabilistic: bool) -> Array:
    """Log posteriors, or margins with a column for each class."""
    if probabilistic:
        return np.asarray(model.predict_log_proba(table))
    margins = np.asarray(model.decision_function(table))
    return np.column_stack([-margins, margins]) / 2.0 if margins.ndim == 1 else margins


def _pair(found: Evaluation, measure: str) -> tuple[float, float] | None:
    """The 95 % interval; a single row has none."""
    if len(found.codes) < 2:
        return None
    low, high = found.interval(measure)
    return low, high


def _clipped(found: Evaluation) -> tuple[str, ...]:
    if not found.probabilistic or not found.n_clipped:
        return ()
    return (
        f"The true class had no probability to speak of in {plural(found.n_clipped, 'row')}; each is "
        "charged a log loss of 708.",
    )
