"""One dispatcher: every setting goes to the first sharer that suits it; the checks are the same for all."""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from assay.notes import Note
from assay.numerics.value_key import value_key
from assay.sharing.counts.sharer import COUNTS
from assay.sharing.gram import GRAM
from assay.sharing.moments import MOMENTS
from assay.sharing.neighbors import NEIGHBORS
from assay.sharing.overrides import overrides
from assay.sharing.part import Part
from assay.sharing.path import PATH
from assay.sharing.path.compressed import COMPRESSED_PATH
from assay.sharing.protocols import SettingsSolved, Sharer, Solved, offered
from assay.sharing.reductions import Accumulator, Kept, Reduction, counts_mistakes
from assay.sharing.refit import REFIT, Refitted
from assay.sharing.settings import Settings, model_of, steps_of, without_first
from assay.sharing.study import Study
from assay.types import Array, Estimator, RowClassifier, RowTransformer

Result = TypeVar("Result")
# In the order in which they are asked; refitting serves the rest.
SHARERS: tuple[Sharer[Solved], ...] = (MOMENTS, PATH, COMPRESSED_PATH, COUNTS, NEIGHBORS, GRAM)


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
    names: tuple[str, ...] = ()  # (S,), for messages

    @classmethod
    def nothing(cls, size: int, names: tuple[str, ...] = ()) -> Dispatched:
        """So many settings, none of which went anywhere yet."""
        return cls([], [""] * size, [[] for _ in range(size)], [0.0] * size, names)

    def send(self, which: list[int], solved: Solved, way: str) -> None:
        """These settings went this way; the notes are kept where they were refitted."""
        self.jobs.append((which, solved))
        for s in which:
            self.ways[s] = way
            self.notes[s] = self.notes[s] if way == REFIT.name else []

    def adopt(self, which: list[int], other: SettingsSolved) -> None:
        """These settings went where another dispatcher sent them."""
        self.jobs.extend(([which[place] for place in places], solved) for places, solved in other.jobs)
        for place, s in enumerate(which):
            self.ways[s] = other.ways[place]
            self.notes[s] = other.notes[place] if self.ways[s] == REFIT.name else []

    def refits(self, s: int) -> bool:
        """Whether a setting is fitted to every training set as a whole, and not only what is inside it."""
        return any(s in which and isinstance(solved, Refitted) for which, solved in self.jobs)

    def reduce(self, keep: Reduction[Kept, Result], only: NDArray[np.bool_] | None = None) -> Result:
        """What the reduction keeps of all scores, or of those asked for: only (S, T)."""
        accumulator = Accumulator(keep)
        for which, solved in self.jobs:
            tests = None if only is None else only[which]
            if tests is not None and not tests.any():
                continue
            start = time.perf_counter()
            accumulator.include(solved.reduce(_Renumbered(keep, which, self.names), tests))
            together = time.perf_counter() - start
            alone: dict[int, float] = getattr(solved, "seconds", {})
            for place, s in enumerate(which):
                self.seconds[s] = alone.get(place, together)
        return keep.finish(accumulator.total)

    def difficulties(self, s: int) -> tuple[str, ...]:
        """What was difficult in a setting, and why it was refitted, in words."""
        for which, solved in self.jobs:
            if s in which:
                return (*solved.difficulties(which.index(s)), *self.notes[s])
        return ()


@dataclass(frozen=True)
class _Renumbered(Generic[Kept]):
    """A reduction that knows the settings of a sharer by their numbers outside, and is finished outside."""

    keep: Reduction[Kept, object]
    which: list[int]
    names: tuple[str, ...]  # of all settings outside

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "keep":  # asked of a copy that is still being made
            raise AttributeError(name)
        return getattr(self.keep, name)

    def add(self, part: Part) -> Kept:
        outside = part._replace(setting=self.which[part.setting])
        try:
            return self.keep.add(outside)
        except Exception as error:
            error.add_note(f"While the scores of {self._place(outside)} were reduced.")
            raise

    def _place(self, part: Part) -> str:
        """The setting, and the first split whose scores cannot be reduced by themselves."""
        name = f" ({self.names[part.setting]})" if self.names else ""
        for test in np.unique(part.test).tolist():
            try:
                self.keep.add(part.take(part.test == test))
            except Exception:
                return f"setting {part.setting}{name} in split {test}"
        return f"setting {part.setting}{name}"

    def sums(self, of_settings: dict[int, Array]) -> Kept:
        assert counts_mistakes(self.keep)
        return self.keep.sums({self.which[s]: sums for s, sums in of_settings.items()})

    def merge(self, a: Kept, b: Kept) -> Kept:
        return self.keep.merge(a, b)

    def finish(self, total: Kept | None) -> Kept | None:
        return total


