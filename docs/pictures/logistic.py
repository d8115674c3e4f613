"""Weights of logistic regression along the penalty, and the error by which a penalty is chosen."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer
from sklearn.pipeline import make_pipeline

from assay import KFold, LogisticRegression, Standardize, Tuned, path, tune
from assay.selection.criteria import within_one_se
from docs.pictures.style import BLUE, GREEN, INK, ORANGE, PURPLE, QUIET, SKY, VERMILION, panel_title, table

Array = NDArray[np.float64]
COLUMNS = ("texture", "area", "smoothness", "concave points", "symmetry", "fractal dimension")
COLOURS = (BLUE, VERMILION, GREEN, ORANGE, PURPLE, SKY)
WIDTH, WEIGHTS_HEIGHT, ERROR_HEIGHT = 620, 240, 170
STEPS = 25


def rows() -> tuple[Array, NDArray[np.intp]]:
    """Six columns of the breast cancer table; class 1 is malignant."""
    bunch = load_breast_cancer()
    names = [f"mean {name}" for name in COLUMNS]
    X = bunch.data[:, [list(bunch.feature_names).index(name) for name in names]]
    return X, 1 - bunch.target


def chart() -> Any:
    """Weights above, the error of ten folds below, both against the penalty."""
    X, y = rows()
    model = make_pipeline(Standardize(), LogisticRegression())
    found = tune(model, X, y, plan=KFold(10), l2=path(STEPS, most=1.0, least=1e-4), progress=False)
    penalties = np.array([setting["logisticregression__l2"] for setting in found.settings])
    simple = int(within_one_se(found.losses, found.standard_errors).argmax())
    marks = [
        {"l2": float(penalties[found.chosen]), "what": "least error"},
        {"l2": float(penalties[simple]), "what": "simplest within one standard error"},
    ]
    weights = np.stack([fitted(model, X, y, l2) for l2 in penalties])
    return alt.vconcat(
        weight_panel(penalties, weights, marks), error_panel(penalties, found, marks), spacing=14
    ).resolve_scale(color="independent")


def fitted(model: Any, X: Array, y: NDArray[np.intp], l2: float) -> Array:
    return np.asarray(model.set_params(logisticregression__l2=l2).fit(X, y)[-1].coef_[0])


def l2_axis(title: str | None, labels: bool = True) -> alt.X:
    axis = alt.Axis(values=[10.0**k for k in range(-4, 1)], format="~g", labels=labels)
    return alt.X("l2:Q", title=title, scale=alt.Scale(type="log", nice=False), axis=axis)


def guides(marks: list[dict[str, Any]], x: alt.X) -> Any:
    return alt.Chart(table(marks)).mark_rule(strokeDash=[5, 4], color=QUIET).encode(x=x)


def weight_panel(penalties: Array, weights: Array, marks: list[dict[str, Any]]) -> Any:
    """A line for each column."""
    x = l2_axis(None, labels=False)
    data = [
        {"l2": float(l2), "weight": float(value), "column": name}
        for name, line in zip(COLUMNS, weights.T, strict=True)
        for l2, value in zip(penalties, line, strict=True)
    ]
    scale = alt.Scale(domain=list(COLUMNS), range=list(COLOURS))
    lines = alt.Chart(table(data)).mark_line(strokeWidth=2.2)
    drawn = lines.encode(
        x=x,
        y=alt.Y("weight:Q", title="weight of the standardised column"),
        color=alt.Color("column:N", sort=list(COLUMNS), scale=scale, legend=alt.Legend(title=None)),
    )
    zero = alt.Chart(table([{"weight": 0}])).mark_rule(color="#BBBBBB").encode(y="weight:Q")
    says = panel_title("The penalty shrinks all weights towards 0")
    return alt.layer(zero, guides(marks, x), drawn).properties(width=WIDTH, height=WEIGHTS_HEIGHT, title=says)


def error_panel(penalties: Array, found: Tuned, marks: list[dict[str, Any]]) -> Any:
    """The error with a band of one standard error, and the two choices."""
    x = l2_axis("penalty l2 (logarithmic)")
    data = [
        {"l2": float(l2), "error": float(e), "low": float(e - s), "high": float(e + s)}
        for l2, e, s in zip(penalties, found.losses, found.standard_errors, strict=True)
    ]
    base = alt.Chart(table(data)).encode(x=x)
    y = alt.Y("error:Q", title="error, 10 folds", axis=alt.Axis(format="~%"), scale=alt.Scale(zero=False))
    names = alt.Chart(table(marks)).mark_text(align="left", dx=5, y=9, color=INK, fontSize=12)
    return alt.layer(
        base.mark_area(color=BLUE, opacity=0.15).encode(y=alt.Y("low:Q", title=""), y2="high:Q"),
        guides(marks, x),
        base.mark_line(color=BLUE, strokeWidth=2.2).encode(y=y),
        base.mark_point(color=BLUE, filled=True, size=35, opacity=1).encode(y=y),
        names.encode(x=x, text="what:N"),
    ).properties(width=WIDTH, height=ERROR_HEIGHT, title=panel_title("CV error, with one standard error"))
