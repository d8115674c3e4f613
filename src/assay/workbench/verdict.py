"""The answer in two sentences: what to use and how wrong it will be, and what speaks for less."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.selection.evaluation import Evaluation
from assay.workbench.digits import number, number_range, percent

if TYPE_CHECKING:
    from assay.workbench.comparison import Comparison

BASELINE = "baseline"


def what_to_use(found: Comparison) -> str:
    """Which classifier, how wrong on new rows, against what, and at what cost."""
    honest = found.honest
    error = f"{_share(honest.error)} of new rows (95 % interval {_shares(honest)})"
    if found.best_name == BASELINE:
        return f"No candidate beats the most frequent class, which is wrong for {error}: use none of them."
    use = f"Use {found.results[found.best_name].title}"
    if found.loss is None:
        return f"{use}: expect it to be wrong for {error}{_against_baseline(found)}."
    cost = f"{number(honest.mean_loss())} ({number_range(honest.interval('loss'))})"
    return (
        f"{use}: under the given costs expect to pay {cost} a new row{_against_baseline(found)}, "
        f"and its most probable class to be wrong for {error}."
    )


def _against_baseline(found: Comparison) -> str:
    if BASELINE not in found.results:
        return ""
    blind = found.evaluations[BASELINE]
    if found.loss is None:
        return f", against {_share(blind.error)} for always naming the most frequent class"
    return f", against {number(blind.mean_loss())} for the best action that looks at no column"


def what_else(found: Comparison) -> str:
    """The simplest candidate that the folds do not tell apart from the winner."""
    if found.best_name == BASELINE:
        return "Either the columns do not tell the classes apart, or it takes more rows to see how."
    simple = found.simplest.name
    if simple == found.best_name:
        alone = sum(name != BASELINE for name in found.results) < 2
        return "No other candidate was tried." if alone else "Every simpler candidate is clearly worse."
    mine, figure = (_figure(found, found.evaluations[name]) for name in (found.best_name, simple))
    if simple == BASELINE:
        return (
            f"But it is not clearly better than looking at no column at all ({mine} against {figure}): gather more "
            "rows or better columns before relying on it."
        )
    worse = "does as well" if figure == mine else "is not clearly worse"
    shown = figure if figure == mine else f"{figure} against {mine}"
    return (
        f"{found.results[simple].title} is simpler and {worse} ({shown} on the same folds): take it if you must "
        "explain or maintain the model."
    )


def _figure(found: Comparison, evaluation: Evaluation) -> str:
    return _share(evaluation.error) if found.loss is None else number(evaluation.mean_loss())


def _share(share: float) -> str:
    return f"{percent(share)} %"


def _shares(evaluation: Evaluation) -> str:
    return " to ".join(_share(end) for end in evaluation.error_interval)
