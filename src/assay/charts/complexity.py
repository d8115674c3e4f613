"""Training against validation error, with the settings that are under-fitted, about right and over-fitted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby
from typing import Protocol

import altair as alt

from assay.charts.axes import Picture, chart_data, sized
from assay.charts.document import Figure, Panel, data_table
from assay.charts.drawing import Drawing
from assay.charts.palette import Colours, in_picture
from assay.notes.numbers import in_digits, percent, setting_text
from assay.types import Array

KINDS = ("training", "validation")
ABOVE = 24  # pixels between the frame and the legend, where the ranges are named


class ErrorsByComplexity(Protocol):
    """Errors of models from simple to complex: what the chart shows."""

    @property
    def parameter(self) -> str: ...
    @property
    def values(self) -> Sequence[object]: ...
    @property
    def training(self) -> Array: ...
    @property
    def validation(self) -> Array: ...
    @property
    def standard_errors(self) -> Array: ...

    @property
    def best(self) -> int:
        """Place of the least validation error."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Of each model: under-fitted, about right, over-fitted."""

    @property
    def right(self) -> Sequence[bool]:
        """Whether each model is about right."""


def complexity_drawing(curve: ErrorsByComplexity) -> Drawing:
    """Training against validation error, and both as a table."""
    name = curve.parameter.rpartition("__")[2]
    lines = [
        (str(value), percent(train), percent(test), label)
        for value, train, test, label in zip(
            curve.values, curve.training, curve.validation, curve.labels, strict=True
        )
    ]
    data = data_table("Settings", (name, "training error", "validation error", ""), lines, (1, 2))
    best = setting_text({name: curve.values[curve.best]})
    says = f"{best} has the least validation error, {percent(float(curve.validation[curve.best]))}."
    caption = "The band reaches one standard error to either side; settings within one of the least are about right."
    figure = Figure("complexity", (Panel(complexity_chart(curve, name)),), says, caption, data)
    return Drawing(f"Training against validation error by {name}", says, figure)


def complexity_chart(
    curve: ErrorsByComplexity, title: str | None = None, colour: Colours = in_picture
) -> Picture:
    """Both errors of every setting at even steps, a band of one standard error, the setting of least error ringed."""
    last = len(curve.values) - 1
    x = _x_axis(curve, title or curve.parameter)
    y = alt.Y("error:Q", title="error", axis=alt.Axis(format="~%", tickCount=6), scale=alt.Scale(zero=True))
    rows = [
        {"at": at, "error": float(error), "kind": kind}
        for kind, errors in zip(KINDS, (curve.training, curve.validation), strict=True)
        for at, error in enumerate(errors)
    ]
    band = [
        {"at": at, "low": float(error - se), "high": float(error + se)}
        for at, (error, se) in enumerate(zip(curve.validation, curve.standard_errors, strict=True))
    ]
    scale = alt.Scale(domain=list(KINDS), range=[colour("second"), colour("accent")])
    key = alt.Legend(
        title=None, orient="top", symbolType="stroke", symbolStrokeWidth=2, symbolSize=300, offset=ABOVE
    )
    paint = alt.Color("kind:N", scale=scale, legend=key)
    dash = alt.StrokeDash("kind:N", scale=alt.Scale(domain=list(KINDS), range=[[5, 4], [1, 0]]), legend=key)
    base = alt.Chart(chart_data(rows)).encode(x=x, y=y, color=paint)
    ring = alt.Chart(chart_data([{"at": curve.best, "error": float(curve.validation[curve.best])}]))
    reach = alt.Chart(chart_data(band)).mark_area(color=colour("accent"), opacity=0.15, line=False)
    return sized(
        alt.layer(
            *_ranges(curve, last, colour),
            reach.encode(x=x, y=alt.Y("low:Q", title="error"), y2="high:Q"),
            base.mark_line(strokeWidth=2).encode(strokeDash=dash),
            base.mark_point(filled=True, size=50, opacity=1),
            ring.mark_point(filled=False, size=220, strokeWidth=2, color=colour("ink")).encode(x=x, y=y),
        ),
        280,
    )


def _x_axis(curve: ErrorsByComplexity, title: str) -> alt.X:
    """Settings at even steps, called by their values."""
    names = [in_digits(value, 2) for value in curve.values]
    axis = alt.Axis(
        values=list(range(len(names))),
        labelExpr=f"{json.dumps(names)}[datum.value]",
        grid=False,
        labelOverlap=True,
    )
    scale = alt.Scale(domain=[-0.5, len(names) - 0.5], nice=False, zero=False)
    return alt.X("at:Q", title=title, axis=axis, scale=scale)


def _ranges(curve: ErrorsByComplexity, last: int, colour: Colours) -> list[alt.Chart]:
    """What neighbouring settings have in common: its name above them, and a ground under those that are right."""
    ranges = []
    for label, group in groupby(range(last + 1), key=lambda at: curve.labels[at]):
        places = list(group)
        ranges.append({"label": label, "right": curve.right[places[0]], "from": places[0] - 0.5, "to": places[-1] + 0.5,
                      "middle": (places[0] + places[-1]) / 2})  # fmt: skip
    right = alt.Chart(chart_data(span for span in ranges if span["right"]))
    ground = right.mark_rect(color=colour("accent-soft"), opacity=0.35)
    words = alt.Chart(chart_data(ranges)).mark_text(
        color=colour("quiet"), y=-6, fontSize=12, baseline="bottom"
    )
    return [
        ground.encode(x=alt.X("from:Q"), x2="to:Q"),
        words.encode(x=alt.X("middle:Q"), text="label:N"),
    ]
