"""Masking: three classes in a row, by least squares and by a shared covariance."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from assay import GaussianClassifier, LeastSquaresClassifier
from assay.charts.regions import Box
from docs.pictures.planes import point_layer, region_layer, x_axis, y_axis
from docs.pictures.style import class_colour, panel_title, table

Array = NDArray[np.float64]
NAMES = ("left", "middle", "right")
BOX = Box(-6.0, 6.0, -3.0, 3.0)
ROWS_A_CLASS = 50
TICKS = [-6, -4, -2, 0, 2, 4, 6]
WIDTH, HEIGHT, SCORES_HEIGHT = 352, 176, 130


def sample() -> tuple[Array, NDArray[np.intp]]:
    """Three round classes, side by side."""
    rng = np.random.default_rng(1)
    codes = np.repeat(np.arange(3), ROWS_A_CLASS)
    X = rng.normal(scale=0.75, size=(len(codes), 2))
    X[:, 0] += 3.4 * (codes - 1)
    return X, codes


def scores(values: Array, x: Array, title: str, says: str) -> alt.Chart:
    """A line for each class along the row."""
    rows = [
        {"x": float(a), "y": float(b), "label": name}
        for name, column in zip(NAMES, values.T, strict=True)
        for a, b in zip(x, column, strict=True)
    ]
    return (
        alt.Chart(table(rows))
        .mark_line(strokeWidth=2.2)
        .encode(
            x=x_axis(BOX, "along the row", values=TICKS),
            y=alt.Y("y:Q", title=title),
            color=class_colour(NAMES),
        )
        .properties(width=WIDTH, height=SCORES_HEIGHT, title=panel_title(says))
    )


def chart() -> Any:
    """Regions above, and below them what the classes score along the row."""
    X, codes = sample()
    squares = LeastSquaresClassifier().fit(X, codes)
    shared = GaussianClassifier("shared").fit(X, codes)
    place = x_axis(BOX, labels=False, values=TICKS), y_axis(BOX, values=[-2, 0, 2])
    panels = []
    for model, name in (
        (squares, "LeastSquaresClassifier"),
        (shared, "GaussianClassifier, shared covariance"),
    ):
        wrong = int((model.predict(X) != codes).sum())
        layers = region_layer(model, BOX, *place), point_layer(X, codes, NAMES, *place)
        says = panel_title(name, f"{wrong} of {len(codes)} rows on the wrong side")
        panels.append(alt.layer(*layers).properties(width=WIDTH, height=HEIGHT, title=says))
    x = np.linspace(BOX.left, BOX.right, 97)
    row = np.column_stack([x, np.zeros_like(x)])
    left = scores(
        squares.decision_function(row), x, "score", "Along y = 0 the middle score is hardly ever the largest"
    )
    right = scores(
        shared.predict_proba(row), x, "posterior", "Along y = 0 every posterior is the largest somewhere"
    )
    return alt.concat(*panels, left, right, columns=2, spacing={"row": 12, "column": 24})
