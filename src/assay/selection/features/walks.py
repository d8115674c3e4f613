"""Ways through the sets of features: forward, backward, and floating (Pudil, Novovičová, Kittler, 1994).

Forward adds the feature that helps most, backward drops the one that is missed least, and floating drops features
after every step forward for as long as that beats the best set of the same size. Of equally good ones the first. A
way asks for losses and is told them, so that the searches inside many training sets ask together.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from assay.selection.criteria import least
from assay.types import Floats

Chosen = tuple[int, ...]


class Moves(NamedTuple):
    """Units of which each is to be added to the chosen ones, or dropped; no unit: the chosen set itself."""

    chosen: Chosen
    units: tuple[int, ...] = ()

    @property
    def sets(self) -> list[Chosen]:
        """The sets whose losses are asked for."""
        return [self.moved(unit) for unit in self.units] or [self.chosen]

    def moved(self, unit: int) -> Chosen:
        """The chosen set with a unit added or dropped."""
        return tuple(sorted({unit}.symmetric_difference(self.chosen)))


@dataclass(frozen=True)
class Stop:
    """A set on the way, and its loss."""

    chosen: Chosen
    loss: float
    added: int | None = None
    dropped: int | None = None


Way = Generator[Moves, Floats, list[Stop]]


@dataclass(frozen=True)
class Walk:
    """A search among so many units: which of them stay, the set where it begins, and the size where it ends."""

    search: str
    n_units: int
    fixed: Chosen
    start: Chosen
    target: int

    def way(self) -> Way:
        """The sets on the way, at its end."""
        stops: list[Stop] = []
        if self.start:
            (loss,) = yield Moves(self.start)
            stops.append(Stop(self.start, float(loss)))
        best = {len(stop.chosen): stop.loss for stop in stops}
        while self._goes_on(chosen := stops[-1].chosen if stops else ()):
            if self.search == "backward":
                stops.append((yield from self._moved(chosen, self._loose(chosen))))
                continue
            rest = tuple(unit for unit in range(self.n_units) if unit not in set(chosen))
            stops.append((yield from self._moved(chosen, rest)))
            while self.search == "floating":
                last = stops[-1]
                best[len(last.chosen)] = min(last.loss, best.get(len(last.chosen), np.inf))
                loose = self._loose(last.chosen)
                if len(loose) < 2 or len(last.chosen) < 3:
                    break
                shorter = yield from self._moved(last.chosen, loose)
                if shorter.loss >= best.get(len(shorter.chosen), np.inf):
                    break
                stops.append(shorter)
        return stops

    def _goes_on(self, chosen: Chosen) -> bool:
        if self.search == "backward":
            return len(chosen) > self.target and bool(self._loose(chosen))
        return len(chosen) < self.target

    def _loose(self, chosen: Chosen) -> tuple[int, ...]:
        """Features that may go; one stays in any case."""
        return tuple(unit for unit in chosen if unit not in self.fixed) if len(chosen) > 1 else ()

    @staticmethod
    def _moved(chosen: Chosen, units: tuple[int, ...]) -> Generator[Moves, Floats, Stop]:
        """The best of the sets with a unit moved."""
        losses = yield Moves(chosen, units)
        best = least(losses)
        leaves = units[best] in chosen
        return Stop(
            Moves(chosen).moved(units[best]),
            float(losses[best]),
            added=None if leaves else units[best],
            dropped=units[best] if leaves else None,
        )

    @property
    def trials(self) -> int:
        """How many sets the search will try; floating, at least."""
        begun = len(self.start)
        if self.search == "backward":
            return sum(range(self.target + 1, begun + 1))
        return sum(range(self.n_units - self.target + 1, self.n_units - begun + 1))


def walk_all(
    walks: Mapping[int, Walk],
    losses: Callable[[dict[int, Moves]], dict[int, Floats]],
    done: Callable[[int], None],
) -> dict[int, list[Stop]]:
    """The stops of every walk, all of them asking at the same time."""
    ways = {key: walk.way() for key, walk in walks.items()}
    stops: dict[int, list[Stop]] = {}
    told: dict[int, Floats | None] = dict.fromkeys(ways)
    while told:
        asked: dict[int, Moves] = {}
        for key, answer in told.items():
            try:
                asked[key] = ways[key].send(answer)  # type: ignore[arg-type]
            except StopIteration as end:
                stops[key] = end.value
        told = {**losses(asked)} if asked else {}
        if trials := sum(len(moves.units) for moves in asked.values()):
            done(trials)
    return stops
