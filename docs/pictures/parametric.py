"""A function of one's own: an ellipse whose centre and size are learned, at the start and at the end."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from assay import ParametricClassifier
from assay.charts.regions import Box
from docs.pictures.planes import point_layer, region_layer, x_axis, y_axis
from docs.pictures.style import panel_title

Array = NDArray[np.float64]
BOX = Box(-3.2, 3.2, -2.6, 2.6)
NAMES = ("outside", "inside")
START = np.array([-1.0, -0.8, 0.0, 0.0])


def inside(X: Array, theta: Array) -> Array:
    """Probability of the second class: high within an ellipse about theta[:2] with half axes exp(theta[2:])."""
    squares = (((X - theta[:2]) / np.exp(theta[2:])) ** 2).sum(axis=1)
    return np.asarray(1.0 / (1.0 + np.exp(4.0 * (squares - 1.0))))


def chart() -> Any:
    """Regions of the function with its first parameters, and with those that minimise the loss."""
    rng = np.random.default_rng(1)
    X = rng.uniform([BOX.left, BOX.bottom], [BOX.right, BOX.top], size=(220, 2))
    codes = (((X - [0.7, 0.3]) / [1.6, 1.0]) ** 2).sum(axis=1) + 0.25 * rng.normal(size=220) < 1
    labels = codes.astype(np.intp)
    panels = []
    for title, steps in (("At the start", 1), ("At the minimum of the loss", 200)):
        model = ParametricClassifier(inside, start=START, max_iter=steps).fit(X, labels)
        if steps == 1:
            model.theta_ = START
        x, y = x_axis(BOX, values=[-2, 0, 2]), y_axis(BOX, values=[-2, 0, 2])
        says = f"{(model.predict(X) != labels).mean():.0%} of the rows are misclassified"
        layers = alt.layer(region_layer(model, BOX, x, y), point_layer(X, labels, NAMES, x, y))
        panels.append(layers.properties(width=330, height=268, title=panel_title(title, says)))
    return alt.hconcat(*panels)
