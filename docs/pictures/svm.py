"""The margin under two penalties with its support vectors, and the two solvers on their way to one optimum."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from assay.charts.regions import Box
from assay.models.svm.linear import LinearSVM
from docs.pictures.planes import point_layer, region_layer, x_axis, y_axis
from docs.pictures.style import BLUE, INK, VERMILION, panel_title, table

Array = NDArray[np.float64]
NAMES = ("y = -1", "y = 1")
BOX = Box(-4.2, 4.2, -3.2, 3.2)
ROWS_A_CLASS = 40
WIDTH, HEIGHT = 352, 260


def sample() -> tuple[Array, NDArray[np.intp]]:
    """Two round classes that overlap a little."""
    rng = np.random.default_rng(5)
    codes = np.repeat([0, 1], ROWS_A_CLASS)
    return rng.normal(scale=0.9, size=(len(codes), 2)) + np.array([[-1.4, -0.5], [1.4, 0.5]])[codes], codes


def line_layer(model: LinearSVM, x: alt.X, y: alt.Y) -> alt.Chart:
    """Where f is -1, 0 and 1."""
    a, b = model.coef_[0], float(model.intercept_[0])
    rows = []
    for level in (-1, 0, 1):
        for at in (BOX.bottom, BOX.top):
            rows.append({"x": (level - b - a[1] * at) / a[0], "y": at, "level": abs(level), "f": level})
    dash = alt.StrokeDash("level:N", scale=alt.Scale(domain=[0, 1], range=[[1, 0], [5, 4]]), legend=None)
    return (
        alt.Chart(table(rows))
        .mark_line(color=INK, strokeWidth=1.5, clip=True)
        .encode(x=x, y=y, detail="f:N", strokeDash=dash)
    )


def ring_layer(X: Array, x: alt.X, y: alt.Y) -> alt.Chart:
    rows = [{"x": float(p), "y": float(q)} for p, q in X]
    ring = alt.Chart(table(rows)).mark_point(filled=False, size=110, stroke=INK, strokeWidth=1, opacity=1)
    return ring.encode(x=x, y=y)


def panel(l2: float, X: Array, codes: NDArray[np.intp]) -> alt.LayerChart:
    model = LinearSVM(l2).fit(X, codes)
    place = x_axis(BOX, values=[-4, -2, 0, 2, 4]), y_axis(BOX, values=[-2, 0, 2])
    layers = (
        region_layer(model, BOX, *place),
        line_layer(model, *place),
        ring_layer(X[model.support_], *place),
        point_layer(X, codes, NAMES, *place),
    )
    says = f"margin {model.margin_[0]:.2f}, {len(model.support_)} support vectors (ringed)"
    return alt.layer(*layers).properties(
        width=WIDTH, height=HEIGHT, title=panel_title(f"LinearSVM(l2={l2:g})", says)
    )


def way(l2: float, X: Array, codes: NDArray[np.intp]) -> alt.LayerChart:
    """Objective of stochastic gradient descent after each epoch, above the optimum."""
    best = LinearSVM(l2).fit(X, codes).history_[-1][0]
    rows = [
        {"epoch": e, "above": value / best - 1.0, "label": f"m = {m:g}"}
        for m in (0.2, 5.0)
        for e, (value, _) in enumerate(
            LinearSVM(l2, solver="sgd", m=m, n=10.0, epochs=60).fit(X, codes).history_, 1
        )
    ]
    colour = alt.Color(
        "label:N",
        scale=alt.Scale(domain=["m = 0.2", "m = 5"], range=[BLUE, VERMILION]),
        legend=alt.Legend(title=None, orient="right"),
    )
    return (
        alt.Chart(table(rows))
        .mark_line(strokeWidth=2)
        .encode(
            x=alt.X("epoch:Q", title="epoch e, steps of length m / (e + 10)", axis=alt.Axis(tickCount=6)),
            y=alt.Y(
                "above:Q", title="above the optimum", scale=alt.Scale(type="log"), axis=alt.Axis(format="%")
            ),
            color=colour,
        )
        .properties(
            width=2 * WIDTH - 40,
            height=130,
            title=panel_title(
                "Stochastic gradient descent stays near the optimum; the exact solver reaches it to a millionth",
                f"objective after each epoch, l2 = {l2:g}",
            ),
        )
    )


def chart() -> Any:
    """The margin above, the way there below."""
    X, codes = sample()
    above = alt.hconcat(panel(0.5, X, codes), panel(0.005, X, codes), spacing=24)
    both = alt.vconcat(above, way(0.05, X, codes), spacing=16)
    return both.resolve_scale(color="independent", shape="independent", strokeDash="independent")
