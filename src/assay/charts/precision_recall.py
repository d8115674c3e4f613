"""Precision-recall curves."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from assay.charts.axes import (
    Picture,
    chart_data,
    dashes,
    legend,
    share_axis,
    sized,
)
from assay.decision.curves import PrecisionRecall


def precision_recall_chart(curves: Sequence[PrecisionRecall], names: Sequence[str]) -> Picture:
    """Precision against recall: one curve for two classes, else one per class against the rest."""
    rows = [
        {"x": float(a), "y": float(b), "name": names[i], "step": step}
        for i, curve in enumerate(curves)
        for step, (a, b) in enumerate(zip(curve.recall, curve.precision, strict=True))
    ]
    scale = alt.Scale(domain=[0, 1], nice=False)
    x = alt.X("x:Q", scale=scale, **share_axis("recall", grid=True))
    y = alt.Y("y:Q", scale=scale, **share_axis("precision", grid=True))
    base = alt.Chart(chart_data(rows)).encode(x=x, y=y, order="step:Q")
    if len(curves) == 1:
        share = curves[0].share
        guide = chart_data([{"x": 0, "y": share}, {"x": 1, "y": share}])
        chance = alt.Chart(guide).mark_line(style="guide").encode(x=x, y=y)
        return sized(alt.layer(chance, base.mark_line(style="accent")), 300)
    key = legend(names)
    colour = alt.Color("name:N", sort=list(names), scale=alt.Scale(domain=list(names)), legend=key)
    dash = alt.StrokeDash("name:N", sort=list(names), scale=dashes(names), legend=key)
    return sized(base.mark_line().encode(color=colour, strokeDash=dash), 320)
