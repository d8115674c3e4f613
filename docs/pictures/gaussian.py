"""What four forms of the covariance decide on one table of two measurements."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from assay import GaussianClassifier, evaluate
from assay.charts.regions import Box
from docs.pictures.planes import SURE, ellipse_layer, point_layer, region_layer, x_axis, y_axis
from docs.pictures.style import panel_title

NAMES = ("class a", "class b", "class c")
BOX = Box(-7.5, 6.9, -4.6, 4.4)
FORMS = {
    "shared": "one covariance for all classes",
    "full": "one covariance per class",
    "diagonal": "one variance per class and feature",
    "spherical": "one variance per class",
}
ROWS_A_CLASS = 40
SAYS = f"dark where a posterior reaches {SURE}; ellipses at two standard deviations"


def sample() -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Three classes of different size and slope."""
    rng = np.random.default_rng(3)
    means = ([-2.6, 0.0], [0.3, -1.3], [3.0, 1.9])
    long, across = [[3.6, 1.6], [1.6, 1.0]], [[1.4, -0.6], [-0.6, 0.5]]
    spreads = (long, long, across)
    X = np.vstack([rng.multivariate_normal(m, s, ROWS_A_CLASS) for m, s in zip(means, spreads, strict=True)])
    return X, np.repeat(np.arange(3), ROWS_A_CLASS)


def covariances(model: Any) -> NDArray[np.float64]:
    """The covariance of each class, whatever form the model keeps."""
    if model.covariance == "shared":
        return np.stack([model.covariance_] * 3)
    if model.covariance == "full":
        return np.asarray(model.covariance_)
    return np.stack([np.diag(np.broadcast_to(variance, 2)) for variance in model.var_])


def panel(form: str, X: NDArray[np.float64], y: NDArray[np.intp]) -> alt.LayerChart:
    model = GaussianClassifier(form).fit(X, y)
    error = evaluate(GaussianClassifier(form), X, y).error
    place = x_axis(BOX, values=[-6, -3, 0, 3, 6]), y_axis(BOX, values=[-4, -2, 0, 2, 4])
    layers = alt.layer(
        region_layer(model, BOX, *place),
        ellipse_layer(model.means_, covariances(model), *place),
        point_layer(X, y, NAMES, *place, title=SAYS),
    )
    says = f"{FORMS[form]}; 10-fold error {100 * error:.0f} %"
    return layers.properties(width=352, height=220, title=panel_title(f'covariance="{form}"', says))


def chart() -> Any:
    """Regions of four models, with the ellipse that each fits to a class."""
    X, y = sample()
    panels = [panel(form, X, y) for form in FORMS]
    return alt.concat(*panels, columns=2)
