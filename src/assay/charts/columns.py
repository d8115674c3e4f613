"""Columns of a table in a model: weights, loadings, importances, densities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NotRequired, TypedDict

import altair as alt

from assay.charts.axes import Picture, chart_data, dashes, legend, names_down, shapes, sized
from assay.types import Array


class EffectRow(TypedDict):
    """The effect of a column, and the ends of its interval where they are known."""

    column: str
    effect: float
    low: NotRequired[float]
    high: NotRequired[float]


class WeightRow(EffectRow):
    """The effect of a column on two classes, and the one it speaks for."""

    towards: str


class ClassWeightRow(EffectRow):
    """The effect of a column on one of several classes."""

    label: str


class LoadingRow(TypedDict):
    """The weight of a column in a direction."""

    column: str
    weight: float


class ImportanceRow(TypedDict):
    """The rise of the error where a column is shuffled, and its reach."""

    column: str
    rise: float
    low: float
    high: float


def weight_chart(rows: Sequence[WeightRow], title: str) -> Picture:
    """Effects of columns on two classes (column, effect, towards), to the right those that speak for the second.

    `low` and `high` are drawn where rows have them.
    """
    order = [row["column"] for row in rows]
    base = alt.Chart(chart_data(rows)).encode(
        y=names_down("column:N", order),
        x=alt.X("effect:Q", title=title, axis=alt.Axis(tickCount=6)),
        tooltip=[
            alt.Tooltip("column:N", title="column"),
            alt.Tooltip("effect:Q", title="effect", format=".3"),
            alt.Tooltip("towards:N", title="evidence for"),
        ],
    )
    # The colours are those of the two classes in every other picture.
    up = base.transform_filter("datum.effect >= 0").mark_bar(style="second", height=13)
    down = base.transform_filter("datum.effect < 0").mark_bar(style="accent", height=13)
    zero = alt.Chart(chart_data([{"x": 0}])).mark_rule(style="line").encode(x="x:Q")
    layers = [up, down, zero]
    if rows and "low" in rows[0]:
        reach = base.mark_rule(style="ink", strokeWidth=1.2)
        layers.append(reach.encode(x=alt.X("low:Q", title=title), x2="high:Q"))
    return sized(alt.layer(*layers), 22 * len(rows))


def loading_chart(rows: Sequence[LoadingRow]) -> Picture:
    """Weights of columns in a direction (column, weight), the strongest above."""
    order = [row["column"] for row in rows]
    bars = alt.Chart(chart_data(rows)).mark_bar(style="accent", height=13)
    encoded = bars.encode(
        y=names_down("column:N", order),
        x=alt.X(
            "weight:Q",
            title="move per standard deviation of the column",
            axis=alt.Axis(tickCount=4, format="~g"),
        ),
        tooltip=[
            alt.Tooltip("column:N", title="column"),
            alt.Tooltip("weight:Q", title="weight", format=".3"),
        ],
    )
    zero = alt.Chart(chart_data([{"x": 0}])).mark_rule(style="line").encode(x="x:Q")
    return sized(alt.layer(encoded, zero), 22 * len(rows))


def class_weight_chart(
    rows: Sequence[ClassWeightRow],
    columns: Sequence[str],
    names: Sequence[str],
    title: str = "effect of one standard deviation",
    kind: str = "class",
) -> Picture:
    """Effects of columns on each of several classes (column, effect, label): a dot a class."""
    y = names_down("column:N", columns, grid=True)
    x = alt.X("effect:Q", title=title, axis=alt.Axis(tickCount=6))
    scale = alt.Scale(domain=list(names))
    shape_scale = alt.Scale(domain=list(names), range=shapes(len(names)))
    key = legend(names)
    dots = alt.Chart(chart_data(rows)).mark_point(filled=True, size=70, opacity=0.95).encode(
        x=x, y=y,
        color=alt.Color("label:N", scale=scale, legend=key),
        shape=alt.Shape("label:N", scale=shape_scale, legend=key),
        tooltip=[
            alt.Tooltip("column:N", title="column"),
            alt.Tooltip("label:N", title=kind),
            alt.Tooltip("effect:Q", title="effect", format=".3"),
        ],
    )  # fmt: skip
    zero = alt.Chart(chart_data([{"x": 0}])).mark_rule(style="line").encode(x="x:Q")
    layers = [zero, dots]
    if rows and "low" in rows[0]:
        reach = alt.Chart(chart_data(rows)).mark_rule(strokeWidth=1.5, opacity=0.7)
        ends = {"x": alt.X("low:Q", title=title), "x2": "high:Q"}
        layers.insert(1, reach.encode(y=y, color=alt.Color("label:N", scale=scale, legend=key), **ends))
    return sized(alt.layer(*layers), 24 * len(columns))


def importance_chart(rows: Sequence[ImportanceRow]) -> Picture:
    """Rise of the error for each column (column, rise, low, high)."""
    order = [row["column"] for row in rows]
    base = alt.Chart(chart_data(rows)).encode(
        y=names_down("column:N", order),
    )
    x = alt.X("rise:Q", title="rise of the error when shuffled", axis=alt.Axis(format="~%", tickCount=6))
    bars = base.mark_bar(style="accent", height=12).encode(x=x)
    lines = base.mark_rule(style="ink", strokeWidth=1.2).encode(x="low:Q", x2="high:Q")
    return sized(alt.layer(bars, lines), 22 * len(rows))


def density_chart(places: Array, densities: Array, names: Sequence[str], shown: Sequence[int]) -> Picture:
    """Class densities (K, P) of one column at P places; small, several stand side by side."""
    domain = [names[code] for code in shown]
    rows = [
        {"x": float(x), "d": float(d), "label": names[code]}
        for code in shown
        for x, d in zip(places, densities[code], strict=True)
    ]
    scale = alt.Scale(domain=domain)
    base = alt.Chart(chart_data(rows)).encode(
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
