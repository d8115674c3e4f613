"""The verdict: which candidate to use and its error rate on new data, and what else would do."""

from __future__ import annotations

from typing import Any

from assay.commands.compare.result import ComparisonResult
from assay.notes import Note
from assay.notes.numbers import plain_number, plain_percent
from assay.selection.evaluation import Evaluation
from assay.workbench.experiment.procedure import BASELINE


def what_to_use(result: ComparisonResult) -> Note:
    """Which candidate, its error rate and cost on new data, those of the baseline, and those with leakage suspects."""
    notes = _which(result)
    if result.with_suspects is not None:
        nested = result.with_suspects.nested
        notes.append(_estimate(result, ("C112", "C113"), nested, columns=result.suspects))
    return Note("C100", notes=tuple(notes))


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
    if result.recommended is not None and result.loss is not None:
        notes.append(Note("C105", error=nested.error, interval=tuple(nested.error_interval)))
    return notes


def _with_interval(
    result: ComparisonResult, codes: tuple[str, str], evaluation: Evaluation, **values: Any
) -> Note:
    kind = "error" if result.loss is None else "loss"
    return _estimate(result, codes, evaluation, interval=tuple(evaluation.interval(kind)), **values)


def _estimate(
    result: ComparisonResult, codes: tuple[str, str], evaluation: Evaluation, **values: Any
) -> Note:
    """The first code with the error rate, the second with the cost where a loss is given."""
    if result.loss is None:
        return Note(codes[0], error=evaluation.error, **values)
    return Note(codes[1], cost=evaluation.mean_loss(), **values)


def what_else(result: ComparisonResult) -> Note:
    """The simplest candidate that the tested rows do not tell apart from the winner, if there is a simpler one."""
    if result.recommended is None:
        return Note("C120" if list(result.results) == [BASELINE] else "C121")
    best = result.evaluations[result.best_name]
    if result.simplest is None:
        return _estimate(result, ("C122", "C123"), best, baseline=_loss(result, result.baseline))
    simple = result.simplest.name
    if simple == result.best_name:
        return _nothing_simpler(result)
    evaluation, title = result.evaluations[simple], result.results[simple].title
    if _shown(result, evaluation) == _shown(result, best):
        return _estimate(result, ("C126", "C127"), evaluation, title=title)
    return _estimate(result, ("C124", "C125"), evaluation, title=title, best=_loss(result, best))


def _nothing_simpler(result: ComparisonResult) -> Note:
    """Why no simpler candidate is named."""
    others = [row for row in result.leaderboard[1:] if row.name != BASELINE]
    if not others:
        return Note("C128" if BASELINE in result.results else "C129")
    complexity = result.results[result.best_name].entry.complexity
    simpler = [row for row in others if result.results[row.name].entry.complexity < complexity]
    if not simpler:
        return Note("C130")
    if all(row.against_best is not None and row.against_best.clear for row in simpler):
        return Note("C131")
    return Note("C132")


def _loss(result: ComparisonResult, evaluation: Evaluation) -> float:
    return evaluation.error if result.loss is None else evaluation.mean_loss()


def _shown(result: ComparisonResult, evaluation: Evaluation) -> str:
    """The digits that a reader sees: equal ones are called equal."""
    return (plain_percent if result.loss is None else plain_number)(_loss(result, evaluation))


def how_chosen(result: ComparisonResult, model: str, cv_loss: float, nested: Evaluation, bias: float) -> Note:
    """The CV loss of the final hyperparameters, the nested estimate of the choice, and the selection bias."""
    in_parts = result.plan.in_parts
    values: dict[str, Any] = {
        "interval": tuple(nested.interval("error" if result.loss is None else "loss")),
        "bias": bias,
    }
    if result.loss is None:
        return Note("C100", notes=(
            Note("C135" if in_parts else "C133", model=model, error=cv_loss),
            Note("C139" if in_parts else "C137", error=nested.error, **values),
        ))  # fmt: skip
    return Note("C100", notes=(
        Note("C136" if in_parts else "C134", model=model, cost=cv_loss),
        Note("C140" if in_parts else "C138", cost=nested.mean_loss(), **values),
    ))  # fmt: skip
