"""Section: what the winner uses: weights, evidence, permutation importance, densities."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.charts.columns import (
    ClassWeightRow,
    ImportanceRow,
    class_weight_chart,
    density_chart,
    importance_chart,
)
from assay.charts.document import DataTable, Figure, Panel, Paragraph, Part, Section, data_table
from assay.commands.compare.page.context import PageContext
from assay.commands.compare.page.linear_weights import weight_parts
from assay.commands.compare.page.margins import margin_parts
from assay.models.inspection.class_densities import densities
from assay.models.inspection.permutation_importance import Importance, held_out, importances
from assay.models.table.table_classifier import TableClassifier
from assay.notes.numbers import LEVEL, count, number, percent, percent_range, points
from assay.notes.phrases import listed, name_of, short_names
from assay.notes.phrases import page_plural as plural
from assay.numerics.blas import one_openmp_thread, single_threaded
from assay.statistics.weights import subset_weight
from assay.types import Array
from assay.workbench.experiment.procedure import BASELINE

MOST_IMPORTANCES = 20
MANY_COLUMNS = 40
SAMPLED = 20_000
EVIDENCE_ROWS, MOST_EVIDENCE = 5000, 20


def interpretation_section(s: PageContext) -> Section | None:
    """Weights, densities or importances, as the winner allows."""
    if s.best == BASELINE or s.winner.entry.reads_words:
        return None  # words have a section of their own
    parts: list[Part] = [Paragraph(f"{s.titles[s.best]}: {s.winner.entry.interpretability}")]
    parts += margin_parts(s)
    # Asked of the catalog: fitting a forest to all rows only to find that it has no weights would take long.
    entry = s.winner.entry
    linear = {"contributions", "path"} & entry.capabilities and entry.family != "naive Bayes"
    if linear and not entry.calibrates:  # a curve stands between its weights and what it says
        parts += weight_parts(s, s.model)
    else:
        parts += evidence_parts(s, s.model) if entry.encoding == "table-flags" else []
        parts += _importances(s)
    if s.winner.entry.family in ("naive Bayes", "gaussian") or not any(
        isinstance(part, Figure) for part in parts
    ):
        parts += _densities(s)
    return (
        Section("uses", "Interpretation of the winner", "Interpretation", tuple(parts))
        if len(parts) > 1
        else None
    )


def _importances(s: PageContext) -> list[Part]:
    """Permutation importance: fitted to two thirds of the rows, tested on the rest, one column shuffled at a time."""
    problem, seed = s.problem, s.comparison.random_state
    train, test = held_out(problem.codes, seed, problem.group_codes)
    weight, groups = problem.weight, problem.group_codes
    labels = problem.classes[problem.codes]
    if len(np.unique(problem.codes[train])) < 2 or not len(test):
        return []
    model = s.comparison.bench.classifier(s.winner.entry, s.winner.setting)
    wide = len(problem.features.schema) > MANY_COLUMNS
    # Idle threads of other libraries wait in a loop: on a busy machine one thread is many times quicker.
    with single_threaded(), one_openmp_thread():
        model.fit(
            problem.features.take(train),
            labels[train],
            sample_weight=subset_weight(weight, train),
        )
        columns = importances(
            model.predict, problem.features.take(test), labels[test], seed, model.schema_.names, 1 if wide else 3,
            None if weight is None else weight[test], None if groups is None else groups[test],
        )  # fmt: skip
    if columns[0].rise <= 0:
        return [Paragraph(_none_matters(s, len(columns), len(test)))]
    return [_importance_figure(s, columns, len(train), len(test))]


def _importance_figure(s: PageContext, columns: list[Importance], trained: int, tested: int) -> Figure:
    """The columns whose shuffling raises the error."""
    shown = [column for column in columns[:MOST_IMPORTANCES] if column.rise > 0]
    names = short_names(column.column for column in shown)
    rows: list[ImportanceRow] = [
        {"column": name, "rise": column.rise, "low": column.low, "high": column.high}
        for name, column in zip(names, shown, strict=True)
    ]
    left = len(columns) - len(shown)
    clear = sum(column.low > 0 for column in columns)
    first = (
        f"{names[0]} is the most important column: shuffling it raises the error by {points(shown[0].rise)}. "
        f"Of {plural(len(columns), 'column')} {_how_many(clear)} an interval above zero."
    )
    return Figure(
        "importances",
        (Panel(importance_chart(rows)),),
        f"Permutation importance in {s.titles[s.best]}. {first}",
        f"{first} Fitted to {count(trained)} rows, tested on {count(tested)} others with the values of one column "
        f"shuffled; lines are {LEVEL} confidence intervals over rows. Correlated columns can replace each other and "
        "then have small importances."
        + (f" Columns of smaller or no importance are in the table only: {count(left)}." * (left > 0)),
        data_table(
            "Permutation importance",
            ("column", "increase of the error", f"{LEVEL} CI"),
            [(name_of(i.column), percent(i.rise), percent_range((i.low, i.high))) for i in columns],
            (1, 2),
        ),
    )


def _how_many(n: int) -> str:
    return "none has" if n == 0 else "one has" if n == 1 else f"{count(n)} have"


def _none_matters(s: PageContext, columns: int, rows: int) -> str:
    return (
        f"No single column matters: shuffling any of the {plural(columns, 'column')} among "
        f"{plural(rows, 'test row')} does not raise the error of {s.titles[s.best]}. The other columns replace it."
    )


def _densities(s: PageContext) -> list[Part]:
    """Class-conditional densities of the most informative columns."""
    table, codes = s.sampled(SAMPLED)
    columns = densities(table, codes, len(s.class_names))
    if not columns:
        return []
    names = s.short_classes
    keys = short_names(column.column for column in columns)
    panels = tuple(
        Panel(
            density_chart(column.grid, column.values, names, s.coloured),
            title,
            "small",
            _peaks(s, column),
        )
        for column, title in zip(columns, keys, strict=True)
    )
    lines = [
        (name_of(column.column), percent(column.correlation_ratio), *(_peak(column, k) for k in s.coloured))
        for column in columns
    ]
    heads = ("column", "variance between classes", *(f"peak of {names[k]}" for k in s.coloured))
    figure = Figure(
        "densities",
        panels,
        f"Densities of {plural(len(columns), 'numeric column')} within each class. The most informative is {keys[0]}: "
        f"{percent(columns[0].correlation_ratio)} of its variance is between the classes.",
        "The numeric columns that separate the classes best, each on its own and independent of the model, with their "
        "smoothed density per class. Where curves overlap, the column alone does not separate the classes."
        + s.few_classes,
        data_table("The most informative numeric columns", heads, lines, range(1, len(heads))),
        tuple(names[k] for k in s.coloured),
    )
    return [figure]


def _peaks(s: PageContext, column: Any) -> str:
    """The drawing of one column in words, for those who do not see it."""
    peaks = listed([f"{s.short_classes[k]} at {_peak(column, k)}" for k in s.coloured], len(s.coloured))
    return (
        f"Density of the column within each class, with its peak for {peaks}; "
        f"{percent(column.correlation_ratio)} of the variance is between the classes."
    )


def _peak(column: Any, k: int) -> str:
    return number(float(column.grid[column.values[k].argmax()])) if column.values[k].any() else "–"


def evidence_parts(s: PageContext, model: TableClassifier) -> list[Part]:
    """Mean evidence of every column for the true class of a row, one dot per class."""
    table, codes = s.sampled(EVIDENCE_ROWS)
    evidence = mean_evidence(model.model_.contributions(model.design(table)), codes)
    names = list(model.model_.kinds_)
    size = np.nanmax(np.abs(evidence), axis=0)
    order = [int(j) for j in np.argsort(-size, kind="stable")[:MOST_EVIDENCE] if size[j] > 0]
    if not order:
        return []
    drawn = short_names(names[j] for j in order)
    rows: list[ClassWeightRow] = [
        {"column": name, "effect": float(evidence[k, j]), "label": s.short_classes[k]}
        for k in s.coloured
        for name, j in zip(drawn, order, strict=True)
        if np.isfinite(evidence[k, j])
    ]
    chart = class_weight_chart(
        rows, drawn, [s.short_classes[k] for k in s.coloured], "evidence for the true class"
    )
    left = len(names) - len(order)
    rest = f" {plural(left, 'column')} with less evidence {'is' if left == 1 else 'are'} not shown." * (
        left > 0
    )
    return [
        Figure(
            "evidence",
            (Panel(chart),),
            f"The columns with the most evidence in {s.titles[s.best]}: {listed([names[j] for j in order], 5)}.",
            "Mean log likelihood ratio of the true class against the other classes, over the rows of each class; "
            "missing values count as zero. To the right a column is evidence for the true class, to the left against "
            f"it.{rest}{s.few_classes}",
            _evidence_table(s, evidence, [names[j] for j in order], order),
        )
    ]


def mean_evidence(evidence: Array, codes: NDArray[np.int32]) -> Array:
    """Evidence (N, K, columns) for the class of each row less the mean of the others, averaged by class, (K, columns).

    >>> mean_evidence(np.array([[[2.0], [1.0]], [[0.0], [3.0]]]), np.array([0, 1]))
    array([[1.],
           [3.]])
    """
    n_classes = evidence.shape[1]
    finite = np.where(np.isfinite(evidence), evidence, 0.0)
    true_class = np.take_along_axis(finite, codes[:, None, None].astype(np.intp), axis=1)[:, 0]
    others = (finite.sum(axis=1) - true_class) / max(n_classes - 1, 1)
    out = np.full((n_classes, evidence.shape[2]), np.nan)
    for k in np.unique(codes):
        out[k] = (true_class - others)[codes == k].mean(axis=0)
    return out


def _evidence_table(s: PageContext, found: Array, names: list[str], order: list[int]) -> DataTable:
    lines = [
        (name, label, number(float(found[k, j])))
        for name, j in zip(names, order, strict=True)
        for k, label in enumerate(s.class_names)
        if np.isfinite(found[k, j])
    ]
    return data_table("Evidence per column", ("column", "class", "mean evidence"), lines, (2,))
