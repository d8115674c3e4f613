"""An explanation of a prediction as data, and what linear, diagonal and count models share to make it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data import MISSING, Column
from assay.notes import Note
from assay.notes.numbers import date_text
from assay.types import Array, Label

LONGEST_TEXT = 40
SURE = float(np.log(1e6))  # one error in a million: few tables have the rows to show it
AVERAGE, EVIDENCE, WORDS = "C361", "C362", "C363"  # what an amount is: codes of notes


@dataclass(frozen=True)
class Contribution:
    """One column: its value in the row, and what it adds to the difference of scores."""

    column: str
    value: str
    amount: float


@dataclass(frozen=True)
class Explanation:
    """Scores of the predicted class and the runner-up: start + Σ contributions = difference.

    Attributes
    ----------
    row : int
        The first row is 1.
    unit : str
        "log odds" of a model with posteriors, "score" of one without.
    start : float
        The difference before any column is used; `start_meaning` says what it is.
    contributions : tuple of Contribution
        The largest first; positive amounts are evidence for the predicted class.
    posterior : dict or None
        Of every class, if the model gives posteriors.
    part : str
        What contributes: a "column", or a "word", whose value is its count.
    notes : tuple of str
        Diagnostics of the fit, and a warning about extreme odds.
    """

    row: int
    predicted: Label
    runner_up: Label
    unit: str
    difference: float
    start: float
    start_meaning: str
    meaning: str
    contributions: tuple[Contribution, ...]
    posterior: dict[Label, float] | None
    notes: tuple[str, ...] = ()
    part: str = "column"


def explained(
    model: Any,
    row: int,
    scores: Array,
    log_posterior: Array | None,
    start: Any,
    amounts: Any,
    parts: list[tuple[str, str]],
    start_meaning: str,
    meaning: str,
) -> Explanation:
    """The explanation of one row from its parts.

    Parameters
    ----------
    scores, log_posterior : arrays (K,)
        Of the row; the posterior is None where the model gives none.
    start, amounts : functions of two classes (a, b)
        What comes first, and an amount for each part, in the score of a less that of b.
    parts : list of (name, value)
    meaning : str
        Code of the note that says what an amount is.
    """
    labels = model.classes_.tolist()
    a, b = best_two(scores, labels)
    contributions = [
        Contribution(name, value, float(amount))
        for (name, value), amount in zip(parts, amounts(a, b).tolist(), strict=True)
    ]
    contributions.sort(key=lambda part: -abs(part.amount))
    unit = "score" if log_posterior is None else "log odds"
    difference = float(scores[a] - scores[b])
    posterior = None if log_posterior is None else np.exp(log_posterior).tolist()
    return Explanation(
        row=row,
        predicted=labels[a],
        runner_up=labels[b],
        unit=unit,
        difference=difference,
        start=float(start(a, b)),
        start_meaning=start_meaning,
        meaning=_meaning(meaning, unit, labels[a], labels[b]),
        contributions=tuple(contributions),
        posterior=None if posterior is None else dict(zip(labels, posterior, strict=True)),
        notes=_notes(model, None if log_posterior is None else difference),
    )


def _meaning(code: str, unit: str, predicted: Label, runner_up: Label) -> Note:
    """What the amounts are; the evidence of a column has no other unit than a logarithm."""
    classes = {"predicted": predicted, "runner_up": runner_up}
    return Note(code, values=classes if code == EVIDENCE else {"unit": unit, **classes})


def best_two(scores: Array, labels: list[Label]) -> tuple[int, int]:
    """The predicted class and the runner-up."""
    a = int(scores.argmax())
    b = int(np.where(np.arange(len(scores)) == a, -np.inf, scores).argmax())
    if not np.isfinite(scores[b]):
        raise ValueError(Note("M114", label=str(labels[a])))
    return a, b


def _notes(model: Any, log_odds: float | None) -> tuple[str, ...]:
    """Diagnostics of the fitted steps and the model, and a warning where odds are beyond what rows can show."""
    notes = tuple(note for note in model.diagnostics_ if note not in model.encoder_.notes_)
    if log_odds is None or log_odds < SURE:
        return notes
    return (*notes, Note("C360", log_odds=log_odds))


def moved_by_priors(model: Any) -> Array:
    """What new priors add to the scores, where posteriors are re-weighted."""
    if getattr(model, "trained_prior_", None) is None:
        return np.zeros(len(model.classes_))
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(model.class_prior_) - np.log(model.trained_prior_))


def column_places(encoder: Any) -> NDArray[np.intp]:
    """For each design column the position of its column in the encoder's schema."""
    place = {name: j for j, name in enumerate(encoder.schema_.names)}
    return np.array([place[name] for name in encoder.sources_], dtype=np.intp)


def shown_value(column: Column, value: Any) -> str:
    """The value of a cell as text."""
    if column.type in ("categorical", "binary"):
        if value >= 0:
            return str(column.levels[value])
        return "(missing)" if value == MISSING else "(not in training)"
    if column.type not in ("numeric", "date"):
        return "(missing)" if value.as_py() is None else _beginning(str(value.as_py()))
    if np.isnan(value):
        return "(missing)"
    return date_text(float(value)) if column.type == "date" else f"{float(value):.6g}"


def _beginning(text: str) -> str:
    """A text in one line, and no more of it than fits into one."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_TEXT else line[: LONGEST_TEXT - 1].rstrip() + "…"
