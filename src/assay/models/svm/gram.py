"""Where rows are compared by a kernel: a formula over their columns, or a Gram matrix that was given or computed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.engines.local import memory_limit
from assay.notes import Note
from assay.solvers.kernels import KernelFunction
from assay.solvers.smo import Machine, solve_gram, solve_rows
from assay.types import Array, Floats

Rows = NDArray[np.intp]
SYMMETRY = 1e-5  # relative; a larger difference of mirrored entries is a mistake, not rounding
SAMPLE = 300  # rows whose Gram matrix is looked at for negative eigenvalues
NEGATIVE = 1e-6  # relative to the largest eigenvalue; smaller ones are rounding


@dataclass(frozen=True)
class FormulaSpace:
    """Rows and a formula; rows of the Gram matrix are made when they are needed."""

    kernel: KernelFunction
    points: Floats

    def take(self, rows: Rows) -> FormulaSpace:
        return FormulaSpace(self.kernel, np.ascontiguousarray(self.points[rows]))

    def solve(self, y: Array, cost: Array, tolerance: float, threads: int, share: int = 1) -> Machine:
        """The machine of two classes; `share` machines are solved at a time and divide the memory."""
        most_bytes = memory_limit() // (2 * share)
        return solve_rows(self.kernel, self.points, y, cost, tolerance, threads, most_bytes)

    def gram(self, threads: int) -> Floats:
        return self.kernel.block(self.points, self.points, threads)


@dataclass(frozen=True)
class GramSpace:
    """A Gram matrix."""

    matrix: Floats

    def take(self, rows: Rows) -> GramSpace:
        return GramSpace(np.ascontiguousarray(self.matrix[np.ix_(rows, rows)]))

    def solve(self, y: Array, cost: Array, tolerance: float, threads: int, share: int = 1) -> Machine:
        return solve_gram(self.matrix, y, cost, tolerance, threads)

    def gram(self, threads: int) -> Floats:
        return self.matrix


Space = FormulaSpace | GramSpace


def given_gram(X: Floats, dtype: Any) -> Floats:
    """A Gram matrix that a user computed, checked."""
    if X.shape[0] != X.shape[1]:
        raise ValueError(Note("M192", shape=X.shape))
    check_values(X, "Gram matrix")
    apart = np.abs(X - X.T)
    row, column = (int(i) for i in np.unravel_index(int(apart.argmax()), X.shape))
    if apart[row, column] > SYMMETRY * float(np.abs(X).max()):
        raise ValueError(Note("M193", value=X[row, column], row=row, column=column, mirrored=X[column, row]))
    return np.ascontiguousarray(X, dtype=dtype)


def called(kernel: Callable[..., Any], left: Array, right: Array) -> Array:
    """What a user's kernel makes of two tables of rows, checked, (N, M)."""
    try:
        with np.errstate(all="ignore"):  # what comes of it is checked
            values = np.asarray(kernel(left, right), dtype=np.float64)
    except Exception as error:
        raise ValueError(
            Note(
                "M196", n_left=len(left), n_right=len(right), message=" ".join(str(error).split()).rstrip(".")
            )
        ) from error
    if values.shape != (len(left), len(right)):
        raise ValueError(Note("M194", shape=values.shape, n_left=len(left), n_right=len(right)))
    check_values(values, "result of the kernel function")
    return values


def check_values(values: Floats, what: str) -> None:
    """One sentence if a kernel value is not a finite number."""
    if np.isfinite(values.sum()):  # overflow is looked at below
        return
    bad = ~np.isfinite(values)
    if bad.any():
        row, column = (int(i) for i in np.argwhere(bad)[0])
        value = "NaN" if np.isnan(values[row, column]) else "infinity"
        raise ValueError(Note("M195", what=what, value=value, row=row, column=column))


def negative_eigenvalue(space: Space) -> bool:
    """Whether the Gram matrix of some of the rows has one, which proves that the whole is no positive kernel."""
    count = len(space.points) if isinstance(space, FormulaSpace) else len(space.matrix)
    rows = np.unique(np.linspace(0, count - 1, min(count, SAMPLE)).astype(np.intp))
    values = np.linalg.eigvalsh(space.take(rows).gram(1).astype(np.float64))
    return bool(values[0] < -NEGATIVE * max(float(values[-1]), -float(values[0])))
