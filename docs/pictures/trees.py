"""A decision tree of one level, of three and without a limit: what each decides in the plane."""

from __future__ import annotations

from typing import Any

import altair as alt
from sklearn.datasets import make_moons
from sklearn.tree import DecisionTreeClassifier

from assay import KFold, evaluate
from assay.charts.regions import Box
from docs.pictures.planes import point_layer, region_layer, x_axis, y_axis
from docs.pictures.style import panel_title

BOX = Box(-1.8, 2.8, -1.7, 1.9)
NAMES = ("upper", "lower")
DEPTHS = {"One level": 1, "Three levels": 3, "No limit": None}


def chart() -> Any:
    """Regions at three depths, with the error on the training rows and on new ones."""
    X, codes = make_moons(160, noise=0.32, random_state=2)
    panels = []
    for title, depth in DEPTHS.items():
        tree = DecisionTreeClassifier(max_depth=depth, random_state=0)
        new = evaluate(tree, X, codes, KFold(10)).error
        tree.fit(X, codes)
        x, y = x_axis(BOX, labels=False, ticks=False), y_axis(BOX, labels=False, ticks=False)
        says = f"error {1 - tree.score(X, codes):.0%} on its rows, {new:.0%} on new ones"
        layers = alt.layer(region_layer(tree, BOX, x, y), point_layer(X, codes, NAMES, x, y))
        panels.append(layers.properties(width=255, height=200, title=panel_title(title, says)))
    return alt.hconcat(*panels)
