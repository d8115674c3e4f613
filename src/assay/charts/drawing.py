"""A picture of a result: a chart with its words and its numbers, as SVG, PNG, a page, or Vega-Lite's JSON."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from altair import SCHEMA_URL

from assay.charts.document import Figure, Panel, Section, Verdict
from assay.charts.html import PageHeader, compose, specification
from assay.charts.palette import config, in_picture
from assay.data.write.atomic import write_bytes, write_text
from assay.notes import Note
from assay.types import Json

WIDTH = 640  # of a picture, in pixels
BETWEEN = 24  # of pictures side by side
SHARPNESS = 2.0  # pixels of a PNG for one of the drawing
KINDS = (".svg", ".png", ".html", ".json")


@dataclass(frozen=True, eq=False, repr=False)
class Drawing:
    """A chart of a result, which notebooks show and `save` writes.

    Attributes
    ----------
    title : str
    says : str
        One sentence about what the chart shows.
    figure : Figure
        The chart, its caption and its numbers as a table.
    more : str
        Further remarks.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from assay import KNeighborsClassifier, tune
    >>> found = tune(KNeighborsClassifier(), *load_iris(return_X_y=True), n_neighbors=[1, 5, 25])
    >>> found.chart()
    <Drawing: 3 settings of KNeighborsClassifier. n_neighbors = 5 has the least error, 3.3 %.>
    """

    title: str
    says: str
    figure: Figure
    more: str = ""

    def __repr__(self) -> str:
        plain = self.says.replace("\u202f", " ")
        return f"<Drawing: {self.title}. {plain}>"

    def _repr_svg_(self) -> str:
        return self.svg()

    @property
    def spec(self) -> dict[str, Json]:
        """The chart as a Vega-Lite specification of fixed width, in plain colours on white."""
        panels = self.figure.panels
        panel_width = (WIDTH - BETWEEN * (len(panels) - 1)) // len(panels)
        charts = [_fixed(panel, panel_width) for panel in panels]
        whole: Mapping[str, Json] = charts[0] if len(charts) == 1 else {"hconcat": charts, "spacing": BETWEEN}
        look = {**config(in_picture), "background": in_picture("paper"), "padding": 12}
        return {
            "$schema": SCHEMA_URL,
            "description": f"{self.says} {self.more}".strip(),
            "config": look,
            **whole,
        }

    def svg(self) -> str:
        """The picture as SVG."""
        import vl_convert

        return str(vl_convert.vegalite_to_svg(json.dumps(self.spec)))

    def page(self) -> str:
        """A page of its own: the chart, its caption and its numbers; it asks nobody for anything."""
        cover = PageHeader(
            self.title, "A chart and its numbers", "Summary", Verdict(self.says, self.more, ())
        )
        return compose(cover, [Section("chart", "Chart", "Chart", (self.figure,))])

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the picture; the ending of the name says how: .svg, .png, .html or .json."""
        kind = Path(path).suffix.lower()
        if kind == ".html":
            return write_text(path, self.page())
        if kind == ".svg":
            return write_text(path, self.svg() + "\n")
        if kind == ".json":
            return write_text(path, json.dumps(self.spec, indent=1) + "\n")
        if kind == ".png":
            import vl_convert

            return write_bytes(path, vl_convert.vegalite_to_png(json.dumps(self.spec), scale=SHARPNESS))
        raise ValueError(Note("L062", path=str(path), endings=list(KINDS)))


def _fixed(panel: Panel, width: int) -> dict[str, Json]:
    """As wide as asked, which a chart of the page leaves to the page."""
    spec = {**specification(panel), "width": width}
    spec.pop("autosize", None)
    return spec
