"""Loss by decision threshold, and error by rejection rate."""

from __future__ import annotations

import altair as alt

from assay.charts.axes import (
    Picture,
    chart_data,
    figure_axis,
    share_axis,
    sized,
)
from assay.decision.curves import RejectCurve, ThresholdCurve, on_grid


def threshold_chart(curve: ThresholdCurve, positive: str, loss_title: str, shares: bool) -> Picture:
    """Mean loss against the threshold, the one in use and the one that did best."""
    grid, values = on_grid(curve)
    axis = figure_axis(shares)
    x = alt.X(
        "t:Q", scale=alt.Scale(domain=[0, 1], nice=False),
        **share_axis(f"threshold: predict {positive} above it", grid=False),
    )  # fmt: skip
    y = alt.Y("loss:Q", title=loss_title, axis=axis, scale=alt.Scale(domain=[0, curve.top], nice=True))
    line = alt.Chart(
        chart_data({"t": t, "loss": v} for t, v in zip(grid.tolist(), values.tolist(), strict=True))
    )
    used = [{"t": curve.chosen, "loss": curve.chosen_loss, "what": "in use"}]
    best = [{"t": curve.best, "loss": curve.best_loss, "what": "least on these rows"}]
    tips = [
        alt.Tooltip("what:N", title="threshold"),
        alt.Tooltip("t:Q", title="at", format=".3"),
        alt.Tooltip("loss:Q", title=loss_title, format=".3"),
    ]
    return sized(
        alt.layer(
            line.mark_line(style="quiet", interpolate="step-after", clip=True).encode(x=x, y=y),
            alt.Chart(chart_data(used)).mark_rule(style="guide").encode(x=x),
            alt.Chart(chart_data(used))
            .mark_point(style="accent", filled=True, size=110, opacity=1)
            .encode(x=x, y=y, tooltip=tips),
            alt.Chart(chart_data(best))
            .mark_point(style="second", filled=True, shape="diamond", size=110, opacity=1)
            .encode(x=x, y=y, tooltip=tips),
        ),
        260,
    )


def reject_chart(curve: RejectCurve, measure: str, title: str) -> Picture:
    """What is left among the rows kept as doubtful ones are handed on."""
    values = curve.error if measure == "error" else curve.loss
    rows = [{"r": float(r), "v": float(v)} for r, v in zip(curve.reject_rate, values, strict=True)]
    axis = figure_axis(measure == "error")
    chart = (
        alt.Chart(chart_data(rows))
        .mark_line(style="accent")
        .encode(
            x=alt.X(
                "r:Q",
                scale=alt.Scale(nice=False),
                **share_axis("proportion of rows rejected", grid=False),
            ),
            y=alt.Y("v:Q", title=title, axis=axis, scale=alt.Scale(zero=True)),
        )
    )
    return sized(chart, 260)
