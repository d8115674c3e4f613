"""Four kernels on rings and a spiral of two classes, with their support vectors."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from assay import KernelSVM
from assay.charts.regions import Box
from docs.pictures.planes import point_layer, region_layer, x_axis, y_axis
from docs.pictures.style import INK, panel_title, table

Array = NDArray[np.float64]
NAMES = ("y = -1", "y = 1")
BOX = Box(-3.4, 3.4, -3.0, 3.0)
WIDTH, HEIGHT = 352, 260


def rings() -> tuple[Array, NDArray[np.intp]]:
    """A disc inside a ring."""
    rng = np.random.default_rng(3)
    codes = np.repeat([0, 1], 60)
    radius = np.where(codes == 0, rng.uniform(0.0, 1.1, 120), rng.normal(2.2, 0.25, 120))
    angle = rng.uniform(0.0, 2.0 * np.pi, 120)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]), codes


def spiral() -> tuple[Array, NDArray[np.intp]]:
    """Two arms around each other."""
    rng = np.random.default_rng(4)
    codes = np.repeat([0, 1], 80)
    turn = np.tile(np.linspace(0.4, 2.6, 80), 2)
    angle = 2.2 * turn + np.pi * codes
    X = np.column_stack([turn * np.cos(angle), turn * np.sin(angle)])
    return X + rng.normal(scale=0.12, size=X.shape), codes


def ring_layer(X: Array, x: alt.X, y: alt.Y) -> alt.Chart:
    rows = [{"x": float(p), "y": float(q)} for p, q in X]
    ring = alt.Chart(table(rows)).mark_point(filled=False, size=110, stroke=INK, strokeWidth=1, opacity=1)
    return ring.encode(x=x, y=y)


def panel(model: Any, title: str, X: Array, codes: NDArray[np.intp]) -> alt.LayerChart:
    model.fit(X, codes)
    place = x_axis(BOX, values=[-2, 0, 2]), y_axis(BOX, values=[-2, 0, 2])
    layers = (
        region_layer(model, BOX, *place),
        ring_layer(X[model.support_], *place),
        point_layer(X, codes, NAMES, *place),
    )
    wrong = int((model.predict(X) != codes).sum())
    says = f"{len(model.support_)} support vectors (ringed), {wrong} of {len(codes)} rows wrong"
    return alt.layer(*layers).properties(width=WIDTH, height=HEIGHT, title=panel_title(title, says))


def chart() -> Any:
    """A line fails on the rings, a parabola does not; the spiral needs a Gaussian kernel, not too wide."""
    disc, arms = rings(), spiral()
    above = alt.hconcat(
        panel(KernelSVM("linear", C=10.0), 'KernelSVM("linear", C=10)', *disc),
        panel(KernelSVM("polynomial", C=10.0, degree=2), 'KernelSVM("polynomial", degree=2, C=10)', *disc),
        spacing=24,
    )
    below = alt.hconcat(
        panel(KernelSVM(gamma=0.1, C=10.0), "KernelSVM(gamma=0.1, C=10)", *arms),
        panel(KernelSVM(gamma=3.0, C=10.0), "KernelSVM(gamma=3, C=10)", *arms),
        spacing=24,
    )
    return alt.vconcat(above, below, spacing=16).resolve_scale(color="independent", shape="independent")
