"""From a plan to splits: which constructor serves it, and by which inner folds its splits go deeper."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from assay.notes import Note
from assay.plans import Bootstrap, LeaveOneOut, Plan, draw_partitions
from assay.sharing.splits.inner_folds import InnerFolds, inner_folds
from assay.sharing.splits.schemes import (
    bootstrap,
    deeper_of,
    divided,
    folds,
    joined,
    one_out,
    validated,
    windows,
)
from assay.sharing.splits.splits import Splits
from assay.types import Codes, Labels


def splits_of(
    plan: Plan,
    codes: Codes,
    groups: Any = None,
    copies: bool = False,
    *,
    classes: Labels | None = None,
    inner: int | None = None,
    nested: bool = False,
) -> Splits:
    """The splits of a plan; `deeper` follows the rule of the inner folds.

    Parameters
    ----------
    plan : Plan
    codes : (N,) class of each row
    groups : (N,) rows that stay together; leave-one-out leaves a group out, the bootstrap draws groups
    copies : groups are sets of equal rows (see `draw_partitions`)
    classes, inner : as in `inner_folds`
    nested : whether tests inside will be asked for
        Then the rule is followed at once, and cells are as fine as it takes: `deeper` keeps the very array. Without
        it, it does so where the inner folds are the other folds.
    """
    if isinstance(plan, LeaveOneOut | Bootstrap):
        if nested:
            raise ValueError(Note("S140", kind=type(plan).__name__))
        if isinstance(plan, Bootstrap):
            return bootstrap(plan.multiplicities(len(codes), groups))
        return one_out(len(codes), groups)
    partitions = draw_partitions(plan, codes, groups, copies)
    plain = joined([folds(partition) for partition in partitions])

    def by_rule() -> Splits:
        inside = inner_folds(plan, partitions, codes, classes, groups, inner, copies)
        pairs = all(repeat.division is None for repeat in inside)
        splits = plain if pairs else joined([_divided_again(repeat) for repeat in inside])
        return replace(splits, rule="; ".join(dict.fromkeys(repeat.rule for repeat in inside)))

    def deeper() -> Splits:
        return deeper_of(by_rule())

    splits = by_rule() if nested else replace(plain, deeper=deeper)
    return _of_means(splits) if plan.averages_splits else splits


def _of_means(splits: Splits) -> Splits:
    """The same, whose metrics are means over splits, at every depth."""
    deeper = None if splits.deeper is None else lambda: _of_means(deeper_of(splits))
    return replace(splits, mean_of_splits=True, deeper=deeper)


def _divided_again(inside: InnerFolds) -> Splits:
    """The splits of one repeat, whose `deeper` are these inner folds."""
    if inside.division is None:
        return folds(inside.outer)
    if inside.validation:
        return validated(inside.outer, inside.division)
    if inside.tested is not None:
        return windows(inside.outer, inside.division, inside.tested, inside.usable)
    return divided(inside.outer, inside.division)
