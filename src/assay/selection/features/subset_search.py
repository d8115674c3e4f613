"""Searches through subsets of features: passes over the rows judge them where a model has them, else the study."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from assay.engines.progress import Meter
from assay.selection.features.one_pass import OnePass, bare_of, one_pass
from assay.selection.features.stepwise import Moves, PathPoint, StepwiseSearch, search_all
from assay.selection.features.subsets import Subsets
from assay.types import Array


class Judge:
    """Losses of the subsets that searches ask for, and how they were computed.

    passes : of the one search that asks, if it makes passes over the rows
    """

    def __init__(self, subsets: Subsets, passes: OnePass | None = None) -> None:
        self.subsets, self.passes = subsets, passes
        self.strategy = "" if passes is None else passes.strategy

    def losses(self, requests: dict[int, Moves]) -> dict[int, Array]:
        """The mean loss of every subset that is asked for."""
        losses = {key: self._by_passes(key, moves) for key, moves in requests.items()}
        rest = [(key, int(place)) for key in losses for place in np.flatnonzero(np.isnan(losses[key]))]
        if rest:
            means, strategy = self.subsets.mean_losses([(key, requests[key].subsets[p]) for key, p in rest])
            self.strategy = self.strategy or strategy
            for (key, place), loss in zip(rest, means, strict=True):
                losses[key][place] = loss
        return losses

    def _by_passes(self, key: int, moves: Moves) -> Array:
        """The losses that passes over the rows tell, NaN for the others."""
        if self.passes is None or not moves.features:
            return np.full(len(moves.subsets), np.nan)
        weight, times = self.subsets.study.dataset.weight, self.subsets.times[key]
        total = float(times.sum() if weight is None else (weight * times).sum())
        return np.asarray((total - self.passes.hits(moves)) / total)


def search(
    subsets: Subsets, searches: Mapping[int, StepwiseSearch], meter: Meter
) -> tuple[dict[int, list[PathPoint]], str]:
    """The path of every search, and how subsets were judged; those that make no passes of their own ask together."""
    tried = 0

    def done(trials: int) -> None:
        nonlocal tried
        tried += trials
        meter.total = max(meter.total, tried)
        meter.move(meter.label, tried)

    bare = bare_of(subsets)
    paths: dict[int, list[PathPoint]] = {}
    together: dict[int, StepwiseSearch] = {}
    judge = Judge(subsets)
    for key, stepwise in searches.items():
        passes = None if bare is None else one_pass(bare, key, stepwise.search == "floating")
        if passes is None:
            together[key] = stepwise
        else:
            judge = Judge(subsets, passes)
            paths |= search_all({key: stepwise}, judge.losses, done)
    if together:
        judge = Judge(subsets)
        paths |= search_all(together, judge.losses, done)
    return paths, judge.strategy
