"""What each column of a new patient says in mixed naive Bayes: numbers, categories, counts and texts add up."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np

from assay import MixedNB
from docs.pictures.style import BLUE, ORANGE, QUIET, panel_title, table

PATIENTS = {
    "age": [24.5, 31.0, 44.5, 52.0, 61.5, 70.0],
    "smoker": ["no", "no", "yes", None, "yes", "yes"],
    "visits": [0, 1, 1, 6, 4, 9],
    "note": ["tired", "sprained ankle", "cold, tired", "chest pain", None, "short breath, chest pain"],
}
SICK = ["no", "no", "no", "yes", "yes", "yes"]
KINDS = {"visits": "count", "note": "text"}
NEW = {"age": 36.0, "smoker": "yes", "visits": 5, "note": "chest pain"}
DISTRIBUTION = {"age": "normal", "smoker": "Bernoulli", "visits": "Poisson", "note": "words"}
ALL = "all columns"
TITLE = (
    "Evidence of one patient, column by column",
    "log odds of sick against healthy, given that column alone; equal priors",
)


def log_odds(model: MixedNB, known: dict[str, Any]) -> float:
    """ln P(yes | x) - ln P(no | x), with all other columns missing."""
    row = {name: [known.get(name)] for name in NEW}
    no, yes = model.predict_log_proba(row)[0]
    return float(yes - no)


def evidence() -> list[dict[str, Any]]:
    """A bar per column, and their sum."""
    model = MixedNB(kinds=KINDS).fit(PATIENTS, SICK)
    bars = {
        f"{name} = {value} ({DISTRIBUTION[name]})": log_odds(model, {name: value})
        for name, value in NEW.items()
    }
    whole = log_odds(model, NEW)
    assert np.isclose(sum(bars.values()), whole)  # priors are equal: the evidence adds up
    return [{"column": name, "value": value} for name, value in {**bars, ALL: whole}.items()]


def chart() -> Any:
    """Bars to the left speak for healthy, to the right for sick."""
    rows = evidence()
    base = alt.Chart(table(rows)).encode(
        y=alt.Y("column:N", sort=[row["column"] for row in rows], title=None, axis=alt.Axis(labelLimit=260)),
        x=alt.X("value:Q", title="healthy  ←  log odds  →  sick"),
    )
    bars = base.mark_bar(height=16).encode(
        color=alt.condition("datum.value > 0", alt.value(ORANGE), alt.value(BLUE))
    )
    zero = alt.Chart(table([{"x": 0.0}])).mark_rule(color=QUIET).encode(x="x:Q")
    return alt.layer(bars, zero).properties(width=420, height=170, title=panel_title(*TITLE))
