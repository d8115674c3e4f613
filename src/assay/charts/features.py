"""The charts of a feature search: errors on its path, and columns one by one; and the drawing of the path."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol, TypedDict

import altair as alt

from assay.charts.axes import Picture, chart_data, figure_axis, names_down, sized
from assay.charts.document import DataTable, Figure, Panel, data_table
from assay.charts.drawing import Drawing
from assay.notes.numbers import count, percent
from assay.notes.phrases import page_plural as plural
from assay.notes.phrases import shorten


class SubsetOnPath(Protocol):
    """A set of columns on the path of a search."""

    @property
    def n_features(self) -> int: ...
    @property
    def error(self) -> float: ...
    @property
    def standard_error(self) -> float: ...

    @property
    def move(self) -> str:
        """Which column was added or removed."""


class PathRow(TypedDict):
    """A set of columns on the chart: how many, the error and its reach, and what made it."""

    x: int
    place: int
    value: float
    low: float
    high: float
    move: str
    final: bool


class RankRow(TypedDict):
    """A column and the measure it is ranked by."""

    column: str
    value: float


def path_drawing(path: Sequence[SubsetOnPath], chosen: int, search: str) -> Drawing:
    """Error of every set on the path of a search."""
    subset = path[chosen]
    says = (
        f"{plural(subset.n_features, 'column')} chosen: {percent(subset.error)} on the folds that chose them."
    )
    caption = (
        f"All column sets of the {search} search, with a band of one standard error. "
        "The ring marks the selected set."
    )
    chart = path_chart(path_rows(path, chosen))
    figure = Figure("path", (Panel(chart),), says, caption, path_table(path))
    return Drawing(f"A {search} search for columns", says, figure)


def path_table(path: Sequence[SubsetOnPath]) -> DataTable:
    """Every set on the path, in numbers."""
    lines = [
        (count(subset.n_features), subset.move, percent(subset.error), percent(subset.standard_error))
        for subset in path
    ]
    return data_table("Sets on the path", ("columns", "move", "error", "standard error"), lines, (0, 2, 3))


def path_rows(path: Sequence[SubsetOnPath], chosen: int) -> list[PathRow]:
    """Every set on the path, as `path_chart` draws it."""
    return [
        {
            "x": subset.n_features,
            "place": place,
            "value": subset.error,
            "low": max(0.0, subset.error - subset.standard_error),
            "high": subset.error + subset.standard_error,
            "move": shorten(subset.move),
            "final": place == chosen,
        }
        for place, subset in enumerate(path)
    ]


def path_chart(rows: Sequence[PathRow]) -> Picture:
    """Error against the number of columns (x, place, value, low, high, move, final), a ring around the chosen set."""
    axis = alt.Axis(grid=False, format="d", tickMinStep=1)
    x = alt.X("x:Q", title="columns", axis=axis, scale=alt.Scale(zero=False, nice=False, padding=12))
    y = alt.Y("value:Q", title="error", scale=alt.Scale(zero=False), axis=figure_axis(True))
    base = alt.Chart(chart_data(rows)).encode(x=x)
    tips = [
        alt.Tooltip("x:Q", title="columns"),
        alt.Tooltip("move:N", title="move"),
        alt.Tooltip("value:Q", title="error", format=".2%"),
    ]
    ring = base.transform_filter("datum.final === true")
    layers = [
        base.mark_line(style="accent").encode(y=y, order=alt.Order("place:Q")),
        base.mark_point(style="accent", filled=True, size=40, opacity=1).encode(y=y, tooltip=tips),
        ring.mark_point(style="second", filled=False, size=240, strokeWidth=2.5).encode(y=y),
    ]
    sizes = [row["x"] for row in rows]
    if len(set(sizes)) == len(sizes) and all(math.isfinite(row["low"]) for row in rows):
        band = base.mark_area(style="accent", opacity=0.13, line=False)
        layers.insert(0, band.encode(y=alt.Y("low:Q"), y2="high:Q"))
    return sized(alt.layer(*layers), 260)


def ranking_chart(rows: Sequence[RankRow], title: str) -> Picture:
    """A bar for each column (column, value), the best above."""
    bars = alt.Chart(chart_data(rows)).mark_bar(style="accent", height=13)
    tips = [alt.Tooltip("column:N", title="column"), alt.Tooltip("value:Q", title=title, format=".3")]
    x = alt.X("value:Q", title=title, axis=alt.Axis(tickCount=5, format="~g"), scale=alt.Scale(zero=True))
    drawn = bars.encode(y=names_down("column:N", [row["column"] for row in rows]), x=x, tooltip=tips)
    return sized(drawn, 22 * len(rows))
