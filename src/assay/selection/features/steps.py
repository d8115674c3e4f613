"""Ways through the sets of features: forward, backward, and floating (Pudil, Novovičová, Kittler, 1994).

Forward adds the feature that helps most, backward drops the one that is missed least, and floating drops features
after every step forward for as long as that beats the best set of the same size. Of equally good ones the first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from assay.selection.criteria import least
from assay.selection.features.task import Chosen, Figure, Judge

Done = Callable[[int], None]


@dataclass(frozen=True)
class Stop:
    """A set on the way, and how good it is."""

    chosen: Chosen
    figure: Figure
    added: int | None = None
    dropped: int | None = None


@dataclass(frozen=True)
class Walk:
    """A search: who judges, what stays, where it ends, and who is told of the trials made."""

    judge: Judge
    n_units: int
    fixed: Chosen
    target: int
    done: Done

    def forward(self, start: Chosen) -> list[Stop]:
        stops = self._first(start)
        while (chosen := self._last(stops, start)) is not None and len(chosen) < self.target:
            stops.append(self._add(chosen))
        return stops

    def backward(self, start: Chosen) -> list[Stop]:
        stops = self._first(start)
        while len(stops[-1].chosen) > self.target and self._loose(stops[-1].chosen):
            stops.append(self._drop(stops[-1].chosen))
        return stops

    def floating(self, start: Chosen) -> list[Stop]:
        stops = self._first(start)
        best = {len(stop.chosen): stop.figure.loss for stop in stops}
        while (chosen := self._last(stops, start)) is not None and len(chosen) < self.target:
            stops.append(self._add(chosen))
            self._note(best, stops[-1])
            while len(self._loose(stops[-1].chosen)) > 1 and len(stops[-1].chosen) > 2:
                shorter = self._drop(stops[-1].chosen)
                if shorter.figure.loss >= best.get(len(shorter.chosen), np.inf):
                    break
                stops.append(shorter)
                self._note(best, shorter)
        return stops

    @staticmethod
    def _note(best: dict[int, float], stop: Stop) -> None:
        size = len(stop.chosen)
        best[size] = min(stop.figure.loss, best.get(size, np.inf))

    def _first(self, start: Chosen) -> list[Stop]:
        return [Stop(start, self.judge.figure(start, None))] if start else []

    @staticmethod
    def _last(stops: Sequence[Stop], start: Chosen) -> Chosen:
        return stops[-1].chosen if stops else start

    def _loose(self, chosen: Chosen) -> list[int]:
        """Features that may go; one stays in any case."""
        loose = [unit for unit in chosen if unit not in self.fixed]
        return loose if len(chosen) > 1 else []

    def _add(self, chosen: Chosen) -> Stop:
        there = set(chosen)
        candidates = [unit for unit in range(self.n_units) if unit not in there]
        losses = self.judge.adding(chosen, candidates)
        best = least(losses)
        self.done(len(candidates))
        found = tuple(sorted((*chosen, candidates[best])))
        return Stop(found, self.judge.figure(found, float(losses[best])), added=candidates[best])

    def _drop(self, chosen: Chosen) -> Stop:
        candidates = self._loose(chosen)
        losses = self.judge.dropping(chosen, candidates)
        best = least(losses)
        self.done(len(candidates))
        found = tuple(unit for unit in chosen if unit != candidates[best])
        return Stop(found, self.judge.figure(found, float(losses[best])), dropped=candidates[best])
