"""The answer, in two sentences and four figures."""

from __future__ import annotations

from dataclasses import dataclass

from assay.report.subject import BASELINE, Subject
from assay.report.words import LEVEL, THIN, number, number_range, percent, percent_range


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
    first, second = (sentence.replace(" %", f"{THIN}%") for sentence in subject.comparison.verdict)
    return Verdict(first, second, tuple(_tiles(subject)))


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
