"""Training parts that differ by a fold or two, and the coordinates their weights live in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Parts:
    """G training parts.

    Attributes
    ----------
    member : (G, F) bool
        Folds that each part is trained on.
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
        What the weights of the rows are multiplied by in each part; None: 1.
    """

    member: NDArray[np.bool_]
    penalty: Array
    active: NDArray[np.bool_]
    maps: Array | None = None
    center: Array | None = None
    deviation: Array | None = None
    unit: Array | None = None

    def pick(self, which: NDArray[np.intp]) -> Parts:
        optional = (self.maps, self.center, self.deviation, self.unit)
        further = [None if each is None else each[which] for each in optional]
        return Parts(self.member[which], self.penalty[which], self.active[which], *further)

    def to_columns(self, theta: Array) -> Array:
        """θ (G, C, E+1) as B (G, C, P+1)."""
        return theta if self.maps is None else theta @ np.swapaxes(self.maps, -1, -2)

    def from_columns(self, gradient: Array) -> Array:
        """Gradients by B as gradients by θ."""
        return gradient if self.maps is None else gradient @ self.maps
