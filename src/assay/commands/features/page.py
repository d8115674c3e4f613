"""The page of a feature search: the ranking, the path of errors, and the error on new rows."""

from __future__ import annotations

import os
from pathlib import Path

from assay.charts.document import (
    Callout,
    Facts,
    Figure,
    Panel,
    Paragraph,
    Part,
    Section,
    Tile,
    Verdict,
    data_table,
    versions,
)
from assay.charts.features import RankRow, path_chart, path_rows, path_table, ranking_chart
from assay.charts.html import PageHeader, compose
from assay.commands.features.result import FeaturesResult
from assay.data.write.atomic import write_text
from assay.notes import render
from assay.notes.numbers import LEVEL, count, percent, percent_range
from assay.notes.phrases import last_part, name_of, page_plural, short_names, shorten, spell_columns
from assay.notes.voices import PAGE, Voice
from assay.selection.features.select import FeatureSelection

MOST_BARS = 25
MEASURES = {
    "correlation": "largest absolute correlation with the indicator of a class",
    "correlation_ratio": "proportion of the variance that lies between the classes",
    "information": "mutual information in nats, corrected for chance",
}


def write(result: FeaturesResult, path: str | os.PathLike[str], voice: Voice = PAGE) -> Path:
    """Write the page; the file is replaced whole or not at all."""
    return write_text(path, page(result, voice))


def page(result: FeaturesResult, voice: Voice = PAGE) -> str:
    """The page as text; the voice words its notes."""
    title = f"{shorten(name_of(result.target), 60)} in {shorten(name_of(last_part(result.name)), 60)}"
    sections = [_ranking(result)] if result.ranking else []
    if result.selection is not None:
        sections.insert(0, _path(result, result.selection))
    return compose(
        PageHeader(title, "Feature selection", "Summary", _verdict(result)),
        [*sections, _about(result, voice)],
    )


def _verdict(result: FeaturesResult) -> Verdict:
    chosen, nested = result.selection, result.nested
    if chosen is None:
        best = spell_columns([shorten(name_of(row.column)) for row in result.ranking[:3]], 3) or "none"
        return Verdict(
            f"Highest ranked columns for {name_of(result.target)!r}: {best}.",
            "A ranking looks at columns one by one; it ignores interactions and redundancy.",
            _tiles(result),
        )
    few = page_plural(len(chosen.features), "column")
    names = spell_columns([shorten(name_of(name)) for name in chosen.features], 6)
    second = (
        "The error on new rows is unknown."
        if nested is None
        else f"Error on new rows: {percent(nested.error)} ({LEVEL} CI {percent_range(nested.error_interval)}), by "
        "nested cross-validation."
    )
    return Verdict(f"{result.title} does best with {few}: {names}.", second, _tiles(result))


def _tiles(result: FeaturesResult) -> tuple[Tile, ...]:
    tiles = []
    if result.nested is not None:
        ends = percent_range(result.nested.error_interval)
        tiles.append(Tile("Error on new rows", percent(result.nested.error), f"{LEVEL} CI {ends}"))
    if result.selection is not None:
        tiles.append(Tile("Error on the path", percent(result.selection.error), "optimistically biased"))
    if result.everything is not None:
        tiles.append(
            Tile("With all columns", percent(result.everything.error), page_plural(result.columns, "column"))
        )
    tiles.append(Tile("Baseline", percent(result.baseline), "most frequent class"))
    tiles.append(Tile("Rows", count(result.rows), page_plural(len(result.classes), "class", "classes")))
    return tuple(tiles)


def _path(result: FeaturesResult, chosen: FeatureSelection) -> Section:
    table = path_table(chosen.path)
    last = chosen.path[chosen.chosen]
    says = (
        f"Error against the number of columns: {percent(last.error)} with the "
        f"{page_plural(len(last.features), 'column')} that were chosen."
    )
    rule = (
        "least error"
        if chosen.rule == "min"
        else "fewest columns within one standard error of the least error"
    )
    caption = (
        f"All column sets of the {result.search} search, with a band of one standard error. The ring marks the "
        f"selected set ({rule})."
    )
    figure = Figure("path", (Panel(path_chart(path_rows(chosen.path, chosen.chosen))),), says, caption, table)
    parts: tuple[Part, ...] = (figure,)
    return Section("path", "Path of the search", "Path", parts)


def _ranking(result: FeaturesResult) -> Section:
    shown = result.ranking[:MOST_BARS]
    names = short_names(row.column for row in shown)
    bars: list[RankRow] = [
        {"column": name, "value": getattr(row, result.by)} for name, row in zip(names, shown, strict=True)
    ]
    lines = [
        (
            name_of(row.column),
            f"{row.correlation:.3f}",
            f"{row.correlation_ratio:.3f}",
            f"{row.information:.3f}",
        )
        for row in result.ranking
    ]
    heads = ("column", "correlation", "correlation ratio", "information")
    best = shown[0]
    of = (
        ""
        if len(shown) == len(result.ranking)
        else f", the first {count(len(shown))} of {count(len(result.ranking))}"
    )
    figure = Figure(
        "ranking",
        (Panel(ranking_chart(bars, result.by.replace("_", " "))),),
        f"Bar chart; the highest ranked column is {shorten(name_of(best.column))}.",
        f"Score of each column alone{of}: {MEASURES[result.by]}.",
        data_table("Ranking", heads, lines, (1, 2, 3)),
    )
    return Section("ranking", "Ranking of the columns", "Ranking", (figure,))


def _about(result: FeaturesResult, voice: Voice) -> Section:
    parts: list[Part] = [Callout(render(note, voice)) for note in result.notes]
    facts = [("Target", name_of(result.target))]
    if result.selection is not None:
        parts.append(
            Paragraph(
                "The errors on the path are used to select columns, so they are optimistically biased. The error on "
                "new rows is a nested estimate: the whole search is repeated in the training rows of every fold."
            )
        )
        facts += [("Search", result.search), ("Model", f"{result.title} ({result.model})")]
        facts += [("Computation", result.selection.strategy)]
        if result.nested is not None:
            facts.append(("Validation scheme", repr(result.nested.plan)))
    facts.append(("Versions", versions()))
    return Section("about", "Method", "Method", (*parts, Facts(tuple(facts))))
