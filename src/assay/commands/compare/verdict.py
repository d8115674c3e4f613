"""The answer in two sentences: what to use and how wrong it will be, and what speaks for less."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.notes.numbers import plain_number as number
from assay.notes.numbers import plain_number_range as number_range
from assay.notes.numbers import plain_percent as percent
from assay.notes.phrases import spell_columns
from assay.selection.evaluation import Evaluation

if TYPE_CHECKING:
    from assay.commands.compare.comparison import Comparison

BASELINE = "baseline"
ROUNDING = 1e-12  # of a mean over the same rows in another order


def beats_baseline(found: Comparison) -> bool:
    """Whether the nested loss of the choice is below the baseline's; True where the baseline was not tried."""
    if BASELINE not in found.results:
        return True
    blind, chosen = found.evaluations[BASELINE].mean_loss(), found.honest.mean_loss()
    return found.best_name != BASELINE and blind - chosen > ROUNDING * max(abs(blind), 1.0)


def what_to_use(found: Comparison) -> str:
    """Which classifier, how wrong on new rows, against what, and at what cost; then how wrong with leak suspects."""
    answer = _without_suspects(found)
    if found.with_suspects is None:
        return answer
    verb = "is" if len(found.suspects) == 1 else "are"
    known = f"if {spell_columns(found.suspects)} {verb} known before the outcome"
    return f"{answer.removesuffix('.')}; {known}: {_figure(found, found.with_suspects.honest)}."


def _without_suspects(found: Comparison) -> str:
    if found.recommended is None:
        return _nothing_better(found)
    use = f"Use {found.results[found.best_name].title}"
    if found.loss is None:
        return f"{use}: expect it to be wrong for {_error(found.honest)}{_against_baseline(found)}."
    return (
        f"{use}: under the given costs expect to pay {_cost(found.honest)} a new row{_against_baseline(found)}, "
        f"and its most probable class to be wrong for {_error(found.honest)}."
    )


def _nothing_better(found: Comparison) -> str:
    """No candidate is worth using. Where the baseline itself ranks first, the figures are its own, not those of a
    procedure that picks others now and then."""
    blind = found.evaluations[BASELINE]
    if found.best_name != BASELINE:
        return f"Use none of these: choosing among them {_outcome(found, found.honest)}{_against_baseline(found)}."
    what = "the most frequent class" if found.loss is None else "the best action that looks at no column"
    if len(found.results) == 1:
        return f"Nothing but the baseline was tried, {what}, which {_outcome(found, blind)}."
    return f"Use none of these: no candidate beats {what}, which {_outcome(found, blind)}."


def _outcome(found: Comparison, evaluation: Evaluation) -> str:
    if found.loss is None:
        return f"is wrong for {_error(evaluation)}"
    return f"costs {_cost(evaluation)} per new row under the given costs"


def _error(evaluation: Evaluation) -> str:
    return f"{_share(evaluation.error)} of new rows (95 % interval {_shares(evaluation)})"


def _cost(evaluation: Evaluation) -> str:
    return f"{number(evaluation.mean_loss())} ({number_range(evaluation.interval('loss'))})"


def _against_baseline(found: Comparison) -> str:
    if BASELINE not in found.results:
        return ""
    blind = found.evaluations[BASELINE]
    if found.loss is None:
        return f", against {_share(blind.error)} for always naming the most frequent class"
    return f", against {number(blind.mean_loss())} for the best action that looks at no column"


def what_else(found: Comparison) -> str:
    """The simplest candidate that the tested rows do not tell apart from the winner, if there is a simpler one."""
    if found.recommended is None:
        if len(found.results) == 1:
            return "Try candidates that look at the columns."
        return "Either the columns do not tell the classes apart, or it takes more rows to see how."
    mine = _figure(found, found.evaluations[found.best_name])
    if found.simplest is None:
        blind = _figure(found, found.evaluations[BASELINE])
        return (
            f"But it is not clearly better than looking at no column at all ({mine} against {blind}): gather more "
            "rows or better columns before relying on it."
        )
    simple = found.simplest.name
    if simple == found.best_name:
        return _nothing_simpler(found)
    figure = _figure(found, found.evaluations[simple])
    worse = "does as well" if figure == mine else "is not clearly worse"
    shown = figure if figure == mine else f"{figure} against {mine}"
    return (
        f"{found.results[simple].title} is simpler and {worse} ({shown} on the same rows): take it if you must "
        "explain or maintain the model."
    )


def _nothing_simpler(found: Comparison) -> str:
    """Why no simpler candidate is named."""
    others = [standing for standing in found.leaderboard[1:] if standing.name != BASELINE]
    if not others:
        beside = BASELINE in found.results
        return "Nothing but the baseline was tried beside it." if beside else "No other candidate was tried."
    level = found.results[found.best_name].entry.complexity
    simpler = [each for each in others if found.results[each.name].entry.complexity < level]
    if not simpler:
        return "None of the other candidates is simpler."
    if all(each.against_best is not None and each.against_best.clear for each in simpler):
        return "Every simpler candidate is clearly worse."
    return "No simpler candidate is both close to it and clearly better than looking at no column."


def _figure(found: Comparison, evaluation: Evaluation) -> str:
    return _share(evaluation.error) if found.loss is None else number(evaluation.mean_loss())


def _share(share: float) -> str:
    return f"{percent(share)} %"


def _shares(evaluation: Evaluation) -> str:
    return " to ".join(_share(end) for end in evaluation.error_interval)
