"""Rows in the order of time: a date column that orders them, and drift along the order.

Drift is tested by a chi-square test of the classes against fifths of the rows, and by Spearman's correlation of each
numeric column with the position of its rows, at a level divided by the number of tests.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import special

from assay.data.table import Table
from assay.notes import Note
from assay.types import Array, Integers, Label
from assay.workbench.diagnosis.findings import Finding

FEWEST = 50  # rows; fewer show no drift
PARTS = 5
LEVEL = 0.01


def order_findings(
    features: Table, codes: Integers, classes: Sequence[Label], time: str | None = None
) -> tuple[Finding, ...]:
    """That a date column orders the rows, where no time is given; and drift along the order, where there is one."""
    dates = [column.name for column in features.schema if column.type == "date"]
    ordering = [name for name in dates if _in_order(features[name])]
    if (time is None and not ordering) or features.n_rows < FEWEST:
        return ()
    note = () if time is not None else (Finding.of("Rows in the order of time", Note("P154", ordering[0])),)
    name = ordering[0] if time is None else time
    return (*note, *drift_findings(features, codes, classes, name))


def _in_order(values: Array) -> bool:
    return not np.isnan(values).any() and bool((np.diff(values) >= 0).all()) and bool(values[-1] > values[0])


def drift_findings(
    features: Table, codes: Integers, classes: Sequence[Label], time: str
) -> tuple[Finding, ...]:
    """What differs between the first rows and the last, by more than chance."""
    numeric = [column.name for column in features.schema if column.type == "numeric"]
    level = LEVEL / (1 + len(numeric))
    findings = []
    part = np.arange(len(codes)) * PARTS // len(codes)
    counts = np.bincount(part * len(classes) + codes, minlength=PARTS * len(classes)).reshape(PARTS, -1)
    p_value = chi_square(counts[:, counts.any(axis=0)])
    if p_value < level:
        shares = counts / counts.sum(axis=1, keepdims=True)
        k = int(np.abs(shares[-1] - shares[0]).argmax())
        values = {"label": classes[k], "first": float(shares[0, k]), "last": float(shares[-1, k])}
        findings.append(Finding.of("Drift of the classes", Note("P155", values=values, time=time), p_value))
    drifting = {name: p for name in numeric if (p := _order_p_value(features[name])) < level}
    if drifting:
        names = sorted(drifting, key=lambda name: drifting[name])
        note = Note("P156", columns=names, time=time)
        findings.append(Finding.of("Drift of columns", note, drifting[names[0]]))
    return tuple(findings)


def chi_square(counts: Integers) -> float:
    """The p-value of independent rows and columns.

    >>> round(chi_square(np.array([[10, 20], [20, 10]])), 4)
    0.0098
    """
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    freedom = (len(counts) - 1) * (counts.shape[1] - 1)
    return float(special.chdtrc(freedom, ((counts - expected) ** 2 / expected).sum())) if freedom else 1.0


def _order_p_value(values: Array) -> float:
    """Of no rank correlation between the values and their positions."""
    known = np.flatnonzero(~np.isnan(values))
    if len(known) < FEWEST:
        return 1.0
    _, place, size = np.unique(values[known], return_inverse=True, return_counts=True)
    if len(size) < 2:
        return 1.0
    ranks = (np.cumsum(size) - (size - 1) / 2.0)[place]
    r = float(np.corrcoef(ranks, np.arange(len(known)))[0, 1])
    return float(2.0 * special.ndtr(-abs(r) * np.sqrt(len(known) - 1)))
