"""The charts of a model: the plane it can be seen in, and what it uses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

import altair as alt
import numpy as np
from numpy.typing import NDArray

from assay.charts.axes import Picture, chart_data, legend, shapes, sized
from assay.charts.palette import CLASS_NAMES, Colours, on_page
from assay.charts.regions import Box, Edge
from assay.types import Array

OTHER = "(other classes)"
Channel = TypeVar("Channel", alt.X, alt.Y)


def plane_chart(
    view: Plane, names: Sequence[str], shown: Sequence[int], colour: Colours = on_page, kind: str = "class"
) -> Picture:
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
    regions = alt.Chart(chart_data(bands)).mark_area(orient="horizontal", strokeWidth=0.8)
    dots: list[dict[str, str | float]] = [
        {"x": float(a), "y": float(b), "label": labels[place.get(int(k), -1)]}
        for (a, b), k in zip(view.points, view.codes, strict=True)
    ]
    tips = [alt.Tooltip("label:N", title=kind)] if len(labels) > 1 else []
    if view.numbers is not None:
        tips += [alt.Tooltip("row:Q", title="row", format="d"), alt.Tooltip("at:N", title="at")]
        for dot, number in zip(dots, view.numbers.tolist(), strict=True):
            dot |= {"row": number, "at": f"{dot['x']:.3g}, {dot['y']:.3g}"}
    points = alt.Chart(chart_data(dots)).mark_point(
        filled=True, size=34 if len(dots) > 400 else 55, opacity=0.9, style="outline"
    )
    key = legend(labels) if len(labels) > 1 else None
    inks = alt.Scale(domain=labels, range=[colour(slot) for slot in slots[: len(labels)]])
    shape_scale = alt.Scale(domain=labels, range=shapes(len(labels)))
    return sized(
        alt.layer(
            regions.encode(x=x, x2="x2:Q", y=y, detail="band:N", fill=fill, stroke=stroke),
            points.encode(
                x=x,
                y=y,
                color=alt.Color("label:N", scale=inks, legend=key),
                shape=alt.Shape("label:N", scale=shape_scale, legend=key),
                tooltip=tips,
            ),
        ),
        400,
    )


def _stretch(field: str, title: str, low: float, high: float, channel: type[Channel]) -> Channel:
    """An axis from `low` to `high` exactly."""
    scale = alt.Scale(domain=[low, high], nice=False, zero=False)
    return channel(field, title=title, scale=scale, axis=alt.Axis(grid=False, tickCount=6))


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
        Proportion of the sampled rows that lie in the region of another class.
    outside : int
        Sampled rows beyond the box that is drawn.
    numbers : (n,), optional
        What the rows are called when pointed at.
    """

    points: Array
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