def solve(settings: Settings, study: Study, sharers: Sequence[Sharer[Solved]] | None = None) -> Dispatched:
    """All settings, each by its cheapest exact way: without sharers by refits, those made of other models included."""
    study.check_classes()
    dispatched = Dispatched.nothing(len(settings), settings.names)
    for s, estimator in enumerate(settings.estimators):
        _check_params(estimator)
        override = overrides(estimator)
        if override is not None:
            dispatched.notes[s].append(override)
    order = SHARERS if sharers is None else sharers
    as_written = [s for s, notes in enumerate(dispatched.notes) if not notes]
    if order or sharers is None:
        _unwrap(dispatched, settings, study, as_written)
    for step, behind in _behind(settings, study, order, as_written):
        rest = tuple(behind.get(s, estimator) for s, estimator in enumerate(settings.estimators))
        _offer(dispatched, order, Settings(rest, settings.names), study, step, list(behind))
    _offer(dispatched, order, settings, study, None, as_written)
    _offer(dispatched, [REFIT], settings, study, None, range(len(settings)))
    for way, notes in zip(dispatched.ways, dispatched.notes, strict=True):
        if not way:
            raise MemoryError(notes[-1])
    return dispatched


def _check_params(estimator: Estimator) -> None:
    """Parameters of every part are allowed."""
    for part in (*steps_of(estimator), model_of(estimator)):
        check = offered(part, "check_params")
        if check is not None:
            check()


def _unwrap(dispatched: Dispatched, settings: Settings, study: Study, which: Iterable[int]) -> None:
    """Models made of other models, those of one class together, go where they send what is inside them."""
    wrapped: dict[type, list[int]] = {}
    for s in which:
        model = model_of(settings.estimators[s])
        if offered(model, "inside") is not None:
            wrapped.setdefault(type(model), []).append(s)
    for alike in wrapped.values():
        dispatched.adopt(alike, model_of(settings.estimators[alike[0]]).inside(settings.take(alike), study))


def _behind(
    settings: Settings, study: Study, sharers: Sequence[Sharer[Solved]], which: Iterable[int]
) -> Iterable[tuple[RowTransformer, dict[int, RowClassifier]]]:
    """First steps that learn nothing, and so give every training set the same columns, and what is behind each."""
    behind: dict[Hashable, tuple[RowTransformer, dict[int, RowClassifier]]] = {}
    for s in which if sharers and not study.dataset.sparse else ():
        steps = steps_of(settings.estimators[s])
        if steps and offered(steps[0], "data_free"):
            estimators = behind.setdefault(value_key(steps[0]), (steps[0], {}))[1]
            estimators[s] = without_first(settings.estimators[s])
    return behind.values()


def _offer(
    dispatched: Dispatched,
    sharers: Sequence[Sharer[Solved]],
    settings: Settings,
    study: Study,
    step: RowTransformer | None,
    which: Iterable[int],
) -> None:
    """Each of some settings goes to the first sharer that suits it, if nobody has it yet; `step`: behind this one."""
    for sharer in sharers:
        left = [s for s in which if not dispatched.ways[s]]
        if not left:
            return
        rows = study if step is None else study.behind(step)
        suited = []
        for s, note in zip(left, sharer.suits(settings.take(left), rows), strict=True):
            if note is None:
                suited.append(s)
            elif note.code != "S000" and note not in dispatched.notes[s]:
                dispatched.notes[s].append(note)
        if suited:
            dispatched.send(suited, sharer.solve(settings.take(suited), rows), sharer.name)
