"""The lasso path: every weight against the penalty; weights that are exactly 0 are not drawn."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
from sklearn.datasets import load_breast_cancer

from assay import LogisticRegression, Standardize, largest_l1
from docs.pictures.style import INK, QUIET, SKY, VERMILION, panel_title, table

STEPS, NAMED = 30, 4


def chart() -> Any:
    """Weights of standardised columns from the penalty that leaves none to a hundredth of it."""
    bunch = load_breast_cancer()
    X, y = Standardize().fit_transform(bunch.data), 1 - bunch.target
    most = largest_l1(LogisticRegression(), X, y)
    penalties = np.geomspace(most, most / 100, STEPS)
    weights = np.array([LogisticRegression(l1=l1).fit(X, y).coef_[0] for l1 in penalties])
    first = (weights != 0).argmax(axis=0) + STEPS * (weights == 0).all(axis=0)
    named = set(np.argsort(first, kind="stable")[:NAMED].tolist())
    rows = [
        {
            "l1": float(l1),
            "weight": float(weights[i, j]),
            "column": str(bunch.feature_names[j]),
            "early": j in named,
        }
        for j in range(X.shape[1])
        for i, l1 in enumerate(penalties)
        if weights[max(i - 1, 0) : i + 2, j].any()
    ]
    ends = [row for row in rows if row["early"] and row["l1"] == float(penalties[-1])]
    axis = alt.Axis(values=[0.003, 0.01, 0.03, 0.1, 0.3], format="~g")
    x = alt.X("l1:Q", title="penalty l1", scale=alt.Scale(type="log", nice=False, reverse=True), axis=axis)
    y_axis = alt.Y("weight:Q", title="weight of the standardised column")
    paint = alt.Color("early:N", scale=alt.Scale(domain=[True, False], range=[VERMILION, SKY]), legend=None)
    lines = (
        alt.Chart(table(rows))
        .mark_line(strokeWidth=1.6)
        .encode(x=x, y=y_axis, color=paint, detail="column:N")
    )
    words = alt.Chart(table(ends)).mark_text(align="left", dx=6, color=INK, fontSize=11)
    zero = alt.Chart(table([{"weight": 0.0}])).mark_rule(color=QUIET, strokeWidth=0.8).encode(y=y_axis)
    title = panel_title(
        "Breast cancer, 30 columns", "red: the first four columns that enter as the penalty falls"
    )
    return alt.layer(zero, lines, words.encode(x=x, y=y_axis, text="column:N")).properties(
        width=560, height=320, title=title
    )
