"""A poor start and the best of ten, the tree of the same rows, and what tells the number of groups."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from assay import Hierarchy, KMeans, choose_clusters
from docs.pictures.style import BLUE, CLASS_COLOURS, CLASS_SHAPES, INK, VERMILION, panel_title, table

Array = NDArray[np.float64]
CENTERS = np.array([[-2.4, 0.0], [2.4, -1.4], [2.4, 1.4]])
ROWS, WIDTH, HEIGHT = 150, 228, 210
LABELS = ("1", "2", "3")


def sample() -> Array:
    """Three groups, two of them close to each other."""
    rng = np.random.default_rng(3)
    return CENTERS[rng.integers(0, 3, ROWS)] + 0.75 * rng.normal(size=(ROWS, 2))


def groups(model: KMeans, X: Array, title: str, says: str) -> alt.LayerChart:
    """Rows by group, and the centres."""
    # Groups have no order of their own: from left to right, then upwards.
    order = np.argsort(np.lexsort(np.round(model.cluster_centers_.T[::-1], 1)))
    x, y = (
        channel(
            f"{name}:Q", title=None, scale=alt.Scale(domain=[-5, 5]), axis=alt.Axis(values=[-4, -2, 0, 2, 4])
        )
        for channel, name in ((alt.X, "x"), (alt.Y, "y"))
    )
    dots = [
        {"x": float(a), "y": float(b), "label": LABELS[order[k]]}
        for (a, b), k in zip(X, model.labels_, strict=True)
    ]
    colour = alt.Color("label:N", scale=alt.Scale(domain=LABELS, range=list(CLASS_COLOURS)), legend=None)
    shape = alt.Shape("label:N", scale=alt.Scale(domain=LABELS, range=list(CLASS_SHAPES)), legend=None)
    points = alt.Chart(table(dots)).mark_point(filled=True, size=26, opacity=0.75)
    middle = [{"x": float(a), "y": float(b)} for a, b in model.cluster_centers_]
    crosses = alt.Chart(table(middle)).mark_point(shape="cross", size=190, filled=True, color=INK, opacity=1)
    return alt.layer(points.encode(x=x, y=y, color=colour, shape=shape), crosses.encode(x=x, y=y)).properties(
        width=WIDTH, height=HEIGHT, title=panel_title(title, says)
    )


def tree(X: Array) -> alt.LayerChart:
    """The last merges, and the cut."""
    drawn = Hierarchy(3).fit(X).dendrogram(24)
    lines = [
        {"x": float(x), "y": float(y), "at": at, "step": step}
        for at in range(len(drawn.up))
        for step, (x, y) in enumerate(zip(drawn.across[at], drawn.up[at], strict=True))
    ]
    x = alt.X("x:Q", axis=None, scale=alt.Scale(domain=[0, 240], nice=False))
    brackets = alt.Chart(table(lines)).mark_line(color=BLUE, strokeWidth=1.5)
    cut = alt.Chart(table([{"y": drawn.cut}])).mark_rule(color=VERMILION, strokeDash=[5, 4], strokeWidth=1.5)
    return alt.layer(
        brackets.encode(x=x, y=alt.Y("y:Q", title="height"), detail="at:N", order="step:Q"),
        cut.encode(y="y:Q"),
    ).properties(
        width=WIDTH, height=HEIGHT, title=panel_title("Hierarchy(3)", "Ward's linkage, cut into three")
    )


def curve(values: Array, tried: tuple[int, ...], chosen: int, title: str, says: str) -> alt.LayerChart:
    """A figure against the number of groups."""
    rows = [{"k": k, "value": float(value)} for k, value in zip(tried, values, strict=True)]
    x = alt.X(
        "k:Q", title="groups", scale=alt.Scale(zero=False), axis=alt.Axis(values=list(tried), format="d")
    )
    y = alt.Y("value:Q", title=None, scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=4))
    base = alt.Chart(table(rows)).encode(x=x, y=y)
    ring = alt.Chart(table([row for row in rows if row["k"] == chosen])).encode(x=x, y=y)
    return alt.layer(
        base.mark_line(color=BLUE, strokeWidth=2),
        base.mark_point(color=BLUE, filled=True, size=34, opacity=1),
        ring.mark_point(color=VERMILION, size=170, strokeWidth=2.2),
    ).properties(width=WIDTH, height=120, title=panel_title(title, says))


def chart() -> Any:
    """Groups and a tree above, three curves below."""
    X = sample()
    poor = KMeans(3, start=np.array([[-3.0, 1.0], [-2.0, -1.0], [2.4, 0.0]])).fit(X)
    best = KMeans(3).fit(X)
    choice = choose_clusters(X, range(1, 9), folds=5)
    assert choice.held_out is not None
    above = alt.hconcat(
        groups(poor, X, "One poor start", f"E = {poor.error_:.2f}: a local minimum"),
        groups(best, X, "The best of ten", f"E = {best.error_:.2f}"),
        tree(X),
        spacing=26,
    )
    below = alt.hconcat(
        curve(choice.error, choice.n_clusters, choice.chosen, "Error E", "falls with every cluster"),
        curve(choice.bic, choice.n_clusters, choice.chosen, "BIC", "least at the selected number"),
        curve(
            choice.held_out,
            choice.n_clusters,
            choice.chosen,
            "Held-out log likelihood",
            "per row, 5 folds",
        ),
        spacing=26,
    )
    both = alt.vconcat(above, below, spacing=18)
    return both.resolve_scale(color="independent", shape="independent")
