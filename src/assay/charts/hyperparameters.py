"""The chart of settings that were tried: what it looks like follows from what varies among them.

One number is a curve; a number beside another parameter of few values is a line for each value of that; two numbers
of many values are a map; anything else is a dot for each setting. The setting in use wears a ring.
"""

from __future__ import annotations

import json
import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import NotRequired, TypedDict, Unpack

import altair as alt
import numpy as np
from numpy.typing import ArrayLike

from assay.charts.axes import ROW_HEIGHT, Picture, chart_data, dashes, figure_axis, names_down, sized
from assay.charts.palette import NARROW
from assay.notes.numbers import in_digits, setting_text, spell_number
from assay.notes.phrases import short_names
from assay.numerics.scalars import is_number
from assay.numerics.value_key import value_key
from assay.types import Parameters

MOST_SETTINGS = 20  # of a chart with a dot for each
MOST_LINES = 5
LOGARITHMIC = 30.0  # ratio of the largest to the least value from which an axis is
LABEL_WIDTH = 400  # letters, far beyond what fits
LINE_HEIGHT = 14  # of a label of several lines
WIDE, SMALL = 240, 130  # heights
MOST_TICKS = 8  # whole numbers that stand on an axis themselves
PLACING = ("zero", "none", "along")


class Row(TypedDict):
    """A setting: its loss and reach, how many splits chose it, its marks; then its place on the chart."""

    setting: str
    value: float
    se: float
    low: float
    high: float
    chosen: int | None
    final: bool
    one_se: bool
    label: NotRequired[str]
    zero: NotRequired[bool]
    none: NotRequired[bool]
    x: NotRequired[float]
    line: NotRequired[str]
    along: NotRequired[str]


class Colouring(TypedDict, total=False):
    """What tells lines and points apart."""

    color: alt.Color
    strokeDash: alt.StrokeDash


class Style(TypedDict, total=False):
    """The style of a mark, where its colour is not said."""

    style: str


class Places(TypedDict, total=False):
    """Where points stand, where their layer does not say so already."""

    x: alt.X
    y: alt.Y


class TickOptions(TypedDict, total=False):
    """The ticks of a plain axis."""

    values: list[float]
    labelExpr: str
    labelFlush: bool
    tickMinStep: float


@dataclass(frozen=True)
class Axes:
    """What varies: the number to go along, and the parameter of which each value is a line (empty: none)."""

    number: str
    lines: str = ""
    map: bool = False  # both are numbers of many values


def settings_chart(
    settings: Sequence[Parameters],
    rows: Sequence[Row],
    *,
    title: str = "error on the folds",
    shares: bool = True,
    small: bool = False,
) -> Picture:
    """Loss of each setting against what varies among them, as an Altair chart.

    Parameters
    ----------
    settings : list of dict
        Two or more.
    rows : list of dict
        What `setting_rows` makes of them.
    title : str
        Of the axis of losses.
    shares : bool
        Whether losses are shares, shown in per cent.
    small : bool
        One of several side by side.
    """
    rows = [row.copy() for row in rows]  # their places on the chart are nobody else's
    vary = varying(settings)
    axes = axes_of(settings, vary)
    if axes is None:
        # What all settings share need not be read twenty times.
        texts = [setting_text({key: setting[key] for key in vary if key in setting}) for setting in settings]
        for row, name in zip(rows, short_names(texts, LABEL_WIDTH), strict=True):
            row["label"] = name
        return dot_chart(best_rows(rows), len(vary), title, shares)
    ticks = _place(rows, settings, axes)
    if axes.map:
        return map_chart(rows, axes, title, shares)
    return line_chart(sorted(rows, key=lambda row: row["x"]), axes, title, ticks, shares, small)


