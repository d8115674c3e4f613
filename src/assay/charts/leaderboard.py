"""Loss and interval of each candidate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import altair as alt

from assay.charts.axes import (
    ROW_HEIGHT,
    Picture,
    chart_data,
    figure_axis,
    names_down,
    sized,
)


class IntervalRow(TypedDict):
    """A candidate on the chart: its loss, the ends of its interval, both in words."""

    name: str
    value: float
    low: float
    high: float
    shown: str
    best: bool


def interval_chart(
    rows: Sequence[IntervalRow], baseline: float | None, title: str, shares: bool = True
) -> Picture:
    """A dot and an interval for each candidate (name, value, low, high, best), a line at the baseline."""
    names = [row["name"] for row in rows]
    axis = figure_axis(shares, grid=True)
    base = alt.Chart(chart_data(rows)).encode(y=names_down("name:N", names))
    tips = [alt.Tooltip("name:N", title="model"), alt.Tooltip("shown:N", title=title)]
    layers: list[alt.Chart] = []
    if baseline is not None:
        line = alt.Chart(chart_data([{"value": baseline}]))
        layers.append(line.mark_rule(style="guide").encode(x="value:Q"))
    for best in (False, True):
        part = base.transform_filter(f"datum.best === {'true' if best else 'false'}")
        style = "accent" if best else "quiet"
        layers.append(
            part.mark_rule(style=style, strokeWidth=2.5, strokeCap="round").encode(
                x=alt.X("low:Q", title=title, axis=axis, scale=alt.Scale(zero=True)), x2="high:Q"
            )
        )
        layers.append(
            part.mark_point(style=style, filled=True, size=90, opacity=1).encode(
                x=alt.X("value:Q"), tooltip=tips
            )
        )
    return sized(alt.layer(*layers), ROW_HEIGHT * len(rows))
