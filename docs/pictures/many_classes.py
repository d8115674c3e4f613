"""Regions without a clear class: one classifier for each class, and one for each pair."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from assay.charts.regions import Box, region_bands
from assay.models.combine.one_vs_one import OneVsOne
from assay.models.combine.one_vs_rest import OneVsRest
from assay.models.linear.logistic import LogisticRegression
from docs.pictures.planes import point_layer, x_axis, y_axis
from docs.pictures.style import CLASS_COLOURS, INK, panel_title, table, tint

Array = NDArray[np.float64]
NAMES = ("first", "second", "third")
BOX = Box(-5.0, 5.0, -4.5, 4.5)
AWAY, TURN = 2.0, np.radians(125)  # of the classes from the middle, and of their long axes from the way there
LONG, THIN = 1.2, 0.28  # deviations
ROWS_A_CLASS = 45
WIDTH, HEIGHT = 352, 317
GREY = tint(INK, 0.32)


def sample() -> tuple[Array, NDArray[np.intp]]:
    """Three long classes around the middle, like the sails of a windmill."""
    rng = np.random.default_rng(4)
    codes = np.repeat(np.arange(3), ROWS_A_CLASS)
    at = np.radians(90 + 120 * codes)
    along, across = rng.normal(size=(2, len(codes))) * [[LONG], [THIN]]
    turned = at + TURN
    X = AWAY * np.stack([np.cos(at), np.sin(at)], axis=1)
    X += along[:, None] * np.stack([np.cos(turned), np.sin(turned)], axis=1)
    X += across[:, None] * np.stack([-np.sin(turned), np.cos(turned)], axis=1)
    return X, codes


def panel(model: Any, X: Array, codes: NDArray[np.intp], *says: str) -> alt.LayerChart:
    """The class of each place, grey where the classifiers do not agree on one."""

    def decide(points: Array) -> NDArray[np.intp]:
        return np.where(model.ambiguous(points), 3, model.predict(points))

    x, y = x_axis(BOX, values=[-4, -2, 0, 2, 4]), y_axis(BOX, values=[-4, -2, 0, 2, 4])
    colours = [*(tint(colour, 0.25) for colour in CLASS_COLOURS), GREY]
    rows = [
        {"x": e.x, "x2": e.x2, "y": e.y, "band": e.band, "paint": colours[e.label]}
        for e in region_bands(decide, BOX, rows=240, steps=2400)
    ]
    paint = {"fill": alt.Fill("paint:N", scale=None), "stroke": alt.Stroke("paint:N", scale=None)}
    regions = (
        alt.Chart(table(rows))
        .mark_area(orient="horizontal", strokeWidth=0.6)
        .encode(x=x, x2="x2:Q", y=y, detail="band:N", **paint)
    )
    layers = alt.layer(regions, point_layer(X, codes, NAMES, x, y))
    return layers.properties(width=WIDTH, height=HEIGHT, title=panel_title(*says))


def chart() -> Any:
    """Both ways side by side."""
    X, codes = sample()
    base = LogisticRegression(l2=0.001)
    rest, pairs = OneVsRest(base).fit(X, codes), OneVsOne(base).fit(X, codes)
    return alt.hconcat(
        panel(
            rest, X, codes, "OneVsRest: 3 classifiers", "grey: no classifier claims the region, or several do"
        ),
        panel(pairs, X, codes, "OneVsOne: 3 pairs", "grey: each class wins one pair"),
        spacing=24,
    )
