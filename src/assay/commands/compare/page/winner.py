"""Sections about the winner on test rows: confusion matrix, calibration, ROC curve, costs."""

from __future__ import annotations

import numpy as np

from assay.charts.calibration import calibration_chart, count_chart
from assay.charts.confusion import FEW_CLASSES, PairRow, confusion_chart, pairs_chart
from assay.charts.document import DataTable as DataTable
from assay.charts.document import Figure, Panel, Paragraph, Part, Section, data_table
from assay.charts.roc import roc_chart
from assay.charts.threshold import reject_chart, threshold_chart
from assay.commands.compare.page.context import PageContext
from assay.decision import CalibrationTable, threshold
from assay.models.inspection.error_probability import error_probability
from assay.notes.numbers import LEVEL, count, number, number_range, percent, percent_range, points
from assay.notes.phrases import page_plural as plural
from assay.notes.phrases import short_names, shorten
from assay.selection.curves import reject_curve, roc_curves, threshold_curve
from assay.types import Array

MATRIX_CLASSES = 20
NARROW_CLASSES = 8  # more leave no room for numbers on a telephone
MOST_PAIRS = 20
MOST_ROC_ROWS = 60
DENSITY_FAMILIES = ("naive Bayes", "gaussian", "mixture")
FEWEST_DRAWN, MOST_DRAWN, DRAWN_CELLS = 1000, 20_000, 20_000_000  # rows, and numbers in them, for P(error)


def confusion_section(s: PageContext) -> Section:
    """The confusion matrix; with a loss, by the actions of least expected loss."""
    counts = s.evaluation.decision_matrix
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-300)
    wrong = counts.copy()
    meant = s.class_of_action  # an action of its own is not a mistake
    wrong[(meant < 0) | (meant == np.arange(len(counts))[:, None])] = 0.0
    order = np.argsort(-wrong, axis=None, kind="stable")[:MOST_PAIRS]
    pairs = [
        (int(i), int(j))
        for i, j in zip(*np.unravel_index(order, wrong.shape), strict=True)
        if wrong[i, j] > 0
    ]
    text = "No row was misclassified."
    if pairs:
        i, j = pairs[0]
        text = (
            f"The most frequent error is {shorten(s.class_names[i], 40)} predicted as "
            f"{shorten(s.action_names[j], 40)}: {_rows(counts[i, j])}, {percent(shares[i, j])} of the class."
        )
    notes = "" if s.decisions is None else " A row counts under its action of least expected loss."
    if s.evaluation.priors is not None:
        notes += " Rows are weighted by the given priors of their class."
    if s.weighted:
        notes += " Rows count by their sample weights."
    if s.evaluation.tested.rows is not None:
        notes += " Rows that were tested several times count once per test."
    if len(counts) > MATRIX_CLASSES and not pairs:
        return Section("confusion", "Confusion matrix", "Confusion matrix", (Paragraph(text),))
    if len(counts) <= MATRIX_CLASSES:
        panel, data = _matrix(s, counts, shares)
        caption = "Numbers are rows; the shade is the proportion of the true class."
        if len(counts) > FEW_CLASSES:
            caption += " Empty cells are zero."
        if len(counts) > NARROW_CLASSES:
            caption += " On a narrow page the numbers are in the table only."
    else:
        panel, data = _pairs(s, pairs, counts, shares)
        caption = f"{len(counts)} classes are too many for a matrix; these are the most frequent errors."
    says = f"Confusion matrix of {s.titles[s.best]}. {text}"
    figure = Figure("confusion", (panel,), says, caption + notes, data)
    return Section("confusion", "Confusion matrix", "Confusion matrix", (Paragraph(text), figure))


def _rows(n: float) -> str:
    return f"{count(n)} {'row' if n == 1 else 'rows'}"


def _matrix(s: PageContext, counts: Array, shares: Array) -> tuple[Panel, DataTable]:
    names, actions = s.short_classes, None if s.decisions is None else short_names(s.action_names, 22)
    heads = ("true class", *(actions or names))
    rows = [
        (name, *(f"{count(n)} ({percent(share)})" for n, share in zip(counts[i], shares[i], strict=True)))
        for i, name in enumerate(names)
    ]
    panel = Panel(
        confusion_chart(counts, names, actions),
        shape="square" if len(counts) <= FEW_CLASSES else "wide",
    )
    title = "Rows by true and predicted class" if actions is None else "Rows by true class and action"
    return panel, data_table(title, heads, rows, range(1, len(heads)))


def _pairs(
    s: PageContext, pairs: list[tuple[int, int]], counts: Array, shares: Array
) -> tuple[Panel, DataTable]:
    actions = short_names(s.action_names, 22)
    bars: list[PairRow] = [
        {
            "pair": f"{s.short_classes[i]} → {actions[j]}",
            "n": float(counts[i, j]),
            "shown": count(counts[i, j]),
        }
        for i, j in pairs
    ]
    heads = ("true class", "predicted", "rows", "proportion of the class")
    rows = [
        (s.class_names[i], s.action_names[j], count(counts[i, j]), percent(shares[i, j])) for i, j in pairs
    ]
    panel = Panel(pairs_chart(bars))
    return panel, data_table("The most confused pairs", heads, rows, (2, 3))


