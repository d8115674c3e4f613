"""From densities to posteriors: one measurement of the iris flowers."""

from __future__ import annotations

from collections import Counter
from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_iris

from assay import GaussianNB
from docs.pictures.style import QUIET, class_colour, class_shape, panel_title, table

Array = NDArray[np.float64]
LOW, HIGH = 4.0, 8.2
ABOVE = (
    "Class densities of the sepal length",
    "normal density with the class's mean and variance, times its prior",
)
BELOW = (
    "Posterior of the class given the sepal length",
    "the same curves divided by their sum; dashed where the decision changes",
)
WIDTH = 640
TICKS = [4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5, 8]
# Where the names of the classes stand: beside their curves, off every line.
DENSITY_LABELS = ((5.0, 0.4), (5.95, 0.28), (6.75, 0.229))
POSTERIOR_LABELS = ((4.35, 0.88), (5.85, 0.74), (7.8, 0.88))


def horizontal(**axis: Any) -> alt.X:
    return alt.X(
        "x:Q",
        scale=alt.Scale(domain=[LOW, HIGH], nice=False),
        axis=alt.Axis(values=TICKS, format=".1f", **axis),
    )


def densities(model: Any, x: Array) -> Array:
    """Density of each class at each x, times the prior: what the posterior compares."""
    away = (x[:, None] - model.theta_[:, 0]) ** 2 / model.var_[:, 0]
    return model.class_prior_ * np.exp(-away / 2) / np.sqrt(2 * np.pi * model.var_[:, 0])


def curves(
    x: Array, values: Array, names: list[str], places: Any, horizon: alt.X, y: alt.Y
) -> alt.LayerChart:
    """A line for each class with its name beside it."""
    rows = [
        {"x": float(a), "y": float(b), "label": name}
        for name, column in zip(names, values.T, strict=True)
        for a, b in zip(x, column, strict=True)
    ]
    labels = [{"x": a, "y": b, "label": name} for name, (a, b) in zip(names, places, strict=True)]
    colour = class_colour(names, legend=None)
    lines = alt.Chart(table(rows)).mark_line(strokeWidth=2.2).encode(x=horizon, y=y, color=colour)
    words = (
        alt.Chart(table(labels))
        .mark_text(fontSize=13, fontWeight="bold")
        .encode(x="x:Q", y="y:Q", text="label:N", color=colour)
    )
    return alt.layer(lines, words)


def rows_below(X: Array, codes: NDArray[np.intp], names: list[str]) -> alt.Chart:
    """The measured flowers, a line of marks for each class, larger where several have the same length."""
    counts = Counter(zip(codes.tolist(), X.tolist(), strict=True))
    rows = [{"x": value, "label": names[k], "flowers": count} for (k, value), count in sorted(counts.items())]
    return (
        alt.Chart(table(rows))
        .mark_point(filled=True, opacity=1)
        .encode(
            x=horizontal(labels=False, ticks=False, title=None),
            y=alt.Y("label:N", title=None, sort=names, axis=alt.Axis(ticks=False)),
            size=alt.Size("flowers:Q", scale=alt.Scale(domain=[0, 10], range=[0, 130]), legend=None),
            color=class_colour(names, legend=None),
            shape=class_shape(names, legend=None),
        )
        .properties(width=WIDTH, height=54)
    )


def chart() -> Any:
    """Densities with the data, and the posterior below; dashed where the decision changes."""
    iris = load_iris()
    names, X = iris.target_names.tolist(), iris.data[:, :1]
    model = GaussianNB().fit(X, iris.target)
    x, fine = np.linspace(LOW, HIGH, 169), np.linspace(LOW, HIGH, 8401)
    changes = fine[np.flatnonzero(np.diff(model.predict(fine[:, None])))]
    dashes = (
        alt.Chart(table({"x": float(at)} for at in changes))
        .mark_rule(strokeDash=[4, 3], color=QUIET)
        .encode(x="x:Q")
    )
    bare, named = horizontal(labels=False, title=None), horizontal(title="sepal length in cm")
    y = alt.Y("y:Q", title="density times prior", scale=alt.Scale(domain=[0, 0.43], nice=False))
    upper = curves(x, densities(model, x), names, DENSITY_LABELS, bare, y) + dashes
    y = alt.Y("y:Q", title="posterior", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(tickCount=5))
    lower = curves(x, model.predict_proba(x[:, None]), names, POSTERIOR_LABELS, named, y) + dashes
    return alt.vconcat(
        upper.properties(width=WIDTH, height=190, title=panel_title(*ABOVE)),
        rows_below(X[:, 0], iris.target, names),
        lower.properties(width=WIDTH, height=170, title=panel_title(*BELOW)),
        spacing=12,
    )
