"""Checks of any source before a model is fitted: leakage, repeated texts and the curse of dimensionality.

The formulas of the curse are in `diagnosis.hypercube`, the rules of leakage in `diagnosis.leakage`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
from numpy.typing import ArrayLike

from assay.data.read import Markers
from assay.workbench.diagnosis.diagnose import Diagnosis, Finding, diagnosis_of
from assay.workbench.diagnosis.dimensionality import dimension_findings
from assay.workbench.problem import read_problem, read_table


def diagnose(
    source: object,
    target: ArrayLike | None = None,
    *,
    types: Mapping[str, str] | None = None,
    drop: Collection[str] = (),
    query: str | None = None,
    missing: Markers = None,
    groups: ArrayLike | None = None,
) -> Diagnosis:
    """Leakage, repeated texts and the curse of dimensionality in a table, before any model is fitted.

    Parameters
    ----------
    source : anything `assay.read` takes
    target : str or array, optional
        The column of the classes, or one label per row; None if the source says it itself, or one column is named
        class, target, label or y.
    types, drop, query, missing
        As for `assay.read`.
    groups : str or array, optional
        Rows with the same value belong together; Assay then looks for no further groups.

    Returns
    -------
    Diagnosis
        Its `warnings` are the findings to act on, `leaks` those about columns that reveal the class, and `dimension`
        those about how the rows fill their space.

    Examples
    --------
    >>> import numpy as np
    >>> from assay import diagnose
    >>> ill = np.arange(400) % 4 == 0
    >>> table = {"age": np.random.default_rng(0).normal(50, 12, 400), "dose": 2.0 * ill, "ill": ill}
    >>> [(finding.column, finding.note.code) for finding in diagnose(table, "ill").warnings]
    [('dose', 'P122')]
    """
    problem = read_problem(
        source, target, types=types, drop=drop, query=query, missing=missing, groups=groups
    )
    return diagnosis_of(
        problem.features,
        problem.codes,
        problem.n_classes,
        classes=problem.classes.tolist(),
        grouped=problem.groups is not None,
    )


def dimension_diagnosis(source: object, target: ArrayLike | None = None) -> tuple[Finding, ...]:
    """The curse of dimensionality in a table: what its numeric columns show beside what uniform rows would show.

    The columns are scaled to the cube [-1, 1]^d by their extremes. Each finding has an observed and an expected value:
    the proportion of rows in the outer shell, 1 - (1 - 0.05)^d; the mean squared norm, d / 3; empty and singly filled
    bins; the spread of squared distances, √(7 / (5 d)); and, with a target, the rows of the smallest class per column.

    Parameters
    ----------
    source : anything `assay.read` takes
    target : str or array, optional
        The column of the classes, or one label per row; without it, rows per class are not reported.

    Examples
    --------
    >>> import numpy as np
    >>> from assay import dimension_diagnosis
    >>> cube = np.random.default_rng(0).uniform(-1, 1, (5000, 3))
    >>> for finding in dimension_diagnosis(cube)[:2]:
    ...     print(f"{finding.title}: {finding.observed:.3f}, expected {finding.expected:.4f}")
    Rows in the outer shell: 0.148, expected 0.1426
    Mean squared norm: 1.000, expected 1.0000
    """
    if target is None and not isinstance(source, tuple):
        table = read_table(source, None, None, (), None)
        return dimension_findings(table, np.empty(0, dtype=np.int32), 0)
    problem = read_problem(source, target)
    return dimension_findings(problem.features, problem.codes, problem.n_classes, problem.classes.tolist())
