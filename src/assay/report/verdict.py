"""The answer, in two sentences and four figures."""

from __future__ import annotations

from dataclasses import dataclass

from assay.report.subject import BASELINE, Subject
from assay.report.words import LEVEL, THIN, count, number, number_range, percent, percent_range, plural


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
        value = number(s.figure(s.honest))
        tiles.insert(
            0, Tile("Mean cost of a decision", value, f"{LEVEL}: {number_range(s.figure_interval(s.honest))}")
        )
    if s.baseline is not None and s.best != BASELINE:
        tiles.append(Tile("Baseline", s.shown(s.baseline), "looks at no column"))
    if s.simpler is not None and s.simpler != BASELINE:
        other = s.results[s.simpler].evaluation
        tiles.append(Tile("Simplest not clearly worse", s.shown(other), s.titles[s.simpler]))
    tiles.append(Tile("Candidates", str(len(s.results)), _how_many(s)))
    return tiles


def _how_many(s: Subject) -> str:
    """How candidates were tried, and whether some were not."""
    left = len(getattr(s.comparison, "omitted", None) or {})
    if s.in_parts:
        how = f"tuned on {s.chosen_on}"
    else:
        how = f"{plural(s.evaluation.n_splits, 'split')}, tuned inside"
    return how + (f"; {count(left)} left out" if left else "")
