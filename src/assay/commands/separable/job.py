"""Whether planes separate the classes of a table, with a certificate: a plane, or rows that no plane could separate.

Columns become numbers as linear models read them: zero-one columns less the most frequent category, missing values
filled with means and flagged.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TypedDict

from assay.data.read import Markers
from assay.data.sources.database_address import source_name
from assay.models.features.table_encoder import left_out
from assay.models.linear.separability import Separability, named_separability
from assay.notes import Note
from assay.types import Label
from assay.workbench.numeric_design import linear_columns
from assay.workbench.problem import Problem, read_problem

# The linear score of a class: its label, the weights of the columns, the intercept.
PlaneEquation = TypedDict("PlaneEquation", {"class": Label, "weights": dict[str, float], "intercept": float})


@dataclass(frozen=True)
class SeparableResult:
    """The answer and its certificate, as plain values.

    Attributes
    ----------
    separable : bool
    kind : "complete", "quasi", "none" or "unknown"
        As of `assay.separability`.
    sentence : str
        The answer in words.
    planes : list of dict
        One per boundary (one for two classes, otherwise one per class): weights by column, and the intercept; empty if
        there is none.
    margin : float
        Least distance of a row from the boundary, in the units of the columns; 0 unless complete.
    proof : list of dict
        Rows of the source (from 1), their classes, the rivals and the multipliers; empty if a plane separates.
    residual : float or None
        By how much the proof misses, in standard deviations.
    """

    source: str
    target: str
    rows: int
    classes: tuple[Label, ...]
    separable: bool
    kind: str
    sentence: str
    planes: list[PlaneEquation]
    margin: float
    proof: list[dict[str, object]]
    residual: float | None
    notes: tuple[str, ...]


def separable_table(
    source: object,
    target: str | None = None,
    *,
    types: Mapping[str, str] | None = None,
    drop: Collection[str] = (),
    query: str | None = None,
    missing: Markers = None,
) -> SeparableResult:
    """Decide whether planes separate the classes of a table.

    Parameters
    ----------
    source, target, types, drop, query, missing
        As for `compare`.

    Examples
    --------
    >>> corners = {"a": [0.0, 0.0, 1.0, 1.0] * 3, "b": [0.0, 1.0, 0.0, 1.0] * 3}
    >>> separable_table({**corners, "or": ["no", "yes", "yes", "yes"] * 3}, "or").separable
    True
    >>> xor = separable_table({**corners, "xor": ["no", "yes", "yes", "no"] * 3}, "xor")
    >>> xor.separable, len(xor.proof)
    (False, 4)
    """
    problem = read_problem(source, target, types=types, drop=drop, query=query, missing=missing)
    skipped = tuple(note for column in problem.features.schema if (note := left_out(column)) is not None)
    if skipped and len(skipped) == len(problem.features.schema):
        raise ValueError(Note("P740", first=skipped[0]))
    X, names = linear_columns(problem.features)
    answer = named_separability(X, problem.classes[problem.codes], names)
    return SeparableResult(
        source=source_name(source),
        target=problem.target,
        rows=problem.n_rows,
        classes=tuple(problem.classes.tolist()),
        separable=answer.separable,
        kind=answer.kind,
        sentence=answer.sentence,
        planes=_planes(answer, names),
        margin=answer.margin,
        proof=_proof(answer, problem),
        residual=answer.residual,
        notes=(*problem.notes, *skipped),
    )


def _planes(answer: Separability, names: list[str]) -> list[PlaneEquation]:
    """The plane of two classes, positive for the second; or the linear score of each class."""
    if not answer.coef.any():
        return []
    classes = answer.classes.tolist()
    labels = classes[1:] if len(answer.coef) == 1 else classes
    return [
        {
            "class": label,
            "weights": {name: float(w) for name, w in zip(names, weights, strict=True) if w},
            "intercept": float(intercept),
        }
        for label, weights, intercept in zip(labels, answer.coef, answer.intercept, strict=True)
    ]


def _proof(answer: Separability, problem: Problem) -> list[dict[str, object]]:
    if answer.proof is None:
        return []
    classes = answer.classes.tolist()
    triples = zip(answer.proof.rows, answer.proof.rivals, answer.proof.multipliers, strict=True)
    return [
        {
            "row": int(problem.kept[row]) + 1,
            "class": classes[problem.codes[row]],
            "rival": classes[rival],
            "multiplier": float(multiplier),
        }
        for row, rival, multiplier in triples
    ]
