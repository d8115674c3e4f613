"""The charts of a model: the plane it can be seen in, and what it uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import altair as alt
import numpy as np
from numpy.typing import NDArray

from assay.charts.evaluation import dashes, legend, names_down, sized, table
from assay.charts.palette import CLASS_NAMES, SHAPES, Colours, on_page
from assay.charts.regions import Box, Edge
from assay.types import Floats

OTHER = "(other classes)"


def plane_chart(
    view: Plane, names: Sequence[str], shown: Sequence[int], colour: Colours = on_page, kind: str = "class"
) -> Any:
    """Rows along two directions over the regions of the classes; classes not in `shown` share one grey."""
    place = {code: at for at, code in enumerate(shown)}
    labels = [names[code] for code in shown] + ([OTHER] if len(shown) < len(names) else [])
    slots = [*CLASS_NAMES[: len(shown)], "other"]
    x = _stretch("x:Q", view.titles[0], view.box.left, view.box.right, alt.X)
    y = _stretch("y:Q", view.titles[1], view.box.bottom, view.box.top, alt.Y)
    paints = [colour("t" + slot.removeprefix("c")) for slot in slots]
    bands = [
        {"x": e.x, "x2": e.x2, "y": e.y, "band": e.band, "paint": paints[place.get(e.label, -1)]}
        for e in view.edges
    ]
    fill, stroke = alt.Fill("paint:N", scale=None), alt.Stroke("paint:N", scale=None)
    regions = alt.Chart(table(bands)).mark_area(orient="horizontal", strokeWidth=0.8)
    dots: list[dict[str, Any]] = [
        {"x": float(a), "y": float(b), "label": labels[place.get(int(k), -1)]}
        for (a, b), k in zip(view.points, view.codes, strict=True)
    ]
    tips = [alt.Tooltip("label:N", title=kind)] if len(labels) > 1 else []
    if view.numbers is not None:
        tips += [alt.Tooltip("row:Q", title="row", format="d"), alt.Tooltip("at:N", title="at")]
        for dot, number in zip(dots, view.numbers.tolist(), strict=True):
            dot |= {"row": number, "at": f"{dot['x']:.3g}, {dot['y']:.3g}"}
    points = alt.Chart(table(dots)).mark_point(
        filled=True, size=34 if len(dots) > 400 else 55, opacity=0.9, style="outline"
    )
    key = legend(labels) if len(labels) > 1 else None
    inks = alt.Scale(domain=labels, range=[colour(slot) for slot in slots[: len(labels)]])
    shapes = alt.Scale(domain=labels, range=_shapes(len(labels)))
    return sized(
        alt.layer(
            regions.encode(x=x, x2="x2:Q", y=y, detail="band:N", fill=fill, stroke=stroke),
            points.encode(
                x=x,
                y=y,
                color=alt.Color("label:N", scale=inks, legend=key),
                shape=alt.Shape("label:N", scale=shapes, legend=key),
                tooltip=tips,
            ),
        ),
        400,
    )


def _stretch(field: str, title: str, low: float, high: float, channel: Any) -> Any:
    """An axis from `low` to `high` exactly."""
    scale = alt.Scale(domain=[low, high], nice=False, zero=False)
    return channel(field, title=title, scale=scale, axis=alt.Axis(grid=False, tickCount=6))


def _shapes(size: int) -> list[str]:
    return [SHAPES[k % len(SHAPES)] for k in range(size)]


def weight_chart(rows: Sequence[Mapping[str, Any]], title: str) -> Any:
    """Effects of columns on two classes (column, effect, towards), to the right those that speak for the second.

    `low` and `high` are drawn where rows have them.
    """
    order = [row["column"] for row in rows]
    base = alt.Chart(table(rows)).encode(
        y=names_down("column:N", order),
        x=alt.X("effect:Q", title=title, axis=alt.Axis(tickCount=6)),
        tooltip=[
            alt.Tooltip("column:N", title="column"),
            alt.Tooltip("effect:Q", title="effect", format=".3"),
            alt.Tooltip("towards:N", title="speaks for"),
        ],
    )
    # The colours are those of the two classes in every other picture.
    up = base.transform_filter("datum.effect >= 0").mark_bar(style="second", height=13)
    down = base.transform_filter("datum.effect < 0").mark_bar(style="accent", height=13)
    zero = alt.Chart(table([{"x": 0}])).mark_rule(style="line").encode(x="x:Q")
    layers = [up, down, zero]
    if rows and "low" in rows[0]:
        reach = base.mark_rule(style="ink", strokeWidth=1.2)
        layers.append(reach.encode(x=alt.X("low:Q", title=title), x2="high:Q"))
    return sized(alt.layer(*layers), 22 * len(rows))


def loading_chart(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Weights of columns in a direction (column, weight), the strongest above."""
    order = [row["column"] for row in rows]
    bars = alt.Chart(table(rows)).mark_bar(style="accent", height=13)
    encoded = bars.encode(
        y=names_down("column:N", order),
        x=alt.X(
            "weight:Q", title="move by one deviation of the column", axis=alt.Axis(tickCount=4, format="~g")
        ),
        tooltip=[
            alt.Tooltip("column:N", title="column"),
            alt.Tooltip("weight:Q", title="weight", format=".3"),
        ],
    )
    zero = alt.Chart(table([{"x": 0}])).mark_rule(style="line").encode(x="x:Q")
    return sized(alt.layer(encoded, zero), 22 * len(rows))


