"""Error by number of training rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from assay.charts.axes import (
    THOUSANDS,
    chart_data,
    legend,
    share_axis,
    sized,
)


def learning_chart(
    rows: Sequence[Mapping[str, Any]], names: Sequence[str], best: str, baseline: str | None
) -> Any:
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
