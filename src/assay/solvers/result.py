"""What a solver of training parts along a path of penalties gives back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PathSolution:
    """Solutions for L penalties and G training parts, in the order given.

    Attributes
    ----------
    B : (L, G, C, P+1)
        Weights of C scores by the standardised columns, the intercept last.
    gradient : (L, G)
        How near to the solution: the relative gradient, or the relative duality gap.
    loss : (L, G)
        Mean loss without penalty.
    converged : (L, G)
    passes : int
        Passes over the rows.
    history : list of (penalty, objective, gradient)
        Of the model of all rows, pass by pass.
    separated : (L, G), optional
        Parts whose best weights are infinite, and which were therefore solved with a small penalty.
    """

    B: Array
    gradient: Array
    loss: Array
    converged: NDArray[np.bool_]
    passes: int
    history: list[tuple[float, float, float]]
    separated: NDArray[np.bool_] | None = None
