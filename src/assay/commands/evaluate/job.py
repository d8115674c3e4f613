"""A saved model on labelled rows that it was not trained on."""

from __future__ import annotations

import time
from os import PathLike
from typing import Any

import numpy as np

from assay.catalog import calibrated_names, title_of
from assay.commands.evaluate.result import EvaluateResult
from assay.commands.evaluate.score_rows import ScoredRows, score_rows
from assay.data.read import Markers
from assay.data.sources.database_address import source_name
from assay.decision import LossLike, LossMatrix, confusion
from assay.models.table.table_classifier import TableClassifier
from assay.notes import Note
from assay.selection.evaluation import Evaluation
from assay.selection.scored_pairs import SplitScores
from assay.statistics.weights import in_rows
from assay.types import Array, Numbers, has_posteriors
from assay.workbench.syntax.loss import ClassPriors, parse_loss, parse_priors


def evaluate_model(
    model: TableClassifier,
    source: object,
    target: str | None = None,
    *,
    loss: LossLike | PathLike[str] = None,
    priors: ClassPriors = None,
    query: str | None = None,
    missing: Markers = None,
    groups: str | None = None,
    weights: str | None = None,
    split_repeats: bool = False,
) -> EvaluateResult:
    """Metrics of a fitted model on labelled rows, read block by block.

    Parameters
    ----------
    model : fitted TableClassifier
    target : str, optional
        The column of the true classes; the one the model was trained to predict unless given.
    loss, priors
        As `parse_loss` and `parse_priors` take them; without a loss, the one stored in the model.
    groups : str, optional
        The column of groups, on which intervals are based.
    weights : str, optional
        The column of sample weights; rows of weight 0 are left out.
    split_repeats : bool
        Whether intervals count copies of a row like other rows; by default once, where they cannot be chance.
    """
    column = target if target is not None else model.target_
    if column is None:
        raise ValueError(Note("C036"))
    if priors is not None and not has_posteriors(model):
        raise ValueError(Note("C037", models=calibrated_names()))
    costs: LossMatrix | None = (
        getattr(model, "loss_", None) if loss is None else parse_loss(loss, model.classes_)
    )
    replaced = parse_priors(priors, model.classes_)
    start = time.perf_counter()
    rows = score_rows(model, source, column, query, missing, groups, weights, split_repeats)
    evaluation = _evaluation(model, rows, time.perf_counter() - start, costs, replaced)
    counts = confusion(
        evaluation.truth_codes, evaluation.predicted_codes, len(evaluation.classes), evaluation.weight
    )
    decided = costs if evaluation.probabilistic else None
    return EvaluateResult(
        source=source_name(source),
        target=str(column),
        rows=len(evaluation.codes),
        classes=tuple(evaluation.classes.tolist()),
        **measured(evaluation, costs is not None),
        confusion=row_counts(evaluation, counts),
        notes=(*rows.notes, *_absent_classes(costs, evaluation, source), *clipped_note(evaluation)),
        actions=None if decided is None else decided.actions,
        decisions=row_counts(evaluation, evaluation.decision_matrix) if decided is not None else None,
        groups=None if rows.groups is None else rows.groups.figures,
        weights=None if rows.weights is None else rows.weights.figures,
        repeats=None if rows.repeats is None else rows.repeats.figures,
    )


def measured(evaluation: Evaluation, costs: bool) -> dict[str, Any]:
    """Every metric that the model and the rows have, with its interval."""
    low, high = evaluation.error_interval
    out: dict[str, Any] = {"error": evaluation.error, "error_interval": (low, high)}
    defined = {"loss": costs, "log_loss": evaluation.probabilistic, "auc": _has_area(evaluation)}
    for name, has in defined.items():
        value = None if not has else evaluation.mean_loss() if name == "loss" else getattr(evaluation, name)
        out |= {name: value, f"{name}_interval": _pair(evaluation, name) if has else None}
    return out


def _has_area(evaluation: Evaluation) -> bool:
    """Whether there is an AUC: at least two classes have rows, and each of them two."""
    counts = np.bincount(evaluation.codes)
    counts = counts[counts > 0]
    return len(counts) > 1 and bool(counts.min() > 1)


def _evaluation(
    model: TableClassifier,
    rows: ScoredRows,
    seconds: float,
    loss: LossMatrix | None,
    priors: Array | None,
) -> Evaluation:
    """The scored rows as the test rows of one split."""
    trained = np.full(len(model.classes_), np.nan) if model.class_prior_ is None else model.class_prior_
    split = np.zeros(len(rows.codes), dtype=np.int32)
    return Evaluation(
        name=title_of(model.model_),
        classes=model.classes_,
        codes=rows.codes,
        weight=None if rows.weights is None else in_rows(rows.weights.values),
        tested=SplitScores(None, split, rows.scores, rows.predicted, trained[None]),
        probabilistic=has_posteriors(model),
        n_splits=1,
        strategy="saved model",
        seconds=seconds,
        loss=loss,
        priors=priors,
        groups=rows.group_codes,
    )


def row_counts(evaluation: Evaluation, table: Numbers) -> list[list[float]]:
    """A table of rows, or of their weights, as plain numbers."""
    return [
        [float(n) for n in row] if evaluation.weight is not None else [int(n) for n in row] for row in table
    ]


def _absent_classes(costs: LossMatrix | None, evaluation: Evaluation, source: object) -> tuple[Note, ...]:
    """Classes that have costs and no rows here."""
    present = set(evaluation.codes.tolist())
    absent = tuple(label for k, label in enumerate(evaluation.classes.tolist()) if k not in present)
    if costs is None or not absent:
        return ()
    return (Note("C330", classes=absent, source=source_name(source)),)


def _pair(evaluation: Evaluation, measure: str) -> tuple[float, float] | None:
    """The 95 % interval; a single row has none."""
    if len(evaluation.codes) < 2:
        return None
    low, high = evaluation.interval(measure)
    return low, high


def clipped_note(evaluation: Evaluation) -> tuple[Note, ...]:
    """A warning about true classes of probability 0."""
    if not evaluation.probabilistic or not evaluation.n_clipped:
        return ()
    return (Note("C331", rows=evaluation.n_clipped),)
