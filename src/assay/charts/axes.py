"""Axes, legends and sizes that charts share.

Names of fields are fixed; names of classes and models are values only, so that a label may be anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias, TypedDict, Unpack

import altair as alt
import numpy as np

from assay.charts.palette import DASHES, NARROW, SHAPES

ROW_HEIGHT = 26
EXTENT = 44
Row: TypeAlias = Mapping[str, object]  # of a chart: numbers, texts, truth values, by their fields
Picture: TypeAlias = alt.Chart | alt.LayerChart | alt.FacetChart  # what Altair says that layers make


class AxisOptions(TypedDict, total=False):
    """What an axis is given beside its format and ticks."""

    grid: bool
    minExtent: float
    maxExtent: float
    labelLimit: float | alt.ExprRef
    labelExpr: str
    labelOverlap: bool


class TitledAxis(TypedDict):
    """The part of a channel that says what it measures."""

    title: str | None
    axis: alt.Axis


THOUSANDS = "replace(datum.label, ',', '\u202f')"  # apart as in the text of the page


def chart_data(rows: Iterable[Row]) -> alt.Data:
    """Rows of a chart; numbers keep five digits, more than a pixel shows."""
    return alt.Data(  # type: ignore[no-untyped-call]
        values=[{name: _short(value) for name, value in row.items()} for row in rows]
    )


def _short(value: object) -> object:
    if isinstance(value, float | np.floating):
        return float(f"{value:.5g}") if np.isfinite(value) else None
    return int(value) if isinstance(value, np.integer) else value


def share_axis(title: str | None, **options: Unpack[AxisOptions]) -> TitledAxis:
    """Title and axis of a share in per cent."""
    return {"title": title, "axis": alt.Axis(format="~%", tickCount=6, **options)}


def figure_axis(shares: bool, **options: Unpack[AxisOptions]) -> alt.Axis:
    """The axis of errors in per cent, or of losses."""
    return alt.Axis(format="~%" if shares else "~g", tickCount=6, **options)


def names_down(field: str, order: Sequence[str], **options: Unpack[AxisOptions]) -> alt.Y:
    """Names below each other, in the order given."""
    axis = alt.Axis(ticks=False, domain=False, labelPadding=8, **options)
    return alt.Y(field, sort=list(order), title=None, axis=axis)


def sized(chart: Picture, height: int) -> Picture:
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
    return alt.Scale(domain=list(names), range=[list(dash) for dash in DASHES[: len(names)]])


def shapes(size: int) -> list[str]:
    """A shape of dots per class, beside its colour."""
    return [SHAPES[k % len(SHAPES)] for k in range(size)]
