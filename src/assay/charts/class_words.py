"""The charts of models of words: words that speak for a class, and the error against the size of the vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import altair as alt

from assay.charts.axes import THOUSANDS, Picture, chart_data, dashes, figure_axis, legend, names_down, sized

APART = 1.045  # how far intervals at one size stand beside one another


class WordRow(TypedDict):
    """A word that speaks for a class, and how often it is there and elsewhere, as text."""

    word: str
    effect: float
    inside: str
    outside: str


class VocabularyRow(TypedDict):
    """The error of a model with so many words."""

    name: str
    size: int
    value: float
    low: float
    high: float
    shown: str


def word_chart(rows: Sequence[WordRow], title: str, reach: float, slot: str) -> Picture:
    """Log odds of the words of one class (word, effect); `reach` is the end of the axis, shared by all classes."""
    x = alt.X("effect:Q", title=title, scale=alt.Scale(domain=[0, reach]), axis=alt.Axis(tickCount=4))
    base = alt.Chart(chart_data(rows)).encode(
        y=names_down("word:N", [row["word"] for row in rows], labelLimit=110),
        x=x,
        tooltip=[
            alt.Tooltip("word:N", title="word"),
            alt.Tooltip("effect:Q", title="log odds", format=".3"),
            alt.Tooltip("inside:N", title="proportion in the class"),
            alt.Tooltip("outside:N", title="proportion in other classes"),
        ],
    )
    return sized(base.mark_bar(style=slot, height=11), 18 * max(len(rows), 1))


def vocabulary_chart(
    rows: Sequence[VocabularyRow], names: Sequence[str], title: str, shares: bool
) -> Picture:
    """Error against the number of words (name, size, value, low, high, shown), a line and intervals a model."""
    sizes = sorted({int(row["size"]) for row in rows})
    middle = (len(names) - 1) / 2
    moved = [{**row, "x": row["size"] * APART ** (names.index(row["name"]) - middle)} for row in rows]
    x = alt.X(
        "x:Q",
        title="words in the vocabulary (logarithmic)",
        scale=alt.Scale(type="log", nice=False, padding=16),
        axis=alt.Axis(grid=False, format=",d", labelExpr=THOUSANDS, values=sizes, labelOverlap=True),
    )
    y = alt.Y("value:Q", title=title, scale=alt.Scale(zero=True), axis=figure_axis(shares))
    scale, key = alt.Scale(domain=list(names)), legend(names)
    colour = alt.Color("name:N", sort=list(names), scale=scale, legend=key)
    shape = alt.Shape("name:N", sort=list(names), scale=scale, legend=key)
    dash = alt.StrokeDash("name:N", sort=list(names), scale=dashes(names), legend=key)
    base = alt.Chart(chart_data(moved)).encode(x=x, color=colour)
    tips = [
        alt.Tooltip("name:N", title="model"),
        alt.Tooltip("size:Q", title="words", format=",d"),
        alt.Tooltip("shown:N", title=title),
    ]
    return sized(
        alt.layer(
            base.mark_line(strokeWidth=2).encode(y=y, strokeDash=dash),
            base.mark_rule(strokeWidth=2).encode(y=alt.Y("low:Q", title=title), y2="high:Q"),
            base.mark_point(filled=True, size=75, opacity=1).encode(y=y, shape=shape, tooltip=tips),
        ),
        280,
    )
