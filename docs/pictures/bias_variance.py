"""Bias and variance of nearest neighbours: few are unstable, many are too smooth."""

from __future__ import annotations

from typing import Any

import altair as alt
from sklearn.datasets import make_moons

from assay import KNeighborsClassifier, bias_variance
from docs.pictures.style import BLUE, INK, ORANGE, panel_title, table

COUNTS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 45, 60, 80)
PARTS = ("bias², with the noise", "variance")


def chart() -> Any:
    """Both parts of the error on top of each other, against the number of neighbours."""
    X, y = make_moons(200, noise=0.3, random_state=0)
    found = bias_variance({k: KNeighborsClassifier(k) for k in COUNTS}, X, y, progress=False)
    rows = [
        {"k": str(k), "at": at, "part": part, "order": order, "error": float(value)}
        for at, k in enumerate(COUNTS)
        for order, (part, value) in enumerate(zip(PARTS, (found[k].bias, found[k].variance), strict=True))
    ]
    best = min(COUNTS, key=lambda k: found[k].error)
    x = alt.X("k:N", sort=[str(k) for k in COUNTS], title="number of neighbours", axis=alt.Axis(labelAngle=0))
    y_axis = alt.Y("error:Q", title="error", axis=alt.Axis(format="~%"))
    paint = alt.Color(
        "part:N",
        scale=alt.Scale(domain=list(PARTS), range=[BLUE, ORANGE]),
        legend=alt.Legend(title=None, orient="bottom"),
    )
    bars = alt.Chart(table(rows)).mark_bar().encode(x=x, y=y_axis, color=paint, order="order:Q")
    mark = alt.Chart(table([{"k": str(best), "error": found[best].error}]))
    star = mark.mark_text(text="least", dy=-8, color=INK, fontSize=11).encode(x=x, y=y_axis)
    title = panel_title(
        "Two moons, 140 training rows", "50 random training sets; the parts add up to the error"
    )
    return alt.layer(bars, star).properties(width=520, height=260, title=title)
