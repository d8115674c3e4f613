r"""Contributions of columns: the score of a class against the runner-up, as a sum over columns of the table.

linear      score_a - score_b = (b_a - b_b) + Σ_j (w_aj - w_bj) (x_j - c_j)
diagonal    score_a - score_b = ln P(a)/P(b) + Σ_j ln p(x_j | a) / p(x_j | b)

(words and categories: see `count_contributions`)

Both are identities of the model, not approximations, so the contributions add up to the difference. A model whose
columns interact (one covariance matrix per class, trees) has no such sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data import Table
from assay.engines.local import thread_count
from assay.models.inspection.count_contributions import explain_categories, explain_words
from assay.models.inspection.explanation import (
    AVERAGE,
    EVIDENCE,
    Explanation,
    column_places,
    explained,
    moved_by_priors,
    shown_value,
)
from assay.notes import Note
from assay.sharing.forms import Diagonal, Linear
from assay.types import Array, infers

LOG_2PI = float(np.log(2.0 * np.pi))


@dataclass(frozen=True)
class _DifferenceParts:
    """Score differences of one row as a sum: what comes first, and one amount for each design column."""

    start: float
    amounts: Array


def difference_parts(form: Any, x: Array, a: int, b: int) -> _DifferenceParts:
    """Score of class a less that of class b for one row of the design, in parts.

    Examples
    --------
    >>> form = Linear(np.zeros((1, 2)), np.array([[[1.0, 0.0], [0.0, 2.0]]]), np.array([[0.5, 0.0]]))
    >>> parts = difference_parts(form, np.array([3.0, 1.0]), 0, 1)
    >>> parts.start, parts.amounts.tolist()
    (0.5, [3.0, -2.0])
    """
    if isinstance(form, Linear):
        amounts = (form.weights[0, a] - form.weights[0, b]) * (x - form.center[0])
        return _DifferenceParts(float(form.bias[0, a] - form.bias[0, b]), amounts)
    precision = form.precision[0, [a, b]]
    present = (precision > 0) & ~np.isnan(x)
    log_factor = np.zeros_like(precision)
    np.log(precision, out=log_factor, where=precision > 0)
    log_factor = np.where(precision > 0, 0.5 * (log_factor - LOG_2PI), 0.0)
    distance = np.where(present, x - form.mean[0, [a, b]], 0.0)
    densities = np.where(present, log_factor - 0.5 * precision * distance**2, 0.0)
    # The bias holds the factors of all columns; those of a column without a value are no evidence either way.
    start = (form.bias[0, a] - log_factor[0].sum()) - (form.bias[0, b] - log_factor[1].sum())
    return _DifferenceParts(float(start), densities[0] - densities[1])


def column_contributions(model: Any, table: Table, rows: Sequence[int]) -> list[Explanation] | None:
    """Explanations of the rows at these positions (the first is 0); None where columns interact.

    Parameters
    ----------
    model : fitted TableClassifier
        Naive Bayes or a linear model.
    table : Table
        With the columns that the model was fitted with.
    """
    *steps, final = model.steps_and_model_
    form = getattr(final, "_score_form", None)
    for maker in (explain_words, explain_categories):
        explanations = maker(model, table, rows)
        if explanations is not None:
            return explanations
    if not isinstance(form, Linear | Diagonal):
        return None
    if model.encoder_.n_features_out_ > len(model.encoder_.sources_):
        raise ValueError(Note("M108"))
    table_rows = model.encoder_.conform(table.take(rows)).select(model.schema_.names)
    design, sources = model.design(table_rows), column_places(model.encoder_)
    for step in steps:
        design, sources = step.transform(design), _after(step, sources)
    moved = moved_by_priors(model)
    form = replace(form, bias=form.bias + moved)
    scores = form.scores(design, threads=thread_count())
    log_posterior = model.predict_log_proba(table_rows) if infers(model) else None
    return [
        _explanation(model, table_rows, i, int(row) + 1, form, design[i], scores[i], sources, log_posterior)
        for i, row in enumerate(rows)
    ]


def _explanation(
    model: Any,
    table: Table,
    i: int,
    row: int,
    form: Linear | Diagonal,
    x: Array,
    scores: Array,
    sources: NDArray[np.intp],
    log_posterior: Array | None,
) -> Explanation:
    def amounts(a: int, b: int) -> Array:
        parts = difference_parts(form, x, a, b)
        return np.bincount(sources, weights=parts.amounts, minlength=len(table.schema)).astype(np.float64)

    return explained(
        model,
        row,
        scores,
        None if log_posterior is None else log_posterior[i],
        lambda a, b: difference_parts(form, x, a, b).start,
        amounts,
        [(column.name, shown_value(column, table[column.name][i])) for column in table.schema],
        *_words(form),
    )


def _words(form: Linear | Diagonal) -> tuple[str, str]:
    """What the start is, and the code of what the amounts are."""
    kind = Diagonal if isinstance(form, Diagonal) else Linear
    return _START[kind], _MEANING[kind]


_START = {Linear: "average row", Diagonal: "class prevalence"}
_MEANING = {Linear: AVERAGE, Diagonal: EVIDENCE}


def _after(step: Any, sources: NDArray[np.intp]) -> NDArray[np.intp]:
    """The same for the columns that a step gives; they are asked by name, numbers serving as names."""
    names = step.get_feature_names_out([str(j) for j in range(len(sources))])
    positions = [str(name).removeprefix("missing_") for name in names]
    if not all(position.isdigit() for position in positions):
        raise ValueError(Note("M109"))
    return np.array([sources[int(position)] for position in positions], dtype=np.intp)
