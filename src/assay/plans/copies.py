"""Copies of rows: each follows the first of its set into the fold that was drawn for it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from assay.notes import Note
from assay.plans.base import ALWAYS_TRAIN, Partition, Plan, encode


def draw_partitions(
    plan: Plan, codes: ArrayLike, groups: ArrayLike | None, copies: bool = False
) -> list[Partition]:
    """The partitions of a plan, for groups that stay together or for copies of rows that do.

    Whole groups are drawn by the plan. Copies follow the first of them instead, so that every row without a copy is
    where it is without groups; a fold that nothing is left of is dropped.

    Parameters
    ----------
    plan : Plan
    codes : array of int
        Class of each row.
    groups : array or None
        Which rows belong together.
    copies : bool
        Whether rows of one group are equal.

    Examples
    --------
    >>> from assay.plans import KFold
    >>> plan, codes, sets = KFold(3, random_state=1), [0, 0, 0, 1, 1, 1], [0, 1, 2, 3, 4, 3]
    >>> plan.partitions(codes)[0].fold
    array([1, 0, 2, 1, 2, 0], dtype=int32)
    >>> draw_partitions(plan, codes, sets, copies=True)[0].fold
    array([1, 0, 2, 1, 2, 1], dtype=int32)
    """
    if not copies or groups is None:
        return plan.partitions(codes, groups)
    return [_follow_first(partition, groups) for partition in plan.partitions(codes)]


def _follow_first(partition: Partition, groups: ArrayLike) -> Partition:
    """The partition with each row in the fold of the first row of its group."""
    members = encode(groups, "groups", partition.fold.size)
    first = np.unique(members, return_index=True)[1]
    fold = partition.fold[first[members]]
    left, number = np.unique(fold[fold >= 0], return_inverse=True)
    if len(left) == 0 or (len(left) == 1 and not (fold == ALWAYS_TRAIN).any()):
        raise ValueError(Note("S046"))
    fold[fold >= 0] = number
    return Partition(fold, len(left))
