"""One dispatcher: every setting goes to the first sharer that suits it; the checks are the same for all."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from assay.notes import Note
from assay.numerics.value_key import value_key
from assay.sharing.counts.sharer import COUNTS
from assay.sharing.gram import GRAM
from assay.sharing.moments import MOMENTS
from assay.sharing.neighbors import NEIGHBORS
from assay.sharing.overrides import overrides
from assay.sharing.path import PATH
from assay.sharing.protocols import Sharer, Solved, asked
from assay.sharing.reductions import Part, Reduction
from assay.sharing.refit import REFIT, Refitted
from assay.sharing.settings import Settings, model_of, steps_of, without_first
from assay.sharing.study import Study

Result = TypeVar("Result")
# In the order in which they are asked; refitting serves the rest.
SHARERS: tuple[Sharer, ...] = (MOMENTS, PATH, COUNTS, NEIGHBORS, GRAM)


@dataclass(frozen=True, eq=False)
class Dispatched:
    """Settings that went to one or several sharers, as one.

    Attributes
    ----------
    jobs : list of (settings, solved)
    ways : (S,) names of the sharers
    notes : (S,) why something cheaper did not serve
    """

    jobs: list[tuple[list[int], Solved]]
    ways: list[str]
    notes: list[list[Note]]
    seconds: list[float]  # (S,) what the last reduction took, of settings that were solved together in all

    @classmethod
    def nothing(cls, size: int) -> Dispatched:
        """So many settings, none of which went anywhere yet."""
        return cls([], [""] * size, [[] for _ in range(size)], [0.0] * size)

    def send(self, which: list[int], solved: Solved, way: str) -> None:
        """These settings went this way; the notes are kept where they were refitted."""
        self.jobs.append((which, solved))
        for s in which:
            self.ways[s] = way
            self.notes[s] = self.notes[s] if way == REFIT.name else []

    def refits(self, s: int) -> bool:
        """Whether a setting is fitted to every training set as a whole, and not only what is inside it."""
        return any(s in which and isinstance(solved, Refitted) for which, solved in self.jobs)

    def adopt(self, which: list[int], other: Dispatched) -> None:
        """These settings went where another dispatcher sent them."""
        for theirs, solved in other.jobs:
            mine = [which[place] for place in theirs]
            for place, s in zip(theirs, mine, strict=True):
                self.ways[s], self.notes[s] = other.ways[place], other.notes[place]
            self.jobs.append((mine, solved))

    def reduce(self, keep: Reduction[Result], only: NDArray[np.bool_] | None = None) -> Result:
        """What the reduction keeps of all scores, or of those asked for: only (S, T)."""
        total: Any = None
        for which, solved in self.jobs:
            asked = None if only is None else only[which]
            if asked is not None and not asked.any():
                continue
            start = time.perf_counter()
            part = solved.reduce(_Renumbered(keep, which), asked)
            took = time.perf_counter() - start
            for place, s in enumerate(which):
                alone = solved.spent(place)
                self.seconds[s] = took if alone is None else alone
            total = part if total is None else total if part is None else keep.merge(total, part)
        return keep.finish(total)

    def difficulties(self, s: int) -> tuple[str, ...]:
        """What was difficult in a setting, and why it was refitted, in words."""
        for which, solved in self.jobs:
            if s in which:
                return (*solved.difficulties(which.index(s)), *self.notes[s])
        return ()


@dataclass(frozen=True)
class _Renumbered:
    """A reduction that knows the settings of a sharer by their numbers outside, and is finished outside."""

    keep: Any
    which: list[int]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "keep":  # asked of a copy that is still being made
            raise AttributeError(name)
        return getattr(self.keep, name)

    def add(self, part: Part) -> Any:
        return self.keep.add(part._replace(setting=self.which[part.setting]))

    def sums(self, of_settings: dict[int, Any]) -> Any:
        return self.keep.sums({self.which[s]: sums for s, sums in of_settings.items()})

    def merge(self, a: Any, b: Any) -> Any:
        return self.keep.merge(a, b)

    def finish(self, total: Any) -> Any:
        return total


def solve(settings: Settings, study: Study, sharers: Sequence[Sharer] | None = None) -> Dispatched:
    """All settings, each by its cheapest exact way: without sharers by refits, those made of other models included."""
    study.check_classes()
    found = _Asked(settings)
    order = SHARERS if sharers is None else sharers
    if order or sharers is None:
        found.unwrap(settings, study)
    for step, behind in _behind(settings, study, order).items():
        if all(found.ways[s] for s in behind):
            continue
        rest = Settings(
            tuple(behind.get(s, each) for s, each in enumerate(settings.estimators)), settings.names
        )
        found.ask(order, rest, study.behind(step.value), [*behind])
    found.ask([*order, REFIT], settings, study, range(len(settings)))
    return found.dispatched()


class _First:
    """A step that learns nothing, by its value."""

    def __init__(self, step: Any) -> None:
        self.value, self.key = step, value_key(step)

    def __eq__(self, other: Any) -> bool:
        return bool(self.key == other.key)

    def __hash__(self) -> int:
        return hash(self.key)


def _behind(settings: Settings, study: Study, sharers: Sequence[Sharer]) -> dict[_First, dict[int, Any]]:
    """By first steps that learn nothing, and so give every training set the same columns: what is behind them."""
    found: dict[_First, dict[int, Any]] = {}
    for s, estimator in enumerate(settings.estimators):
        steps = steps_of(estimator)
        if steps and sharers and asked(steps[0], "data_free") and not study.dataset.sparse:
            found.setdefault(_First(steps[0]), {})[s] = without_first(estimator)
    return found


class _Asked:
    """Settings, and which sharers took them."""

    def __init__(self, settings: Settings) -> None:
        self.jobs: list[tuple[list[int], Solved]] = []
        self.ways = [""] * len(settings)
        self.notes = [list[Note]() for _ in range(len(settings))]
        self.changed: set[int] = set()
        for s, estimator in enumerate(settings.estimators):
            for part in (*steps_of(estimator), model_of(estimator)):
                check = asked(part, "check_params")
                if check is not None:
                    check()
            override = overrides(estimator)
            if override is not None:
                self.changed.add(s)
                self.notes[s].append(override)

    def unwrap(self, settings: Settings, study: Study) -> None:
        """Models made of other models, those of one class together."""
        wrapped: dict[type, list[int]] = {}
        for s, estimator in enumerate(settings.estimators):
            if s not in self.changed and hasattr(model_of(estimator), "inside"):
                wrapped.setdefault(type(model_of(estimator)), []).append(s)
        for which in wrapped.values():
            inner = model_of(settings.estimators[which[0]]).inside(settings.take(which), study)
            self.jobs += [([which[place] for place in theirs], solved) for theirs, solved in inner.jobs]
            for place, s in enumerate(which):
                self.ways[s], self.notes[s] = inner.ways[place], inner.notes[place]

    def ask(self, sharers: Sequence[Sharer], settings: Settings, study: Study, which: Iterable[int]) -> None:
        """Each of some settings goes to the first sharer that suits it, if nobody has it yet."""
        for sharer in sharers:
            mine = [s for s in which if not self.ways[s] and (sharer is REFIT or s not in self.changed)]
            if not mine:
                continue
            answers = sharer.suits(settings.take(mine), study)
            suited = [s for s, note in zip(mine, answers, strict=True) if note is None]
            for s, note in zip(mine, answers, strict=True):
                if note is not None and note.code != "S000" and note not in self.notes[s]:
                    self.notes[s].append(note)
            if suited:
                self.jobs.append((suited, sharer.solve(settings.take(suited), study)))
            for s in suited:
                self.ways[s] = sharer.name

    def dispatched(self) -> Dispatched:
        for s, way in enumerate(self.ways):
            if not way:
                raise MemoryError(str(self.notes[s][-1]))
        notes = [told if way == REFIT.name else [] for told, way in zip(self.notes, self.ways, strict=True)]
        return Dispatched(self.jobs, self.ways, notes, [0.0] * len(self.ways))
