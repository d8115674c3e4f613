"""Selection among settings: the CV curve, and its selection bias on pure noise."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.pipeline import make_pipeline

from assay import KFold, KNeighborsClassifier, LogisticRegression, Standardize, nested, path, tune
from docs.pictures.style import BLUE, INK, QUIET, VERMILION, panel_title, table, tint

WIDTH, HEIGHT = 330, 240
TABLES, ROWS, COLUMNS, SETTINGS = 40, 100, 5, 40
SCORED, NESTED = "CV error of the selected setting", "nested estimate"
LINES = {SCORED: 1.0, NESTED: 0.0}
DASHES = [5, 4]


def curve_panel() -> alt.LayerChart:
    """Penalties of logistic regression: the least error, and the strongest penalty within one standard error of it."""
    model = make_pipeline(Standardize(), LogisticRegression())
    data = load_breast_cancer(return_X_y=True)
    found = tune(model, *data, plan=KFold(10), rule="one_se", l2=path(16, most=0.5))
    rows = [
        {"l2": next(iter(setting.values())), "error": error, "low": error - spread, "high": error + spread}
        for setting, error, spread in zip(found.settings, found.errors, found.standard_errors, strict=True)
    ]
    least = min(rows, key=lambda row: float(row["error"]))
    log = alt.Scale(type="log", domain=[0.8, 6e-6], nice=False)
    x = alt.X(
        "l2:Q",
        title="penalty l2, the simplest first",
        scale=log,
        axis=alt.Axis(format="~g", values=[0.1, 0.01, 0.001, 0.0001, 0.00001]),
    )
    title = "ten-fold CV error"
    y = alt.Y("error:Q", title=title, axis=alt.Axis(format=".0%"), scale=alt.Scale(domain=[0.0, 0.07]))
    base = alt.Chart(table(rows)).encode(x=x)
    band = base.mark_area(color=tint(BLUE, 0.18)).encode(y=alt.Y("low:Q", title=title), y2="high:Q")
    line = base.mark_line(color=BLUE, point=alt.OverlayMarkDef(color=BLUE, size=25)).encode(y=y)
    limit = alt.Chart(table([{"at": least["high"]}])).mark_rule(color=QUIET, strokeDash=DASHES)
    marks = (
        *_marked(least, "circle", ["least error"], 22, 24),
        *_marked(
            rows[found.chosen], "diamond", ["strongest penalty within", "one standard error of it"], -48, 24
        ),
    )
    return alt.layer(band, limit.encode(y="at:Q"), line, *marks).properties(
        width=WIDTH, height=HEIGHT, title=panel_title("Tuning curve", "logistic regression, breast cancer")
    )


def _marked(
    row: dict[str, Any], shape: str, text: list[str], dx: int, dy: int
) -> tuple[alt.Chart, alt.Chart]:
    base = alt.Chart(alt.Data(values=[{**row, "text": text}])).encode(x="l2:Q", y="error:Q")
    point = base.mark_point(shape=shape, size=150, color=INK, strokeWidth=2)
    return point, base.mark_text(dx=dx, dy=dy, color=INK, fontSize=11).encode(text="text:N")


def noise_rows() -> list[dict[str, Any]]:
    """Both errors of the same choice, on tables whose labels no column knows; dots of a line do not hide each other."""
    rows = []
    for seed in range(TABLES):
        X, y = np.random.default_rng(seed).normal(size=(ROWS, COLUMNS)), np.arange(ROWS) % 2
        found = nested(KNeighborsClassifier(), X, y, plan=KFold(10), n_neighbors=range(1, SETTINGS + 1))
        shift = 0.07 * (seed % 5 - 2)
        rows.append({"how": SCORED, "error": float(found.errors[found.final]), "y": LINES[SCORED] + shift})
        rows.append({"how": NESTED, "error": found.error, "y": LINES[NESTED] + shift})
    return rows


def noise_panel() -> alt.LayerChart:
    """One dot per table, a bar at the mean, chance as a line."""
    rows = noise_rows()
    colour = alt.Color("how:N", scale=alt.Scale(domain=[*LINES], range=[VERMILION, BLUE]), legend=None)
    x = alt.X("error:Q", title="error", axis=alt.Axis(format=".0%"), scale=alt.Scale(domain=[0.2, 0.7]))
    y = alt.Y("y:Q", axis=None, scale=alt.Scale(domain=[-0.4, 1.6]))
    dots = alt.Chart(table(rows)).mark_circle(size=38, opacity=1).encode(x=x, y=y, color=colour)
    said = []
    for how, place in LINES.items():
        errors = [row["error"] for row in rows if row["how"] == how]
        said.append(
            {"how": how, "y": place, "top": place + 0.31, "error": float(np.mean(errors)), "left": 0.205}
        )
    lines = alt.Chart(table(said)).encode(x=x, y=y)
    means = lines.mark_tick(orient="vertical", thickness=3, size=50, color=INK)
    names = lines.mark_text(align="left", fontSize=12, color=INK).encode(x="left:Q", y="top:Q", text="how:N")
    chance = alt.Chart(table([{"error": 0.5}])).mark_rule(color=QUIET, strokeDash=DASHES).encode(x=x)
    title = panel_title(
        "Selection bias", f"{TABLES} tables of pure noise, {SETTINGS} settings each; chance is 50 %"
    )
    return alt.layer(chance, dots, means, names).properties(width=WIDTH, height=HEIGHT, title=title)


def chart() -> Any:
    """The curve and, beside it, the bias of selecting along such curves."""
    return alt.hconcat(curve_panel(), noise_panel())
