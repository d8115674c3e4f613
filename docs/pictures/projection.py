"""Wine in two directions: principal components of raw and scaled columns, and Fisher's."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
from sklearn.datasets import load_wine
from sklearn.pipeline import make_pipeline

from assay import PCA, FisherDiscriminant, GaussianClassifier, Standardize, evaluate
from assay.charts.regions import Box
from docs.pictures.planes import point_layer, x_axis, y_axis
from docs.pictures.style import panel_title

NAMES = ("cultivar 1", "cultivar 2", "cultivar 3")
MARGIN = 0.06
SIZE = 226


def panel(title: str, projection: Any, axes: str) -> alt.Chart:
    """The rows in the first two directions, and how well a classifier does that knows only those."""
    X, codes = load_wine(return_X_y=True)
    error = evaluate(make_pipeline(projection, GaussianClassifier("shared")), X, codes).error
    Z = np.asarray(projection.fit(X, codes).transform(X))[:, :2]
    low, high = Z.min(axis=0), Z.max(axis=0)
    low, high = low - MARGIN * (high - low), high + MARGIN * (high - low)
    box = Box(float(low[0]), float(high[0]), float(low[1]), float(high[1]))
    place = x_axis(box, f"{axes} 1", tickCount=4), y_axis(box, f"{axes} 2", tickCount=4)
    says = panel_title(title, f"10-fold error from these two: {100 * error:.0f} %")
    return point_layer(Z, codes, NAMES, *place).properties(width=SIZE, height=SIZE, title=says)


def chart() -> Any:
    """Three views of one table."""
    return alt.hconcat(
        panel("PCA, columns as measured", PCA(2), "component"),
        panel("PCA, columns scaled", make_pipeline(Standardize(), PCA(2)), "component"),
        panel("Fisher's directions", FisherDiscriminant(n_components=2), "direction"),
        spacing=18,
    )
