"""What a solver of training parts along a path of penalties gives back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.types import Array, Entry


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


def merged(first: NDArray[np.bool_], marked: PathSolution, others: PathSolution) -> PathSolution:
    """Solutions of a path whose penalties marked `first` were solved apart from the others."""

    def together(a: NDArray[Entry], b: NDArray[Entry]) -> NDArray[Entry]:
        out = np.empty((len(first), *a.shape[1:]), dtype=a.dtype)
        out[first], out[~first] = a, b
        return out

    flags = [
        np.zeros(solution.converged.shape, dtype=bool) if solution.separated is None else solution.separated
        for solution in (marked, others)
    ]
    return PathSolution(
        together(marked.B, others.B),
        together(marked.gradient, others.gradient),
        together(marked.loss, others.loss),
        together(marked.converged, others.converged),
        max(marked.passes, others.passes),
        marked.history + others.history,
        together(*flags),
    )
