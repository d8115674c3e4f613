"""The perceptron on separable and on overlapping classes: the weights wander, their mean settles."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from assay.charts.regions import Box
from assay.models.inspection.region_map import region_map
from assay.models.linear.perceptron import Perceptron
from docs.pictures.planes import point_layer, region_layer, x_axis, y_axis
from docs.pictures.style import INK, panel_title, table

Array = NDArray[np.float64]
NAMES = ("first", "second")
BOX = Box(-4.0, 4.0, -3.0, 3.0)
EPOCHS = 60
WIDTH, HEIGHT = 236, 177


def sample(apart: float, seed: int) -> tuple[Array, NDArray[np.intp]]:
    """Two round classes."""
    rng = np.random.default_rng(seed)
    codes = np.tile([0, 1], 40)
    X = rng.normal(scale=0.75, size=(len(codes), 2))
    X[:, 0] += apart * (codes - 0.5)
    X[:, 1] += 0.5 * apart * (codes - 0.5)
    return np.clip(X, [-3.8, -2.8], [3.8, 2.8]), codes


def lines(variant: str, X: Array, codes: NDArray[np.intp], passes: range) -> list[dict[str, Any]]:
    """The boundary after each of some passes."""
    corners = np.array([[BOX.left, BOX.bottom], [BOX.right, BOX.top]])
    rows = []
    for epochs in passes:
        model = Perceptron(variant, epochs=epochs, shuffle=True, scale=False).fit(X, codes)
        for line in region_map(model, corners).lines:
            rows += [{"x": float(a), "y": float(b), "pass": epochs} for a, b in line.ends]
    return rows


def panel(variant: str, apart: float, passes: range, title: str) -> alt.LayerChart:
    X, codes = sample(apart, 3)
    model = Perceptron(variant, epochs=passes[-1], shuffle=True, scale=False).fit(X, codes)
    x, y = x_axis(BOX, "x"), y_axis(BOX, "y" if apart > 3 else None)
    drawn = alt.Chart(table(lines(variant, X, codes, passes)))
    boundary = drawn.mark_line(color=INK, strokeWidth=1, clip=True).encode(x=x, y=y, detail="pass:N")
    after = (
        f"after passes {passes[0]} to {passes[-1]}"
        if len(passes) > 1
        else f"after pass {model.n_iter_}, the last"
    )
    says = (
        f"{model.mistakes_} error{'s' if model.mistakes_ > 1 else ''} in {model.n_iter_} passes;",
        f"the line {after}",
    )
    layers = region_layer(model, BOX, x, y), boundary, point_layer(X, codes, NAMES, x, y)
    return alt.layer(*layers).properties(width=WIDTH, height=HEIGHT, title=panel_title(title, *says))


def chart() -> Any:
    return alt.hconcat(
        panel("plain", 3.6, range(EPOCHS, EPOCHS + 1), "Separable: it stops"),
        panel("plain", 1.3, range(EPOCHS - 14, EPOCHS + 1), "Overlapping: weights keep changing"),
        panel("averaged", 1.3, range(EPOCHS - 14, EPOCHS + 1), "Overlapping: their mean converges"),
    )
