"""What the columns of mixed naive Bayes say: the evidence of each for the classes that rows belong to."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.charts import scatter as model_charts
from assay.charts.document import Figure, Panel, Part, grid
from assay.commands.compare.page.context import PageContext
from assay.notes.numbers import listed, number, plural, short_names

Array = NDArray[np.float64]
SAMPLED = 5000
MOST_COLUMNS = 20


def evidence_parts(s: PageContext, model: Any) -> list[Part]:
    """Mean evidence of every column for the class of a row, a dot a class."""
    table, codes = s.sampled(SAMPLED)
    found = mean_evidence(model.model_.contributions(model.design(table)), codes)
    names = list(model.model_.kinds_)
    size = np.nanmax(np.abs(found), axis=0)
    order = [int(j) for j in np.argsort(-size, kind="stable")[:MOST_COLUMNS] if size[j] > 0]
    if not order:
        return []
    drawn = short_names(names[j] for j in order)
    rows = [
        {"column": name, "effect": float(found[k, j]), "label": s.short_classes[k]}
        for k in s.coloured
        for name, j in zip(drawn, order, strict=True)
        if np.isfinite(found[k, j])
    ]
    chart = model_charts.class_weight_chart(
        rows, drawn, [s.short_classes[k] for k in s.coloured], "evidence for the class of a row"
    )
    left = len(names) - len(order)
    rest = f" {plural(left, 'column')} with less to say {'is' if left == 1 else 'are'} left out." * (left > 0)
    return [
        Figure(
            "evidence",
            (Panel(chart),),
            f"The columns that say most in {s.titles[s.best]}: {listed([names[j] for j in order], 5)}.",
            "How much likelier the values of a class's own rows are in it than in the others, as a logarithm and on "
            "average over these rows; a column without a value says nothing. To the right a column tells the class "
            f"from the others, to the left it misleads.{rest}{s.few_classes}",
            _table(s, found, [names[j] for j in order], order),
        )
    ]


def mean_evidence(evidence: Array, codes: NDArray[np.int32]) -> Array:
    """Evidence (N, K, columns) for the class of each row less the mean of the others, averaged by class, (K, columns).

    >>> mean_evidence(np.array([[[2.0], [1.0]], [[0.0], [3.0]]]), np.array([0, 1]))
    array([[1.],
           [3.]])
    """
    n_classes = evidence.shape[1]
    kept = np.where(np.isfinite(evidence), evidence, 0.0)
    own = np.take_along_axis(kept, codes[:, None, None].astype(np.intp), axis=1)[:, 0]
    others = (kept.sum(axis=1) - own) / max(n_classes - 1, 1)
    out = np.full((n_classes, evidence.shape[2]), np.nan)
    for k in np.unique(codes):
        out[k] = (own - others)[codes == k].mean(axis=0)
    return out


def _table(s: PageContext, found: Array, names: list[str], order: list[int]) -> Any:
    lines = [
        (name, label, number(float(found[k, j])))
        for name, j in zip(names, order, strict=True)
        for k, label in enumerate(s.class_names)
        if np.isfinite(found[k, j])
    ]
    return grid("Evidence of the columns", ("column", "class", "mean evidence"), lines, (2,))