def setting_rows(
    settings: Sequence[Parameters],
    losses: ArrayLike,
    standard_errors: ArrayLike | None = None,
    chosen: int | None = None,
    simplest: int | None = None,
    splits: Iterable[int] | None = None,
) -> list[Row]:
    """A row for each setting: value, standard error and reach, and whether it is marked.

    Parameters
    ----------
    settings : list of dict
    losses, standard_errors : (S,)
        Standard errors that are not known may be left out or NaN.
    chosen, simplest : int
        The setting in use (a ring) and the simplest one that is hardly worse (a diamond).
    splits : (S,)
        How many splits chose each.
    """
    values = np.asarray(losses, dtype=np.float64)
    errors = np.full(len(values), np.nan) if standard_errors is None else np.asarray(standard_errors)
    often = [None] * len(values) if splits is None else [int(count) for count in splits]
    return [
        {
            "setting": setting_text(dict(setting)),
            "value": value,
            "se": error,
            "low": value - error,
            "high": value + error,
            "chosen": count,
            "final": at == chosen,
            "one_se": at == simplest,
        }
        for at, (setting, value, error, count) in enumerate(
            zip(settings, values.tolist(), errors.tolist(), often, strict=True)
        )
    ]


def varying(settings: Sequence[Parameters]) -> list[str]:
    """The parameters that differ between settings."""
    return [key for key in settings[0] if len({value_key(setting.get(key)) for setting in settings}) > 1]


def axes_of(settings: Sequence[Parameters], vary: Sequence[str]) -> Axes | None:
    """The number of most values, and beside it at most one other parameter; None where they are more or none."""
    numbers = [key for key in vary if _numbers(settings, key)]
    if not numbers or len(vary) > 2:
        return None
    values = {key: len({value_key(setting.get(key)) for setting in settings}) for key in vary}
    along = max(numbers, key=lambda key: values[key])
    others = [key for key in vary if key != along]
    if not others:
        return Axes(along)
    if values[others[0]] <= MOST_LINES:
        return Axes(along, others[0])
    return Axes(along, others[0], map=True) if len(numbers) == 2 else None


def _numbers(settings: Sequence[Parameters], key: str) -> bool:
    """Whether a parameter is two numbers or more, and None, no limit, beside them at most."""
    given = [setting.get(key) for setting in settings if setting.get(key) is not None]
    values = [value for value in given if is_number(value)]
    return len(values) == len(given) and len(set(values)) > 1 and all(map(math.isfinite, values))


def _place(rows: list[Row], settings: Sequence[Parameters], axes: Axes) -> list[float]:
    """Give each row its place and line; return the ticks of a logarithmic axis."""
    values = [value if is_number(value := setting.get(axes.number)) else None for setting in settings]
    known = [float(value) for value in values if value is not None]
    positive = sorted({value for value in known if value > 0})
    log = len(positive) > 1 and min(known) >= 0 and positive[-1] / positive[0] >= LOGARITHMIC
    step = (positive[-1] / positive[0]) ** (1 / (len(positive) - 1)) if log else 1.0
    # Zero has no logarithm and no limit no place: they are drawn one step beyond the least and the largest.
    beyond = (
        positive[-1] * step if log else max(known) + (max(known) - min(known)) / max(len(set(known)) - 1, 1)
    )
    along, names = _names(values), _names([setting.get(axes.lines) for setting in settings])
    for row, value, setting in zip(rows, values, settings, strict=True):
        row["zero"], row["none"] = log and value == 0, value is None
        row["x"] = beyond if value is None else positive[0] / step if row["zero"] else float(value)
        row["line"] = names[value_key(setting.get(axes.lines))] if axes.lines else ""
        row["along"] = along[value_key(value)]
    if not log:
        return []
    few = len(positive) <= MOST_TICKS and all(value.is_integer() for value in positive)
    return positive if few else powers_of_ten(positive[0], positive[-1])


def _names(values: Sequence[object]) -> dict[Hashable, str]:
    """Values in a legend, by their keys; different ones have different names."""
    different = {value_key(value): value for value in values}
    texts = [in_digits(value) for value in different.values()]
    if len(set(texts)) < len(texts):  # six digits are not enough
        texts = [
            spell_number(value) if isinstance(value, float) else str(value) for value in different.values()
        ]
    return dict(zip(different, short_names(texts), strict=True))


def best_rows(rows: Sequence[Row]) -> list[Row]:
    """The best settings, and those that are marked wherever they stand."""
    ranked = sorted(rows, key=lambda row: row["value"])
    return [row for at, row in enumerate(ranked) if at < MOST_SETTINGS or row["final"] or row["one_se"]]


