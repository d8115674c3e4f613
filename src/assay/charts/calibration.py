"""Reliability diagram, and the histogram of predicted probabilities."""

from __future__ import annotations

import altair as alt

from assay.charts.axes import (
    EXTENT,
    THOUSANDS,
    Picture,
    chart_data,
    share_axis,
    sized,
)
from assay.decision import CalibrationTable


def calibration_chart(table: CalibrationTable, y_title: str, low: float) -> Picture:
    """Observed shares with intervals against predicted ones, the diagonal for comparison."""
    rows = [
        {"p": b.mean_predicted, "seen": b.observed, "low": b.low, "high": b.high, "n": b.count}
        for b in table.rows
    ]
    # The same room for the labels as the bars below have, so that both stand under each other.
    x = alt.X("p:Q", scale=alt.Scale(domain=[low, 1], nice=False), **share_axis(None, grid=True))
    scale = alt.Scale(domain=[0, 1], nice=False)
    y = alt.Y("seen:Q", scale=scale, **share_axis(y_title, grid=True, minExtent=EXTENT, maxExtent=EXTENT))
    base = alt.Chart(chart_data(rows)).encode(x=x)
    tips = [
        alt.Tooltip("p:Q", title="predicted", format=".1%"),
        alt.Tooltip("seen:Q", title="observed", format=".1%"),
        alt.Tooltip("n:Q", title="rows"),
    ]
    diagonal = alt.Chart(chart_data([{"p": low, "seen": low}, {"p": 1, "seen": 1}])).mark_line(style="guide")
    return sized(
        alt.layer(
            diagonal.encode(x=x, y=y),
            base.mark_line(style="accent", strokeWidth=1, opacity=0.5).encode(y=y),
            base.mark_rule(style="accent", strokeWidth=2).encode(y=alt.Y("low:Q"), y2="high:Q"),
            base.mark_point(style="accent", filled=True, size=70, opacity=1).encode(y=y, tooltip=tips),
        ),
        300,
    )


def count_chart(table: CalibrationTable, x_title: str, low: float) -> Picture:
    """How many rows were given which probability."""
    rows = [{"a": b.lower, "b": b.upper, "n": b.count} for b in table.rows]
    base = alt.Chart(chart_data(rows))
    x = alt.X("a:Q", scale=alt.Scale(domain=[low, 1], nice=False), bin="binned", **share_axis(x_title))
    tips = [alt.Tooltip("n:Q", title="rows")]
    bars = base.mark_bar(style="quiet", opacity=0.55).encode(
        x=x,
        x2="b:Q",
        y=alt.Y(
            "n:Q",
            title="rows",
            axis=alt.Axis(
                tickCount=2, grid=False, format=",d", labelExpr=THOUSANDS, minExtent=EXTENT, maxExtent=EXTENT
            ),
        ),
        tooltip=tips,
    )
    return sized(bars, 70)
