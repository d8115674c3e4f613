"""Rows as the parts of a combined model take them: untouched, in whatever table they come."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.models.base.sparse import compressed_rows
from assay.models.base.validation import check_row_weight, encode
from assay.notes import Note
from assay.sharing.refit import take_rows
from assay.types import Array, Codes, Estimator, Labels, MatrixLike, RowWeights


@dataclass(frozen=True)
class Labelled:
    """Rows of any kind with their classes and weights; `present` are the classes that have rows."""

    X: MatrixLike
    codes: Codes
    classes: Labels
    weight: Array | None
    present: NDArray[np.intp]

    @property
    def n_classes(self) -> int:
        return len(self.classes)

    def shares(self) -> Array:
        """Share of each class, by weight."""
        counts = np.bincount(self.codes, self.weight, self.n_classes).astype(np.float64)
        return np.asarray(counts / counts.sum())

    def absences(self) -> tuple[Note, ...]:
        """A note about each class whose rows all have weight 0."""
        absent = np.setdiff1d(np.arange(self.n_classes), self.present)
        return tuple(Note("M336", label=str(self.classes[k])) for k in absent)


def labelled(estimator: Estimator, X: MatrixLike, y: ArrayLike, sample_weight: RowWeights) -> Labelled:
    """Labels, weights and the number of rows checked; the rows themselves are checked by what is fitted to them.

    Rows of weight 0 are left out: not every estimator knows that they do not count.
    """
    if y is None:
        raise ValueError(Note("M031", kind=type(estimator).__name__))
    codes, classes = encode(y)
    if not hasattr(X, "shape") and hasattr(X, "__array__"):
        X = np.asarray(X)
    X = compressed_rows(X)
    count = row_count(X)
    if count is not None and count != len(codes):
        raise ValueError(Note("M032", n_rows=count, n_labels=len(codes)))
    weight = check_row_weight(sample_weight, len(codes))
    if weight is not None and not weight.all():
        counted = np.flatnonzero(weight)
        X, codes, weight = take_rows(X, counted), codes[counted], weight[counted]
    present = np.flatnonzero(np.bincount(codes))
    if len(present) < 2:
        raise ValueError(_too_few_classes(classes, present))
    return Labelled(X, codes, classes, weight, present)


def _too_few_classes(classes: Labels, present: NDArray[np.intp]) -> Note:
    """At most one class has rows of positive weight."""
    if not len(present):
        return Note("M707")
    label = classes.tolist()[present[0]]
    return Note("M033", label=label) if len(classes) == 1 else Note("M034", label=label)


def row_count(X: object) -> int | None:
    """Number of rows; None where X is no table and the part that reads it says so."""
    shape = getattr(X, "shape", None)
    if shape is not None:
        return int(shape[0]) if len(shape) else None
    return len(X) if hasattr(X, "__len__") else None


def adopt_columns(owner: object, fitted: object) -> None:
    """The owner knows the columns that its fitted part knows."""
    for name in ("n_features_in_", "feature_names_in_"):
        vars(owner).pop(name, None)
        if hasattr(fitted, name):
            setattr(owner, name, getattr(fitted, name))
