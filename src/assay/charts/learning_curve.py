"""Error by number of training rows: the chart, and the drawing of learning curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

import altair as alt

from assay.charts.axes import (
    THOUSANDS,
    Picture,
    chart_data,
    legend,
    share_axis,
    sized,
)
from assay.charts.document import Figure, Panel, data_table
from assay.charts.drawing import Drawing
from assay.notes.numbers import LEVEL, count, percent, percent_range
from assay.notes.phrases import shorten


class LearningRow(TypedDict):
    """A point of a learning curve."""

    name: str
    size: int
    error: float
    low: float
    high: float


def learning_chart(
    rows: Sequence[LearningRow], names: Sequence[str], best: str, baseline: str | None
) -> Picture:
    """Error against the number of training rows (name, size, error, low, high), a band for the best."""
    drawn = [name for name in names if name != baseline]
    sizes = sorted({int(row["size"]) for row in rows})
    x = alt.X(
        "size:Q",
        title="training rows (logarithmic)",
        scale=alt.Scale(type="log", nice=False),
        axis=alt.Axis(grid=False, format=",d", labelExpr=THOUSANDS, values=sizes),
    )
    y = alt.Y("error:Q", scale=alt.Scale(zero=True), **share_axis("error on rows not trained on"))
    scale, key = alt.Scale(domain=drawn), legend(drawn)
    colour = alt.Color("name:N", sort=drawn, scale=scale, legend=key)
    shape = alt.Shape("name:N", sort=drawn, scale=scale, legend=key)
    tips = [
        alt.Tooltip("name:N", title="model"),
        alt.Tooltip("size:Q", title="training rows"),
        alt.Tooltip("error:Q", title="error", format=".1%"),
    ]
    base = alt.Chart(chart_data(row for row in rows if row["name"] in drawn))
    band = alt.Chart(chart_data(row for row in rows if row["name"] == best))
    layers = [
        band.mark_area(style="accent", opacity=0.15, line=False).encode(x=x, y=alt.Y("low:Q"), y2="high:Q"),
        base.mark_line().encode(x=x, y=y, color=colour),
        base.mark_point(filled=True, size=60, opacity=1).encode(
            x=x, y=y, color=colour, shape=shape, tooltip=tips
        ),
    ]
    if baseline is not None:
        floor = alt.Chart(chart_data(row for row in rows if row["name"] == baseline))
        layers.insert(0, floor.mark_line(style="guide").encode(x=x, y=y))
    return sized(alt.layer(*layers), 300)


def learning_drawing(curves: Mapping[str, Sequence[tuple[float, float, tuple[float, float]]]]) -> Drawing:
    """Learning curves of models by name: training rows, error and its interval at every size, the largest last."""
    best = min(curves, key=lambda name: curves[name][-1][1])
    points: list[LearningRow] = [
        {"name": shorten(name), "size": round(rows), "error": error, "low": low, "high": high}
        for name in dict.fromkeys((best, *curves))  # the band of the best has the first colour
        for rows, error, (low, high) in curves[name]
    ]
    names = list(dict.fromkeys(point["name"] for point in points))
    error = percent(curves[best][-1][1])
    says = (
        f"With all rows, {best} is best: {error}."
        if len(curves) > 1
        else f"Error of {best} with all rows: {error}."
    )
    lines = [
        (p["name"], count(p["size"]), percent(p["error"]), percent_range((p["low"], p["high"])))
        for p in points
    ]
    data = data_table("Errors", ("model", "training rows", "error", f"{LEVEL} interval"), lines, (1, 2, 3))
    caption = f"Error on rows not trained on; the band is the {LEVEL} interval of {best}."
    chart = learning_chart(points, names, shorten(best), None)
    return Drawing(
        "Error against training rows", says, Figure("learning", (Panel(chart),), says, caption, data)
    )
