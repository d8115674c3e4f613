"""A saved model on labelled rows that it was not trained on: the figures of `assay evaluate`."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.catalog import calibrated_names, title_of
from assay.commands.evaluate.score_rows import ScoredRows, score_rows
from assay.data.sources.database_address import source_name
from assay.decision import LossMatrix, confusion
from assay.notes import Note
from assay.notes.phrases import listed, plural
from assay.selection.evaluation import Evaluation
from assay.selection.scored_pairs import SplitScores
from assay.statistics.weights import in_rows
from assay.workbench.syntax.loss import parse_loss, parse_priors


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
    confusion: list[list[float]]  # true class (rows) by predicted class: rows, or their weights
    notes: tuple[str, ...]
    actions: tuple[Any, ...] | None = None
    decisions: list[list[float]] | None = None  # true class (rows) by action of least expected loss
    groups: dict[str, Any] | None = None
    weights: dict[str, Any] | None = None
    repeats: dict[str, Any] | None = None


def assess(
    model: Any,
    source: Any,
    target: str | None = None,
    *,
    loss: Any = None,
    priors: Any = None,
    query: str | None = None,
    missing: Any = None,
    groups: str | None = None,
    weights: str | None = None,
    split_repeats: bool = False,
) -> Assessment:
    """Figures of a fitted model on labelled rows, read block by block.

    Parameters
    ----------
    model : fitted TableClassifier
    target : str, optional
        The column of the true classes; the one the model was trained to predict unless given.
    loss, priors
        As `parse_loss` and `parse_priors` take them; without a loss, the one stored in the model.
    groups : str, optional
        The column by which rows belong together: intervals count groups.
    weights : str, optional
        The column that says what each row counts in every figure; rows of weight 0 are left out.
    split_repeats : bool
        Whether intervals count copies of a row like other rows; else once, where they cannot be chance.
    """
    column = target if target is not None else model.target_
    if column is None:
        raise ValueError(Note("C036"))
    if priors is not None and not hasattr(model, "predict_proba"):
        raise ValueError(Note("C037", calibrated_names=calibrated_names()))
    costs: LossMatrix | None = (
        getattr(model, "loss_", None) if loss is None else parse_loss(loss, model.classes_)
    )
    replaced = parse_priors(priors, model.classes_)
    start = time.perf_counter()
    rows = score_rows(model, source, column, query, missing, groups, weights, split_repeats)
    found = _evaluation(model, rows, time.perf_counter() - start, costs, replaced)
    counts = confusion(found.truth_codes, found.predicted_codes, len(found.classes), found.weight)
    decided = costs if found.probabilistic else None
    return Assessment(
        source=source_name(source),
        target=str(column),
        rows=len(found.codes),
        classes=tuple(found.classes.tolist()),
        **_measured(found, costs is not None),
        confusion=_counts(found, counts),
        notes=(*rows.notes, *_absent_classes(costs, found, source), *_clipped(found)),
        actions=None if decided is None else decided.actions,
        decisions=_counts(found, found.decision_matrix) if decided is not None else None,
        groups=None if rows.groups is None else rows.groups.figures,
        weights=None if rows.weights is None else rows.weights.figures,
        repeats=None if rows.repeats is None else rows.repeats.figures,
    )


def _measured(found: Evaluation, costs: bool) -> dict[str, Any]:
    """Every measure that the model and the rows have, with its interval."""
    low, high = found.error_interval
    out: dict[str, Any] = {"error": found.error, "error_interval": (low, high)}
    there = {"loss": costs, "log_loss": found.probabilistic, "auc": _has_area(found)}
    for name, has in there.items():
        value = None if not has else found.mean_loss() if name == "loss" else getattr(found, name)
        out |= {name: value, f"{name}_interval": _pair(found, name) if has else None}
    return out


def _has_area(found: Evaluation) -> bool:
    """Whether there is an area under the curve: at least two classes are there, and each has two rows."""
    counts = np.bincount(found.codes)
    counts = counts[counts > 0]
    return len(counts) > 1 and bool(counts.min() > 1)


def _evaluation(model: Any, rows: ScoredRows, seconds: float, loss: Any, priors: Any) -> Evaluation:
    """What the rows say, as of one split."""
    trained = np.full(len(model.classes_), np.nan) if model.class_prior_ is None else model.class_prior_
    split = np.zeros(len(rows.codes), dtype=np.int32)
    return Evaluation(
        name=title_of(model.model_),
        classes=model.classes_,
        codes=rows.codes,
        weight=None if rows.weights is None else in_rows(rows.weights.values),
        tested=SplitScores(None, split, rows.scores, rows.predicted, trained[None]),
        probabilistic=hasattr(model, "predict_proba"),
        n_splits=1,
        strategy="saved model",
        seconds=seconds,
        loss=loss,
        priors=priors,
        groups=rows.group_codes,
    )


def _counts(found: Evaluation, table: Any) -> list[list[float]]:
    """A table of rows, or of their weights, as plain numbers."""
    return [[float(n) for n in row] if found.weight is not None else [int(n) for n in row] for row in table]


def _absent_classes(costs: LossMatrix | None, found: Evaluation, source: Any) -> tuple[str, ...]:
    """Classes that have costs and no row here."""
    there = set(found.codes.tolist())
    absent = [repr(label) for k, label in enumerate(found.classes.tolist()) if k not in there]
    if costs is None or not absent:
        return ()
    return (
        f"The loss has costs for {'class' if len(absent) == 1 else 'classes'} {listed(absent)}, of which "
        f"{source_name(source)} has no row; the mean loss is that of the other classes.",
    )


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
