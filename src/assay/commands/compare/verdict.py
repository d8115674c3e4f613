"""The verdict: which candidate to use and its error rate on new data, and what else would do."""

from __future__ import annotations

from typing import Any

from assay.commands.compare.metric_notes import metric_note
from assay.commands.compare.rare_class import rare_class_notes
from assay.commands.compare.result import ComparisonResult
from assay.notes import Note, as_note
from assay.selection.evaluation import Evaluation
from assay.workbench.experiment.procedure import BASELINE
from assay.workbench.experiment.reproduce import resume_commands
from assay.workbench.experiment.schedule import CUT_OFF, OUT_OF_TIME
from assay.workbench.syntax.duration import format_budget

NEW_FOLDER = "run"  # a name for the folder of a run that was not kept
MORE_TIME = 3.0  # times the budget that was too short


def what_to_use(result: ComparisonResult) -> Note:
    """Which candidate, its error rate and cost on new data, those of the baseline, and those with leakage suspects.

    And whether candidates are missing.
    """
    notes = _which(result)
    if result.with_suspects is not None:
        nested = result.with_suspects.nested
        notes.append(_estimate(result, ("C112", "C113"), nested, columns=result.suspects))
    rest = (*rare_class_notes(result), *_sampled(result), *_unfinished(result))
    return Note("C100", notes=(*notes, *rest))


def _which(result: ComparisonResult) -> list[Note]:
    """The candidate to use, or that there is none, each with its estimate."""
    nested, baseline = result.nested, result.baseline
    if result.recommended is None and result.best_name == BASELINE:
        # The baseline's own estimate, not that of a procedure that picks others now and then.
        codes = ("C110", "C111") if len(result.results) == 1 else ("C108", "C109")
        return [_with_interval(result, codes, baseline)]
    if result.recommended is None:
        notes = [_with_interval(result, ("C106", "C107"), nested)]
    else:
        notes = [
            _with_interval(result, ("C101", "C102"), nested, title=result.results[result.best_name].title)
        ]
    if result.recommended is None or BASELINE in result.results:
        notes.append(_estimate(result, ("C103", "C104"), baseline))
    if result.recommended is not None and not _by_error(result):
        notes.append(Note("C105", error=nested.error, interval=tuple(nested.error_interval)))
    return notes


def _with_interval(
    result: ComparisonResult, codes: tuple[str, str], evaluation: Evaluation, **values: Any
) -> Note:
    kind = "error" if _by_error(result) else "loss"
    return _estimate(result, codes, evaluation, interval=tuple(evaluation.interval(kind)), **values)


def _estimate(
    result: ComparisonResult, codes: tuple[str, str], evaluation: Evaluation, **values: Any
) -> Note:
    """The first code with the error rate, the second with the cost where a loss is given.

    Where a metric is chosen by, the sentence about it that belongs to the first code.
    """
    if result.metric is not None:
        return metric_note(result, result.metric, codes[0], evaluation, **values)
    if result.loss is None:
        return Note(codes[0], error=evaluation.error, **values)
    return Note(codes[1], cost=evaluation.mean_loss(), **values)


def what_else(result: ComparisonResult) -> Note | None:
    """What else would do: the simplest candidate that is not worse, by the conclusion of the significance table.

    None where there is nothing that one could act on.
    """
    if result.recommended is None:
        return Note("C120" if list(result.results) == [BASELINE] else "C121")
    best = result.evaluations[result.best_name]
    if result.simplest is None:
        return _estimate(result, ("C122", "C123"), best, baseline=_loss(result, result.baseline))
    against = result.simplest.against_best
    if against is not None and against.simpler:
        return Note("C100", notes=(against.verdict, Note("C117")))
    return Note("C131") if _all_simpler_are_worse(result) else None


def _all_simpler_are_worse(result: ComparisonResult) -> bool:
    """Whether there are simpler candidates than the winner, the baseline aside, and all of them are worse."""
    complexity = result.results[result.best_name].entry.complexity
    simpler = [
        row
        for row in result.leaderboard[1:]
        if row.name != BASELINE and result.results[row.name].entry.complexity < complexity
    ]
    return bool(simpler) and not any(row.close_to_best for row in simpler)


def _sampled(result: ComparisonResult) -> list[Note]:
    """On how many rows the candidate to use was trained, where these are not all."""
    rows = None if result.recommended is None else result.results[result.recommended].sample_rows
    return [] if rows is None else [Note("C116", rows=rows, total=result.n_rows)]


def _unfinished(result: ComparisonResult) -> list[Note]:
    """Candidates that were not evaluated for want of time or because of an interruption, and how to go on."""
    late, cut_off = result.omitted_by(OUT_OF_TIME), result.omitted_by(CUT_OFF)
    total, notes = len(result.results) + len(late) + len(cut_off), []
    if cut_off:
        call, command = resume_commands(result.commands, result.folder or NEW_FOLDER)
        values: dict[str, Any] = {"call": call, "command": command, "total": total}
        notes.append(Note("C115", names=tuple(cut_off), done=len(result.results), **values))
    if late:
        call, command = resume_commands(
            result.commands, result.folder or NEW_FOLDER, format_budget(_larger_budget(result, late))
        )
        values = {"call": call, "command": command, "total": total}
        notes.append(Note("C114", names=tuple(late), n_names=len(late), **values))
    return notes


def _larger_budget(result: ComparisonResult, late: list[str]) -> float:
    """Seconds for candidates that were late: thrice those of the run, and as many as their forecasts need."""
    reasons = [as_note(result.omitted[name]).values for name in late]
    needed = sum(float(str(values.get("needed", 0.0))) for values in reasons)
    return max(*(MORE_TIME * float(str(values["budget"])) for values in reasons), needed)


def _loss(result: ComparisonResult, evaluation: Evaluation) -> float:
    return evaluation.error if _by_error(result) else evaluation.mean_loss()


def _by_error(result: ComparisonResult) -> bool:
    """Whether candidates are chosen by their error rates."""
    return result.loss is None and result.metric is None


def how_chosen(result: ComparisonResult, model: str, cv_loss: float, nested: Evaluation, bias: float) -> Note:
    """The CV loss of the final hyperparameters, the nested estimate of the choice, and the selection bias."""
    in_parts = result.plan.in_parts
    values: dict[str, Any] = {
        "interval": tuple(nested.interval("error" if _by_error(result) else "loss")),
        "bias": bias,
    }
    if result.metric is not None:
        values["bias"] = -bias if result.metric.larger_is_better else bias
        chosen = metric_note(
            result, result.metric, "C135" if in_parts else "C133", nested, model=model, best=cv_loss
        )
        estimate = metric_note(result, result.metric, "C139" if in_parts else "C137", nested, **values)
        return Note("C100", notes=(chosen, estimate))
    if result.loss is None:
        return Note("C100", notes=(
            Note("C135" if in_parts else "C133", model=model, error=cv_loss),
            Note("C139" if in_parts else "C137", error=nested.error, **values),
        ))  # fmt: skip
    return Note("C100", notes=(
        Note("C136" if in_parts else "C134", model=model, cost=cv_loss),
        Note("C140" if in_parts else "C138", cost=nested.mean_loss(), **values),
    ))  # fmt: skip
