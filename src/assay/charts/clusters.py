"""Charts of clusters: criteria by their number, and the dendrogram."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypedDict

import altair as alt

from assay.charts.axes import THOUSANDS, Picture, chart_data, sized
from assay.charts.document import Figure, Panel, data_table
from assay.charts.drawing import Drawing
from assay.notes.numbers import number
from assay.notes.phrases import page_plural as plural
from assay.types import Array, Index


def cluster_number_drawing(
    n_clusters: Sequence[int], distance: Array, criterion: str, values: Array, chosen: int
) -> Drawing:
    """Mean squared distance to the centres, and the criterion by its name, against the number of clusters."""

    def panel(title: str, of_numbers: Array) -> Panel:
        pairs = zip(n_clusters, of_numbers.tolist(), strict=True)
        rows: list[CriterionRow] = [{"k": k, "value": value, "chosen": k == chosen} for k, value in pairs]
        return Panel(curve_chart(rows, title), title, "small")

    lines = [
        (str(k), number(error, 4), number(value, 6))
        for k, error, value in zip(n_clusters, distance, values, strict=True)
    ]
    heads = ("clusters", "mean squared distance", criterion)
    says = f"{plural(chosen, 'cluster')} by {criterion}, of {n_clusters[0]} to {n_clusters[-1]} tried."
    figure = Figure(
        "groups",
        (panel("mean squared distance", distance), panel(criterion, values)),
        says,
        "The ring marks the number chosen. The distance falls with every further cluster.",
        data_table("Numbers of clusters", heads, lines, range(3)),
    )
    return Drawing("Number of clusters", says, figure)


class CriterionRow(TypedDict):
    """A number of clusters on the chart, and the criterion there."""

    k: int
    value: float
    chosen: bool


def curve_chart(rows: Sequence[CriterionRow], title: str) -> Picture:
    """A criterion by number of clusters (k, value, chosen), a ring around the number chosen."""
    tried = [int(row["k"]) for row in rows]
    axis = alt.Axis(grid=False, format="d", values=tried, labelOverlap=True)
    x = alt.X("k:Q", title="clusters", scale=alt.Scale(zero=False, nice=False, padding=12), axis=axis)
    y = alt.Y("value:Q", title=title, scale=alt.Scale(zero=False), axis=_plain_axis())
    base = alt.Chart(chart_data(rows)).encode(x=x, y=y)
    tips = [
        alt.Tooltip("k:Q", title="clusters", format="d"),
        alt.Tooltip("value:Q", title=title, format=".4"),
    ]
    ring = base.transform_filter("datum.chosen === true")
    return sized(
        alt.layer(
            base.mark_line(style="accent"),
            base.mark_point(style="accent", filled=True, size=55, opacity=1).encode(tooltip=tips),
            ring.mark_point(style="second", filled=False, size=240, strokeWidth=2.5),
        ),
        230,
    )


def _plain_axis() -> alt.Axis:
    """Numbers of any size, thousands apart as in the text of the page."""
    return alt.Axis(tickCount=5, format=",~f", labelExpr=THOUSANDS)


class MergeTree(Protocol):
    """A tree of merges: brackets (M, 4) with their heights, rows of each leaf, and the height of the cut."""

    @property
    def across(self) -> Array: ...
    @property
    def up(self) -> Array: ...
    @property
    def sizes(self) -> Index: ...
    @property
    def cut(self) -> float | None: ...


def tree_chart(tree: MergeTree) -> Picture:
    """Brackets at the heights of the merges, the rows of each leaf below it, a line where the tree is cut."""
    brackets = [
        {"x": float(x), "y": float(y), "at": at, "step": step, "above": _above(tree, at)}
        for at in range(len(tree.up))
        for step, (x, y) in enumerate(zip(tree.across[at], tree.up[at], strict=True))
    ]
    leaves = [{"x": 5.0 + 10.0 * i, "y": 0.0, "rows": int(n)} for i, n in enumerate(tree.sizes)]
    x = alt.X("x:Q", axis=None, scale=alt.Scale(domain=[0.0, 10.0 * len(tree.sizes)], nice=False))
    y = alt.Y("y:Q", title="height of the merge", axis=_plain_axis())
    base = alt.Chart(chart_data(brackets)).encode(x=x, y=y, detail="at:N", order="step:Q")
    layers = [
        base.transform_filter(f"datum.above === {'true' if above else 'false'}").mark_line(
            style="quiet" if above else "accent", strokeWidth=1.6
        )
        for above in sorted({row["above"] for row in brackets})
    ]
    # Slanted: numbers of many leaves stand close together.
    words = alt.Chart(chart_data(leaves)).mark_text(
        style="ink", angle=300, align="right", dx=-3, dy=6, fontSize=10
    )
    layers.append(words.encode(x=x, y=y, text="rows:N"))
    if tree.cut is not None:
        layers.append(alt.Chart(chart_data([{"y": tree.cut}])).mark_rule(style="guide").encode(y="y:Q"))
    return sized(alt.layer(*layers), 340)


def _above(tree: MergeTree, at: int) -> bool:
    """Whether a merge is undone by the cut."""
    return tree.cut is not None and float(tree.up[at].max()) > tree.cut