def line_chart(
    rows: Sequence[Row], axes: Axes, title: str, ticks: Sequence[float], shares: bool, small: bool = False
) -> Picture:
    """Loss along a number, a band of standard errors around a single line or that of the setting in use.

    With `ticks` the axis is logarithmic.
    """
    x = _number_axis(rows, axes.number, ticks)
    axis = figure_axis(shares)
    if small:
        axis.tickCount = 4
    y = alt.Y("value:Q", title=None if small else title, scale=alt.Scale(zero=False), axis=axis)
    base = alt.Chart(_drawn(rows)).encode(x=x)
    look, dotted = _several(rows, axes.lines)
    style: Style = {} if axes.lines else {"style": "accent"}
    layers = [
        base.mark_line(**style).encode(y=y, **look),
        base.mark_point(filled=True, size=36 if small else 60, opacity=1, **style).encode(
            y=y, tooltip=_tips(rows, title, shares), **dotted
        ),
        *_marked(rows, base, "ink" if axes.lines else "second", y=y),
    ]
    used = {row["line"] for row in rows if row["final"] or not axes.lines}
    if any(row["line"] in used and math.isfinite(row["low"]) for row in rows):
        # Bands of several lines would cover each other; rows that stand in each layer would make the page heavy.
        part = base.transform_filter(f"datum.line === {json.dumps(used.pop())}") if axes.lines else base
        colour: Colouring = {"color": look["color"]} if axes.lines else {}
        band = part.mark_area(opacity=0.13, line=False, **style)
        layers.insert(0, band.encode(y=alt.Y("low:Q"), y2="high:Q", **colour))
    return sized(alt.layer(*layers), SMALL if small else WIDE)


def _drawn(rows: Sequence[Row]) -> alt.Data:
    """The rows without what served to place them."""
    return chart_data({key: value for key, value in row.items() if key not in PLACING} for row in rows)


def _several(rows: Sequence[Row], lines: str) -> tuple[Colouring, Colouring]:
    """What tells several lines apart, and their points: a colour and a dash, a colour and a shape."""
    if not lines:
        return {}, {}
    names = sorted({row["line"] for row in rows}, key=_by_value)
    key = alt.Legend(
        orient="top", title=lines, symbolType="stroke", symbolOpacity=1, symbolStrokeWidth=2, symbolSize=300
    )
    scale = alt.Scale(domain=names)
    colour = alt.Color("line:N", scale=scale, legend=key)
    dash = alt.StrokeDash("line:N", scale=dashes(names), legend=key)
    return {"color": colour, "strokeDash": dash}, {"color": colour}


def _by_value(name: str) -> tuple[float, str]:
    """Numbers in their order, words after them."""
    try:
        return float(name), ""
    except ValueError:
        return math.inf, name


def map_chart(rows: Sequence[Row], axes: Axes, title: str, shares: bool) -> Picture:
    """Loss of each pair of numbers as the shade of a cell, the least the darkest."""
    sides = {key: sorted({row[key] for row in rows}, key=_by_value) for key in ("along", "line")}
    x = alt.X("along:O", title=axes.number, sort=sides["along"], axis=alt.Axis(labelAngle=0, ticks=False))
    y = alt.Y("line:O", title=axes.lines, sort=sides["line"][::-1], axis=alt.Axis(ticks=False))
    values = [row["value"] for row in rows if math.isfinite(row["value"])]
    shade = alt.FillOpacity(
        "value:Q",
        scale=alt.Scale(domain=[max(values), min(values)], range=[0.04, 0.9]),
        legend=alt.Legend(orient="top", title=title, format="~%" if shares else "~g", tickCount=4),
    )
    base = alt.Chart(chart_data(rows)).encode(x=x, y=y)
    cells = base.mark_rect(style="cell").encode(fillOpacity=shade, tooltip=_tips(rows, title, shares))
    return sized(alt.layer(cells, *_marked(rows, base)), max(ROW_HEIGHT * len(sides["line"]), WIDE))


