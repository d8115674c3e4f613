r"""What spoke for a prediction: the score of a class against the runner-up, as a sum over columns of the table.

linear      score_a - score_b = (b_a - b_b) + Σ_j (w_aj - w_bj) (x_j - c_j)
diagonal    score_a - score_b = ln P(a)/P(b) + Σ_j ln p(x_j | a) / p(x_j | b)

Both are identities of the model, not approximations, so the contributions add up to the difference. A model whose
columns act together (a covariance of its own for each class, trees) has no such sum, and none is made up for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data import MISSING, Column, Table, scan
from assay.models.catalog import ENTRIES
from assay.models.forms import Diagonal, Linear
from assay.workbench.describe import date_text
from assay.workbench.diagnosis.findings import plural
from assay.workbench.prediction import source_name, title_of

Array = NDArray[np.float64]
SURE = float(np.log(1e6))  # one error in a million: few tables could bear it out
LOG_2PI = float(np.log(2.0 * np.pi))


@dataclass(frozen=True)
class Contribution:
    """One column of the table: its value in the row, and what it adds to the difference."""

    column: str
    value: str
    amount: float


@dataclass(frozen=True)
class Explanation:
    """Why one row was given its class: start + Σ contributions = difference.

    Attributes
    ----------
    row : int
        The first row is 1.
    unit : str
        "log odds" of a model with posteriors, "score" of one without.
    start : float
        What is there before any column is looked at; `start_meaning` says what it is.
    contributions : tuple of Contribution
        The weightiest first; positive amounts speak for the predicted class.
    posterior : dict or None
        Of every class, if the model gives posteriors.
    notes : tuple of str
        What was difficult when the model was fitted, and how far such odds can be trusted.
    """

    row: int
    predicted: Any
    runner_up: Any
    unit: str
    difference: float
    start: float
    start_meaning: str
    meaning: str
    contributions: tuple[Contribution, ...]
    posterior: dict[Any, float] | None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Parts:
    """Score differences of one row as a sum: what comes first, and one amount for each design column."""

    start: float
    amounts: Array
    start_meaning: str


def difference_parts(form: Any, x: Array, a: int, b: int) -> _Parts:
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
        return _Parts(float(form.bias[0, a] - form.bias[0, b]), amounts, "an average row")
    precision = form.precision[0, [a, b]]
    there = (precision > 0) & ~np.isnan(x)
    log_factor = np.zeros_like(precision)
    np.log(precision, out=log_factor, where=precision > 0)
    log_factor = np.where(precision > 0, 0.5 * (log_factor - LOG_2PI), 0.0)
    distance = np.where(there, x - form.mean[0, [a, b]], 0.0)
    densities = np.where(there, log_factor - 0.5 * precision * distance**2, 0.0)
    # The bias holds the factors of all columns; those of a column without a value are no evidence either way.
    start = (form.bias[0, a] - log_factor[0].sum()) - (form.bias[0, b] - log_factor[1].sum())
    return _Parts(float(start), densities[0] - densities[1], "shares of the classes")


def explain(model: Any, table: Table, rows: Sequence[int]) -> list[Explanation]:
    """Why the rows at these positions (the first is 0) were given their classes.

    Parameters
    ----------
    model : fitted TableClassifier
        Naive Bayes or a linear model.
    table : Table
        With the columns that the model was fitted with.
    """
    *steps, final = model.steps_and_model_
    form = getattr(final, "_score_form", None)
    if not isinstance(form, Linear | Diagonal):
        able = ", ".join(entry.name for entry in ENTRIES if "contributions" in entry.capabilities)
        raise ValueError(
            f"{title_of(final)} weighs its columns together here, so that none has a share of its own; models whose "
            f"predictions can be explained are {able}."
        )
    if model.encoder_.n_features_out_ > model.encoder_.groups_[-1].last:
        raise ValueError(
            "The model adds up products of columns too, so that no column has a share of its own; the report of "
            "`assay compare` shows the weights of columns and products."
        )
    some = model.encoder_.conform(table.take(rows)).select(model.schema_.names)
    design, sources = model.design(some), _column_of_design(model.encoder_.groups_)
    for step in steps:
        design, sources = step.transform(design), _after(step, sources)
    moved = _moved_by_priors(model)
    form = replace(form, bias=form.bias + moved)
    scores = form.scores(design)
    log_posterior = model.predict_log_proba(some) if hasattr(model, "predict_proba") else None
    return [
        _explanation(model, some, i, int(row) + 1, form, design[i], scores[i], sources, log_posterior)
        for i, row in enumerate(rows)
    ]


def explain_row(model: Any, source: Any, row: int, *, query: str | None = None) -> Explanation:
    """Why one row of a source (the first is 1) was given its class; rows behind it are not read."""
    if row < 1:
        raise ValueError(f"There is no row {row}; the first row is 1.")
    first = 1
    for table in scan(source, schema=model.schema_, query=query).blocks():
        if row < first + table.n_rows:
            found = explain(model, table, [row - first])[0]
            return replace(found, row=row)
        first += table.n_rows
    raise ValueError(f"There is no row {row}; {source_name(source)} has {plural(first - 1, 'row')}.")


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
    labels = model.classes_.tolist()
    a = int(scores.argmax())
    b = int(np.where(np.arange(len(scores)) == a, -np.inf, scores).argmax())
    if not np.isfinite(scores[b]):
        raise ValueError(
            f"No class but {str(labels[a])!r} was seen in training; there is nothing to compare it with."
        )
    parts = difference_parts(form, x, a, b)
    amounts = np.bincount(sources, weights=parts.amounts, minlength=len(table.schema))
    contributions = [
        Contribution(column.name, _shown(column, table[column.name][i]), float(amount))
        for column, amount in zip(table.schema, amounts, strict=True)
    ]
    contributions.sort(key=lambda part: -abs(part.amount))
    unit = "score" if log_posterior is None else "log odds"
    posterior = None if log_posterior is None else np.exp(log_posterior[i]).tolist()
    return Explanation(
        row=row,
        predicted=labels[a],
        runner_up=labels[b],
        unit=unit,
        difference=float(scores[a] - scores[b]),
        start=parts.start,
        start_meaning=parts.start_meaning,
        meaning=_MEANING[type(form)].format(unit=unit, a=labels[a], b=labels[b]),
        contributions=tuple(contributions),
        posterior=None if posterior is None else dict(zip(labels, posterior, strict=True)),
        notes=_notes(model, None if log_posterior is None else float(scores[a] - scores[b])),
    )


def _notes(model: Any, log_odds: float | None) -> tuple[str, ...]:
    """What the fitted steps and the model say, and a word where odds are beyond what rows can show."""
    told = tuple(note for note in model.diagnostics_ if note not in model.encoder_.notes_)
    if log_odds is None or log_odds < SURE:
        return told
    return (
        *told,
        f"Log odds of {log_odds:.0f} are more certainty than rows can show: read them as very sure, not as a number.",
    )


_MEANING = {
    Linear: "Each amount is what a column adds to the {unit} of {a} against {b} by being what it is and not average.",
    Diagonal: "Each amount is the evidence of a column by itself: how much likelier its value is under {a} than "
    "under {b}, as a logarithm; a column without a value says nothing.",
}


def _moved_by_priors(model: Any) -> Array:
    """What other priors than those of the training rows add to the scores, where posteriors are re-weighted."""
    if getattr(model, "trained_prior_", None) is None:
        return np.zeros(len(model.classes_))
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(model.class_prior_) - np.log(model.trained_prior_))


def _column_of_design(groups: Sequence[Any]) -> NDArray[np.intp]:
    """For each design column the position of its column in the encoder's schema."""
    return np.repeat(np.arange(len(groups)), [group.last - group.first for group in groups])


def _after(step: Any, sources: NDArray[np.intp]) -> NDArray[np.intp]:
    """The same for the columns that a step gives; they are asked by name, numbers serving as names."""
    names = step.get_feature_names_out([str(j) for j in range(len(sources))])
    positions = [str(name).removeprefix("missing_") for name in names]
    if not all(position.isdigit() for position in positions):
        raise ValueError("A step of the model mixes columns, so that none has a share of its own.")
    return np.array([sources[int(position)] for position in positions], dtype=np.intp)


def _shown(column: Column, value: Any) -> str:
    """The value of a cell, as people write it."""
    if column.type in ("categorical", "binary"):
        if value >= 0:
            return str(column.levels[value])
        return "(missing)" if value == MISSING else "(never seen)"
    if np.isnan(value):
        return "(missing)"
    return date_text(float(value)) if column.type == "date" else f"{float(value):.6g}"
