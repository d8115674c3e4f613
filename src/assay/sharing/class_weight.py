"""Weights of classes as a factor of every training set and class."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from assay.notes import Note
from assay.types import Array, ClassWeights, Label, Labels


def class_factor(class_weight: ClassWeights, weight: Array, classes: Labels) -> Array:
    """What multiplies the weight of the rows of each class, (M, K), by their weights in M training sets.

    class_weight : None, "balanced" (every class that is there counts the same in sum), or a mapping from labels to
    weights; labels that are not in it weigh 1.

    >>> class_factor("balanced", np.array([[3.0, 1.0]]), np.array(["a", "b"])).round(3).tolist()
    [[0.667, 2.0]]
    """
    if class_weight is None:
        return np.ones(weight.shape)
    if isinstance(class_weight, str):  # "balanced", as parameters were checked
        present = weight > 0
        most = np.where(present, weight, 1.0) * present.sum(axis=1, keepdims=True)
        return np.asarray(weight.sum(axis=1, keepdims=True) / most)
    factor = np.broadcast_to(_by_label(class_weight, classes), weight.shape)
    if not (weight * factor).any(axis=1).all():
        raise ValueError(Note("S128"))
    return factor


def _by_label(class_weight: Mapping[Label, float], classes: Labels) -> Array:
    labels = classes.tolist()
    factor = np.ones(len(labels))
    for label, value in class_weight.items():
        if label not in labels:
            raise ValueError(Note("S129", label=label, labels=labels[:10]))
        if not np.isfinite(value) or value < 0:
            raise ValueError(Note("S130", label=label, value=value))
        factor[labels.index(label)] = value
    return factor
