"""A search for features where there are none to find: the error it was guided by, and that of the search itself."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np

from assay import FeatureSearch, GaussianNB, evaluate, select_features
from docs.pictures.style import BLUE, QUIET, VERMILION, panel_title, table

ROWS, COLUMNS, MOST = 60, 200, 8
OUTSIDE, INSIDE = "CV error of the search", "nested estimate"
COLOURS = {OUTSIDE: VERMILION, INSIDE: BLUE}


def rows() -> list[dict[str, Any]]:
    """Both errors of sets of growing size."""
    X = np.random.default_rng(1).normal(size=(ROWS, COLUMNS))
    y = np.arange(ROWS) % 2
    steps = select_features(GaussianNB(), X, y, n_features=MOST).path
    found = [{"n": len(step.features), "error": step.error, "how": OUTSIDE} for step in steps]
    searches = {str(n): FeatureSearch(GaussianNB(), n_features=n) for n in range(1, MOST + 1)}
    nested = evaluate(searches, X, y, progress=False)
    return found + [{"n": int(n), "error": result.error, "how": INSIDE} for n, result in nested.items()]


def chart() -> Any:
    """Two curves about chance, named at their ends."""
    drawn = rows()
    x = alt.X(
        "n:Q",
        title="selected features",
        scale=alt.Scale(domain=[0.7, MOST + 0.3], nice=False),
        axis=alt.Axis(tickMinStep=1),
    )
    y = alt.Y("error:Q", title="error", axis=alt.Axis(format=".0%"), scale=alt.Scale(domain=[0.0, 0.7]))
    colour = alt.Color("how:N", scale=alt.Scale(domain=[*COLOURS], range=[*COLOURS.values()]), legend=None)
    lines = alt.Chart(table(drawn)).encode(x=x, y=y, color=colour)
    ends = alt.Chart(table([row for row in drawn if row["n"] == MOST])).encode(x=x, y=y, color=colour)
    names = ends.mark_text(align="right", dy=16, fontSize=12).encode(text="how:N")
    chance = alt.Chart(table([{"error": 0.5}])).mark_rule(color=QUIET, strokeDash=[5, 4]).encode(y=y)
    title = panel_title(
        "Feature selection on noise", f"{COLUMNS} columns of noise, {ROWS} rows, naive Bayes; chance is 50 %"
    )
    return alt.layer(chance, lines.mark_line(point=True), names).properties(
        width=480, height=250, title=title
    )
