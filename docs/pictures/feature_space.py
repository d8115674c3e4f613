"""A ring around a disc: one linear model behind four spaces."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import make_pipeline

from assay.charts.regions import Box
from assay.models.features.basis import BasisExpansion
from assay.models.linear.logistic import LogisticRegression
from docs.pictures.planes import point_layer, region_layer, x_axis, y_axis
from docs.pictures.style import panel_title

Array = NDArray[np.float64]
NAMES = ("disc", "ring")
BOX = Box(-3.0, 3.0, -3.0, 3.0)
ROWS = 120
SIZE = 250
SPACES = {
    "original columns": None,
    "polynomial, degree 2": BasisExpansion(),
    "radial, 10 centers": BasisExpansion("radial", width=1.0),
    "spline, degree 3, 5 knots": BasisExpansion("spline", degree=3),
}


def sample() -> tuple[Array, NDArray[np.intp]]:
    """Two classes by their distance from the middle."""
    rng = np.random.default_rng(3)
    codes = np.arange(ROWS) % 2
    radius = np.where(codes == 0, 0.9, 2.0) + rng.normal(scale=0.28, size=ROWS)
    angle = rng.uniform(0, 2 * np.pi, ROWS)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1), codes


def chart() -> Any:
    """A panel for each space; darker where the posterior reaches 0.9."""
    X, codes = sample()
    panels = []
    for title, space in SPACES.items():
        linear = LogisticRegression(l2=0.003)
        model = (linear if space is None else make_pipeline(space, linear)).fit(X, codes)
        wrong = int((model.predict(X) != codes).sum())
        place = x_axis(BOX, values=[-2, 0, 2]), y_axis(BOX, values=[-2, 0, 2])
        layers = region_layer(model, BOX, *place), point_layer(X, codes, NAMES, *place)
        says = panel_title(title, f"{wrong} of {len(codes)} rows on the wrong side")
        panels.append(alt.layer(*layers).properties(width=SIZE, height=SIZE, title=says))
    return alt.concat(*panels, columns=2, spacing={"row": 14, "column": 24})
