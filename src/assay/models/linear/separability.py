"""Is a table linearly separable? Yes with a plane and the columns that make it, or no with a proof, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.models.base.estimators import Model
from assay.models.base.path_classifier import standardised
from assay.models.base.validation import TrainingData, check_training, explain_rows, feature_name
from assay.notes import Note
from assay.solvers.separability import Separation, separation

Array = NDArray[np.float64]
MOST_NAMED = 5


class Rows(Model):
    """What remembers the width and the names of the columns while they are checked."""


class StandardRows(NamedTuple):
    """Rows with columns of mean 0 and deviation 1, and how to come back; constant columns are 0."""

    Z: Array
    codes: NDArray[np.intp]  # of the classes that have rows
    classes: NDArray[Any]
    center: Array
    scale: Array
    names: Any


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
    sentence : str
        All that in words.
    """

    separable: bool
    kind: str
    classes: NDArray[Any]
    coef: Array
    intercept: Array
    columns: tuple[Any, ...]
    margin: float
    residual: float | None
    proof: Any
    sentence: str

    def __str__(self) -> str:
        return self.sentence


def separability(X: Any, y: Any) -> Separability:
    """Tell whether classes are linearly separable, with a certificate either way.

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
    data = check_training(Rows(), X, y)
    if data.n_classes < 2:
        raise ValueError(Note("M128", classes=data.classes.tolist()[0]))
    names = list(X.columns) if hasattr(X, "columns") else None
    rows = standard_rows(TrainingData(data.X, data.codes, data.classes, None, names))
    return told(separation(rows.Z, rows.codes, len(rows.classes)), rows)


def standard_rows(data: TrainingData, *, only_counted: bool = True) -> StandardRows:
    """Checked rows in deviations of their columns, those of weight zero left out."""
    error = explain_rows(data.names, data.X)
    if error is not None:
        raise error
    standard = standardised(data)
    kept = slice(None) if data.weight is None or not only_counted else np.flatnonzero(data.weight)
    Z = np.where(standard.active, (data.X[kept] - standard.center) / standard.scale, 0.0)
    present, codes = np.unique(data.codes[kept], return_inverse=True)
    return StandardRows(Z, codes, data.classes[present], standard.center, standard.scale, data.names)


def told(found: Separation, rows: StandardRows) -> Separability:
    """The solver's answer in the units and names of the table."""
    coef = found.weights / rows.scale
    intercept = found.intercept - coef @ rows.center
    names = [j if rows.names is None else rows.names[j] for j in found.columns]
    return Separability(
        separable=found.kind == "complete",
        kind=found.kind,
        classes=rows.classes,
        coef=coef,
        intercept=intercept,
        columns=tuple(names),
        margin=_margin(found, rows) if found.kind == "complete" else 0.0,
        residual=None if found.proof is None else found.proof.residual,
        proof=found.proof,
        sentence=_sentence(found, rows),
    )


def _margin(found: Separation, rows: StandardRows) -> float:
    """Least distance of a row from the plane between its class and another, in the units of the columns."""
    scores = rows.Z @ found.weights.T + found.intercept
    coef = found.weights / rows.scale
    if len(coef) == 1:
        return float(np.abs(scores).min() / np.linalg.norm(coef))
    apart = scores[np.arange(len(scores)), rows.codes][:, None] - scores
    width = np.linalg.norm(coef[rows.codes][:, None, :] - coef, axis=-1)
    return float((apart / np.where(width > 0, width, np.inf))[width > 0].min())


def _listed(columns: tuple[int, ...], names: Any) -> str:
    """Columns in a sentence: 'column a', 'columns a and b'; of many the number."""
    if not columns:
        return "the constant alone"
    if len(columns) > MOST_NAMED:
        return f"{len(columns)} columns together"
    shown = [feature_name(names, j).removeprefix("column ") for j in columns]
    if len(shown) == 1:
        return f"column {shown[0]} alone"
    return f"columns {', '.join(shown[:-1])} and {shown[-1]} together"


def _sentence(found: Separation, rows: StandardRows) -> str:
    by, verb = _listed(found.columns, rows.names), "separates" if len(found.columns) == 1 else "separate"
    if found.kind == "complete":
        return f"The classes are linearly separable: {by} {verb} them completely."
    if found.kind == "unknown":
        return "Whether the classes are linearly separable is not known: the linear programme is too large to solve."
    assert found.proof is not None
    proof = f"{_common(found, rows)}, up to a residual of {found.proof.residual:.1g} deviations"
    if found.kind == "quasi":
        assert found.on_boundary is not None
        free = int((~found.on_boundary).sum())
        return (
            f"The classes are not linearly separable, but quasi-completely: {by} {verb} {free} of "
            f"{len(rows.codes)} rows with none on the wrong side, and every such plane has the other rows on it; "
            f"proof: {proof}."
        )
    return f"The classes are not linearly separable; proof: {proof}."


def _common(found: Separation, rows: StandardRows) -> str:
    assert found.proof is not None
    counts = np.bincount(rows.codes[np.unique(found.proof.rows)], minlength=len(rows.classes))
    if len(rows.classes) == 2:
        first, second = (
            f"{n} row{'s' if n > 1 else ''} of {c!r}"
            for n, c in zip(counts, rows.classes.tolist(), strict=True)
        )
        return f"the same point is a weighted mean of {first} and of {second}"
    return f"weighted sums of {int(counts.sum())} rows, each against a rival class, cancel"
