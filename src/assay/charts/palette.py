"""Colours of the report, light and dark, and what its charts look like.

A chart names no colour. It names a style ("quiet", "accent") or leaves it to the scale, and the configuration fills
them in: with CSS variables on the page, so that one drawing serves light, dark and print, and with plain colours
where a chart becomes a picture. The class colours are told apart under each kind of colour blindness and stand out
from both backgrounds; a shape says the same once more.
"""

from __future__ import annotations

from collections.abc import Callable

from assay.types import Json

CLASS_COLOURS = 8  # classes beyond these share one grey

LIGHT = {
    "paper": "#FFFFFF",
    "raised": "#F5F7F9",
    "ink": "#1D2329",
    "quiet": "#5A6572",
    "line": "#AEB7C0",
    "grid": "#E7EAEE",
    "accent": "#0072B2",
    "accent-soft": "#CFE4F1",
    "second": "#D55E00",
    "warn": "#9A3F00",
    "warn-soft": "#FCEFE4",
    "good-soft": "#E9F2F9",
    "c1": "#0072B2",
    "c2": "#D55E00",
    "c3": "#009E73",
    "c4": "#CC79A7",
    "c5": "#332288",
    "c6": "#882255",
    "c7": "#225522",
    "c8": "#1B1B1B",
    "other": "#8A939C",
}
DARK = {
    "paper": "#15181C",
    "raised": "#1E2329",
    "ink": "#E7EAEE",
    "quiet": "#A4AEB9",
    "line": "#596470",
    "grid": "#2A3038",
    "accent": "#56B4E9",
    "accent-soft": "#23455B",
    "second": "#E69F00",
    "warn": "#FFB877",
    "warn-soft": "#33261B",
    "good-soft": "#1A2833",
    "c1": "#56B4E9",
    "c2": "#E69F00",
    "c3": "#009E73",
    "c4": "#DDCC77",
    "c5": "#7B6FD6",
    "c6": "#B8B8B8",
    "c7": "#997700",
    "c8": "#4477AA",
    "other": "#78828C",
}
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', Arial, sans-serif"
NARROW = "containerSize()[0] < 520"  # in the language of Vega: the page is a telephone's
TINT = 18  # per cent of a class's colour in its region
SHAPES = (
    "circle",
    "square",
    "triangle-up",
    "diamond",
    "cross",
    "triangle-down",
    "triangle-left",
    "triangle-right",
)
DASHES = (
    (1, 0),
    (7, 3),
    (2, 2),
    (9, 3, 2, 3),
    (5, 2),
    (1, 3),
    (12, 3),
    (4, 4),
)  # of lines, in the same order
CLASS_NAMES = tuple(f"c{k + 1}" for k in range(CLASS_COLOURS))
Colours = Callable[[str], str]


def on_page(name: str) -> str:
    """The colour as a CSS variable, which the page defines for light, dark and print."""
    return f"var(--{name})"


def in_picture(name: str) -> str:
    """The light colour itself, or a class's tint, for charts outside the page."""
    if name in LIGHT:
        return LIGHT[name]
    return tint(LIGHT[name[1:] if name[1:] in LIGHT else "c" + name[1:]], LIGHT["paper"])


def tint(colour: str, paper: str, share: float = TINT / 100) -> str:
    """The colour mixed into the background: solid, because see-through areas show a seam where they meet."""
    ends = [[int(code[place : place + 2], 16) for place in (1, 3, 5)] for code in (colour, paper)]
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02X}" for a, b in zip(*ends, strict=True))


def variables(colours: dict[str, str]) -> str:
    """The colours as CSS declarations, the tints of the class regions among them."""
    tints = {"t" + name[1:]: tint(colours[name], colours["paper"]) for name in CLASS_NAMES}
    tints["tother"] = tint(colours["other"], colours["paper"])
    return " ".join(f"--{name}: {value};" for name, value in {**colours, **tints}.items())


def config(colour: Colours = on_page) -> dict[str, Json]:
    """Configuration of every chart (Vega-Lite)."""
    return {
        "background": "transparent",
        "font": FONT,
        "padding": 2,
        # The page gives every chart its words; a description of each mark would be read out point by point.
        "aria": False,
        "view": {"stroke": None},
        "axis": _axis(colour),
        "legend": _legend(colour),
        "range": {"category": [colour(name) for name in CLASS_NAMES], "symbol": list(SHAPES)},
        "text": {"color": colour("ink"), "fontSize": 12},
        "line": {"strokeWidth": 2, "strokeJoin": "round"},
        "style": _styles(colour),
    }


def _lettering(colour: Colours) -> dict[str, Json]:
    """Labels and titles of axes and legends."""
    return {
        "labelColor": colour("ink"),
        "titleColor": colour("quiet"),
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
    }


def _axis(colour: Colours) -> dict[str, Json]:
    return {
        **_lettering(colour),
        "titlePadding": 8,
        "gridColor": colour("grid"),
        "domainColor": colour("line"),
        "tickColor": colour("line"),
        "labelLimit": {"expr": f"{NARROW} ? 185 : 240"},
        "labelOverlap": True,
    }


def _legend(colour: Colours) -> dict[str, Json]:
    return {
        **_lettering(colour),
        "symbolSize": 80,
        "symbolStrokeWidth": 2,
        "orient": "top",
        "direction": "horizontal",
    }


def _styles(colour: Colours) -> dict[str, Json]:
    plain = {name: {"color": colour(name)} for name in ("accent", "second", "quiet", "line", "ink", "other")}
    return {
        **plain,
        "soft": {"color": colour("accent-soft")},
        "point": {"filled": True, "opacity": 1},
        "guide": {"color": colour("quiet"), "strokeDash": [5, 4], "strokeWidth": 1.5},
        "cell": {"color": colour("accent"), "stroke": colour("paper"), "strokeWidth": 1},
        "outline": {"stroke": colour("paper"), "strokeWidth": 0.7},
    }
