"""What probabilities are worth before and after calibration, and the maps that were learned."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from assay import GaussianNB
from assay.decision import calibration_table
from assay.models.combine.calibrated import Calibrated
from docs.pictures.style import BLUE, GREEN, ORANGE, QUIET, panel_title, table

Array = NDArray[np.float64]
NAIVE, CURVE, STEPS = "GaussianNB", "Calibrated, sigmoid", "Calibrated, isotonic"
COLOURS = {NAIVE: ORANGE, CURVE: BLUE, STEPS: GREEN}
SHAPES = ["square", "circle", "triangle-up"]
SIZE = 320
REACH = 32.0


def sample(rows: int, seed: int) -> tuple[Array, NDArray[np.intp]]:
    """Two measurements, each written down five times with small errors: naive Bayes counts every copy."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, 2))
    codes = (rng.random(rows) < 1 / (1 + np.exp(-(1.5 * x[:, 0] - x[:, 1])))).astype(np.intp)
    return np.repeat(x, 5, axis=1) + 0.1 * rng.normal(size=(rows, 10)), codes


def legend_colour(**options: Any) -> alt.Color:
    scale = alt.Scale(domain=list(COLOURS), range=list(COLOURS.values()))
    return alt.Color("label:N", scale=scale, **options)


def reliability(models: dict[str, Any]) -> alt.LayerChart:
    """Share of rows that are of the second class, against the probability they were given."""
    X, codes = sample(20_000, 1)
    rows = []
    for name, model in models.items():
        found = calibration_table(codes, model.predict_proba(X), of=1)
        rows += [
            {"x": a, "y": b, "label": name}
            for a, b in zip(found.mean_predicted.tolist(), found.observed.tolist(), strict=True)
        ]
    unit = alt.Scale(domain=[0, 1])
    x = alt.X("x:Q", title="predicted probability", scale=unit, axis=alt.Axis(tickCount=5))
    y = alt.Y("y:Q", title="observed proportion", scale=unit, axis=alt.Axis(tickCount=5))
    shown = alt.Legend(orient="bottom", title=None)
    colour = legend_colour(legend=shown)
    shape = alt.Shape("label:N", scale=alt.Scale(domain=list(COLOURS), range=SHAPES), legend=shown)
    base = alt.Chart(table(rows)).encode(x=x, y=y, color=colour)
    diagonal = alt.Chart(table([{"x": 0.0, "y": 0.0}, {"x": 1.0, "y": 1.0}]))
    return alt.layer(
        diagonal.mark_line(color=QUIET, strokeDash=[4, 3]).encode(x=x, y=y),
        base.mark_line(strokeWidth=1.6),
        base.mark_point(filled=True, size=55, opacity=1).encode(shape=shape),
    ).properties(
        width=SIZE, height=SIZE, title=panel_title("Calibration", "20 000 new rows; dashed: calibrated")
    )


def maps(models: dict[str, Any]) -> alt.LayerChart:
    """The posterior against the log-odds of the model inside."""
    f = np.linspace(-REACH, REACH, 257)
    scores = np.stack([-f / 2, f / 2], axis=1)
    lines = {NAIVE: 1 / (1 + np.exp(-f))}
    lines |= {name: np.exp(models[name].map_.log_posterior(scores))[:, 1] for name in (CURVE, STEPS)}
    rows = [
        {"x": float(a), "y": float(b), "label": name}
        for name, values in lines.items()
        for a, b in zip(f, values, strict=True)
    ]
    x = alt.X("x:Q", title="log odds by GaussianNB", scale=alt.Scale(domain=[-REACH, REACH], nice=False))
    y = alt.Y("y:Q", title="posterior", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(tickCount=5))
    lines_of = alt.Chart(table(rows)).mark_line(strokeWidth=2)
    says = panel_title("Learned maps", "from 600 rows, each scored by a model trained on the others")
    return lines_of.encode(x=x, y=y, color=legend_colour()).properties(width=SIZE, height=SIZE, title=says)


def chart() -> Any:
    """Both panels."""
    X, codes = sample(600, 0)
    models = {
        NAIVE: GaussianNB().fit(X, codes),
        CURVE: Calibrated(GaussianNB()).fit(X, codes),
        STEPS: Calibrated(GaussianNB(), method="isotonic").fit(X, codes),
    }
    return alt.hconcat(reliability(models), maps(models), spacing=30)
