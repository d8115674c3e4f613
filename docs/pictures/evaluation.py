"""The family on the breast cancer data, its error estimated three ways."""

from __future__ import annotations

from typing import Any

import altair as alt

from assay import (
    Bootstrap,
    FisherDiscriminant,
    GaussianClassifier,
    GaussianNB,
    KFold,
    LeastSquaresClassifier,
    LeaveOneOut,
    evaluate,
)
from assay.commands.demo.race import load_cells
from docs.pictures.style import BLUE, ORANGE, VERMILION, table

TENFOLD, ALONE, BOOTSTRAP = "10-fold, with 95 % interval", "leave-one-out", "bootstrap .632+"
ESTIMATES = {TENFOLD: (BLUE, "circle"), ALONE: (ORANGE, "diamond"), BOOTSTRAP: (VERMILION, "triangle-up")}


MODELS = {
    "naive Bayes": GaussianNB(),
    "full covariance": GaussianClassifier("full"),
    "shared covariance": GaussianClassifier("shared"),
    "shared diagonal": GaussianClassifier("shared_diagonal"),
    "spherical": GaussianClassifier("spherical"),
    "shared spherical": GaussianClassifier("shared_spherical"),
    "full/shared blend": GaussianClassifier("full", blend=0.5),
    "least squares": LeastSquaresClassifier(),
    "Fisher": FisherDiscriminant(),
}


def standings() -> tuple[list[str], list[dict[str, Any]]]:
    """Models by 10-fold error, and a row for each of their estimates."""
    X, y, _ = load_cells()
    folds, alone, drawn = (
        evaluate(MODELS, X, y, plan) for plan in (KFold(10), LeaveOneOut(), Bootstrap(200))
    )
    order = sorted(MODELS, key=lambda model: folds[model].error)
    rows: list[dict[str, Any]] = []
    for model in order:
        low, high = folds[model].error_interval
        rows += [
            {"model": model, "kind": TENFOLD, "error": folds[model].error, "low": low, "high": high},
            {"model": model, "kind": ALONE, "error": alone[model].error},
            {"model": model, "kind": BOOTSTRAP, "error": drawn[model].error_632_plus},
        ]
    return order, rows


def chart() -> Any:
    """A band for each model: interval and dot of the ten folds, the other two below."""
    order, rows = standings()
    kinds = list(ESTIMATES)
    colours, shapes = zip(*ESTIMATES.values(), strict=True)
    base = alt.Chart(table(rows)).encode(
        y=alt.Y(
            "model:N",
            sort=order,
            title=None,
            scale=alt.Scale(paddingInner=0.3),
            axis=alt.Axis(labelFontSize=12, ticks=False, labelPadding=8, labelLimit=200),
        ),
        yOffset=alt.YOffset("kind:N", sort=kinds),
        color=alt.Color("kind:N", sort=kinds, scale=alt.Scale(domain=kinds, range=list(colours))),
    )
    error = alt.X(
        "error:Q",
        title="estimated error on new patients",
        axis=alt.Axis(format=".0%", grid=True, gridColor="#E4E4E4"),
        scale=alt.Scale(domainMin=0),
    )
    legend = alt.Legend(title=None, orient="top", symbolOpacity=1)
    dots = base.mark_point(filled=True, size=75, opacity=1).encode(
        x=error,
        color=alt.Color(
            "kind:N", sort=kinds, scale=alt.Scale(domain=kinds, range=list(colours)), legend=legend
        ),
        shape=alt.Shape(
            "kind:N", sort=kinds, scale=alt.Scale(domain=kinds, range=list(shapes)), legend=legend
        ),
    )
    lines = base.transform_filter(f"datum.kind == '{TENFOLD}'").mark_rule(strokeWidth=2.4)
    return alt.layer(lines.encode(x=alt.X("low:Q"), x2="high:Q"), dots).properties(width=560, height=400)
