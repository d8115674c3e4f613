"""What fitting blobs met and what was done about it, one sentence each."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.models.base.validation import feature_names
from assay.models.mixture.per_class import Learned
from assay.statistics.solve_diagnostics import constant_sentence


def sentences(model: Any, found: Learned) -> tuple[str, ...]:
    """Everything there is to tell about a model that has its blobs."""
    labels = [str(label) for label in model.classes_]
    names = feature_names(model, np.arange(len(model.scale_)))
    told = [
        *constant_sentence([str(name) for name, s in zip(names, model.scale_, strict=True) if s == 0]),
        *(
            f"Class {labels[k]} has no training row: its posterior is 0."
            for k in np.flatnonzero(model.class_count_ == 0)
        ),
        *(
            f"Class {labels[k]} has one row, or equal rows: it is one blob with the covariance within the classes."
            for k in found.alone
        ),
    ]
    for classes, each in found.founds:
        whose = f"Class {labels[classes[0]]}" if len(found.founds) > 1 else "The table"
        told += _of_group(whose, classes[0] in found.alone, each, model)
    return (*told, *_collapsed(model, found, labels))


def _of_group(whose: str, alone: bool, each: Any, model: Any) -> list[str]:
    """Fewer blobs than were asked for, numbers of blobs passed over, and steps that ran out."""
    told, count = [], len(each.mixture.blobs.means)
    if count < each.asked and not alone:
        rows = each.rows
        told.append(f"{whose} has {rows} different rows, too few for {each.asked} blobs: it has {count}.")
    if each.passed:
        *first, last = map(str, each.passed)
        numbers = f"{', '.join(first)} and {last}" if first else last
        told.append(
            f"{whose}: {numbers} blobs have a lower BIC but were passed over: a covariance collapses; set n_blobs to "
            "have them."
        )
    if not each.mixture.converged:
        told.append(
            f"{whose}: EM stopped after max_iter={model.max_iter} steps while it still gained; allow more, or raise "
            "tol."
        )
    return told


def _collapsed(model: Any, found: Learned, labels: list[str]) -> list[str]:
    """Which blobs the floor holds up."""
    told, width = [], len(model.scale_)
    owner = (model.shares_ * model.class_count_[:, None]).argmax(axis=0)
    place = np.zeros(len(labels), dtype=int)
    for b, k in enumerate(owner):
        place[k] += 1
        if found.floored[b] and k not in found.alone:
            blob = f"Blob {b + 1}" if model.shared == "all" else f"Blob {place[k]} of class {labels[k]}"
            told.append(
                f"{blob} is singular in {found.floored[b]} of {width} directions: their variance was raised to the "
                "floor; fewer blobs, a simpler covariance or a higher variance_floor would help."
            )
    return told
