"""Is a table linearly separable? Yes with a plane and the columns that make it, or no with a proof."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.models.base.estimators import Model
from assay.models.base.path_classifier import standardised
from assay.models.base.validation import TrainingData, check_training, explain_rows
from assay.notes import Note
from assay.solvers.separability import Separation, separation
from assay.types import Array, ColumnNames, Labels, MatrixLike

INTERCEPT = "(intercept)"  # what separates where no column does


class ColumnMemory(Model):
    """What remembers the width and the names of the columns while they are checked."""


class StandardizedTable(NamedTuple):
    """Rows with columns of mean 0 and deviation 1, and how to come back; constant columns are 0."""

    Z: Array
    codes: NDArray[np.intp]  # of the classes that have rows
    classes: Labels
    center: Array
    scale: Array
    names: ColumnNames


@dataclass(frozen=True, eq=False)
class Separability:
    """Whether planes separate classes, and why.

    Attributes
    ----------
    separable : bool
        Whether a plane has every row on the side of its class (for more classes: whether linear scores give every row
        its class).
    kind : str
        "complete"; "quasi": no row is on the wrong side of some plane, but some must lie on it; "none"; "unknown": the
        linear programme was too large to be solved.
    coef, intercept
        (C, D) and (C,): the plane, in the units of the columns; C is 1 for two classes (positive for the second). Zero
        where there is none.
    columns : tuple
        Names or positions of the columns that separate.
    margin : float
        Least distance of a row from the plane (between two classes) in the units of the columns; 0 unless complete.
    residual : float or None
        By how much the proof that separation is not complete misses, in deviations of the columns.
    proof : Proof or None
        Its rows and multipliers.
    sentence : Note
        All that in words.
    """

    separable: bool
    kind: str
    classes: Labels
    coef: Array
    intercept: Array
    columns: tuple[Any, ...]
    margin: float
    residual: float | None
    proof: Any
    sentence: Note

    def __str__(self) -> str:
        return self.sentence


def separability(X: MatrixLike, y: ArrayLike) -> Separability:
    """Decide whether classes are linearly separable, with a proof either way.

    Parameters
    ----------
    X : array or frame (N, D)
    y : array (N,)
        Labels of any type.

    Examples
    --------
    >>> rows = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> separability(rows, ["off", "on", "on", "on"]).separable  # OR
    True
    >>> xor = separability(rows, ["off", "on", "on", "off"])
    >>> xor.separable, xor.residual < 1e-12
    (False, True)
    """
    return named_separability(X, y, list(X.columns) if hasattr(X, "columns") else None)


def named_separability(X: MatrixLike, y: ArrayLike, names: ColumnNames) -> Separability:
    """The same, with names for the columns of X; None: they are numbered."""
    data = check_training(ColumnMemory(), X, y)
    if data.n_classes < 2:
        raise ValueError(Note("M128", label=data.classes.tolist()[0]))
    rows = standard_rows(TrainingData(data.X, data.codes, data.classes, None, names))
    return describe_separation(separation(rows.Z, rows.codes, len(rows.classes)), rows)


def standard_rows(data: TrainingData, *, only_counted: bool = True) -> StandardizedTable:
    """Checked rows in deviations of their columns, those of weight zero left out."""
    error = explain_rows(data.names, data.X)
    if error is not None:
        raise error
    standard = standardised(data)
    counted = slice(None) if data.weight is None or not only_counted else np.flatnonzero(data.weight)
    Z = np.where(standard.active, (data.X[counted] - standard.center) / standard.scale, 0.0)
    present, codes = np.unique(data.codes[counted], return_inverse=True)
    return StandardizedTable(Z, codes, data.classes[present], standard.center, standard.scale, data.names)


def describe_separation(solution: Separation, rows: StandardizedTable) -> Separability:
    """The solver's answer in the units and names of the table."""
    coef = solution.weights / rows.scale
    intercept = solution.intercept - coef @ rows.center
    names = [j if rows.names is None else rows.names[j] for j in solution.columns]
    return Separability(
        separable=solution.kind == "complete",
        kind=solution.kind,
        classes=rows.classes,
        coef=coef,
        intercept=intercept,
        columns=tuple(names),
        margin=_margin(solution, rows) if solution.kind == "complete" else 0.0,
        residual=None if solution.proof is None else solution.proof.residual,
        proof=solution.proof,
        sentence=_note(solution, rows),
    )


def _margin(solution: Separation, rows: StandardizedTable) -> float:
    """Least distance of a row from the plane between its class and another, in the units of the columns."""
    scores = rows.Z @ solution.weights.T + solution.intercept
    coef = solution.weights / rows.scale
    if len(coef) == 1:
        return float(np.abs(scores).min() / np.linalg.norm(coef))
    apart = scores[np.arange(len(scores)), rows.codes][:, None] - scores
    width = np.linalg.norm(coef[rows.codes][:, None, :] - coef, axis=-1)
    return float((apart / np.where(width > 0, width, np.inf))[width > 0].min())


def _note(solution: Separation, rows: StandardizedTable) -> Note:
    """What the certificate shows."""
    if solution.kind == "unknown":
        return Note("M364")
    keys = [int(j) if rows.names is None else str(rows.names[j]) for j in solution.columns]
    columns = tuple(keys) or (INTERCEPT,)
    if solution.kind == "complete":
        return Note("M363", columns=columns)
    proof = _proof(solution, rows)
    if solution.kind != "quasi":
        return Note("M366", proof=proof)
    assert solution.on_boundary is not None
    free = int((~solution.on_boundary).sum())
    return Note("M365", columns=columns, free=free, rows=len(rows.codes), proof=proof)


def _proof(solution: Separation, rows: StandardizedTable) -> Note:
    assert solution.proof is not None
    residual = float(solution.proof.residual)
    counts = np.bincount(rows.codes[np.unique(solution.proof.rows)], minlength=len(rows.classes)).tolist()
    if len(rows.classes) > 2:
        return Note("M368", rows=sum(counts), residual=residual)
    first, second = rows.classes.tolist()
    return Note("M367", first=first, n_first=counts[0], second=second, n_second=counts[1], residual=residual)
