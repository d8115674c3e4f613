"""Weights of classes, multiplied into the weights of their rows, and classes whose rows all have weight 0."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from assay.models.base.validation import TrainingData
from assay.notes import Note
from assay.sharing.class_weight import class_factor
from assay.types import ClassWeights, Labels, Numbers


def weighted(data: TrainingData, class_weight: ClassWeights) -> TrainingData:
    """The data with every row's weight times that of its class, see `class_factor`."""
    if class_weight is None:
        return data
    rows = np.ones(len(data.codes)) if data.weight is None else data.weight
    weight = np.bincount(data.codes, rows, data.n_classes).astype(np.float64)[None]
    return replace(data, weight=rows * class_factor(class_weight, weight, data.classes)[0][data.codes])


def among_known(data: TrainingData) -> tuple[TrainingData, NDArray[np.intp]]:
    """The problem among the classes that have weight, and their places: rows of weight 0 are not there.

    >>> codes, weight = np.array([0, 1, 2, 2], dtype=np.int32), np.array([1.0, 0.0, 1.0, 1.0])
    >>> problem, known = among_known(TrainingData(np.zeros((4, 1)), codes, np.array(["a", "b", "c"]), weight))
    >>> problem.classes.tolist(), problem.codes.tolist(), known.tolist()
    (['a', 'c'], [0, 0, 1, 1], [0, 2])
    """
    counts = np.bincount(data.codes, data.weight, data.n_classes) > 0
    known = np.flatnonzero(counts)
    if counts.all():
        return data, known
    place = np.where(counts, np.cumsum(counts) - 1, 0).astype(np.int32)
    return replace(data, codes=place[data.codes], classes=data.classes[known]), known


def absent_classes(classes: Labels, weight: Numbers, code: str = "M336") -> tuple[Note, ...]:
    """A note about each class that has no weight; models with posteriors say M301."""
    return tuple(Note(code, label=str(classes[k])) for k in np.flatnonzero(weight == 0))
