"""Notes about a fitted mixture: classes and components that the rows were too few or too equal for."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.models.base.column_notes import column_keys
from assay.models.mixture.per_class import LearnedMixture
from assay.notes import Note
from assay.statistics.solve_diagnostics import constant_columns


def component_notes(model: Any, learned: LearnedMixture) -> tuple[Note, ...]:
    """All notes about a model that has its components."""
    labels = [str(label) for label in model.classes_]
    keys = column_keys(model)
    notes = [
        *constant_columns([key for key, scale in zip(keys, model.scale_, strict=True) if scale == 0]),
        *(Note("M301", label=labels[k]) for k in np.flatnonzero(model.class_count_ == 0)),
        *(Note("M329", label=labels[k]) for k in learned.alone),
    ]
    for classes, fit in learned.founds:
        subject = f"Class {labels[classes[0]]}" if len(learned.founds) > 1 else "The table"
        notes += _of_group(subject, classes[0] in learned.alone, fit, model)
    return (*notes, *_collapsed(model, learned, labels))


def _of_group(subject: str, alone: bool, fit: Any, model: Any) -> list[Note]:
    """Fewer components than were asked for, numbers of components passed over, and steps that ran out."""
    notes, count = [], len(fit.mixture.components.means)
    if count < fit.requested and not alone:
        notes.append(Note("M330", subject, rows=fit.rows, wanted=fit.requested, count=count))
    if fit.passed:
        notes.append(Note("M331", subject, counts=fit.passed))
    if not fit.mixture.converged:
        notes.append(Note("M332", subject, max_iter=model.max_iter))
    return notes


def _collapsed(model: Any, learned: LearnedMixture, labels: list[str]) -> list[Note]:
    """Which components the floor holds up."""
    notes, width = [], len(model.scale_)
    owner = (model.shares_ * model.class_count_[:, None]).argmax(axis=0)
    place = np.zeros(len(labels), dtype=int)
    for b, k in enumerate(owner):
        place[k] += 1
        if not learned.floored[b] or k in learned.alone:
            continue
        values: dict[str, Any] = {"singular": int(learned.floored[b]), "n_columns": width}
        if model.shared == "all":
            notes.append(Note("M334", component=b + 1, **values))
        else:
            notes.append(Note("M333", component=int(place[k]), label=labels[k], **values))
    return notes
