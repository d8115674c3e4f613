"""Effects of the columns in a linear model, per category, with confidence intervals."""

from __future__ import annotations

import numpy as np
from scipy.special import stdtrit

from assay.charts.axes import Picture
from assay.charts.columns import ClassWeightRow, EffectRow, WeightRow, class_weight_chart, weight_chart
from assay.charts.document import DataTable, Figure, Panel, Part, data_table
from assay.commands.compare.page.context import PageContext
from assay.data import Table
from assay.models.features.drop_reference import DropReference
from assay.models.inspection.jackknife import fold_weights, jackknife_errors
from assay.models.inspection.linear_weights import LinearWeights, against_mean, linear_weights
from assay.models.table.table_classifier import TableClassifier
from assay.notes.numbers import LEVEL, number, number_range
from assay.notes.phrases import listed, name_of, short_names, shorten
from assay.notes.phrases import page_plural as plural
from assay.numerics.blas import single_threaded
from assay.plans import KFold, Partition
from assay.types import Array, Names, has_posteriors

SAMPLED = 20_000
FOLDS = 10
FEWEST_FOLDS, MOST_FOLDS = 5, 20
MOST_UNKNOWNS, MOST_CELLS = 1000, 20_000_000  # beyond, fitting ten times more would take too long
NORMAL = 1.959963984540054


def weight_parts(s: PageContext, model: TableClassifier) -> list[Part]:
    """Effects of the columns of a linear model, per standard deviation."""
    coef = np.atleast_2d(np.asarray(model.model_.coef_, dtype=np.float64))
    names, references = _as_the_model_sees(model)
    deviations = _design(model, s.sampled(SAMPLED)[0]).std(axis=0)
    reach, sure = _reach(s, model, coef.size)
    effects = linear_weights(coef, deviations, names, reach=reach)
    if not effects.columns:
        return []
    left = len(deviations) - len(effects.columns)
    rest = f" {plural(left, 'column')} with smaller effects {'is' if left == 1 else 'are'} not shown." * (
        left > 0
    )
    level = f" Reference categories: {listed(references, 3)}." if references else ""
    chart, meaning = _panel(s, effects)
    unit = "log odds" if len(effects.weights) == 1 and has_posteriors(model) else "score"
    figure = Figure(
        "weights",
        (Panel(chart),),
        f"The columns of largest weight in {s.titles[s.best]}: {listed(effects.columns, 5)}.",
        f"Weight times standard deviation of the column: the effect of a typical difference on the {unit}. "
        f"{meaning} {sure}{level}{rest}",
        _table(s, effects),
    )
    return [figure]


def _as_the_model_sees(model: TableClassifier) -> tuple[list[str], list[str]]:
    """Names of the columns after all steps before the model, and of the reference categories."""
    names: Names = model.design_names_
    references: list[str] = []
    for step in model.steps_and_model_[:-1]:
        if isinstance(step, DropReference):
            references = [name_of(names[j]) for j in step.reference_]
        names = step.get_feature_names_out(names)
    return [name_of(name) for name in names], references


def _design(model: TableClassifier, table: Table) -> Array:
    """The rows as the model at the end of the steps sees them."""
    X = model.design(table)
    for step in model.steps_and_model_[:-1]:
        X = step.transform(X)
    return np.asarray(X, dtype=np.float64)


