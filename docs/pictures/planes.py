"""A panel of the plane: regions by colour, points on top."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from assay.charts.regions import Box, region_bands
from docs.pictures.style import CLASS_COLOURS, INK, class_colour, class_shape, table, tint

Array = NDArray[np.float64]
ROWS, STEPS = 240, 2400  # of the grid that regions are read from
SURE = 0.9  # posterior from which a region is painted darker
STRENGTHS = (0.2, 0.42)


def x_axis(box: Box, title: str | None = None, **axis: Any) -> alt.X:
    scale = alt.Scale(domain=[box.left, box.right], nice=False, zero=False)
    return alt.X("x:Q", title=title, scale=scale, axis=alt.Axis(**axis))


def y_axis(box: Box, title: str | None = None, **axis: Any) -> alt.Y:
    scale = alt.Scale(domain=[box.bottom, box.top], nice=False, zero=False)
    return alt.Y("y:Q", title=title, scale=scale, axis=alt.Axis(**axis))


def region_layer(model: Any, box: Box, x: alt.X, y: alt.Y) -> alt.Chart:
    """Regions of a fitted model with classes 0, 1, ...; darker where a posterior reaches `SURE`."""

    def decide(points: Array) -> NDArray[np.intp]:
        if not hasattr(model, "predict_proba"):
            return 2 * model.predict(points) + 1
        posterior = model.predict_proba(points)
        return 2 * posterior.argmax(axis=1) + (posterior.max(axis=1) >= SURE)

    rows = [
        {"x": e.x, "x2": e.x2, "y": e.y, "band": e.band}
        | {"paint": tint(CLASS_COLOURS[e.label // 2], STRENGTHS[e.label % 2])}
        for e in region_bands(decide, box, rows=ROWS, steps=STEPS)
    ]
    paint = {"fill": alt.Fill("paint:N", scale=None), "stroke": alt.Stroke("paint:N", scale=None)}
    return (
        alt.Chart(table(rows))
        .mark_area(orient="horizontal", strokeWidth=0.6)
        .encode(x=x, x2="x2:Q", y=y, detail="band:N", **paint)
    )


def point_layer(
    X: Array, codes: NDArray[np.intp], names: Sequence[str], x: alt.X, y: alt.Y, **legend: Any
) -> alt.Chart:
    """The rows of a table with two columns, a colour and a shape for each class."""
    rows = [{"x": float(a), "y": float(b), "label": names[k]} for (a, b), k in zip(X, codes, strict=True)]
    shown = alt.Legend(orient="bottom", **{"title": None, **legend})
    return (
        alt.Chart(table(rows))
        .mark_point(filled=True, size=30, stroke="white", strokeWidth=0.5, opacity=1)
        .encode(x=x, y=y, color=class_colour(names, legend=shown), shape=class_shape(names, legend=shown))
    )


def ellipse_layer(means: Array, covariances: Array, x: alt.X, y: alt.Y) -> alt.Chart:
    """Ellipses at two deviations, one for each class."""
    angle = np.linspace(0, 2 * np.pi, 41)
    circle = 2 * np.stack([np.cos(angle), np.sin(angle)])
    rows = []
    for k, (mean, covariance) in enumerate(zip(means, covariances, strict=True)):
        curve = mean[:, None] + np.linalg.cholesky(covariance) @ circle
        rows += [{"x": float(a), "y": float(b), "k": k, "step": i} for i, (a, b) in enumerate(curve.T)]
    return (
        alt.Chart(table(rows))
        .mark_line(color=INK, strokeWidth=1.2)
        .encode(x=x, y=y, detail="k:N", order="step:Q")
    )
