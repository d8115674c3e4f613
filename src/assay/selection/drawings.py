"""Pictures of results, one function a kind: settings, learning curves, the path of a search, numbers of groups."""

from __future__ import annotations

from collections.abc import Mapping
from functools import singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.charts import clusters as cluster_charts
from assay.charts import complexity
from assay.charts import features as feature_charts
from assay.charts.document import DataTable, Figure, Panel, data_table
from assay.charts.drawing import Drawing
from assay.charts.hyperparameters import setting_rows, settings_chart
from assay.charts.learning_curve import learning_chart
from assay.notes import Note
from assay.notes.numbers import LEVEL, count, number, percent, percent_range, setting_text
from assay.notes.phrases import chosen_on, name_of, shorten
from assay.notes.phrases import page_plural as plural
from assay.selection.clusters import ClusterChoice
from assay.selection.complexity_curve import ComplexityCurve
from assay.selection.criteria import within_one_se
from assay.selection.features.select import FeatureSelection, Step
from assay.selection.learning_curve import LearningCurve
from assay.selection.nested import NestedTuning
from assay.selection.tune import Tuned

Array = NDArray[np.float64]


@singledispatch
def draw(found: Any) -> Drawing:
    """Draw what `tune`, `nested`, `learning_curve`, `complexity_curve`, `select_features` or `choose_clusters` found.

    The same as ``found.chart()``; several learning curves by name, as `learning_curve` returns them, share one picture.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from assay import GaussianClassifier, GaussianNB, draw, learning_curve
    >>> curves = learning_curve({"naive": GaussianNB(), "full": GaussianClassifier()}, *load_wine(return_X_y=True))
    >>> picture = draw(curves)
    >>> picture
    <Drawing: Error against training rows. With all rows, full is best: 0.6 %.>
    >>> picture.svg()[:4]
    '<svg'
    """
    raise TypeError(Note("S081", kind=type(found).__name__))


@draw.register
def _tuned(tuned: Tuned) -> Drawing:
    where = "on the folds" if tuned.test is None else "on the validation rows"
    more = (
        ""
        if tuned.test is None
        else f"On the test rows, which had no say in it, it errs for {percent(tuned.test.error)} "
        f"({LEVEL}: {percent_range(tuned.test.error_interval)})."
    )
    return _settings(tuned, tuned.evaluations[0].loss is None, None, tuned.chosen, where, more)


@draw.register
def _nested(nested: NestedTuning) -> Drawing:
    evaluation = nested.evaluation
    more = (
        f"Chosen inside every split and tested on rows that had no say in it, it errs for "
        f"{percent(evaluation.error)} ({LEVEL}: {percent_range(evaluation.error_interval)})."
    )
    return _settings(
        nested,
        evaluation.loss is None,
        nested.wins,
        nested.final,
        f"on {chosen_on(evaluation.plan.in_parts)}",
        more,
    )


def _settings(
    tuning: Tuned | NestedTuning, shares: bool, splits: list[int] | None, final: int, where: str, more: str
) -> Drawing:
    """Loss of every setting with a band of one standard error, a ring around the one in use."""
    settings = [_short_names(setting) for setting in tuning.settings]
    measure, show = ("error", percent) if shares else ("mean loss", number)
    alike = int(within_one_se(tuning.losses, tuning.standard_errors).argmax())
    figures: dict[str, Any] = {"chosen": final, "simplest": alike, "splits": splits}
    rows = setting_rows(settings, tuning.losses, tuning.standard_errors, **figures)
    chart = settings_chart(settings, rows, title=f"{measure} {where}", shares=shares)
    if final == int(np.argmin(tuning.losses)):
        says = f"{setting_text(settings[final])} has the least {measure}, {show(tuning.losses[final])}."
    else:
        first = f"{setting_text(settings[final])}, with {show(tuning.losses[final])},"
        says = f"{first} is the first within one standard error of the least {measure}."
    marks = "The ring marks the setting in use"
    if alike != final:
        marks += f", the diamond the first listed within one standard error of the least {measure}"
    often = [()] * len(rows) if splits is None else [(str(count),) for count in splits]
    lines = [
        (row["setting"], show(row["value"]), show(row["se"]), *wins)
        for row, wins in zip(rows, often, strict=True)
    ]
    heads = ("setting", f"{measure} {where}", "standard error", "chosen by splits")[: len(lines[0])]
    figure = Figure(
        "settings",
        (Panel(chart),),
        says,
        f"{marks}. The band or line reaches one standard error to either side.",
        data_table("Settings", heads, lines, (1, 2, 3), marked=frozenset((final,))),
    )
    return Drawing(f"{plural(len(settings), 'setting')} of {_name(tuning.model)}", says, figure, more)


def _short_names(setting: dict[str, Any]) -> dict[str, Any]:
    """Parameters without the part of the pipeline they belong to, where that leaves them different."""
    short = {name.rpartition("__")[2]: value for name, value in setting.items()}
    return short if len(short) == len(setting) else setting


def _name(model: Any) -> str:
    """The model, or the last part of a pipeline."""
    steps = getattr(model, "steps", None)
    return type(steps[-1][1] if steps else model).__name__


