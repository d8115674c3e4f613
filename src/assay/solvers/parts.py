"""Training parts that share folds of rows, and the coordinates their weights live in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from assay.types import Array, Numbers


@dataclass(frozen=True)
class Parts:
    """G training parts.

    Attributes
    ----------
    copies : (G, F)
        How often each part sees the rows of a fold.
    penalty : (G, E)
        ρ, by which l2 is multiplied for each coordinate.
    active : (G, E) bool
        Coordinates that may differ from 0.
    maps : (G, P+1, E+1), optional
        B = maps θ, where the coordinates are not the columns themselves; the last row and column belong to the
        intercept.
    center, deviation : (G, E), optional
        Mean and deviation of each coordinate in each part's rows; None: 0 and 1.
    unit : (G,), optional
        What makes the weights of the rows numbers of rows in each part; None: 1. Means do not depend on it.
    factor : (G, F), optional
        What the weights of a fold's rows are multiplied by in each part; None: 1.
    """

    copies: Numbers
    penalty: Array
    active: NDArray[np.bool_]
    maps: Array | None = None
    center: Array | None = None
    deviation: Array | None = None
    unit: Array | None = None
    factor: Array | None = None

    def __len__(self) -> int:
        return len(self.copies)

    @cached_property
    def share(self) -> Array:
        """What a row of each fold counts in each part, times its weight, (G, F)."""
        copies = np.ascontiguousarray(self.copies, dtype=np.float64)
        return copies if self.factor is None else copies * self.factor

    @property
    def trained(self) -> NDArray[np.bool_]:
        """Folds that each part is trained on, (G, F)."""
        return np.asarray(self.share > 0.0)

    @property
    def alone(self) -> bool:
        """Whether this is a single part that every row belongs to."""
        return len(self) == 1 and bool(self.trained.all())

    def pilot(self) -> Parts:
        """All rows once, in the mean coordinates of the parts."""
        everyone = np.ones((1, self.copies.shape[1]))
        maps = None if self.maps is None else self.maps.mean(axis=0)[None]
        penalty, active = self.penalty.mean(axis=0)[None], np.atleast_2d(self.active.any(axis=0))
        return Parts(everyone, penalty, active, maps, factor=self.mean_factor(np.arange(len(self))))

    def mean_factor(self, which: NDArray[np.intp]) -> Array | None:
        """The mean factor of some parts, (1, F)."""
        return None if self.factor is None else self.factor[which].mean(axis=0)[None]

    def pick(self, which: NDArray[np.intp]) -> Parts:
        optional = (self.maps, self.center, self.deviation, self.unit, self.factor)
        further = [None if array is None else array[which] for array in optional]
        return Parts(self.copies[which], self.penalty[which], self.active[which], *further)

    def to_columns(self, theta: Array) -> Array:
        """θ (G, C, E+1) as B (G, C, P+1)."""
        return theta if self.maps is None else theta @ np.swapaxes(self.maps, -1, -2)

    def from_columns(self, gradient: Array) -> Array:
        """Gradients by B as gradients by θ."""
        return gradient if self.maps is None else gradient @ self.maps
