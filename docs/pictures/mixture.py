"""Regions of one ellipse per class and of components, and three ways to find how many components there are."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from assay import GaussianMixtureClassifier, KFold, bic, tune
from assay.charts.regions import Box
from docs.pictures.planes import SURE, ellipse_layer, point_layer, region_layer, x_axis, y_axis
from docs.pictures.style import BLUE, GREEN, VERMILION, panel_title, table

Array = NDArray[np.float64]
NAMES = ("one", "the other")
BOX = Box(-6.0, 6.0, -5.0, 5.0)
ROWS = 240
COUNTS = range(1, 7)
WIDTH, HEIGHT = 352, 260
PLACES = {0: [(-3.2, 2.0), (0.2, -1.7), (3.0, 1.8)], 1: [(-3.0, -2.0), (0.0, 1.9), (3.2, -1.8)]}


def sample(rows: int, seed: int) -> tuple[Array, NDArray[np.intp]]:
    """Two classes of three components each, among each other."""
    rng = np.random.default_rng(seed)
    codes = np.arange(rows) % 2
    kinds = rng.integers(0, 3, rows)
    centres = np.array([PLACES[int(k)][b] for k, b in zip(codes, kinds, strict=True)])
    turns = np.array([[[0.9, 0.3], [0.0, 0.5]], [[0.5, -0.3], [0.2, 0.7]], [[0.6, 0.0], [0.0, 0.6]]])
    return np.einsum("nd,nde->ne", rng.normal(size=(rows, 2)), turns[kinds]) + centres, codes


def panel(n_components: int, X: Array, codes: NDArray[np.intp], says: str) -> alt.LayerChart:
    model = GaussianMixtureClassifier(n_components).fit(X, codes)
    place = x_axis(BOX, values=[-4, -2, 0, 2, 4]), y_axis(BOX, values=[-4, -2, 0, 2, 4])
    layers = (
        region_layer(model, BOX, *place),
        point_layer(X, codes, NAMES, *place),
        ellipse_layer(model.means_, model.covariances_, *place),
    )
    title = panel_title(f"GaussianMixtureClassifier({n_components})", says)
    return alt.layer(*layers).properties(width=WIDTH, height=HEIGHT, title=title)


def curves(X: Array, codes: NDArray[np.intp]) -> Any:
    """BIC, log likelihood of new rows and error on the folds, a small panel each."""
    new, _ = sample(4000, 8)
    models = [GaussianMixtureClassifier(n).fit(X, codes) for n in COUNTS]
    found = tune(GaussianMixtureClassifier(), X, codes, plan=KFold(10), n_components=COUNTS, progress=False)
    lines = (
        ("BIC, less is better", [bic(model) for model in models], BLUE, "~s"),
        ("mean ln p(x) of new rows", [model.score_samples(new).mean() for model in models], GREEN, ".2f"),
        ("error, ten folds", found.errors.tolist(), VERMILION, "%"),
    )
    return alt.hconcat(*(_curve(*line) for line in lines), spacing=18)


def _curve(title: str, values: list[float], colour: str, shown: str) -> alt.Chart:
    rows = [{"n": n, "value": float(value)} for n, value in zip(COUNTS, values, strict=True)]
    return (
        alt.Chart(table(rows))
        .mark_line(strokeWidth=2, color=colour, point=alt.OverlayMarkDef(color=colour, size=40))
        .encode(
            x=alt.X("n:O", title="components per class", axis=alt.Axis(labelAngle=0)),
            y=alt.Y(
                "value:Q", title=None, axis=alt.Axis(format=shown, tickCount=4), scale=alt.Scale(zero=False)
            ),
        )
        .properties(width=196, height=110, title=panel_title(title))
    )


def chart() -> Any:
    """Regions above, the number of components below."""
    X, codes = sample(ROWS, 3)
    dark = f"dark where a posterior reaches {SURE}"
    above = alt.hconcat(
        panel(1, X, codes, "one ellipse per class, at two standard deviations"),
        panel(3, X, codes, f"three components per class; {dark}"),
        spacing=24,
    )
    both = alt.vconcat(above, curves(X, codes), spacing=16)
    return both.resolve_scale(color="independent", shape="independent")
