"""Section: whether planes separate the classes, with the certificate: a plane, or rows that no plane separates."""

from __future__ import annotations

from assay.charts.document import DataTable as DataTable
from assay.charts.document import Paragraph, Section, data_table
from assay.commands.compare.page.context import PageContext
from assay.models.features.table_encoder import left_out
from assay.models.linear.separability import Separability, named_separability
from assay.notes.numbers import count, number
from assay.notes.phrases import name_of
from assay.workbench.numeric_design import linear_columns

MOST_UNKNOWNS = 600  # weights of all planes; larger linear programmes take more than seconds
MOST_CELLS = 20_000_000
LISTED = 20


def separability_section(s: PageContext) -> Section | None:
    """The answer about all rows; nothing for tables of texts alone, and for programmes that take long."""
    features = s.problem.features
    if all(left_out(column) is not None for column in features.schema):
        return None
    X, names = linear_columns(features)
    planes = 1 if len(s.class_names) == 2 else len(s.class_names)
    if planes * (X.shape[1] + 1) > MOST_UNKNOWNS or planes * X.size > MOST_CELLS:
        return None
    found = named_separability(X, s.problem.classes[s.problem.codes], names)
    parts = [Paragraph(s.words(found.sentence) + _consequence(found))]
    certificate = _plane(s, found, names) if found.separable else _proof(s, found)
    return Section("separable", "Linear separability", "Separability", (*parts, *certificate))


def _consequence(found: Separability) -> str:
    """What follows for linear models."""
    if found.separable:
        return (
            f" The margin is {number(found.margin)} in the units of the columns. A linear model can have a training "
            "error of 0; with many columns that says little about new rows."
        )
    if found.kind == "unknown":
        return ""
    return " Every linear model misclassifies training rows, or has some on its boundary."


def _plane(s: PageContext, found: Separability, names: list[str]) -> list[DataTable]:
    """The weights of the columns that matter in the separating planes."""
    labels = s.class_names[1:] if len(found.coef) == 1 else s.class_names
    lines = [
        (name_of(name), label, number(float(weight)))
        for label, weights, intercept in zip(labels, found.coef, found.intercept, strict=True)
        for name, weight in [*zip(names, weights, strict=True), ("(intercept)", intercept)]
        if weight
    ]
    return [
        data_table(
            "A plane that separates the classes", ("column", "class", "weight"), lines, (2,), folded=True
        )
    ]


def _proof(s: PageContext, found: Separability) -> list[DataTable]:
    """The rows of the proof with the largest multipliers."""
    if found.proof is None:
        return []
    proof, numbers = found.proof, s.problem.kept
    order = sorted(range(len(proof.rows)), key=lambda i: (-proof.multipliers[i], proof.rows[i]))[:LISTED]
    lines = [
        (
            count(int(numbers[proof.rows[i]]) + 1),
            s.class_names[s.problem.codes[proof.rows[i]]],
            s.class_names[proof.rivals[i]],
            number(float(proof.multipliers[i])),
        )
        for i in order
    ]
    left = len(proof.rows) - len(lines)
    caption = "Rows of the proof, largest multipliers first" + f"; {count(left)} more are not listed" * (
        left > 0
    )
    return [data_table(caption, ("row", "class", "against", "multiplier"), lines, (0, 3), folded=True)]