def calibration_section(s: PageContext) -> Section | None:
    """Calibration of the posterior probabilities."""
    e = s.evaluation
    if not e.probabilistic:
        return None
    two = len(s.class_names) == 2
    bins = e.calibration(10, of=e.classes[1] if two else None)
    low = 0.0 if two else max(0.0, float(bins.lower.min()))
    positive = shorten(s.class_names[1], 24)
    x_title = f"predicted probability of {positive}" if two else "probability given to the predicted class"
    y_title = f"proportion of {positive}" if two else "proportion correct"
    off = float((bins.count * np.abs(bins.mean_predicted - bins.observed)).sum() / bins.count.sum())
    clear = int(((bins.mean_predicted < bins.low) | (bins.mean_predicted > bins.high)).sum())
    text = (
        f"On average the probabilities of {s.titles[s.best]} differ by {points(off)} from the "
        f"observed proportions. In {clear} of {plural(len(bins.count), 'group')} the difference is more than "
        "chance explains. "
        f"Log loss {number(e.log_loss)} ({number_range(e.interval('log_loss'))}), Brier score {number(e.brier)} "
        f"({number_range(e.interval('brier'))}); lower is better. The Brier score is the squared distance of the "
        "probabilities from the outcome, summed over "
        f"{'both classes (twice the score of one class alone)' if two else 'all classes'}: 0 is perfect, 2 the worst."
    )
    rows = [
        (f"{percent(b.lower)} to {percent(b.upper)}", count(b.count), percent(b.mean_predicted), percent(b.observed),
         percent_range((b.low, b.high)))
        for b in bins.rows
    ]  # fmt: skip
    figure = Figure(
        "calibration",
        (
            Panel(calibration_chart(bins, y_title, low), shape="square"),
            Panel(count_chart(bins, x_title, low), shape="square", says=_how_sure(bins, x_title)),
        ),
        f"Reliability diagram: predicted against observed proportions in {plural(len(rows), 'group')}. {text}",
        "On the dashed line predicted and observed proportions agree; below it the model is overconfident. Bars: "
        "number of rows by predicted probability.",
        data_table("Predicted and observed proportions",
             ("predicted", "rows", "mean predicted", "observed", f"{LEVEL} CI"),
             rows, (1, 2, 3, 4)),
    )  # fmt: skip
    parts: tuple[Part, ...] = (Paragraph(text), *_own_error(s), figure)
    return Section("calibration", "Calibration", "Calibration", parts)