def class_weight_chart(
    rows: Sequence[Mapping[str, Any]],
    columns: Sequence[str],
    names: Sequence[str],
    title: str = "effect of one deviation",
    kind: str = "class",
) -> Any:
    """Effects of columns on each of several classes (column, effect, label): a dot a class."""
    y = names_down("column:N", columns, grid=True)
    x = alt.X("effect:Q", title=title, axis=alt.Axis(tickCount=6))
    scale = alt.Scale(domain=list(names))
    shapes = alt.Scale(domain=list(names), range=_shapes(len(names)))
    key = legend(names)
    dots = alt.Chart(table(rows)).mark_point(filled=True, size=70, opacity=0.95).encode(
        x=x, y=y,
        color=alt.Color("label:N", scale=scale, legend=key),
        shape=alt.Shape("label:N", scale=shapes, legend=key),
        tooltip=[
            alt.Tooltip("column:N", title="column"),
            alt.Tooltip("label:N", title=kind),
            alt.Tooltip("effect:Q", title="effect", format=".3"),
        ],
    )  # fmt: skip
    zero = alt.Chart(table([{"x": 0}])).mark_rule(style="line").encode(x="x:Q")
    layers = [zero, dots]
    if rows and "low" in rows[0]:
        reach = alt.Chart(table(rows)).mark_rule(strokeWidth=1.5, opacity=0.7)
        ends = {"x": alt.X("low:Q", title=title), "x2": "high:Q"}
        layers.insert(1, reach.encode(y=y, color=alt.Color("label:N", scale=scale, legend=key), **ends))
    return sized(alt.layer(*layers), 24 * len(columns))


def importance_chart(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Rise of the error for each column (column, rise, low, high)."""
    order = [row["column"] for row in rows]
    base = alt.Chart(table(rows)).encode(
        y=names_down("column:N", order),
    )
    x = alt.X("rise:Q", title="rise of the error when shuffled", axis=alt.Axis(format="~%", tickCount=6))
    bars = base.mark_bar(style="accent", height=12).encode(x=x)
    lines = base.mark_rule(style="ink", strokeWidth=1.2).encode(x="low:Q", x2="high:Q")
    return sized(alt.layer(bars, lines), 22 * len(rows))


def density_chart(places: Floats, densities: Floats, names: Sequence[str], shown: Sequence[int]) -> Any:
    """Class densities (K, P) of one column at P places; small, several stand side by side."""
    domain = [names[code] for code in shown]
    rows = [
        {"x": float(x), "d": float(d), "label": names[code]}
        for code in shown
        for x, d in zip(places, densities[code], strict=True)
    ]
    scale = alt.Scale(domain=domain)
    base = alt.Chart(table(rows)).encode(
        x=alt.X(
            "x:Q", title=None, scale=alt.Scale(nice=False, zero=False), axis=alt.Axis(grid=False, tickCount=4)
        ),
        y=alt.Y("d:Q", title=None, axis=None, stack=None),
    )
    colour = alt.Color("label:N", scale=scale, legend=None)
    dash = alt.StrokeDash("label:N", scale=dashes(domain), legend=None)
    return sized(
        alt.layer(
            base.mark_area(opacity=0.14, line=False).encode(color=colour),
            base.mark_line(strokeWidth=1.8).encode(color=colour, strokeDash=dash),
        ),
        120,
    )


Kind = Literal["fisher", "held", "variance", "columns"]


@dataclass(frozen=True, eq=False)
class Plane:
    """Two directions of a table and what is seen along them.

    Attributes
    ----------
    points : (n, 2)
        Sampled rows; `codes` (n,) their classes.
    titles : pair of str
    kind : str
        "fisher", "held" (Fisher's directions with the spread within classes held up), "variance" or "columns".
    leading : pair of lists
        For each direction the columns that weigh most in it, with their signs.
    edges : list of Edge
        Regions of the classifier on the plane; labels are class codes.
    error : float
        Share of the sampled rows that lie in the region of another class.
    outside : int
        Sampled rows beyond the box that is drawn.
    numbers : (n,), optional
        What the rows are called when pointed at.
    """

    points: Floats
    codes: NDArray[np.int32]
    titles: tuple[str, str]
    kind: Kind
    leading: tuple[list[str], list[str]]
    box: Box
    edges: list[Edge]
    error: float
    outside: int
    numbers: NDArray[np.int64] | None = None


def sample(codes: NDArray[np.int32], most: int, seed: int) -> NDArray[np.intp]:
    """At most `most` rows, drawn at random, in order."""
    if len(codes) <= most:
        return np.arange(len(codes))
    return np.sort(np.random.default_rng(seed).choice(len(codes), most, replace=False))
