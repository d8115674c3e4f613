"""What all pictures look like: colours, letters, and how a chart becomes a file.

The colours are those of Okabe and Ito, which colour-blind readers can tell apart; a shape or a label says the
same once more. The background is painted white, so that a picture reads on a dark page too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import altair as alt
import vl_convert

ORANGE, SKY, GREEN, YELLOW = "#E69F00", "#56B4E9", "#009E73", "#F0E442"
BLUE, VERMILION, PURPLE, BLACK = "#0072B2", "#D55E00", "#CC79A7", "#000000"
INK, QUIET, PALE = "#222222", "#666666", "#E8E8E8"
CLASS_COLOURS = (BLUE, ORANGE, GREEN)
CLASS_SHAPES = ("circle", "square", "triangle-up")
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
MOST_BYTES = 120_000


def table(rows: Iterable[Mapping[str, Any]]) -> alt.Data:
    """Rows of a chart; numbers keep five digits, more than a pixel shows."""
    return alt.Data(values=[{name: _short(value) for name, value in row.items()} for row in rows])


def _short(value: Any) -> Any:
    return float(f"{value:.5g}") if isinstance(value, float) else value


def class_colour(names: Iterable[str], **options: Any) -> alt.Color:
    """Colour of the column `label`, the classes in the order of `names`."""
    scale = alt.Scale(domain=list(names), range=list(CLASS_COLOURS))
    return alt.Color("label:N", scale=scale, **options)


def tint(colour: str, strength: float) -> str:
    """The colour mixed with white: solid, because see-through areas show a seam where they meet."""
    parts = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return "#" + "".join(f"{round(255 + strength * (part - 255)):02X}" for part in parts)


def class_shape(names: Iterable[str], **options: Any) -> alt.Shape:
    """Shape of the column `label`, so that classes differ without colour too."""
    return alt.Shape("label:N", scale=alt.Scale(domain=list(names), range=list(CLASS_SHAPES)), **options)


def panel_title(text: str, *more: str) -> alt.TitleParams:
    """Title of one panel, with quieter lines below it."""
    below = {"subtitle": list(more)} if more else {}
    return alt.TitleParams(text, anchor="start", frame="group", **below)


def styled(chart: Any) -> Any:
    """The chart in the house style."""
    return (
        chart.configure(background="white", font=FONT, padding=12)
        # A description of every point would make a file ten times as long; the page has the alternative text.
        .configure_mark(aria=False)
        .configure_view(stroke="#BBBBBB")
        .configure_axis(
            labelColor=INK,
            titleColor=INK,
            labelFontSize=11,
            titleFontSize=12,
            titleFontWeight="normal",
            grid=False,
            domainColor="#888888",
            tickColor="#888888",
            aria=False,
        )
        .configure_legend(
            labelColor=INK,
            titleColor=INK,
            labelFontSize=12,
            titleFontSize=12,
            titleFontWeight="normal",
            symbolSize=80,
            labelLimit=400,
            titleLimit=600,
            aria=False,
        )
        .configure_title(
            color=INK,
            fontSize=13,
            fontWeight="bold",
            subtitleColor=QUIET,
            subtitleFontSize=12,
            subtitlePadding=3,
        )
        .configure_concat(spacing=22)
    )


def slim(svg: str) -> str:
    """The same picture without what shows nothing, to a hundredth of a pixel, each symbol spelled out once."""
    svg = re.sub(r' (?:aria-[a-z]+|role|class|pointer-events)="[^"]*"| opacity="1"', "", svg)
    svg = re.sub(r'<path d="[^"]*"(?: display="none")?/>', "", svg)
    svg = re.sub(r'(?<= )(?:d|transform)="[^"]*"', _rounded, svg)
    placed = re.compile(r'<path transform="translate\(([-\d.]+),([-\d.]+)\)" (d=[^>]*)/>')
    counts = Counter(match[3] for match in placed.finditer(svg))
    names = {shape: f"s{place}" for place, (shape, count) in enumerate(counts.items()) if count > 3}
    defined = "".join(f'<path id="{name}" {shape}/>' for shape, name in names.items())

    def short(match: re.Match[str]) -> str:
        x, y, shape = match.groups()
        return f'<use href="#{names[shape]}" x="{x}" y="{y}"/>' if shape in names else match[0]

    return re.sub(r"(<svg[^>]*>)", rf"\1<defs>{defined}</defs>", placed.sub(short, svg), count=1)


def _rounded(attribute: re.Match[str]) -> str:
    return re.sub(r"\d+\.\d+", lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), attribute[0])


def write(chart: Any, path: Path) -> int:
    """Write the chart as SVG; the number of its bytes."""
    svg = slim(vl_convert.vegalite_to_svg(styled(chart).to_json()))
    size = len(svg.encode())
    if size > MOST_BYTES:
        raise ValueError(
            f"{path.name} would have {size} bytes: draw fewer points to stay within {MOST_BYTES}."
        )
    path.write_text(svg + "\n", encoding="utf-8")
    return size
