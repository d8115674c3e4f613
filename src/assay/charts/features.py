"""The charts of a feature search: errors on its way, and columns one by one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from assay.charts.axes import chart_data, figure_axis, names_down, sized


def path_chart(rows: Sequence[Mapping[str, Any]]) -> Any:
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


def ranking_chart(rows: Sequence[Mapping[str, Any]], title: str) -> Any:
    """A bar for each column (column, value), the best above."""
    bars = alt.Chart(chart_data(rows)).mark_bar(style="accent", height=13)
    tips = [alt.Tooltip("column:N", title="column"), alt.Tooltip("value:Q", title=title, format=".3")]
    x = alt.X("value:Q", title=title, axis=alt.Axis(tickCount=5, format="~g"), scale=alt.Scale(zero=True))
    drawn = bars.encode(y=names_down("column:N", [row["column"] for row in rows]), x=x, tooltip=tips)
    return sized(drawn, 22 * len(rows))
