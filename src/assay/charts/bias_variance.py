"""Bias and variance on top of each other, in bars of equal scale."""

from __future__ import annotations

from collections.abc import Mapping

import altair as alt

from assay.charts.axes import Picture, chart_data, names_down, share_axis, sized
from assay.charts.document import Figure, Panel, data_table
from assay.charts.drawing import Drawing
from assay.charts.palette import Colours, in_picture
from assay.notes.numbers import percent
from assay.notes.phrases import shorten

PARTS = ("bias²", "variance")
BAR, FRAME = 28, 60  # pixels


def bias_variance_drawing(parts: Mapping[str, tuple[float, float]], of: str) -> Drawing:
    """Squared bias and variance by name, their sum the error; `of` says what has the names."""
    errors = {name: sum(both) for name, both in parts.items()}
    lines = [
        (name, percent(bias), percent(variance), percent(errors[name]))
        for name, (bias, variance) in parts.items()
    ]
    data = data_table("Bias and variance", (of, *PARTS, "error"), lines, (1, 2, 3))
    shown = min(errors, key=lambda name: errors[name]) if of == "model" else next(iter(parts))
    least = "least error" if of == "model" else "error"
    says = f"{shown}: {least} {percent(errors[shown])}, of which {percent(parts[shown][1])} is variance."
    caption = (
        "Squared bias, with the noise, and variance over training sets add up to the error. The correction for the "
        "number of models can make a small bias negative."
    )
    figure = Figure("bias-variance", (Panel(bias_variance_chart(parts)),), says, caption, data)
    return Drawing(f"Bias and variance by {of}", says, figure)


def bias_variance_chart(parts: Mapping[str, tuple[float, float]], colour: Colours = in_picture) -> Picture:
    """A bar per name, of its bias and its variance."""
    names = [shorten(name) for name in parts]
    rows = [
        {"name": name, "part": part, "order": order, "error": value}
        for name, both in zip(names, parts.values(), strict=True)
        for order, (part, value) in enumerate(zip(PARTS, both, strict=True))
    ]
    key = alt.Legend(title=None, orient="top")
    paint = alt.Scale(domain=list(PARTS), range=[colour("accent"), colour("second")])
    bars = (
        alt.Chart(chart_data(rows))
        .mark_bar(height=BAR * 2 // 3)
        .encode(
            x=alt.X("error:Q", **share_axis("error")),
            y=names_down("name:N", names),
            color=alt.Color("part:N", scale=paint, legend=key),
            order=alt.Order("order:Q"),
        )
    )
    return sized(bars, FRAME + BAR * len(names))
