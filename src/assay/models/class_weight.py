"""Weights of classes, multiplied into the weights of their rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from assay.models.validation import TrainingData


def weighted(data: TrainingData, class_weight: Any) -> TrainingData:
    """The data with every row's weight times that of its class.

    class_weight : None, "balanced" (every class counts the same in sum), or a mapping from labels to weights; labels
    that are not in it weigh 1.
    """
    if class_weight is None:
        return data
    rows = np.ones(len(data.codes)) if data.weight is None else data.weight
    if isinstance(class_weight, str):
        counts = np.bincount(data.codes, rows, data.n_classes)
        factor = rows.sum() / (data.n_classes * np.where(counts > 0, counts, 1.0))
    else:
        factor = _by_label(data, class_weight)
    weight = rows * factor[data.codes]
    if not weight.any():
        raise ValueError("class_weight leaves every row with weight 0; give a class a positive weight.")
    return replace(data, weight=weight)


def _by_label(data: TrainingData, class_weight: Mapping[Any, float]) -> Any:
    labels = data.classes.tolist()
    factor = np.ones(len(labels))
    for label, value in class_weight.items():
        if label not in labels:
            raise ValueError(
                f"class_weight names {label!r}, which is not in y; its labels are {labels[:10]}."
            )
        if not np.isfinite(value) or value < 0:
            raise ValueError(f"class_weight of {label!r} is {value!r}; give a number of at least 0.")
        factor[labels.index(label)] = value
    return factor
