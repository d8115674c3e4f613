"""The header of the page: the verdict and its key figures."""

from __future__ import annotations

from assay.charts.document import Tile, Verdict
from assay.commands.compare.page.context import PageContext
from assay.commands.compare.verdict import what_else, what_to_use
from assay.notes.numbers import LEVEL, count, number, number_range, percent, percent_range
from assay.notes.phrases import last_part, name_of, shorten, spell_columns
from assay.notes.phrases import page_plural as plural


def verdict(subject: PageContext) -> Verdict:
    """Which candidate to use, and its estimates."""
    comparison = subject.comparison
    others = what_else(comparison)
    second = "" if others is None else subject.words(others)
    return Verdict(subject.words(what_to_use(comparison)), second, tuple(_tiles(subject)))


def _tiles(s: PageContext) -> list[Tile]:
    suffix = "on new data" if s.recommended else "of the procedure"  # no model is recommended
    tiles = [
        Tile(
            f"Error rate {suffix}",
            percent(s.nested.error),
            f"{LEVEL} CI: {percent_range(s.nested.error_interval)}",
        )
    ]
    if s.loss is not None:
        name = "Expected cost per row" if s.recommended else "Cost of the procedure"
        value = number(s.figure(s.nested))
        tiles.insert(0, Tile(name, value, f"{LEVEL} CI: {number_range(s.figure_interval(s.nested))}"))
    if s.baseline is not None and len(s.results) > 1:
        tiles.append(Tile("Baseline", s.shown(s.baseline), "uses no column"))
    if (other := s.comparison.with_suspects) is not None:
        names = spell_columns([shorten(name_of(name)) for name in s.comparison.suspects])
        tiles.append(Tile(f"With {names}", s.shown(other.nested), "if known before the outcome"))
    simplest = s.comparison.simplest
    if simplest is not None and simplest.against_best is not None:
        # Not its own error: that of the procedure stands beside it.
        shown = s.shown_difference(simplest.against_best.difference)
        tiles.append(Tile("Simpler, not worse", shown, f"{simplest.title}, against the winner"))
    tiles.append(Tile("Candidates", str(len(s.results)), _how_many(s)))
    return tiles


def _how_many(s: PageContext) -> str:
    """How candidates were evaluated, and how many were omitted."""
    left = len(s.comparison.omitted)
    if s.in_parts:
        how = f"tuned on {s.chosen_on}"
    else:
        how = f"{plural(s.evaluation.n_splits, 'split')}, hyperparameters tuned in each"
    return how + (f"; {count(left)} omitted" if left else "")


def title(subject: PageContext) -> str:
    """The target and the table."""
    target, source = subject.comparison.target, last_part(subject.comparison.name)
    return f"{shorten(name_of(target), 60)} in {shorten(name_of(source), 60)}"
