"""The page of a feature search: columns one by one, the path of errors with the chosen point, and what to expect."""

from __future__ import annotations

import os
from pathlib import Path

from assay.charts.document import (
    Facts,
    Figure,
    Note,
    Panel,
    Part,
    Section,
    Text,
    Tile,
    Verdict,
    grid,
    versions,
)
from assay.charts.features import path_chart, ranking_chart
from assay.charts.html import PageHeader, compose
from assay.commands.features.job import Searched
from assay.data.write.atomic import write_text
from assay.notes.numbers import (
    LEVEL,
    count,
    listed,
    name_of,
    percent,
    percent_range,
    plural,
    short_names,
    shorten,
    source_name,
)
from assay.selection.drawings import path_rows, path_table
from assay.selection.features.select import FeatureSelection

MOST_BARS = 25
WAYS = {
    "correlation": "the largest absolute correlation with the indicator of a class",
    "correlation_ratio": "the share of the variance that lies between the classes",
    "information": "mutual information in nats, corrected for chance",
}


def write(found: Searched, path: str | os.PathLike[str]) -> Path:
    """Write the page; the file is replaced whole or not at all."""
    return write_text(path, page(found))


def page(found: Searched) -> str:
    """The page as text."""
    title = f"{shorten(name_of(found.target), 60)} in {shorten(name_of(source_name(found.name)), 60)}"
    sections = [_ranking(found)] if found.ranking else []
    if found.selection is not None:
        sections.insert(0, _path(found, found.selection))
    return compose(
        PageHeader(title, "Which columns to use", "Summary", _verdict(found)), [*sections, _about(found)]
    )


def _verdict(found: Searched) -> Verdict:
    chosen, honest = found.selection, found.honest
    if chosen is None:
        best = listed([shorten(name_of(each.column)) for each in found.ranking[:3]], 3) or "No column"
        return Verdict(
            f"{best} tell most about {name_of(found.target)!r}, each by itself.",
            "A ranking knows nothing of columns that help each other, or that say the same twice.",
            _tiles(found),
        )
    few = plural(len(chosen.features), "column")
    lead = f"{found.title} does best with {few}: {listed([shorten(name_of(n)) for n in chosen.features], 6)}."
    told = (
        "How wrong it would be on new rows cannot be told."
        if honest is None
        else f"Searching like this and going by what was found, {percent(honest.error)} of new rows are misclassified "
        f"({LEVEL}: {percent_range(honest.error_interval)}); every fold searched for itself."
    )
    return Verdict(lead, told, _tiles(found))


def _tiles(found: Searched) -> tuple[Tile, ...]:
    tiles = []
    if found.honest is not None:
        ends = percent_range(found.honest.error_interval)
        tiles.append(Tile("Error on new rows", percent(found.honest.error), f"{LEVEL}: {ends}"))
    if found.selection is not None:
        tiles.append(
            Tile("Error on the path", percent(found.selection.error), "too good: it was chosen by it")
        )
    if found.everything is not None:
        tiles.append(
            Tile("With all columns", percent(found.everything.error), plural(found.columns, "column"))
        )
    tiles.append(Tile("Baseline", percent(found.baseline), "looks at no column"))
    tiles.append(Tile("Rows", count(found.rows), plural(len(found.classes), "class", "classes")))
    return tuple(tiles)


def _path(found: Searched, chosen: FeatureSelection) -> Section:
    table = path_table(chosen)
    last = chosen.path[chosen.chosen]
    says = (
        f"Error against the number of columns: {percent(last.error)} with the {plural(len(last.features), 'column')} "
        "that were chosen."
    )
    rule = (
        "least error"
        if chosen.rule == "min"
        else "the fewest columns within one standard error of the least error"
    )
    caption = (
        f"Every set that the {found.search} search passed through, with a band of one standard error; ringed the one "
        f"that was chosen ({rule})."
    )
    figure = Figure("path", (Panel(path_chart(path_rows(chosen))),), says, caption, table)
    parts: tuple[Part, ...] = (figure,)
    return Section("path", "The way of the search", "Path", parts)


def _ranking(found: Searched) -> Section:
    shown = found.ranking[:MOST_BARS]
    names = short_names(each.column for each in shown)
    bars = [
        {"column": name, "value": getattr(each, found.by)} for name, each in zip(names, shown, strict=True)
    ]
    lines = [
        (
            name_of(each.column),
            f"{each.correlation:.3f}",
            f"{each.correlation_ratio:.3f}",
            f"{each.information:.3f}",
        )
        for each in found.ranking
    ]
    heads = ("column", "correlation", "correlation ratio", "information")
    best = shown[0]
    of = (
        ""
        if len(shown) == len(found.ranking)
        else f", the first {count(len(shown))} of {count(len(found.ranking))}"
    )
    figure = Figure(
        "ranking",
        (Panel(ranking_chart(bars, found.by.replace("_", " "))),),
        f"Bars, the longest is {shorten(name_of(best.column))}.",
        f"What each column tells by itself{of}: {WAYS[found.by]}.",
        grid("Columns one by one", heads, lines, (1, 2, 3)),
    )
    return Section("ranking", "Columns one by one", "Ranking", (figure,))


def _about(found: Searched) -> Section:
    parts: list[Part] = [Note(note) for note in found.notes]
    facts = [("Target", name_of(found.target))]
    if found.selection is not None:
        parts.append(
            Text(
                "The errors on the path come from folds that took part in the choice. The error on new rows does not: "
                "for it the whole search was done again in the training part of every fold."
            )
        )
        facts += [("Search", found.search), ("Model", f"{found.title} ({found.model})")]
        facts += [("Sets judged by", found.selection.strategy)]
        if found.honest is not None:
            facts.append(("Plan", repr(found.honest.plan)))
    facts.append(("Versions", versions()))
    return Section("about", "How it was made", "How", (*parts, Facts(tuple(facts))))
