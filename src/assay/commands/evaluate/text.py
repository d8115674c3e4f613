"""`assay evaluate`: what is printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.notes.numbers import format_duration, in_digits, plain_percent, plain_percent_range
from assay.notes.phrases import plural
from assay.terminal.console import facts, heading, prose, table
from assay.terminal.notes import print_notes

if TYPE_CHECKING:
    from rich.console import Console

    from assay.commands.evaluate.result import EvaluateResult, ResampledResult


def print_evaluation(console: Console, result: EvaluateResult, model: str, quiet: bool) -> None:
    """What was tested on which rows, the metrics, the confusion matrix and the notes."""
    resampled = _resampled(result)
    if not quiet:
        rows = f"{plural(result.rows, 'row')} of {result.source}, classes in column {result.target!r}"
        if resampled is None:
            prose(console, f"{model} on {rows}.")
        else:
            setting = ", ".join(f"{name}={in_digits(value, 4)}" for name, value in resampled.setting.items())
            named = f"{resampled.title} ({setting})" if setting else resampled.title
            how = f"{resampled.strategy}, {format_duration(resampled.seconds)}"
            prose(console, f"{named}, {resampled.plan} ({how}): {rows}.")
        console.print()
    facts(console, [*_errors(result, resampled), *_metrics(result)])
    if not quiet:
        _show_confusion(console, result)
        print_notes(console, result.notes)


def _resampled(result: EvaluateResult) -> ResampledResult | None:
    """The result under a plan, None of a saved model."""
    from assay.commands.evaluate.result import ResampledResult

    return result if isinstance(result, ResampledResult) else None


def _errors(result: EvaluateResult, resampled: ResampledResult | None) -> list[tuple[str, str]]:
    """The error with its interval; under the bootstrap the estimates that combine it with the training error."""
    low_to_high = f"(95 % CI {plain_percent_range(result.error_interval)})"
    if resampled is None or resampled.error_632 is None or resampled.error_632_plus is None:
        return [("error", f"{plain_percent(result.error)} % {low_to_high}")]
    assert resampled.training_error is not None and resampled.no_information_error is not None
    return [
        ("error out of bag", f"{plain_percent(result.error)} % {low_to_high}"),
        ("training error", f"{plain_percent(resampled.training_error)} %"),
        ("no-information error", f"{plain_percent(resampled.no_information_error)} %"),
        (".632 estimate", f"{plain_percent(resampled.error_632)} %"),
        (".632+ estimate", f"{plain_percent(resampled.error_632_plus)} %"),
    ]


def _metrics(result: EvaluateResult) -> list[tuple[str, str]]:
    lines = []
    for name, value, interval in (
        ("mean loss", result.loss, result.loss_interval),
        ("log loss", result.log_loss, result.log_loss_interval),
        ("AUC", result.auc, result.auc_interval),
    ):
        if value is not None:
            ends = "" if interval is None else f" (95 % CI {interval[0]:.4f} to {interval[1]:.4f})"
            lines.append((name, f"{value:.4f}{ends}"))
    return lines


def _show_confusion(console: Console, result: EvaluateResult) -> None:
    decided = result.actions is not None
    heading(
        console,
        f"Confusion matrix: true class (rows), {'action' if decided else 'predicted class'} (columns)",
    )
    columns = [("", "left"), *((str(name), "right") for name in result.actions or result.classes)]
    rows = [
        [str(label), *(f"{count}" if isinstance(count, int) else f"{count:.6g}" for count in counts)]
        for label, counts in zip(result.classes, result.decisions or result.confusion, strict=True)
    ]
    table(console, columns, rows)