def _reach(s: PageContext, model: TableClassifier, unknowns: int) -> tuple[Array | None, str]:
    """How far the weights' intervals reach to either side, and what they are; None where there are none."""
    final, rows = model.model_, len(s.problem.codes)
    # The model's own errors know nothing of rows that belong together; folds that keep them so do.
    has_errors = len(s.class_names) == 2 and s.problem.group_codes is None
    inference = getattr(final, "inference_", None) if has_errors else None
    if inference is not None:
        meaning = f"Lines are {LEVEL} confidence intervals from the standard errors of the model."
        return NORMAL * inference.standard_error[:, :-1], meaning
    if unknowns > MOST_UNKNOWNS or unknowns * rows > MOST_CELLS:
        return None, "There are no confidence intervals for tables this large."
    partition = _folds(s)
    with single_threaded():
        weights = fold_weights(
            final, _design(model, s.problem.features), s.problem.codes, s.problem.classes, partition,
            weight=s.problem.weight,
        )  # fmt: skip
    if weights is None:
        return None, "There are no confidence intervals, because a class is too rare to leave out rows."
    leaving = against_mean(weights[:, 1:] - weights[:, :1] if weights.shape[1] == 2 else weights)
    fits = plural(len(leaving), "fit")
    meaning = f"Lines are {LEVEL} jackknife intervals, from {fits} that each leave out a fold."
    penalised = any(getattr(final, name, 0.0) > 0 for name in ("l2", "l1"))
    pull = " They do not include the bias of the penalty towards 0." * penalised
    return float(stdtrit(len(leaving) - 1, 0.975)) * jackknife_errors(leaving), meaning + pull


def _folds(s: PageContext) -> Partition:
    """The folds of the comparison; others where these are too few, too many or not of all rows."""
    first: Partition = s.comparison.bench.partitions[0]
    if FEWEST_FOLDS <= first.n_folds <= MOST_FOLDS and (first.fold >= 0).all():
        return first
    codes, groups = s.problem.codes, s.problem.group_codes
    units = len(codes) if groups is None else len(np.unique(groups))
    return KFold(min(FOLDS, units)).partitions(codes, groups)[0]


def _table(s: PageContext, found: LinearWeights) -> DataTable:
    classes = [s.class_names[1]] if len(found.weights) == 1 else s.class_names
    lines = [
        (
            column,
            name,
            number(float(found.effects[k, j])),
            *([number_range((low[k, j], high[k, j])) for low, high in [found.ends]] if found.ends else []),
            number(float(found.weights[k, j])),
            number(deviation),
        )
        for j, (column, deviation) in enumerate(zip(found.columns, found.deviations.tolist(), strict=True))
        for k, name in enumerate(classes)
    ]
    interval = (f"{LEVEL} CI",) if found.ends else ()
    heads = ("column", "class", "effect of one standard deviation", *interval, "weight", "standard deviation")
    return data_table("Largest effects", heads, lines, range(2, len(heads)))


def _panel(s: PageContext, found: LinearWeights) -> tuple[Picture, str]:
    """Bars for two classes, one dot per class for more; and how to read them."""
    columns = short_names(found.columns)
    if len(found.weights) == 1:
        towards, away = shorten(s.class_names[1], 24), shorten(s.class_names[0], 24)
        bars: list[WeightRow] = [
            {**row, "towards": towards if row["effect"] >= 0 else away} for row in _rows(found, columns, 0)
        ]
        chart = weight_chart(bars, "effect of one standard deviation")
        return chart, f"To the right a larger value is evidence for {towards}, to the left for {away}."
    rows: list[ClassWeightRow] = [
        {**row, "label": s.short_classes[k]} for k in s.coloured for row in _rows(found, columns, k)
    ]
    chart = class_weight_chart(rows, columns, [s.short_classes[k] for k in s.coloured])
    return (
        chart,
        f"To the right a larger value is evidence for the class, to the left against it.{s.few_classes}",
    )


def _rows(found: LinearWeights, columns: list[str], k: int) -> list[EffectRow]:
    """The effects on one class, as a chart takes them."""
    rows: list[EffectRow] = [
        {"column": name, "effect": effect}
        for name, effect in zip(columns, found.effects[k].tolist(), strict=True)
    ]
    if found.ends is not None:
        for row, low, high in zip(rows, *(bounds[k].tolist() for bounds in found.ends), strict=True):
            row.update(low=low, high=high)
    return rows