@draw.register
def _curve(curve: LearningCurve) -> Drawing:
    return _curves({curve.name: curve})


@draw.register
def _curves(curves: Mapping) -> Drawing:  # type: ignore[type-arg]
    """Error against training rows, a band for the best with all rows."""
    if not curves or not all(isinstance(curve, LearningCurve) for curve in curves.values()):
        raise TypeError(Note("S082"))
    best = min(curves, key=lambda name: curves[name].errors[-1])
    curves = {best: curves[best], **curves}  # its band has the first colour
    points = [
        {"name": shorten(str(name)), "size": round(rows), "error": error, "low": low, "high": high}
        for name, curve in curves.items()
        for rows, error, (low, high) in zip(curve.rows, curve.errors, curve.intervals, strict=True)
    ]
    names = list(dict.fromkeys(str(point["name"]) for point in points))
    verb = "is best:" if len(curves) > 1 else "errs for"
    says = f"With all rows, {best} {verb} {percent(curves[best].errors[-1])}."
    lines = [
        (str(p["name"]), count(p["size"]), percent(p["error"]), percent_range((p["low"], p["high"])))
        for p in points
    ]
    data = data_table("Errors", ("model", "training rows", "error", f"{LEVEL} interval"), lines, (1, 2, 3))
    chart = learning_chart(points, names, shorten(str(best)), None)
    caption = f"Error on rows not trained on; the band is the {LEVEL} interval of {best}."
    return Drawing(
        "Error against training rows", says, Figure("learning", (Panel(chart),), says, caption, data)
    )


@draw.register
def _search(choice: FeatureSelection) -> Drawing:
    """Error of every set on the way."""
    says = f"{plural(len(choice.features), 'column')} chosen: {percent(choice.error)} on the folds that chose them."
    caption = (
        f"Every set that the {choice.search} search passed through, with a band of one standard error; ringed the one "
        "that was chosen."
    )
    chart = feature_charts.path_chart(path_rows(choice))
    figure = Figure("path", (Panel(chart),), says, caption, path_table(choice))
    return Drawing(f"A {choice.search} search for columns", says, figure)


@draw.register
def _groups(choice: ClusterChoice) -> Drawing:
    """The error and the criterion against the number of groups."""
    criterion, values = ("BIC", choice.bic)
    if choice.criterion == "held-out" and choice.held_out is not None:
        criterion, values = "held-out log likelihood", choice.held_out
    panels = tuple(
        Panel(cluster_charts.curve_chart(_points(choice, series), title), title, "small")
        for title, series in (("mean squared distance", choice.error), (criterion, values))
    )
    lines = [
        (str(k), number(error, 4), number(value, 6))
        for k, error, value in zip(choice.n_clusters, choice.error, values, strict=True)
    ]
    data = data_table("Numbers of groups", ("groups", "mean squared distance", criterion), lines, range(3))
    least, most = choice.n_clusters[0], choice.n_clusters[-1]
    says = f"{plural(choice.chosen, 'group')} by {criterion}, of {least} to {most} tried."
    caption = "The ring marks the number chosen. The distance falls with every further group."
    return Drawing("How many groups", says, Figure("groups", panels, says, caption, data))


def _points(choice: ClusterChoice, values: Array) -> list[dict[str, Any]]:
    pairs = zip(choice.n_clusters, values.tolist(), strict=True)
    return [{"k": k, "value": value, "chosen": k == choice.chosen} for k, value in pairs]


@draw.register
def _complexity(curve: ComplexityCurve) -> Drawing:
    """Training against validation error."""
    name = curve.parameter.rpartition("__")[2]
    lines = [
        (str(value), percent(train), percent(test), label)
        for value, train, test, label in zip(
            curve.values, curve.training, curve.validation, curve.labels, strict=True
        )
    ]
    data = data_table("Settings", (name, "training error", "validation error", ""), lines, (1, 2))
    best = setting_text({name: curve.values[curve.best]})
    says = f"{best} has the least validation error, {percent(float(curve.validation[curve.best]))}."
    caption = "The band reaches one standard error to either side; settings within one of the least are about right."
    figure = Figure("complexity", (Panel(complexity.complexity_chart(curve, name)),), says, caption, data)
    return Drawing(f"Training against validation error by {name}", says, figure)


def path_table(chosen: FeatureSelection) -> DataTable:
    """Every set on the way, in numbers."""
    lines = [
        (count(len(step.features)), _move(step), percent(step.error), percent(step.standard_error))
        for step in chosen.path
    ]
    return data_table("Sets on the way", ("columns", "move", "error", "standard error"), lines, (0, 2, 3))


def path_rows(chosen: FeatureSelection) -> list[dict[str, Any]]:
    """Every set on the way, as `path_chart` draws it."""
    return [
        {
            "x": len(step.features),
            "place": place,
            "value": step.error,
            "low": max(0.0, step.error - step.standard_error),
            "high": step.error + step.standard_error,
            "move": shorten(_move(step)),
            "final": place == chosen.chosen,
        }
        for place, step in enumerate(chosen.path)
    ]


def _move(step: Step) -> str:
    if step.added is not None:
        return f"+ {name_of(step.added)}"
    return "start" if step.dropped is None else f"- {name_of(step.dropped)}"
