"""A projection of rows: the record, its coordinates and its JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.data.write.rows import Block
from assay.models.gaussian.gaussian_classifier import GaussianClassifier
from assay.notes import Note
from assay.selection.evaluation import Evaluation
from assay.types import Array, Labels

BLOCK = 16384


@dataclass(frozen=True)
class Loading:
    """How far one standard deviation of a column moves a row along a direction."""

    column: str
    weight: float


@dataclass(frozen=True)
class Direction:
    """One axis of the projection.

    Attributes
    ----------
    key, title : str
        For files ("pc1", "fisher1", "spread1"), and for readers.
    share : float or None
        Proportion of the variance (principal components), or of the separation of the classes (Fisher's directions).
    ratio : float or None
        Scatter between the class means over scatter within the classes; None without classes or without scatter.
    loadings : tuple of Loading
        All columns, the strongest first.
    """

    key: str
    title: str
    share: float | None
    ratio: float | None
    loadings: tuple[Loading, ...]


@dataclass(frozen=True, eq=False)
class ProjectResult:
    """Rows along directions, and how well the classes are separated there.

    Attributes
    ----------
    name, method, target : str
        Target None where there are no classes.
    directions : tuple of Direction
    coordinates : (N, E)
    numbers : (N,)
        Position of each row in the source, from 1: rows without a label are left out.
    codes, classes
        Labels; None without a target.
    judged : int
        Directions that the errors are about: the first ones.
    seen_error : float or None
        Error of the nearest class mean on the rows that the directions were learned from.
    evaluation : Evaluation or None
        The same by cross-validation.
    """

    name: str
    method: str
    target: str | None
    width: int
    directions: tuple[Direction, ...]
    coordinates: Array
    numbers: NDArray[np.int64]
    codes: NDArray[np.int32] | None
    classes: Labels | None
    judged: int
    seen_error: float | None
    evaluation: Evaluation | None
    notes: tuple[str, ...]

    @property
    def baseline(self) -> float | None:
        """Error of always predicting the most frequent class."""
        return None if self.codes is None else 1.0 - float(np.bincount(self.codes).max() / len(self.codes))

    def nearest(self, points: Array) -> NDArray[np.intp]:
        """The class whose mean is nearest to each point, by its judged directions or as many as the points have."""
        judged = min(self.judged, points.shape[1])
        if self.codes is None:
            return np.zeros(len(points), dtype=np.intp)
        model = GaussianClassifier("shared_spherical").fit(self.coordinates[:, :judged], self.codes)
        return np.asarray(model.predict(points[:, :judged]), dtype=np.intp)

    @property
    def headline(self) -> Note:
        """What the projection shows, in a sentence."""
        if self.method == "pca":
            share = sum(direction.share or 0.0 for direction in self.directions)
            return Note("C314", directions=self.judged, share=share, columns=self.width)
        return Note("C315", directions=self.judged, columns=self.width, target=self.target)

    def to_json(self) -> dict[str, object]:
        """Everything that is printed, as plain values."""
        nested = self.evaluation
        return {
            "source": self.name,
            "target": self.target,
            "rows": len(self.coordinates),
            "columns": self.width,
            "classes": None if self.classes is None else self.classes.tolist(),
            "method": self.method,
            "directions": self.directions,
            "error": None if nested is None else nested.error,
            "error_interval": None if nested is None else tuple(nested.error_interval),
            "error_on_map": self.seen_error,
            "baseline": self.baseline,
            "notes": self.notes,
        }


def coordinate_blocks(result: ProjectResult, rows: int | None = BLOCK) -> Iterator[Block]:
    """Row number, coordinates and class of every row, in blocks of so many rows (None: one block)."""
    keys = [direction.key for direction in result.directions]
    label = result.target
    while label is not None and label in ("row", *keys):  # a target may have the name of a direction
        label += "_"
    n = len(result.coordinates)
    for start in range(0, n, rows or n):
        part = slice(start, start + (rows or n))
        block: dict[str, list[object]] = {"row": result.numbers[part].tolist()}
        block |= {key: result.coordinates[part, j].tolist() for j, key in enumerate(keys)}
        if label is not None and result.codes is not None and result.classes is not None:
            block[label] = result.classes[result.codes[part]].tolist()
        yield block
