"""The charts of an evaluation and of a comparison, one function each.

Names of fields are fixed, and names of classes and models are values only, so that a label may be anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from assay.charts.palette import DASHES, NARROW
from assay.decision import CalibrationTable
from assay.decision.curves import RejectCurve, Roc, ThresholdCurve, on_grid
from assay.notes.numbers import count

Array = NDArray[np.float64]
ROW_HEIGHT = 26
EXTENT = 44
FEW_CLASSES = 6
DARKEST = 0.55  # of a cell, as a share of the accent colour
THOUSANDS = "replace(datum.label, ',', '\u202f')"  # apart as in the text of the page


def table(rows: Iterable[Mapping[str, Any]]) -> alt.Data:
    """Rows of a chart; numbers keep five digits, more than a pixel shows."""
    return alt.Data(  # type: ignore[no-untyped-call]
        values=[{name: _short(value) for name, value in row.items()} for row in rows]
    )


def _short(value: Any) -> Any:
    if isinstance(value, float | np.floating):
        return float(f"{value:.5g}") if np.isfinite(value) else None
    return int(value) if isinstance(value, np.integer) else value


def share_axis(title: str | None, **options: Any) -> dict[str, Any]:
    """Title and axis of a share in per cent."""
    return {"title": title, "axis": alt.Axis(format="~%", tickCount=6, **options)}


def figure_axis(shares: bool, **options: Any) -> alt.Axis:
    """The axis of errors in per cent, or of losses."""
    return alt.Axis(format="~%" if shares else "~g", tickCount=6, **options)


def names_down(field: str, order: Sequence[str], **options: Any) -> alt.Y:
    """Names below each other, in the order given."""
    axis = alt.Axis(ticks=False, domain=False, labelPadding=8, **options)
    return alt.Y(field, sort=list(order), title=None, axis=axis)


def sized(chart: Any, height: int) -> Any:
    """As wide as the page allows."""
    return chart.properties(
        width="container", height=height, autosize=alt.AutoSizeParams(type="fit-x", contains="padding")
    )


def legend(names: Sequence[str]) -> alt.Legend:
    """A legend that names everything in full: in four columns or, on a telephone, two; of long names in fewer."""
    long = max(map(len, names), default=0) > 18
    limit = alt.ExprRef(f"{NARROW} ? {260 if long else 130} : {180 if long else 130}")
    columns = alt.ExprRef(f"{NARROW} ? {1 if long else 2} : {3 if long else 4}")
    return alt.Legend(title=None, columns=columns, labelLimit=limit)


def dashes(names: Sequence[str]) -> alt.Scale:
    """A dash for each line, beside its colour."""
    return alt.Scale(domain=list(names), range=[list(each) for each in DASHES[: len(names)]])


def interval_chart(
    rows: Sequence[Mapping[str, Any]], baseline: float | None, title: str, shares: bool = True
) -> Any:
    """A dot and an interval for each candidate (name, value, low, high, best), a line at the baseline."""
    names = [row["name"] for row in rows]
    axis = figure_axis(shares, grid=True)
    base = alt.Chart(table(rows)).encode(y=names_down("name:N", names))
    tips = [alt.Tooltip("name:N", title="model"), alt.Tooltip("shown:N", title=title)]
    layers = []
    if baseline is not None:
        line = alt.Chart(table([{"value": baseline}]))
        layers.append(line.mark_rule(style="guide").encode(x="value:Q"))
    for best in (False, True):
        part = base.transform_filter(f"datum.best === {'true' if best else 'false'}")
        style = "accent" if best else "quiet"
        layers.append(
            part.mark_rule(style=style, strokeWidth=2.5, strokeCap="round").encode(
                x=alt.X("low:Q", title=title, axis=axis, scale=alt.Scale(zero=True)), x2="high:Q"
            )
        )
        layers.append(
            part.mark_point(style=style, filled=True, size=90, opacity=1).encode(
                x=alt.X("value:Q"), tooltip=tips
            )
        )
    return sized(alt.layer(*layers), ROW_HEIGHT * len(rows))


def learning_chart(
    rows: Sequence[Mapping[str, Any]], names: Sequence[str], best: str, baseline: str | None
) -> Any:
    """Error against the number of training rows (name, size, error, low, high), a band for the best."""
    drawn = [name for name in names if name != baseline]
    sizes = sorted({int(row["size"]) for row in rows})
    x = alt.X(
        "size:Q",
        title="training rows (logarithmic)",
        scale=alt.Scale(type="log", nice=False),
        axis=alt.Axis(grid=False, format=",d", labelExpr=THOUSANDS, values=sizes),
    )
    y = alt.Y("error:Q", scale=alt.Scale(zero=True), **share_axis("error on rows not trained on"))
    scale, key = alt.Scale(domain=drawn), legend(drawn)
    colour = alt.Color("name:N", sort=drawn, scale=scale, legend=key)
    shape = alt.Shape("name:N", sort=drawn, scale=scale, legend=key)
    tips = [
        alt.Tooltip("name:N", title="model"),
        alt.Tooltip("size:Q", title="training rows"),
        alt.Tooltip("error:Q", title="error", format=".1%"),
    ]
    base = alt.Chart(table(row for row in rows if row["name"] in drawn))
    band = alt.Chart(table(row for row in rows if row["name"] == best))
    layers = [
        band.mark_area(style="accent", opacity=0.15, line=False).encode(x=x, y=alt.Y("low:Q"), y2="high:Q"),
        base.mark_line().encode(x=x, y=y, color=colour),
        base.mark_point(filled=True, size=60, opacity=1).encode(
            x=x, y=y, color=colour, shape=shape, tooltip=tips
        ),
    ]
    if baseline is not None:
        floor = alt.Chart(table(row for row in rows if row["name"] == baseline))
        layers.insert(0, floor.mark_line(style="guide").encode(x=x, y=y))
    return sized(alt.layer(*layers), 300)


def confusion_chart(counts: Array, names: Sequence[str], actions: Sequence[str] | None = None) -> Any:
    """Cells shaded by the share of the true class, with their counts; numbers go where there is no room.

    Columns are the predicted classes, or `actions`.
    """
    said = names if actions is None else actions
    totals = counts.sum(axis=1, keepdims=True)
    shares = np.divide(counts, totals, out=np.zeros_like(counts), where=totals > 0)
    rows = [
        {"true": names[i], "said": said[j], "n": count(counts[i, j]), "share": float(shares[i, j])}
        for i in range(len(names))
        for j in range(len(said))
    ]
    x, y = _class_axes(names, said, "predicted class" if actions is None else "action")
    base = alt.Chart(table(rows)).encode(x=x, y=y)
    tips = [
        alt.Tooltip("true:N", title="true class"),
        alt.Tooltip("said:N", title="predicted" if actions is None else "action"),
        alt.Tooltip("n:N", title="rows"),
        alt.Tooltip("share:Q", title="share of the true class", format=".1%"),
    ]
    # Never so dark that the number on it could not be read, in light and dark.
    opacity = alt.FillOpacity("share:Q", scale=alt.Scale(domain=[0, 1], range=[0.04, DARKEST]), legend=None)
    size, letters = len(said), max(len(count(n)) for n in counts.ravel())
    small = f"{size} > 12 || {size} > {FEW_CLASSES} && {NARROW} ? 10 : 12"
    room = alt.ExprRef(f"width / {size} < {0.6 * letters:.1f} * ({small}) + 3 ? 0 : 1")
    cells = base.mark_rect(style="cell").encode(fillOpacity=opacity, tooltip=tips)
    # In a large matrix the many zeros would hide the mistakes.
    some = base.transform_filter("datum.n !== '0'") if size > FEW_CLASSES else base
    text = some.mark_text(style="ink", opacity=room, fontSize=alt.ExprRef(small)).encode(text="n:N")
    return sized(alt.layer(cells, text), size * (44 if size <= 6 else 30 if size <= 12 else 24))


def _class_axes(names: Sequence[str], said: Sequence[str], title: str) -> tuple[alt.X, alt.Y]:
    """Every class named on both axes: upright where the page is narrow, and no label left out."""
    size = len(said)
    turned = size > 4 or max(map(len, (*names, *said))) > 12
    angle = alt.ExprRef(f"{NARROW} || {size} > 12 ? -90 : -40") if turned else 0
    beside = alt.ExprRef(f"{NARROW} ? {100 if turned else 90} : 150")
    same: dict[str, Any] = {"labelOverlap": False, "ticks": False, "domain": False}
    if turned:
        same["labelFontSize"] = alt.ExprRef(f"{size} > 12 || {size} > {FEW_CLASSES} && {NARROW} ? 10 : 12")
    above: dict[str, Any] = (
        {"labelAlign": "left", "labelBaseline": "middle", "labelPadding": 7} if turned else {}
    )
    x = alt.X(
        "said:N", sort=list(said), title=title,
        axis=alt.Axis(orient="top", labelAngle=angle, labelLimit=beside, **same, **above),
    )  # fmt: skip
    y = alt.Y(
        "true:N", sort=list(names), title="true class", axis=alt.Axis(labelLimit=beside, **same)
    )  # fmt: skip
    return x, y


def pairs_chart(rows: Sequence[Mapping[str, Any]]) -> Any:
    """The classes most often taken for one another (pair, n, shown), where there are too many for a matrix."""
    order = [row["pair"] for row in rows]
    lines = f"{NARROW} ? [split(datum.label, ' → ')[0] + ' →', split(datum.label, ' → ')[1]] : datum.label"
    base = alt.Chart(table(rows)).encode(
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


def calibration_chart(found: CalibrationTable, y_title: str, low: float) -> Any:
    """Observed shares with intervals against predicted ones, the diagonal for comparison."""
    rows = [
        {"p": b.mean_predicted, "seen": b.observed, "low": b.low, "high": b.high, "n": b.count}
        for b in found.rows
    ]
    # The same room for the labels as the bars below have, so that both stand under each other.
    x = alt.X("p:Q", scale=alt.Scale(domain=[low, 1], nice=False), **share_axis(None, grid=True))
    scale = alt.Scale(domain=[0, 1], nice=False)
    y = alt.Y("seen:Q", scale=scale, **share_axis(y_title, grid=True, minExtent=EXTENT, maxExtent=EXTENT))
    base = alt.Chart(table(rows)).encode(x=x)
    tips = [
        alt.Tooltip("p:Q", title="predicted", format=".1%"),
        alt.Tooltip("seen:Q", title="observed", format=".1%"),
        alt.Tooltip("n:Q", title="rows"),
    ]
    diagonal = alt.Chart(table([{"p": low, "seen": low}, {"p": 1, "seen": 1}])).mark_line(style="guide")
    return sized(
        alt.layer(
            diagonal.encode(x=x, y=y),
            base.mark_line(style="accent", strokeWidth=1, opacity=0.5).encode(y=y),
            base.mark_rule(style="accent", strokeWidth=2).encode(y=alt.Y("low:Q"), y2="high:Q"),
            base.mark_point(style="accent", filled=True, size=70, opacity=1).encode(y=y, tooltip=tips),
        ),
        300,
    )


def count_chart(found: CalibrationTable, x_title: str, low: float) -> Any:
    """How many rows were given which probability."""
    rows = [{"a": b.lower, "b": b.upper, "n": b.count} for b in found.rows]
    base = alt.Chart(table(rows))
    x = alt.X("a:Q", scale=alt.Scale(domain=[low, 1], nice=False), bin="binned", **share_axis(x_title))
    tips = [alt.Tooltip("n:Q", title="rows")]
    bars = base.mark_bar(style="quiet", opacity=0.55).encode(
        x=x,
        x2="b:Q",
        y=alt.Y(
            "n:Q",
            title="rows",
            axis=alt.Axis(
                tickCount=2, grid=False, format=",d", labelExpr=THOUSANDS, minExtent=EXTENT, maxExtent=EXTENT
            ),
        ),
        tooltip=tips,
    )
    return sized(bars, 70)


def roc_chart(curves: Sequence[Roc], names: Sequence[str]) -> Any:
    """Hits against wrong alarms; one curve for two classes, one a class against the rest for more."""
    rows = [
        {"x": float(a), "y": float(b), "name": names[i], "step": step}
        for i, curve in enumerate(curves)
        for step, (a, b) in enumerate(zip(curve.false_positive, curve.true_positive, strict=True))
    ]
    scale = alt.Scale(domain=[0, 1], nice=False)
    x = alt.X("x:Q", scale=scale, **share_axis("wrong alarms (share of the other rows)", grid=True))
    y = alt.Y("y:Q", scale=scale, **share_axis("found (share of the class)", grid=True))
    chance = alt.Chart(table([{"x": 0, "y": 0}, {"x": 1, "y": 1}])).mark_line(style="guide").encode(x=x, y=y)
    base = alt.Chart(table(rows)).encode(x=x, y=y, order="step:Q")
    if len(curves) == 1:
        return sized(alt.layer(chance, base.mark_line(style="accent")), 300)
    key = legend(names)
    colour = alt.Color("name:N", sort=list(names), scale=alt.Scale(domain=list(names)), legend=key)
    dash = alt.StrokeDash("name:N", sort=list(names), scale=dashes(names), legend=key)
    return sized(alt.layer(chance, base.mark_line().encode(color=colour, strokeDash=dash)), 320)


def threshold_chart(curve: ThresholdCurve, positive: str, loss_title: str, shares: bool) -> Any:
    """Mean loss against the threshold, the one in use and the one that did best."""
    grid, values = on_grid(curve)
    axis = figure_axis(shares)
    x = alt.X(
        "t:Q", scale=alt.Scale(domain=[0, 1], nice=False),
        **share_axis(f"threshold: predict {positive} above it", grid=False),
    )  # fmt: skip
    y = alt.Y("loss:Q", title=loss_title, axis=axis, scale=alt.Scale(domain=[0, curve.top], nice=True))
    line = alt.Chart(table({"t": t, "loss": v} for t, v in zip(grid.tolist(), values.tolist(), strict=True)))
    used = [{"t": curve.chosen, "loss": curve.chosen_loss, "what": "in use"}]
    best = [{"t": curve.best, "loss": curve.best_loss, "what": "least on these rows"}]
    tips = [
        alt.Tooltip("what:N", title="threshold"),
        alt.Tooltip("t:Q", title="at", format=".3"),
        alt.Tooltip("loss:Q", title=loss_title, format=".3"),
    ]
    return sized(
        alt.layer(
            line.mark_line(style="quiet", interpolate="step-after", clip=True).encode(x=x, y=y),
            alt.Chart(table(used)).mark_rule(style="guide").encode(x=x),
            alt.Chart(table(used))
            .mark_point(style="accent", filled=True, size=110, opacity=1)
            .encode(x=x, y=y, tooltip=tips),
            alt.Chart(table(best))
            .mark_point(style="second", filled=True, shape="diamond", size=110, opacity=1)
            .encode(x=x, y=y, tooltip=tips),
        ),
        260,
    )


def reject_chart(curve: RejectCurve, measure: str, title: str) -> Any:
    """What is left among the rows kept as doubtful ones are handed on."""
    values = curve.error if measure == "error" else curve.loss
    rows = [{"r": float(r), "v": float(v)} for r, v in zip(curve.reject_rate, values, strict=True)]
    axis = figure_axis(measure == "error")
    chart = (
        alt.Chart(table(rows))
        .mark_line(style="accent")
        .encode(
            x=alt.X(
                "r:Q",
                scale=alt.Scale(nice=False),
                **share_axis("share of rows rejected", grid=False),
            ),
            y=alt.Y("v:Q", title=title, axis=axis, scale=alt.Scale(zero=True)),
        )
    )
    return sized(chart, 260)
