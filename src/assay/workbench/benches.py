"""How a bench is made of what a caller asked for."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from assay.plans import Plan, as_plan
from assay.selection.criteria import check_rule
from assay.workbench.bench import Bench
from assay.workbench.losses import read_loss, read_priors
from assay.workbench.notation import read_plan
from assay.workbench.problem import Problem
from assay.workbench.repeated_rows import with_repeats


def make_bench(
    problem: Problem,
    plan: Any,
    loss: Any,
    priors: Any,
    random_state: int,
    n_jobs: int | None,
    rule: str,
    split_repeats: bool,
    suspects: Collection[str] = (),
) -> Bench:
    """The bench of a problem, by what a caller asked for; leak suspects have no part in what is a repeated row."""
    if plan is None or isinstance(plan, str):
        chosen: Plan = read_plan("kfold:10" if plan is None else plan, random_state)
    else:
        chosen = as_plan(plan)
    if chosen.single_rows:
        raise ValueError(
            f"Candidates cannot be tuned inside {type(chosen).__name__}; compare by folds (kfold:10) or a hold-out, "
            "and use evaluate for the chosen one."
        )
    _check_groups(chosen, problem)
    return Bench(
        problem=with_repeats(problem, chosen, split_repeats, suspects),
        plan=chosen,
        loss=None if loss is None else read_loss(loss, problem.classes),
        priors=read_priors(priors, problem.classes),
        random_state=random_state,
        n_jobs=n_jobs,
        rule=check_rule(rule),
    )


def _check_groups(plan: Plan, problem: Problem) -> None:
    """There are as many groups as folds, and three parts of whole groups where three are asked for."""
    least, called = plan.fewest_groups
    if problem.groups is None or problem.groups.count >= least:
        return
    count = problem.groups.count
    advice = f", such as kfold:{count}" if called == "folds" and count > 2 else ""
    raise ValueError(
        f"{least} {called} need at least {least} groups, and {problem.groups.called} has {count}: use fewer{advice}, "
        "or other groups."
    )
