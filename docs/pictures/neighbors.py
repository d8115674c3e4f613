"""Regions of one neighbour and of fifteen, and the leave-one-out error of every number from 1 to 50."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from assay import KNeighborsClassifier, LeaveOneOut, tune
from assay.charts.regions import Box
from docs.pictures.planes import point_layer, region_layer, x_axis, y_axis
from docs.pictures.style import BLUE, VERMILION, panel_title, table

Array = NDArray[np.float64]
NAMES = ("below", "above")
BOX = Box(-2.1, 2.1, -2.1, 2.1)
ROWS = 120
SIZES = range(1, 51)
VOTES = {"uniform": "one vote each", "distance": "votes by 1 / distance"}
WIDTH, HEIGHT = 352, 260


def sample() -> tuple[Array, NDArray[np.intp]]:
    """A wave between two classes, with noise."""
    rng = np.random.default_rng(4)
    X = rng.uniform(-2, 2, size=(ROWS, 2))
    above = X[:, 1] + 0.4 * rng.normal(size=ROWS) > np.sin(2.5 * X[:, 0])
    return X, above.astype(np.intp)


def panel(k: int, X: Array, codes: NDArray[np.intp]) -> alt.LayerChart:
    model = KNeighborsClassifier(k, algorithm="brute").fit(X, codes)
    place = x_axis(BOX, values=[-2, -1, 0, 1, 2]), y_axis(BOX, values=[-2, -1, 0, 1, 2])
    layers = region_layer(model, BOX, *place), point_layer(X, codes, NAMES, *place)
    wrong = int((model.predict(X) != codes).sum())
    says = f"{wrong} of {ROWS} training rows wrong; darker: at least 90 % of the votes"
    title = panel_title(f"KNeighborsClassifier({k})", says)
    return alt.layer(*layers).properties(width=WIDTH, height=HEIGHT, title=title)


def curve(X: Array, codes: NDArray[np.intp]) -> alt.Chart:
    """Errors of all settings, from one search."""
    found = tune(
        KNeighborsClassifier(),
        X,
        codes,
        plan=LeaveOneOut(),
        n_neighbors=SIZES,
        weights=list(VOTES),
        progress=False,
    )
    rows = [
        {"k": setting["n_neighbors"], "error": float(error), "votes": VOTES[setting["weights"]]}
        for setting, error in zip(found.settings, found.errors, strict=True)
    ]
    colour = alt.Color(
        "votes:N",
        scale=alt.Scale(domain=list(VOTES.values()), range=[BLUE, VERMILION]),
        legend=alt.Legend(title=None, orient="right"),
    )
    return (
        alt.Chart(table(rows))
        .mark_line(strokeWidth=2, interpolate="step")
        .encode(
            x=alt.X("k:Q", title="number of neighbours", scale=alt.Scale(domain=[1, 50], nice=False)),
            y=alt.Y(
                "error:Q", title="leave-one-out error", axis=alt.Axis(format="%"), scale=alt.Scale(zero=False)
            ),
            color=colour,
        )
        .properties(
            width=2 * WIDTH - 110,
            height=130,
            title=panel_title(
                "Every number of neighbours and both kinds of votes, from one search", f"{ROWS} rows"
            ),
        )
    )


def chart() -> Any:
    """Regions above, errors below."""
    X, codes = sample()
    above = alt.hconcat(panel(1, X, codes), panel(15, X, codes), spacing=24)
    both = alt.vconcat(above, curve(X, codes), spacing=16)
    return both.resolve_scale(color="independent", shape="independent")