def _own_error(s: PageContext) -> list[Part]:
    """The error that the densities of a model imply, beside the nested estimate."""
    # Asked of the catalog first: fitting a forest to all rows only to find that it has no densities would take long.
    if s.winner.entry.family not in DENSITY_FAMILIES:
        return []
    model = s.model.model_
    if not model.has_density:
        return []
    samples = max(FEWEST_DRAWN, min(MOST_DRAWN, DRAWN_CELLS // model.n_features_in_))
    implied = error_probability(model, n_samples=samples)
    drawn = (
        ""
        if implied.exact
        else f" (standard error {points(implied.standard_error)}, from {count(samples)} drawn rows)"
    )
    return [
        Paragraph(
            f"If the class densities of {s.titles[s.best]} were correct, its error would be "
            f"{percent(implied.value)}{drawn}; on test rows it is {percent(s.evaluation.error)}. A large difference "
            "means that the densities do not fit these rows."
        )
    ]


def _how_sure(bins: CalibrationTable, what: str) -> str:
    """The bars in words, for those who do not see them."""
    most = max(bins.rows, key=lambda b: b.count)
    return (
        f"Histogram of the {what}: most rows, {count(most.count)} of {count(bins.count.sum())}, are between "
        f"{percent(most.lower)} and {percent(most.upper)}."
    )


def roc_section(s: PageContext) -> Section | None:
    """How well scores rank the rows, at any threshold."""
    e = s.evaluation
    two = len(s.class_names) == 2
    codes = [1] if two else s.coloured
    curves = roc_curves(e, codes)
    try:
        area, (low, high) = e.auc, e.interval("auc")
    except ValueError:  # a class with fewer than two rows
        return None
    if not curves:
        return None
    if two:
        text = (
            f"A row of {shorten(s.class_names[1], 40)} scores above a row of {shorten(s.class_names[0], 40)} in "
            f"{percent(area)} of all pairs: AUC {area:.3f} ({low:.3f} to {high:.3f})."
        )
        caption = "Towards the upper left is better; the dashed line is random guessing."
    else:
        text = (
            f"One class against the rest: on average a row of the class scores above another row in {percent(area)} "
            f"of all pairs, AUC {area:.3f} ({low:.3f} to {high:.3f})."
        )
        left = len(s.class_names) - len(curves)
        caption = "One curve per class, against all others." + (
            f" Only in the table: {count(left)} further classes." if left else ""
        )
    every = curves if two else roc_curves(e, list(range(len(s.class_names)))[:MOST_ROC_ROWS])
    rows = [(s.class_names[c.code], count(s.class_counts[c.code]), f"{c.area:.3f}") for c in every]
    figure = Figure(
        "roc",
        (Panel(roc_chart(curves, [s.short_classes[c.code] for c in curves]), shape="square"),),
        f"ROC curve of {s.titles[s.best]}. {text}",
        caption,
        data_table("Area under the curve", ("class", "rows", "AUC"), rows, (1, 2)),
    )
    return Section("roc", "ROC curve", "ROC curve", (Paragraph(text), figure))


def cost_section(s: PageContext) -> Section | None:
    """Loss by threshold, and error by proportion of rejected rows."""
    if not s.evaluation.probabilistic:
        return None
    parts: list[Part] = []
    if s.loss is not None:
        heads = ("true class", *(str(action) for action in s.loss.actions))
        rows = [
            (s.class_names[k], *(f"{v:g}" for v in line)) for k, line in enumerate(s.loss.values.tolist())
        ]
        parts.append(data_table("Loss matrix", heads, rows, range(1, len(heads)), folded=len(rows) > 12))
    figure = _threshold_figure(s)
    if figure is not None:
        parts.append(figure)
    parts.append(_reject_figure(s))
    if s.loss is None:
        return Section("costs", "Threshold and rejection", "Rejection", tuple(parts))
    return Section("costs", "Cost of decisions", "Costs", tuple(parts))


def _threshold_figure(s: PageContext) -> Figure | None:
    """Only two classes and their two actions have a threshold."""
    if len(s.class_names) != 2:
        return None
    try:
        if s.loss is not None:
            threshold(s.loss)
        curve = threshold_curve(s.evaluation, s.loss)
    except ValueError:
        return None
    show = percent if s.loss is None else number
    what = "error" if s.loss is None else "mean loss"
    positive = shorten(s.class_names[1], 24)
    text = (
        f"The optimal threshold for {'this loss' if s.loss else 'zero-one loss'} is {number(curve.chosen)}, where the "
        f"{what} is {show(curve.chosen_loss)}. The minimum on these rows, {show(curve.best_loss)}, is at "
        f"{number(curve.best)}."
    )
    highest = float(curve.loss.max())
    beyond = f" The line leaves the frame and reaches {show(highest)}." if highest > curve.top else ""
    marks = np.linspace(0.05, 0.95, 19)
    place = np.maximum(np.searchsorted(curve.thresholds, marks, side="right") - 1, 0)
    rows = [(f"{t:.2f}", show(float(curve.loss[i]))) for t, i in zip(marks, place, strict=True)]
    return Figure(
        "threshold",
        (Panel(threshold_chart(curve, positive, what, s.loss is None)),),
        f"{what.capitalize()} against the threshold on the probability of {positive}. {text}",
        f"{text} The disc is the threshold in use, the diamond the best on these rows. Prefer the disc unless "
        f"the probabilities are badly calibrated.{beyond}",
        data_table(f"{what.capitalize()} by threshold", ("threshold", what), rows, (0, 1)),
    )


def _reject_figure(s: PageContext) -> Figure:
    curve = reject_curve(s.evaluation, s.loss)
    marks = [0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5]
    places = [int(np.searchsorted(curve.reject_rate, mark - 1e-12)) for mark in marks]
    marked = [(mark, min(i, len(curve.reject_rate) - 1)) for mark, i in zip(marks, places, strict=True)]
    rows = [
        (percent(float(curve.reject_rate[i])), percent(float(curve.error[i])), number(float(curve.loss[i])))
        for i in dict.fromkeys(i for _, i in marked)
    ]
    at = next((i for mark, i in marked if mark == 0.1), 0)
    whose = "" if s.loss is None else "of the actions "
    text = (
        f"If the most uncertain {percent(float(curve.reject_rate[at]))} of rows are rejected, the error "
        f"{whose}among the others falls from {percent(float(curve.error[0]))} to {percent(float(curve.error[at]))}."
    )
    panels = [Panel(reject_chart(curve, "error", "error among accepted rows"), "Error", "small")]
    if s.loss is not None:
        panels.append(
            Panel(reject_chart(curve, "loss", "mean loss among accepted rows"), "Mean loss", "small")
        )
    return Figure(
        "reject",
        tuple(panels) if s.loss is not None else (Panel(panels[0].chart),),
        f"Error among accepted rows by proportion rejected. {text}",
        f"{text} A row is uncertain if its least expected loss is large.",
        data_table(
            "Rejection",
            ("rejected", "error among accepted rows", "mean loss among accepted rows"),
            rows,
            (0, 1, 2),
        ),
    )
