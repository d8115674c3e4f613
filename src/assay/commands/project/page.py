"""The page of a projection: the rows along two directions, and what the directions are made of."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assay.charts import scatter as model_charts
from assay.charts.document import (
    COLOURED,
    Facts,
    Figure,
    Grid,
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
from assay.charts.html import PageHeader, compose
from assay.charts.regions import box_of, decided
from assay.charts.scatter import Plane, sample
from assay.commands.project.job import Direction, Projected
from assay.data.write.atomic import write_text
from assay.notes.numbers import (
    DASH,
    LEVEL,
    count,
    listed,
    name_of,
    number,
    percent,
    percent_range,
    plural,
    short_names,
    shorten,
    source_name,
)

Array = NDArray[np.float64]
MOST_POINTS = 3000
MOST_LOADINGS = 12
MOST_PANELS = 6
GOLDEN = 0.6180339887498949


def write(found: Projected, path: str | os.PathLike[str]) -> Path:
    """Write the page; the file is replaced whole or not at all."""
    return write_text(path, page(found))


def page(found: Projected) -> str:
    """The page as text."""
    source = shorten(name_of(source_name(found.name)), 60)
    title = source if found.target is None else f"{shorten(name_of(found.target), 60)} in {source}"
    cover = PageHeader(title, "A map of the rows", "Summary", _verdict(found))
    sections = [_map_section(found), _direction_section(found), _about_section(found)]
    return compose(cover, sections)


def headline(found: Projected) -> str:
    """What the map is, in a sentence."""
    judged = found.judged
    if found.method == "pca":
        held = sum(each.share or 0.0 for each in found.directions)
        what = "component holds" if judged == 1 else f"{judged} components hold"
        return f"The first {what} {percent(held)} of the variance of {_columns(found)}."
    what = "this direction" if judged == 1 else f"these {count(judged)} directions"
    return f"Along {what} of {_columns(found)} the classes of {name_of(found.target)!r} lie apart most."


def _columns(found: Projected) -> str:
    return plural(found.width, "standardised column")


def _verdict(found: Projected) -> Verdict:
    if found.codes is None:
        return Verdict(headline(found), "No column was named whose classes could be shown.", _tiles(found))
    honest = found.evaluation
    told = (
        "How wrong the nearest class mean would be on new rows cannot be told."
        if honest is None
        else f"Going by the nearest class mean along {_them(found)}, {percent(honest.error)} of new rows are taken for "
        f"another class ({LEVEL}: {percent_range(honest.error_interval)}); always naming the most frequent class errs "
        f"in {percent(found.baseline)}."
    )
    return Verdict(headline(found), told, _tiles(found))


def _them(found: Projected) -> str:
    return "it" if found.judged == 1 else "them"


def _tiles(found: Projected) -> tuple[Tile, ...]:
    tiles = []
    if found.evaluation is not None:
        ends = percent_range(found.evaluation.error_interval)
        tiles.append(Tile("Error on new rows", percent(found.evaluation.error), f"{LEVEL}: {ends}"))
    if found.seen_error is not None:
        tiles.append(Tile("Error on the map", percent(found.seen_error), "its own rows"))
        tiles.append(Tile("Baseline", percent(found.baseline), "looks at no column"))
    whole = sum(each.share or 0.0 for each in found.directions)
    of = "of the variance" if found.method == "pca" else "of what separates the classes"
    if found.method == "pca" or whole < 1.0 - 1e-9:  # all of Fisher's directions hold all there is
        tiles.append(Tile(f"Held by {plural(found.judged, 'direction')}", percent(whole), of))
    tiles.append(Tile("Rows", count(len(found.coordinates)), _classes(found)))
    return tuple(tiles)


def _classes(found: Projected) -> str:
    return "without classes" if found.classes is None else plural(len(found.classes), "class", "classes")


def _axes(found: Projected) -> tuple[Array, tuple[str, str]]:
    """Two coordinates of every row and their titles; a single one is spread out to be seen."""
    titles = tuple(each.title for each in found.directions[:2])
    if len(titles) == 2:
        return found.coordinates[:, :2], (titles[0], titles[1])
    spread = np.modf(GOLDEN * np.arange(1, len(found.coordinates) + 1))[0]
    return np.column_stack([found.coordinates[:, 0], spread]), (titles[0], "(spread out to be seen)")


def view(found: Projected, seed: int = 0) -> Plane:
    """The map as it is drawn: sampled rows, and the regions of the nearest class mean."""
    points, titles = _axes(found)
    codes = np.zeros(len(points), dtype=np.int32) if found.codes is None else found.codes
    shown = sample(codes, MOST_POINTS, seed)
    box = box_of(points[shown])
    inside = shown[
        ((points[shown] >= [box.left, box.bottom]) & (points[shown] <= [box.right, box.top])).all(axis=1)
    ]
    # More directions than two cannot be seen: the regions are those of the two that are drawn.
    edges = [] if found.codes is None else decided(lambda grid: found.nearest(grid), box)
    return Plane(
        points[inside], codes[inside], titles, "fisher" if found.method == "fisher" else "variance", ([], []), box,
        edges, found.seen_error or 0.0, len(shown) - len(inside), found.numbers[inside],
    )  # fmt: skip


def coloured(found: Projected) -> list[int]:
    """Classes with a colour of their own: all of up to eight, else the seven most frequent."""
    if found.codes is None or found.classes is None:
        return [0]
    if len(found.classes) <= COLOURED:
        return list(range(len(found.classes)))
    order = np.argsort(-np.bincount(found.codes, minlength=len(found.classes)), kind="stable")
    return sorted(int(k) for k in order[: COLOURED - 1])


def _map_section(found: Projected) -> Section:
    drawn, colours = view(found), coloured(found)
    names = ["rows"] if found.classes is None else short_names(found.classes.tolist(), 22)
    words = _map_words(found, drawn, len(colours) < len(names))
    figure = Figure(
        "map",
        (Panel(model_charts.plane_chart(drawn, names, colours)),),
        f"Scatter plot of {plural(len(drawn.points), 'row')}: {drawn.titles[0]} and {drawn.titles[1]}.",
        words,
        _places(found),
    )
    return Section("map", "The rows", "Map", (figure,))


def _map_words(found: Projected, drawn: Plane, grey: bool) -> str:
    rows, shown = len(found.coordinates), len(drawn.points) + drawn.outside
    parts = [
        f"All {plural(rows, 'row')}."
        if shown == rows
        else f"{plural(shown, 'row')} of {count(rows)}, drawn at random."
    ]
    if found.codes is not None:
        parts.append(
            "A coloured region is where the mean of its class is nearest, frequent classes reaching further."
        )
    if grey:
        parts.append("Classes without a colour of their own are grey.")
    if drawn.outside:
        parts.append(f"{plural(drawn.outside, 'stray row lies', 'stray rows lie')} outside the frame.")
    return " ".join([*parts, "Point at a row for its number in the table."])


def _places(found: Projected) -> Grid:
    """Where the classes lie, or the quartiles of all rows."""
    titles = [each.title for each in found.directions]
    if found.codes is None or found.classes is None:
        ends = np.quantile(found.coordinates, [0.0, 0.25, 0.5, 0.75, 1.0], axis=0)
        names = ("least", "lower quartile", "median", "upper quartile", "largest")
        rows = [(name, *map(number, line)) for name, line in zip(names, ends.tolist(), strict=True)]
        return grid("The rows along the directions", ("", *titles), rows, range(1, len(titles) + 1))
    return grid(
        "Mean and deviation of each class",
        ("class", "rows", *titles),
        list(_class_places(found)),
        range(1, len(titles) + 2),
    )


def _class_places(found: Projected) -> Iterator[tuple[str, ...]]:
    assert found.codes is not None and found.classes is not None
    for k, label in enumerate(found.classes.tolist()):
        mine = found.coordinates[found.codes == k]
        pairs = zip(mine.mean(axis=0), mine.std(axis=0), strict=True)
        yield name_of(label), count(len(mine)), *(f"{mean:.2f} ± {away:.2f}" for mean, away in pairs)


def _direction_section(found: Projected) -> Section:
    """The columns that weigh most in each direction."""
    shown = found.directions[:MOST_PANELS]
    panels = tuple(
        Panel(
            model_charts.loading_chart(_bars(each)),
            each.title,
            "small" if len(shown) > 1 else "wide",
            _says(each),
        )
        for each in shown
    )
    lines = [
        (each.title, name_of(one.column), number(one.weight))
        for each in found.directions
        for one in each.loadings[: 4 * MOST_LOADINGS]
    ]
    figure = Figure(
        "loadings",
        panels,
        " ".join(_says(each) for each in shown),
        f"How far one deviation of a column moves a row, the {count(MOST_LOADINGS)} strongest of {count(found.width)} "
        "columns at most; a category stands for a column for each of its levels but the most frequent."
        if found.width > MOST_LOADINGS
        else "How far one deviation of a column moves a row.",
        grid("Weights of the columns", ("direction", "column", "weight"), lines, (2,)),
    )
    facts = [(each.title, _facts(found, each)) for each in found.directions]
    return Section(
        "directions", "What the directions are made of", "Directions", (Facts(tuple(facts)), figure)
    )


def _bars(each: Direction) -> list[dict[str, object]]:
    strongest = each.loadings[:MOST_LOADINGS]
    names = short_names(one.column for one in strongest)
    return [{"column": name, "weight": one.weight} for name, one in zip(names, strongest, strict=True)]


def _says(each: Direction) -> str:
    return f"{each.title} is mostly {listed([shorten(name_of(one.column)) for one in each.loadings[:3]], 3)}."


def _facts(found: Projected, each: Direction) -> str:
    of = "of the variance" if found.method == "pca" else "of what separates the classes"
    parts = [] if each.share is None else [f"{percent(each.share)} {of}"]
    if found.codes is not None:
        ratio = DASH if each.ratio is None else number(each.ratio)
        parts.append(f"scatter between over within the classes {ratio}")
    return "; ".join(parts) or DASH


def _about_section(found: Projected) -> Section:
    parts: list[Part] = [Note(note) for note in found.notes]
    how = "The columns were standardised; gaps were filled with means and flagged"
    tested = ", in the training part of every fold anew for the error on new rows" * (
        found.evaluation is not None
    )
    parts.append(Text(f"{how}{tested}."))
    plan = () if found.evaluation is None else (("Plan", repr(found.evaluation.plan)),)
    parts.append(Facts((("Method", found.method), *plan, ("Versions", versions()))))
    return Section("about", "How it was made", "How", tuple(parts))
