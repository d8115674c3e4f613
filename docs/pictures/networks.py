"""Two moons: what a single layer, a few hidden units and many decide, and when training should stop."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from assay.charts.regions import Box
from assay.models.network.multi_layer import NeuralNetwork
from assay.models.network.single_layer import SingleLayerNetwork
from docs.pictures.planes import SURE, point_layer, region_layer, x_axis, y_axis
from docs.pictures.style import BLUE, VERMILION, panel_title, table

Array = NDArray[np.float64]
NAMES = ("upper", "lower")
BOX = Box(-1.9, 2.9, -1.5, 2.0)
ROWS_A_CLASS, WIDTH, HEIGHT = 50, 352, 220
NOISE = 0.28
EPOCHS = 400


def sample(seed: int, rows: int) -> tuple[Array, NDArray[np.intp]]:
    """Two half circles that reach into each other, with noise."""
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(2), rows)
    angle = rng.uniform(0, np.pi, 2 * rows)
    arcs = np.column_stack([np.cos(angle), np.sin(angle)])
    arcs[codes == 1] = [1.0, 0.5] - arcs[codes == 1]
    return arcs + rng.normal(scale=NOISE, size=arcs.shape), codes


def regions(model: Any, title: str, X: Array, codes: NDArray[np.intp]) -> alt.LayerChart:
    """What a fitted model decides, and how often it is wrong on new rows."""
    fresh, truth = sample(2, 5000)
    error = float((model.predict(fresh) != truth).mean())
    place = x_axis(BOX, values=[-1, 0, 1, 2]), y_axis(BOX, values=[-1, 0, 1, 2])
    layers = region_layer(model, BOX, *place), point_layer(X, codes, NAMES, *place)
    says = panel_title(
        title, f"{100 * error:.1f} % of 10 000 new rows wrong; dark: posterior of {SURE} or more"
    )
    return alt.layer(*layers).properties(width=WIDTH, height=HEIGHT, title=says)


def progress(X: Array, codes: NDArray[np.intp]) -> alt.Chart:
    """Training loss and validation error, epoch by epoch."""
    model = wide(epochs=EPOCHS, early_stopping=True, validation_share=0.3, patience=EPOCHS).fit(X, codes)
    rows = [
        {"epoch": epoch, "value": value, "what": what}
        for epoch, (loss, error) in enumerate(model.history_, start=1)
        for what, value in (("training loss", loss), ("validation error", error))
        if epoch % 4 == 1
    ]
    colours = alt.Scale(domain=["training loss", "validation error"], range=[BLUE, VERMILION])
    says = panel_title(
        "Training loss keeps falling, validation error does not", "early stopping restores the best epoch"
    )
    return (
        alt.Chart(table(rows))
        .mark_line(strokeWidth=2)
        .encode(
            x=alt.X("epoch:Q", title="epoch", scale=alt.Scale(domain=[0, EPOCHS])),
            y=alt.Y("value:Q", title=None),
            color=alt.Color("what:N", scale=colours, legend=alt.Legend(orient="bottom", title=None)),
            strokeDash=alt.StrokeDash("what:N", legend=None),
        )
        .properties(width=WIDTH, height=HEIGHT, title=says)
    )


def wide(**settings: Any) -> NeuralNetwork:
    """Far more weights than the rows can pay for."""
    return NeuralNetwork((128, 128), learning_rate=0.005, batch_size=20, l2=0.0, **settings)


def chart() -> Any:
    """Three networks on one sample, and the training of the widest."""
    X, codes = sample(1, ROWS_A_CLASS)
    flat = SingleLayerNetwork().fit(X, codes)
    small = NeuralNetwork((8,), activation="tanh", learning_rate=0.02, epochs=500, l2=0.003).fit(X, codes)
    large = wide(epochs=EPOCHS, patience=EPOCHS).fit(X, codes)
    return alt.concat(
        regions(flat, "A single layer", X, codes),
        regions(small, "8 hidden units, weight decay", X, codes),
        regions(large, "Two layers of 128, no decay", X, codes),
        progress(X, codes),
        columns=2,
    ).resolve_scale(color="independent", shape="independent")
