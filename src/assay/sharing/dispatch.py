"""One dispatcher: every setting goes to the first sharer that suits it; the checks are the same for all."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from assay.notes import Note
from assay.sharing.gram import GRAM
from assay.sharing.overrides import overrides
from assay.sharing.protocols import Sharer, Solved, asked
from assay.sharing.reductions import Part, Reduction
from assay.sharing.refit import REFIT
from assay.sharing.settings import Settings, model_of, steps_of
from assay.sharing.study import Study

Result = TypeVar("Result")
SHARERS: tuple[Sharer, ...] = (GRAM,)  # in the order in which they are asked; refitting serves the rest


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
                return (*solved.difficulties(which.index(s)), *(str(note) for note in self.notes[s]))
        return ()


@dataclass(frozen=True)
class _Renumbered:
    """A reduction that knows the settings of a sharer by their numbers outside, and is finished outside."""

    keep: Reduction[Any]
    which: list[int]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "keep":  # asked of a copy that is still being made
            raise AttributeError(name)
        return getattr(self.keep, name)

    def add(self, part: Part) -> Any:
        return self.keep.add(part._replace(setting=self.which[part.setting]))

    def merge(self, a: Any, b: Any) -> Any:
        return self.keep.merge(a, b)

    def finish(self, total: Any) -> Any:
        return total


def solve(settings: Settings, study: Study, sharers: Sequence[Sharer] | None = None) -> Dispatched:
    """All settings, each by its cheapest exact way."""
    study.check_classes()
    jobs: list[tuple[list[int], Solved]] = []
    ways, notes = [""] * len(settings), [list[Note]() for _ in range(len(settings))]
    left = []
    for s, estimator in enumerate(settings.estimators):
        for part in (*steps_of(estimator), model_of(estimator)):
            check = asked(part, "check_params")
            if check is not None:
                check()
        changed = overrides(estimator)
        if changed is not None:
            notes[s].append(changed)
        left.append(s)
    order: list[Sharer] = [*(SHARERS if sharers is None else sharers), REFIT]
    for sharer in order:
        mine = [s for s in left if sharer is REFIT or not notes[s] or notes[s][0].code != "S001"]
        if not mine:
            continue
        answers = sharer.suits(settings.take(mine), study)
        suited = [s for s, note in zip(mine, answers, strict=True) if note is None]
        for s, note in zip(mine, answers, strict=True):
            if note is not None and note.code != "S000":
                notes[s].append(note)
        if suited:
            jobs.append((suited, sharer.solve(settings.take(suited), study)))
        for s in suited:
            ways[s] = sharer.name
        left = [s for s in left if s not in suited]
    if left:
        raise MemoryError(str(notes[left[0]][-1]))
    for s in range(len(settings)):
        if ways[s] != REFIT.name:
            notes[s] = []
    return Dispatched(jobs, ways, notes, [0.0] * len(settings))
