"""Training against validation error along a hyperparameter of the winner: which values are under- or over-fitted."""

from __future__ import annotations

from typing import Any

from assay import catalog
from assay.charts.complexity import complexity_chart
from assay.charts.document import Figure, Panel, Paragraph, Part, data_table
from assay.commands.compare.page.context import PageContext
from assay.models.base.table_steps import STEP_NAMES
from assay.models.table.build import parameter_path
from assay.notes.numbers import in_digits, percent, setting_text
from assay.notes.phrases import listed
from assay.numerics.scalars import is_number
from assay.plans import GivenPartitions
from assay.selection.complexity_curve import ComplexityCurve, complexity_curve

MOST_SECONDS = 60.0  # of refits, by the time of the fit to all rows


def complexity_parts(s: PageContext) -> list[Part]:
    """The curve over the values that the winner was tuned over; nothing where there are no two numbers."""
    name, values = _varied(s)
    n_fits = len(values) * sum(partition.n_folds for partition in s.comparison.bench.partitions)
    if len(values) < 2 or n_fits * s.winner.fit_seconds > MOST_SECONDS:
        return []
    return _shown(s, name, _curve(s, name, values))


def _varied(s: PageContext) -> tuple[str, list[object]]:
    """The tuned number with most values, the simplest model first."""
    entry = s.winner.entry
    if entry.name not in catalog.names() or entry.calibrates:
        return "", []
    own = [tuned for tuned in entry.tuning if tuned.name not in STEP_NAMES]
    numbers: dict[str, list[object]] = {
        tuned.name: [value for value in tuned.values if is_number(value)] for tuned in own
    }
    return max(numbers.items(), key=lambda pair: len(pair[1]), default=("", []))


def _curve(s: PageContext, name: str, values: list[object]) -> ComplexityCurve:
    """Both errors on the folds of the comparison, all other hyperparameters as selected."""
    setup, entry = s.comparison.bench, s.winner.entry
    model = setup.classifier(entry, s.winner.setting).matrix_estimator()
    ranges: dict[str, Any] = {parameter_path(entry, name, s.winner.setting): values}
    return complexity_curve(
        model,
        setup.design(entry),
        setup.labels,
        GivenPartitions(setup.partitions),
        sample_weight=s.problem.weight,
        groups=s.problem.group_codes,
        n_jobs=setup.n_jobs,
        **ranges,
    )


def _shown(s: PageContext, name: str, curve: ComplexityCurve) -> list[Part]:
    others = {key: value for key, value in s.winner.setting.items() if key != name}
    rest = f" Other hyperparameters are as selected ({setting_text(others)})." if others else ""
    if s.loss is not None or s.evaluation.priors is not None:
        rest += " Errors are those of the most probable class, at the prevalence of the table."
    text = f"Is {s.titles[s.best]} too simple or too complex? {_spans(name, curve)}"
    lines = [
        (in_digits(value, 4), percent(train), percent(test), percent(error), label)
        for value, train, test, error, label in zip(
            curve.values, curve.training, curve.validation, curve.standard_errors, curve.labels, strict=True
        )
    ]
    figure = Figure(
        "complexity",
        (Panel(complexity_chart(curve, name)),),
        f"Training against validation error of {s.titles[s.best]} by {name}. {_spans(name, curve)}",
        "From simple on the left to complex on the right, on the folds of the comparison. The band reaches one "
        "standard error to either side; values within one standard error of the least validation error are about "
        f"right.{rest}",
        data_table(
            "Training and validation error",
            (name, "training error", "validation error", "standard error", ""),
            lines,
            (1, 2, 3),
        ),
    )
    return [Paragraph(text), figure]


def _spans(name: str, curve: ComplexityCurve) -> str:
    """Which values are under-fitted, about right and over-fitted, in words."""
    if all(curve.right):
        return f"All {len(curve.values)} values of {name} are about right."
    values: dict[str, list[str]] = {}
    for label, value in zip(curve.labels, curve.values, strict=True):
        values.setdefault(label, []).append(in_digits(value, 4))
    spans = [f"{listed(each, len(each))} ({label})" for label, each in values.items()]
    return f"Values of {name} by validation error: {', '.join(spans)}."
