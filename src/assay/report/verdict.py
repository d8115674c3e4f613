"""The answer, in two sentences and four figures."""

from __future__ import annotations

from dataclasses import dataclass

from assay.report.subject import BASELINE, Subject
from assay.report.words import LEVEL, number, number_range, percent, percent_range


@dataclass(frozen=True)
class Tile:
    """One figure with its name and what it is to be held against."""

    name: str
    value: str
    beside: str


@dataclass(frozen=True)
class Verdict:
    """First sentence: what to use and how wrong it will be. Second: what speaks for less."""

    first: str
    second: str
    tiles: tuple[Tile, ...]


def verdict(subject: Subject) -> Verdict:
    """Which classifier, how wrong, against what, and at what cost."""
    return Verdict(_first(subject), _second(subject), tuple(_tiles(subject)))


def _first(s: Subject) -> str:
    error = (
        f"{percent(s.honest.error)} of new rows ({LEVEL} interval {percent_range(s.honest.error_interval)})"
    )
    if s.best == BASELINE:
        return f"No candidate beats the most frequent class, which is wrong for {error}: use none of them."
    against = _against_baseline(s)
    if s.loss is None:
        return f"Use {s.titles[s.best]}: expect it to be wrong for {error}{against}."
    cost = f"{number(s.honest.mean_loss(s.loss))} ({number_range(s.figure_interval(s.honest))})"
    return (
        f"Use {s.titles[s.best]}: under the given costs expect to pay {cost} a new row{against}, "
        f"and its most probable class to be wrong for {error}."
    )


def _against_baseline(s: Subject) -> str:
    if s.baseline is None:
        return ""
    if s.loss is None:
        return f", against {percent(s.baseline.error)} for always naming the most frequent class"
    return f", against {number(s.baseline.mean_loss(s.loss))} for the best action that looks at no column"


def _second(s: Subject) -> str:
    if s.best == BASELINE:
        return "Either the columns do not tell the classes apart, or it takes more rows to see how."
    if s.simpler is None:
        alone = len([name for name in s.results if name != BASELINE]) < 2
        return (
            "No other candidate was tried."
            if alone
            else "Every simpler candidate is clearly worse, so the choice is not a matter of taste."
        )
    other = s.results[s.simpler].evaluation
    figure = percent(other.error) if s.loss is None else number(other.mean_loss(s.loss))
    mine = percent(s.evaluation.error) if s.loss is None else number(s.evaluation.mean_loss(s.loss))
    if s.simpler == BASELINE:
        return (
            f"But it is not clearly better than looking at no column at all ({mine} against {figure}): "
            "gather more rows or better columns before relying on it."
        )
    if figure == mine:
        return (
            f"{s.titles[s.simpler]} is simpler and does as well ({figure} on the same folds): "
            "take it if you must explain or maintain the model."
        )
    return (
        f"{s.titles[s.simpler]} is simpler and not clearly worse ({figure} against {mine} on the same folds): "
        "take it if you must explain or maintain the model."
    )


def _tiles(s: Subject) -> list[Tile]:
    tiles = [
        Tile(
            "Error on new rows", percent(s.honest.error), f"{LEVEL}: {percent_range(s.honest.error_interval)}"
        )
    ]
    if s.loss is not None:
        value = number(s.honest.mean_loss(s.loss))
        tiles.insert(
            0, Tile("Mean cost of a decision", value, f"{LEVEL}: {number_range(s.figure_interval(s.honest))}")
        )
    if s.baseline is not None and s.best != BASELINE:
        figure = percent(s.baseline.error) if s.loss is None else number(s.baseline.mean_loss(s.loss))
        tiles.append(Tile("Baseline", figure, "looks at no column"))
    if s.simpler is not None and s.simpler != BASELINE:
        other = s.results[s.simpler].evaluation
        figure = percent(other.error) if s.loss is None else number(other.mean_loss(s.loss))
        tiles.append(Tile("Simplest not clearly worse", figure, s.titles[s.simpler]))
    tiles.append(Tile("Candidates", str(len(s.results)), f"{s.evaluation.n_splits} splits, tuned inside"))
    return tiles
