"""The confusion matrix, and the pairs of classes most often confused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

import altair as alt
import numpy as np

from assay.charts.axes import (
    THOUSANDS,
    Picture,
    chart_data,
    names_down,
    sized,
)
from assay.charts.palette import NARROW
from assay.notes.numbers import count
from assay.types import Array

FEW_CLASSES = 6
DARKEST = 0.55  # of a cell, as a share of the accent colour


class PairRow(TypedDict):
    """Two classes, and how many rows of them were taken for one another."""

    pair: str
    n: float
    shown: str


class LabelOptions(TypedDict, total=False):
    """How the classes are written on an axis."""

    labelOverlap: bool
    ticks: bool
    domain: bool
    labelFontSize: alt.ExprRef
    labelAlign: Literal["left"]
    labelBaseline: Literal["middle"]
    labelPadding: float


def confusion_chart(counts: Array, names: Sequence[str], actions: Sequence[str] | None = None) -> Picture:
    """Cells shaded by the share of the true class, with their counts; numbers go where there is no room.

    Columns are the predicted classes, or `actions`.
    """
    decided = names if actions is None else actions
    totals = counts.sum(axis=1, keepdims=True)
    shares = np.divide(counts, totals, out=np.zeros_like(counts), where=totals > 0)
    rows = [
        {"true": names[i], "decided": decided[j], "n": count(counts[i, j]), "share": float(shares[i, j])}
        for i in range(len(names))
        for j in range(len(decided))
    ]
    x, y = _class_axes(names, decided, "predicted class" if actions is None else "action")
    base = alt.Chart(chart_data(rows)).encode(x=x, y=y)
    tips = [
        alt.Tooltip("true:N", title="true class"),
        alt.Tooltip("decided:N", title="predicted" if actions is None else "action"),
        alt.Tooltip("n:N", title="rows"),
        alt.Tooltip("share:Q", title="proportion of the true class", format=".1%"),
    ]
    # Never so dark that the number on it could not be read, in light and dark.
    opacity = alt.FillOpacity("share:Q", scale=alt.Scale(domain=[0, 1], range=[0.04, DARKEST]), legend=None)
    size, letters = len(decided), max(len(count(n)) for n in counts.ravel())
    small = f"{size} > 12 || {size} > {FEW_CLASSES} && {NARROW} ? 10 : 12"
    room = alt.ExprRef(f"width / {size} < {0.6 * letters:.1f} * ({small}) + 3 ? 0 : 1")
    cells = base.mark_rect(style="cell").encode(fillOpacity=opacity, tooltip=tips)
    # In a large matrix the many zeros would hide the mistakes.
    counted = base.transform_filter("datum.n !== '0'") if size > FEW_CLASSES else base
    text = counted.mark_text(style="ink", opacity=room, fontSize=alt.ExprRef(small)).encode(text="n:N")
    return sized(alt.layer(cells, text), size * (44 if size <= 6 else 30 if size <= 12 else 24))


def _class_axes(names: Sequence[str], decided: Sequence[str], title: str) -> tuple[alt.X, alt.Y]:
    """Every class named on both axes: upright where the page is narrow, and no label left out."""
    size = len(decided)
    turned = size > 4 or max(map(len, (*names, *decided))) > 12
    angle = alt.ExprRef(f"{NARROW} || {size} > 12 ? -90 : -40") if turned else 0
    beside = alt.ExprRef(f"{NARROW} ? {100 if turned else 90} : 150")
    same: LabelOptions = {"labelOverlap": False, "ticks": False, "domain": False}
    if turned:
        same["labelFontSize"] = alt.ExprRef(f"{size} > 12 || {size} > {FEW_CLASSES} && {NARROW} ? 10 : 12")
    above: LabelOptions = same
    if turned:
        above = {**same, "labelAlign": "left", "labelBaseline": "middle", "labelPadding": 7}
    x = alt.X(
        "decided:N", sort=list(decided), title=title,
        axis=alt.Axis(orient="top", labelAngle=angle, labelLimit=beside, **above),
    )  # fmt: skip
    y = alt.Y(
        "true:N", sort=list(names), title="true class", axis=alt.Axis(labelLimit=beside, **same)
    )  # fmt: skip
    return x, y


def pairs_chart(rows: Sequence[PairRow]) -> Picture:
    """The classes most often taken for one another (pair, n, shown), where there are too many for a matrix."""
    order = [row["pair"] for row in rows]
    lines = f"{NARROW} ? [split(datum.label, ' → ')[0] + ' →', split(datum.label, ' → ')[1]] : datum.label"
    base = alt.Chart(chart_data(rows)).encode(
        y=names_down("pair:N", order, labelExpr=lines, labelLimit=330, labelOverlap=False),
        x=alt.X(
            "n:Q", title="rows", axis=alt.Axis(tickCount=5, tickMinStep=1, format=",d", labelExpr=THOUSANDS)
        ),
    )
    bars = base.mark_bar(style="accent", height=14)
    return sized(
        alt.layer(bars, base.mark_text(style="quiet", align="left", dx=5).encode(text="shown:N")),
        34 * len(rows),
    )
