"""Naive Bayes of levels, words and columns of every kind: scores follow from sums over features.

The sums over the chosen features are kept, a candidate adds its own or takes them off, and the rows that are right are
counted. Where a row is so near to a tie that rounding could decide it, the set is evaluated by itself.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assay.selection.features.contests import Contests
from assay.selection.features.layout import Pairs
from assay.selection.features.refits import RefitJudge
from assay.selection.features.task import Array, Chosen, Figure, Task

Sums = tuple[Array, ...]  # the first says how many features touch each row, (M,)


class SummedJudge(RefitJudge):
    """Subclasses say what a feature adds, and the margins that follow from sums."""

    shared = "sums over features"

    def __init__(self, task: Task, log_prior: Array, absences: tuple[str, ...]) -> None:
        """log_prior: (splits, K); absences: classes that training parts lack, in words."""
        super().__init__(task)
        pairs = Pairs.of(task.partitions)
        self.contests = Contests.of(pairs, task.codes, len(task.classes), task.weight)
        self._start = self.contests.of_splits(log_prior)
        self._countable = task.plain and pairs.evenly
        self._plain = self._countable and task.weight is None and pairs.once
        weight = self.contests.weight
        self._total = float(len(pairs.rows) if weight is None else weight.sum())
        self._notes.update(dict.fromkeys(absences))

    def _sums(self, unit: int) -> Sums:
        """What a feature adds."""
        raise NotImplementedError

    def _margins(self, chosen: Chosen, sums: Sums) -> Array:
        """Margins that follow from the sums over a set, without the priors, (K - 1, M)."""
        raise NotImplementedError

    def adding(self, chosen: Chosen, candidates: Sequence[int]) -> Array:
        if not self._countable:
            return super().adding(chosen, candidates)
        return self._losses(chosen, candidates, 1.0)

    def dropping(self, chosen: Chosen, candidates: Sequence[int]) -> Array:
        if not self._countable or len(chosen) == 1:
            return super().dropping(chosen, candidates)
        return self._losses(chosen, candidates, -1.0)

    def figure(self, chosen: Chosen, loss: float | None) -> Figure:
        if self._plain and loss is not None:
            return Figure.of_hits(self._total - round(loss * self._total), self._total)
        return super().figure(chosen, loss)

    def _losses(self, chosen: Chosen, candidates: Sequence[int], sign: float) -> Array:
        """Losses with each candidate added (sign 1) or taken off (-1)."""
        base = self._together(chosen)
        scale = np.ones(self._start.shape)
        if base is not None:
            scale += np.abs(self._margins(chosen, base))
        out = np.empty(len(candidates))
        for place, unit in enumerate(candidates):
            moved, more = _moved(chosen, unit), self._sums(unit)
            sums = more if base is None else tuple(a + sign * b for a, b in zip(base, more, strict=True))
            margin = self._start + self._margins(moved, sums)
            if self.contests.close(margin, scale, sums[0] > 0):
                out[place] = self._figure(moved).loss
            else:
                out[place] = (self._total - self.contests.hits(margin)) / self._total
        return out

    def _together(self, chosen: Chosen) -> Sums | None:
        """The sums over a set; None: over nothing."""
        base: Sums | None = None
        for unit in chosen:
            more = self._sums(unit)
            base = more if base is None else tuple(a + b for a, b in zip(base, more, strict=True))
        return base


def _moved(chosen: Chosen, unit: int) -> Chosen:
    """The set with a unit more, or without it."""
    return tuple(u for u in chosen if u != unit) if unit in chosen else (*chosen, unit)
