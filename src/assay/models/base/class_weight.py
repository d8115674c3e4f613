"""Weights of classes, multiplied into the weights of their rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from assay.models.base.validation import TrainingData
from assay.sharing.class_weight import class_factor


def weighted(data: TrainingData, class_weight: Any) -> TrainingData:
    """The data with every row's weight times that of its class, see `class_factor`."""
    if class_weight is None:
        return data
    rows = np.ones(len(data.codes)) if data.weight is None else data.weight
    weight = np.bincount(data.codes, rows, data.n_classes).astype(np.float64)[None]
    return replace(data, weight=rows * class_factor(class_weight, weight, data.classes)[0][data.codes])
