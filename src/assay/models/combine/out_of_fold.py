"""Scores of rows under models that did not see them: what a calibration may be learned from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.engines.local import memory_limit
from assay.models.base import Model
from assay.models.combine.combined import fit_part, shown
from assay.models.combine.rows import Array, Labelled, take_rows
from assay.models.sharing import Chain, can_leave_one_out, chain_of, fold_scores, leave_one_out_scores
from assay.models.sparse import is_sparse
from assay.models.statistical import StatisticsClassifier
from assay.models.validation import TrainingData, check_rows
from assay.plans import LeaveOneOut, Partition, Plan
from assay.sharing.overrides import overrides
from assay.sharing.refit import log_posterior
from assay.statistics import cells_bytes
from assay.statistics.solve_diagnostics import among

Rows = NDArray[np.intp]


@dataclass(frozen=True)
class OutOfFold:
    """Scores (M, K) of M tested rows; a row is tested once a repeat. -inf: the class was not in the training part."""

    rows: Rows
    scores: Array
    notes: tuple[str, ...]


def out_of_fold(model: Any, data: Labelled, plan: Plan) -> OutOfFold:
    """Scores of every tested row, from moments or along a path where the model allows it, otherwise by refits."""
    chain = None if is_sparse(data.X) else chain_of(model)  # moments are of dense rows
    if chain is not None:
        for part in (*chain.steps, chain.model):
            part._check_params()
        if isinstance(plan, LeaveOneOut):
            if isinstance(chain.model, StatisticsClassifier) and can_leave_one_out(chain):
                return _without_one(chain, data)
        else:
            partitions = plan.partitions(data.codes)
            if _fits(chain, data, partitions):
                return _shared(chain, data, partitions)
    return _refitted(model, data, plan)


def _fits(chain: Chain, data: Labelled, partitions: list[Partition]) -> bool:
    """Whether the moments of all folds, and what is merged on the way, have room."""
    shape = np.shape(data.X)
    groups = 1 + max(partition.n_folds for partition in partitions)
    # Columns with gaps have a flag beside them, so there are at most twice as many.
    width = 2 * shape[1] if len(shape) == 2 else 0
    return 3 * cells_bytes(chain.form(gaps=True), groups, data.n_classes, width) <= memory_limit()


def _training_data(chain: Chain, data: Labelled) -> tuple[Chain, TrainingData]:
    reader = Model()
    rows = check_rows(reader, data.X, reset=True)
    names = getattr(reader, "feature_names_in_", None)
    return chain.named(names), TrainingData(rows, data.codes, data.classes, data.weight, names)


def _shared(chain: Chain, data: Labelled, partitions: list[Partition]) -> OutOfFold:
    named, rows = _training_data(chain, data)
    parts = [fold_scores([named], rows, partition)[0] for partition in partitions]
    everyone = np.arange(len(data.codes))
    return OutOfFold(
        np.concatenate([everyone if part.rows is None else part.rows for part in parts]),
        np.concatenate([part.scores for part in parts]),
        tuple(dict.fromkeys(note for part in parts for note in part.notes)),
    )


def _without_one(chain: Chain, data: Labelled) -> OutOfFold:
    named, rows = _training_data(chain, data)
    (tested,) = leave_one_out_scores([named], rows)
    return OutOfFold(np.arange(len(data.codes)), tested.scores, tested.notes)


def _refitted(model: Any, data: Labelled, plan: Plan) -> OutOfFold:
    labels = data.classes[data.codes]
    tested, scores, count = [], [], 0
    absent = np.zeros(data.n_classes, dtype=np.int64)
    for train, test in plan.split(np.zeros((len(data.codes), 1)), data.codes):
        counted = train if data.weight is None else train[data.weight[train] > 0]
        here = np.bincount(data.codes[counted], minlength=data.n_classes) > 0
        if here.sum() < 2:
            only = f"a single class ({data.classes.tolist()[here.argmax()]!r})" if here.any() else "no row"
            raise ValueError(
                f"A training part has {only}: use fewer folds, stratify, or give more rows of the others."
            )
        absent += ~here
        count += 1
        if len(test):
            part = fit_part(model, data.X, labels, data.weight, train)
            tested.append(test)
            scores.append(class_scores(part, take_rows(data.X, test), data.classes))
    notes = tuple(
        f"Class {data.classes[k]} was absent from the training part {among(absent[k], count, 'splits')}, where it "
        "scored lowest."
        for k in np.flatnonzero(absent)
    )
    changed = overrides(model)
    notes = notes if changed is None else (str(changed), *notes)
    return OutOfFold(np.concatenate(tested), np.concatenate(scores), notes)


def class_scores(model: Any, X: Any, classes: NDArray[Any]) -> Array:
    """Log posteriors where a model has them, otherwise its margins, (N, K); -inf for classes it does not know."""
    place = np.searchsorted(classes, model.classes_)
    if hasattr(model, "predict_proba"):
        values = log_posterior(model, X)
    elif hasattr(model, "decision_function"):
        values = np.asarray(model.decision_function(X), dtype=np.float64)
        if values.ndim == 1:
            values = np.stack([-0.5 * values, 0.5 * values], axis=1)
    else:
        raise ValueError(
            f"{shown(model)} has neither decision_function nor predict_proba, so there is nothing to calibrate."
        )
    if values.shape[1] != len(place):
        raise ValueError(
            f"{shown(model)} gives {values.shape[1]} scores a row for {len(place)} classes; one score for each class "
            "is needed (decision_function_shape='ovr')."
        )
    out = np.full((len(values), len(classes)), -np.inf)
    out[:, place] = values
    return out
