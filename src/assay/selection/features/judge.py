"""Who judges sets of features: passes over the rows where a model has them, else the study."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from assay.engines.progress import Meter
from assay.selection.features.fused import Fused, bare_of, fused
from assay.selection.features.sets import Sets
from assay.selection.features.walks import Chosen, Moves, Stop, Walk, walk_all
from assay.types import Floats


class Judge:
    """Losses of sets that searchers ask for, and how they were found."""

    def __init__(self, sets: Sets, passes: Mapping[int, Fused]) -> None:
        self.sets, self.passes, self.strategy = sets, passes, ""
        weight = sets.study.dataset.weight
        weight = np.ones(sets.study.dataset.n_rows) if weight is None else weight
        self._total = {key: float((weight * sets.times[key]).sum()) for key in passes}

    def losses(self, asked: dict[int, Moves]) -> dict[int, Floats]:
        """The mean loss of every set that is asked for."""
        found = {key: self._by_passes(key, moves) for key, moves in asked.items()}
        open_: list[tuple[int, int, Chosen]] = [
            (key, int(place), asked[key].sets[place])
            for key, losses in found.items()
            for place in np.flatnonzero(np.isnan(losses))
        ]
        if open_:
            losses, strategy = self.sets.mean_losses([(key, chosen) for key, _, chosen in open_])
            self.strategy = self.strategy or strategy
            for (key, place, _), loss in zip(open_, losses, strict=True):
                found[key][place] = loss
        return found

    def _by_passes(self, key: int, moves: Moves) -> Floats:
        """The losses that passes over the rows tell, NaN for the others."""
        if key not in self.passes or not moves.units:
            return np.full(len(moves.sets), np.nan)
        self.strategy, total = self.passes[key].strategy, self._total[key]
        return np.asarray((total - self.passes[key].hits(moves)) / total)


def search(sets: Sets, walks: Mapping[int, Walk], meter: Meter) -> tuple[dict[int, list[Stop]], str]:
    """The way of every searcher, and how sets were judged; those that make no passes of their own ask together."""
    tried = 0

    def done(trials: int) -> None:
        nonlocal tried
        tried += trials
        meter.total = max(meter.total, tried)
        meter.move(meter.label, tried)

    bare = bare_of(sets)
    stops: dict[int, list[Stop]] = {}
    together: dict[int, Walk] = {}
    judge = Judge(sets, {})
    for key, walk in walks.items():
        passes = None if bare is None else fused(bare, key, walk.search == "floating")
        if passes is None:
            together[key] = walk
        else:
            judge = Judge(sets, {key: passes})
            stops |= walk_all({key: walk}, judge.losses, done)
    if together:
        judge = Judge(sets, {})
        stops |= walk_all(together, judge.losses, done)
    return stops, judge.strategy
