"""The page of a projection: the rows along two directions, and the weights of the columns."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from assay.charts.columns import LoadingRow, loading_chart
from assay.charts.document import (
    COLOURED,
    Callout,
    DataTable,
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
from assay.charts.html import PageHeader, compose
from assay.charts.regions import box_of, region_bands
from assay.charts.scatter import Plane, plane_chart, sample
from assay.commands.project.result import Direction, ProjectResult
from assay.data.write.atomic import write_text
from assay.notes import render
from assay.notes.numbers import DASH, LEVEL, count, number, percent, percent_range
from assay.notes.phrases import drawn_of, last_part, name_of, page_plural, short_names, shorten, spell_columns
from assay.notes.voices import PAGE, Voice
from assay.types import Array

MOST_POINTS = 3000
MOST_LOADINGS = 12
MOST_PANELS = 6
GOLDEN = 0.6180339887498949


def write(result: ProjectResult, path: str | os.PathLike[str], voice: Voice = PAGE) -> Path:
    """Write the page; the file is replaced whole or not at all."""
    return write_text(path, page(result, voice))


def page(result: ProjectResult, voice: Voice = PAGE) -> str:
    """The page as text; the voice words its notes."""
    source = shorten(name_of(last_part(result.name)), 60)
    title = source if result.target is None else f"{shorten(name_of(result.target), 60)} in {source}"
    cover = PageHeader(title, "Projection", "Summary", _verdict(result, voice))
    sections = [_map_section(result), _direction_section(result), _about_section(result, voice)]
    return compose(cover, sections)


def _verdict(result: ProjectResult, voice: Voice) -> Verdict:
    first, nested = render(result.headline, voice), result.evaluation
    if result.codes is None:
        return Verdict(first, "The table has no column of classes.", _tiles(result))
    second = (
        "The error of the nearest class mean on new rows is unknown."
        if nested is None
        else f"Error of the nearest class mean on new rows: {percent(nested.error)} ({LEVEL} CI "
        f"{percent_range(nested.error_interval)}). Always predicting the most frequent class: "
        f"{percent(result.baseline)}."
    )
    return Verdict(first, second, _tiles(result))


def _tiles(result: ProjectResult) -> tuple[Tile, ...]:
    tiles = []
    if result.evaluation is not None:
        ends = percent_range(result.evaluation.error_interval)
        tiles.append(Tile("Error on new rows", percent(result.evaluation.error), f"{LEVEL} CI {ends}"))
    if result.seen_error is not None:
        tiles.append(Tile("Error on these rows", percent(result.seen_error), "optimistically biased"))
        tiles.append(Tile("Baseline", percent(result.baseline), "most frequent class"))
    whole = sum(direction.share or 0.0 for direction in result.directions)
    of = "of the variance" if result.method == "pca" else "of the separation of the classes"
    if result.method == "pca" or whole < 1.0 - 1e-9:  # all of Fisher's directions hold all there is
        tiles.append(Tile(f"Explained by {page_plural(result.judged, 'direction')}", percent(whole), of))
    tiles.append(Tile("Rows", count(len(result.coordinates)), _classes(result)))
    return tuple(tiles)


def _classes(result: ProjectResult) -> str:
    return (
        "without classes" if result.classes is None else page_plural(len(result.classes), "class", "classes")
    )


def _axes(result: ProjectResult) -> tuple[Array, tuple[str, str]]:
    """Two coordinates of every row and their titles; beside a single one stand quasi-random numbers."""
    titles = tuple(direction.title for direction in result.directions[:2])
    if len(titles) == 2:
        return result.coordinates[:, :2], (titles[0], titles[1])
    spread = np.modf(GOLDEN * np.arange(1, len(result.coordinates) + 1))[0]
    return np.column_stack([result.coordinates[:, 0], spread]), (titles[0], "(random, for legibility)")


def view(result: ProjectResult, seed: int = 0) -> Plane:
    """The drawing: sampled rows, and the regions of the nearest class mean."""
    points, titles = _axes(result)
    codes = np.zeros(len(points), dtype=np.int32) if result.codes is None else result.codes
    shown = sample(codes, MOST_POINTS, seed)
    box = box_of(points[shown])
    inside = shown[
        ((points[shown] >= [box.left, box.bottom]) & (points[shown] <= [box.right, box.top])).all(axis=1)
    ]
    # More directions than two cannot be seen: the regions are those of the two that are drawn.
    edges = [] if result.codes is None else region_bands(lambda grid: result.nearest(grid), box)
    return Plane(
        points[inside], codes[inside], titles, "fisher" if result.method == "fisher" else "variance", ([], []), box,
        edges, result.seen_error or 0.0, len(shown) - len(inside), result.numbers[inside],
    )  # fmt: skip


def coloured(result: ProjectResult) -> list[int]:
    """Classes with their own colour: all of up to eight, else the seven most frequent."""
    if result.codes is None or result.classes is None:
        return [0]
    if len(result.classes) <= COLOURED:
        return list(range(len(result.classes)))
    order = np.argsort(-np.bincount(result.codes, minlength=len(result.classes)), kind="stable")
    return sorted(int(k) for k in order[: COLOURED - 1])


def _map_section(result: ProjectResult) -> Section:
    drawn, colours = view(result), coloured(result)
    names = ["rows"] if result.classes is None else short_names(result.classes.tolist(), 22)
    words = _map_words(result, drawn, len(colours) < len(names))
    figure = Figure(
        "map",
        (Panel(plane_chart(drawn, names, colours)),),
        f"Scatter plot of {page_plural(len(drawn.points), 'row')}: {drawn.titles[0]} and {drawn.titles[1]}.",
        words,
        _places(result),
    )
    return Section("map", "Projection", "Projection", (figure,))


def _map_words(result: ProjectResult, drawn: Plane, grey: bool) -> str:
    rows, shown = len(result.coordinates), len(drawn.points) + drawn.outside
    parts = [drawn_of(shown, rows)]
    if result.codes is not None:
        parts.append(
            "A coloured region is where the mean of its class is nearest, given the prevalence of the classes."
        )
    if grey:
        parts.append("Other classes are grey.")
    if drawn.outside:
        parts.append(f"{page_plural(drawn.outside, 'outlier is', 'outliers are')} outside the frame.")
    return " ".join([*parts, "Point at a row for its number in the table."])


def _places(result: ProjectResult) -> DataTable:
    """Where the classes lie, or the quartiles of all rows."""
    titles = [direction.title for direction in result.directions]
    if result.codes is None or result.classes is None:
        ends = np.quantile(result.coordinates, [0.0, 0.25, 0.5, 0.75, 1.0], axis=0)
        names = ("minimum", "lower quartile", "median", "upper quartile", "maximum")
        rows = [(name, *map(number, line)) for name, line in zip(names, ends.tolist(), strict=True)]
        return data_table("The rows along the directions", ("", *titles), rows, range(1, len(titles) + 1))
    return data_table(
        "Mean and standard deviation per class",
        ("class", "rows", *titles),
        list(_class_places(result)),
        range(1, len(titles) + 2),
    )


def _class_places(result: ProjectResult) -> Iterator[tuple[str, ...]]:
    assert result.codes is not None and result.classes is not None
    for k, label in enumerate(result.classes.tolist()):
        points = result.coordinates[result.codes == k]
        pairs = zip(points.mean(axis=0), points.std(axis=0), strict=True)
        yield name_of(label), count(len(points)), *(f"{mean:.2f} ± {away:.2f}" for mean, away in pairs)


def _direction_section(result: ProjectResult) -> Section:
    """The columns of largest weight in each direction."""
    shown = result.directions[:MOST_PANELS]
    panels = tuple(
        Panel(
            loading_chart(_bars(direction)),
            direction.title,
            "small" if len(shown) > 1 else "wide",
            _says(direction),
        )
        for direction in shown
    )
    lines = [
        (direction.title, name_of(loading.column), number(loading.weight))
        for direction in result.directions
        for loading in direction.loadings[: 4 * MOST_LOADINGS]
    ]
    figure = Figure(
        "loadings",
        panels,
        " ".join(_says(direction) for direction in shown),
        f"How far one standard deviation of a column moves a row; at most the {count(MOST_LOADINGS)} largest of "
        f"{count(result.width)} weights. A categorical column has one zero-one column per category except the most "
        "frequent one."
        if result.width > MOST_LOADINGS
        else "How far one standard deviation of a column moves a row.",
        data_table("Weights of the columns", ("direction", "column", "weight"), lines, (2,)),
    )
    facts = [(direction.title, _facts(result, direction)) for direction in result.directions]
    return Section("directions", "Weights of the columns", "Directions", (Facts(tuple(facts)), figure))


def _bars(direction: Direction) -> list[LoadingRow]:
    strongest = direction.loadings[:MOST_LOADINGS]
    names = short_names(loading.column for loading in strongest)
    return [
        {"column": name, "weight": loading.weight} for name, loading in zip(names, strongest, strict=True)
    ]


def _says(direction: Direction) -> str:
    columns = [shorten(name_of(loading.column)) for loading in direction.loadings[:3]]
    return f"Largest weights of {direction.title}: {spell_columns(columns, 3)}."


def _facts(result: ProjectResult, direction: Direction) -> str:
    of = "of the variance" if result.method == "pca" else "of the separation of the classes"
    parts = [] if direction.share is None else [f"{percent(direction.share)} {of}"]
    if result.codes is not None:
        ratio = DASH if direction.ratio is None else number(direction.ratio)
        parts.append(f"ratio of scatter between and within the classes {ratio}")
    return "; ".join(parts) or DASH


def _about_section(result: ProjectResult, voice: Voice) -> Section:
    parts: list[Part] = [Callout(render(note, voice)) for note in result.notes]
    how = "The columns were standardised; missing values were replaced by means and flagged"
    nested = ", again in every fold for the error on new rows" if result.evaluation is not None else ""
    parts.append(Paragraph(f"{how}{nested}."))
    plan = () if result.evaluation is None else (("Validation scheme", repr(result.evaluation.plan)),)
    parts.append(Facts((("Method", result.method), *plan, ("Versions", versions()))))
    return Section("about", "Method", "Method", tuple(parts))