def dot_chart(rows: Sequence[Row], vary: int, title: str, shares: bool) -> Picture:
    """Loss of each setting (label) where they differ in more than two parameters, or in words.

    A label names `vary` parameters: on a telephone one a line, so that none is cut.
    """
    order = [row["label"] for row in rows]
    y = names_down(
        "label:N",
        order,
        labelOverlap=False,
        labelLimit=alt.ExprRef(f"{NARROW} ? 200 : 480"),
        labelExpr=f"{NARROW} ? split(datum.label, ', ') : datum.label",
    )
    base = alt.Chart(chart_data(rows)).encode(y=y)
    x = alt.X("value:Q", title=title, scale=alt.Scale(zero=False), axis=figure_axis(shares))
    layers = [
        base.mark_point(style="accent", filled=True, size=80, opacity=1).encode(
            x=x, tooltip=_tips(rows, title, shares)
        ),
        *_marked(rows, base, x=x),
    ]
    if all(math.isfinite(row["low"]) for row in rows):
        reach = base.mark_rule(style="quiet", strokeWidth=2)
        layers.insert(0, reach.encode(x=alt.X("low:Q", title=title), x2="high:Q"))
    return sized(alt.layer(*layers), max(ROW_HEIGHT, LINE_HEIGHT * vary + 6) * len(rows))


def _tips(rows: Sequence[Row], title: str, shares: bool) -> list[alt.Tooltip]:
    """What is known of a setting."""
    tips = [
        alt.Tooltip("setting:N", title="setting"),
        alt.Tooltip("value:Q", title=title, format=".3~%" if shares else ".4~g"),
    ]
    if all(math.isfinite(row["se"]) for row in rows):
        tips.append(alt.Tooltip("se:Q", title="standard error", format=".2~%" if shares else ".2~g"))
    if rows[0]["chosen"] is not None:
        tips.append(alt.Tooltip("chosen:Q", title="splits that chose it"))
    return tips


def _number_axis(rows: Sequence[Row], name: str, ticks: Sequence[float]) -> alt.X:
    """The axis of a number that is varied: logarithmic with these ticks, plain without any."""
    zeros, none = [row["x"] for row in rows if row["zero"]], [row["x"] for row in rows if row["none"]]
    places = {text: ends[-1] for text, ends in (("0", zeros), ("none", none)) if ends}
    labels = "datum.label"
    if ticks:
        labels = "datum.value < 0.001 ? replace(format(datum.value, '.0e'), '−', '-') : datum.label"
    for text, place in places.items():
        labels = f"abs(datum.value - {place!r}) <= {abs(place) * 1e-9!r} ? '{text}' : ({labels})"
    if ticks:
        axis = alt.Axis(
            grid=False, values=sorted([*places.values(), *ticks]), format="~g", labelExpr=labels,
            labelFlush=True, labelOverlap=True,
        )  # fmt: skip
        return alt.X("x:Q", title=f"{name} (logarithmic)", scale=alt.Scale(type="log", nice=False), axis=axis)
    steps: TickOptions = {}
    if places:
        steps = {"values": sorted({row["x"] for row in rows}), "labelExpr": labels, "labelFlush": True}
    elif all(float(row["x"]).is_integer() for row in rows):
        steps = {"tickMinStep": 1}  # no setting lies between two whole numbers
    axis = alt.Axis(grid=False, format="~g", tickCount=6, **steps)
    return alt.X("x:Q", title=name, scale=alt.Scale(zero=False, nice=False), axis=axis)


def _marked(
    rows: Sequence[Row], base: alt.Chart, ring: str = "second", **at: Unpack[Places]
) -> list[alt.Chart]:
    """A ring around the setting in use, a diamond around the simplest that is hardly worse."""
    layers = []
    # A layer without rows would be complained of.
    if any(row["final"] for row in rows):
        used = base.transform_filter("datum.final === true")
        layers.append(used.mark_point(style=ring, filled=False, size=240, strokeWidth=2.5).encode(**at))
    if any(row["one_se"] and not row["final"] for row in rows):
        alike = base.transform_filter("datum.one_se === true")
        diamond = alike.mark_point(style="ink", filled=False, shape="diamond", size=330, strokeWidth=2)
        layers.append(diamond.encode(**at))
    return layers


def powers_of_ten(low: float, high: float) -> list[float]:
    """Those from low to high, every second or third of many."""
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    return [float(f"1e{power}") for power in range(first, last + 1, 1 + (last - first) // 8)]
