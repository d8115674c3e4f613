"""Texts of notes about metrics by which models are chosen."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error, info, warning

TEXTS: Texts = {
    "L100": error(
        "There is no metric {name!r}. {hint}",
        name="f2",
        hint="Did you mean 'f1'?",
    ),
    "L101": error(
        "A metric is a name or a function, not {metric!r}; names are {names:choice}.",
        metric=3,
        names=["error", "f1", "auc"],
    ),
    "L102": error(
        "{name!r} is about one class against the rest, and there are {n_classes} classes; name the class with "
        "{option.positive}, or use {instead!r}.",
        name="f1",
        n_classes=3,
        instead="f1_macro",
    ),
    "L103": error(
        "The positive class {label!r} does not occur. {hint}",
        label="frauds",
        hint="Did you mean 'fraud'?",
    ),
    "L104": error(
        "The metric {name} raised {kind}: {reason}",
        name="profit",
        kind="TypeError",
        reason="profit() takes 1 positional argument but 2 were given",
    ),
    "L105": error(
        "The metric {name} returned {value!r} for {rows:count tested row}; it must return a finite number.",
        name="profit",
        value=float("nan"),
        rows=150,
    ),
    "L106": error(
        'A metric of your own is of="predicted" or of="posterior", not of={of!r}.',
        of="scores",
    ),
    "L107": error(
        "There is no metric {name!r} in the table. {hint}",
        name="f2",
        hint="Did you mean 'f1'?",
    ),
    "S300": info(
        "The metric {metric} is not defined in {undefined} of the {of} comparisons of settings; it counts as the worst "
        "value there.",
        metric="precision",
        undefined=3,
        of=220,
    ),
    "C200": error(
        "{address!r} gives no metric ({kind}: {reason}).",
        address="mypackage.money:profit",
        kind="ModuleNotFoundError",
        reason="No module named 'mypackage'",
    ),
    "C201": info(
        "It has no posterior probabilities, which the metric {metric} compares; {calibrated} has them.",
        metric="log loss",
        calibrated="calibrated_svm or calibrated_kernel_svm",
    ),
    "C202": info(
        "It has no predict_proba, which the metric {metric} needs; put it into assay.Calibrated.",
        metric="log loss",
    ),
    "C203": error(
        "The run in {folder!r} was chosen by the function {name}, which a run folder does not store; open it in Python "
        "with {option.metric} and the same function.",
        folder="run",
        name="profit",
    ),
    # -- the verdict about a rare class ------------------------------------------------------------------------
    "C220": warning(
        "{title} misses {missed:percent} of the {rows:count row} of class {label!r}: recall {recall:percent} (95 % CI "
        "{recall_interval:percent range}), precision {precision:percent} (95 % CI {precision_interval:percent range}). "
        'To find more of them, say what they cost ({option.loss} "{costs}") or choose by another metric '
        "({option.metric} {metric}).",
        title="Logistic regression",
        missed=0.66,
        rows=50,
        label="fraud",
        recall=0.34,
        recall_interval=(0.22, 0.48),
        precision=0.81,
        precision_interval=(0.6, 0.92),
        costs="fraud:fair=10",
        metric="f1",
    ),
    "C221": warning(
        "{title} finds none of the {rows:count row} of class {label!r}. To find some, say what they cost "
        '({option.loss} "{costs}") or choose by another metric ({option.metric} {metric}).',
        title="Logistic regression",
        rows=50,
        label="fraud",
        costs="fraud:fair=10",
        metric="f1",
    ),
    "C222": info(
        "Of the {rows:count row} of the rare class {label!r} it finds {recall:percent} (95 % CI "
        "{recall_interval:percent range}), and {precision:percent} (95 % CI {precision_interval:percent range}) of the "
        "rows predicted as this class are of it.",
        rows=50,
        label="fraud",
        recall=0.72,
        recall_interval=(0.58, 0.83),
        precision=0.81,
        precision_interval=(0.66, 0.9),
    ),
    # -- the verdict by a metric -------------------------------------------------------------------------------
    "C204": info(
        "Use {title}. On new data, {metric} is {value:number} (95 % CI {interval:number range}).",
        title="Logistic regression",
        metric="F1 of 'fraud'",
        value=0.71,
        interval=(0.62, 0.79),
    ),
    "C205": info(
        "Always predicting the most frequent class has the value {value:number}.",
        value=0.0,
    ),
    "C206": info(
        "Use none of these candidates. Choosing among them gives {metric} {value:number} on new data (95 % CI "
        "{interval:number range}).",
        metric="F1 of 'fraud'",
        value=0.02,
        interval=(0.0, 0.07),
    ),
    "C207": info(
        "Use none of these candidates. None is better than always predicting the most frequent class: {metric} "
        "{value:number} (95 % CI {interval:number range}).",
        metric="balanced accuracy",
        value=0.5,
        interval=(0.48, 0.52),
    ),
    "C208": info(
        "Only the baseline was evaluated. It always predicts the most frequent class: {metric} {value:number} (95 % CI "
        "{interval:number range}).",
        metric="balanced accuracy",
        value=0.5,
        interval=(0.48, 0.52),
    ),
    "C209": info(
        "With {columns:columns} the value is {value:number}, which holds only if these values are known before the "
        "outcome.",
        columns=("boat", "body"),
        value=0.97,
    ),
    "C210": warning(
        "It is not significantly better than the baseline ({metric} {value:number} against {baseline:number}). Collect "
        "more rows or better columns before relying on it.",
        metric="balanced accuracy",
        value=0.53,
        baseline=0.5,
    ),
    "C213": info(
        "The final hyperparameters of {model} have the CV {metric} {best:number} on the folds that selected them.",
        model="logistic (l2=0.01)",
        best=0.72,
        metric="F1 of 'fraud'",
    ),
    "C214": info(
        "The final hyperparameters of {model} have the {metric} {best:number} on the validation rows that selected "
        "them.",
        model="logistic (l2=0.01)",
        best=0.72,
        metric="F1 of 'fraud'",
    ),
    "C215": info(
        "Nested cross-validation estimates {value:number} (95 % CI {interval:number range}). Selection bias: "
        "{bias:+.3g}.",
        value=0.71,
        interval=(0.62, 0.79),
        bias=-0.01,
    ),
    "C216": info(
        "The value on the test rows is {value:number} (95 % CI {interval:number range}). Selection bias: {bias:+.3g}.",
        value=0.71,
        interval=(0.62, 0.79),
        bias=-0.01,
    ),
    "S301": error(
        "A loss and a metric both say what to choose by; give {option.loss} or {option.metric}.",
    ),
    "S302": error(
        "The positive class matters for a metric; give {option.metric} too, or leave {option.positive} out.",
    ),
}
