"""Combined models inside a study: their parts are settings of the same dispatcher, and what comes back is combined."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np

from assay.notes import Note
from assay.sharing.dispatch import Dispatched, solve
from assay.sharing.narrowed import of_models, test_sizes
from assay.sharing.reductions import AllParts, Part, Parts, Reduction, predicted_of, reduced
from assay.sharing.refit import REFIT
from assay.sharing.settings import Settings, model_of, steps_of, with_model
from assay.sharing.splits import Splits
from assay.sharing.study import Study
from assay.types import Codes, Floats, Index, Mask

Result = TypeVar("Result")


class TestedPairs(NamedTuple):
    """All (row, test) pairs of one setting that were asked for, by test, then row; scores are as a `Part` has them."""

    row: Index
    test: Codes
    scores: Floats
    predicted: Codes | None
    posterior: bool


@dataclass(frozen=True)
class AllPairs(AllParts):
    """A reduction that keeps the scores of every setting as they are; None of settings without a pair."""

    settings: int

    def finish(self, total: Parts | None) -> list[TestedPairs | None]:
        return [_joined(total[s]) if total and s in total else None for s in range(self.settings)]


def _joined(parts: list[Part]) -> TestedPairs:
    row, test = (np.concatenate([getattr(part, name) for part in parts]) for name in ("row", "test"))
    order = np.lexsort((row, test))
    scores = np.concatenate([part.scores if part.posterior else _centred(part.scores) for part in parts])[
        order
    ]
    predicted = None
    if any(part.predicted is not None for part in parts):
        predicted = np.concatenate([predicted_of(part) for part in parts])[order]
    return TestedPairs(row[order], test[order], scores, predicted, parts[0].posterior)


def _centred(margins: Floats) -> Floats:
    """Margins of models of two classes as a fit gives them: half the difference, and its negative."""
    known = np.isfinite(margins)
    two = known.sum(axis=1) == 2
    if not two.any():
        return margins
    mean = np.where(known, margins, 0.0).sum(axis=1, keepdims=True) / 2
    return np.where(two[:, None], margins - mean, margins)


def bases(settings: Settings) -> Settings:
    """What is inside the wrappers, behind the steps that stand before them."""
    inner = [with_model(each, model_of(each).estimator) for each in settings.estimators]
    return Settings(tuple(inner), settings.names)


def refit(found: Dispatched, notes: dict[int, list[Note]], settings: Settings, study: Study) -> None:
    """Send these settings to be fitted to every training set, and say why."""
    which = list(notes)
    if which:
        some = settings.take(which)
        for s, note in zip(which, REFIT.suits(some, study), strict=True):
            found.notes[s] = [*notes[s], *([] if note is None else [note])]
            if note is not None:
                raise MemoryError(str(note))
        found.send(which, REFIT.solve(some, study), REFIT.name)


def learning_step(estimator: Any, from_classes: bool) -> Note | None:
    """A note about the first step before a wrapper that learns from rows, or may learn from their classes.

    In a fit it learns once for all parts; behind the wrapper it would learn for each of them.
    """
    for step in steps_of(estimator):
        tags = step.__sklearn_tags__()
        blind = from_classes and hasattr(step, "fold_map") and not tags.target_tags.required
        if not blind and tags.requires_fit and not getattr(step, "data_free", False):
            return Note("S032", type(model_of(estimator)).__name__, {"step": type(step).__name__})
    return None


def batches(splits: Splits, only: Mask | None, settings: int, width: int, memory: int) -> Iterator[Mask]:
    """Tests of some models at a time, (S, T), whose scores (of `width` numbers a pair) have room together."""
    asked = np.ones((settings, splits.n_tests), dtype=bool) if only is None else only
    cost = 8 * width * test_sizes(splits) * asked.sum(axis=0)
    tests = np.argsort(splits.model, kind="stable")
    tests = tests[np.any(asked, axis=0)[tests]]
    total, batch = 0, np.zeros(splits.n_tests, dtype=bool)
    for place, test in enumerate(tests):
        new = place == 0 or splits.model[test] != splits.model[tests[place - 1]]
        if new and total and total + cost[test] > memory:
            yield asked & batch
            total, batch = 0, np.zeros(splits.n_tests, dtype=bool)
        batch[test] = True
        total += int(cost[test])
    if batch.any():
        yield asked & batch


@dataclass(frozen=True, eq=False)
class BinaryProblem:
    """Two classes that a part of a combined model tells apart, in the training sets that have both.

    Attributes
    ----------
    title : str
        For notes.
    tests : which tests of the study the problem's own are
    models : (M,) training sets that have both
    """

    title: str
    study: Study
    tests: Index
    models: Mask

    @classmethod
    def of(
        cls, title: str, study: Study, code_of: Codes, splits: Splits | None = None
    ) -> BinaryProblem | None:
        """Classes of code 0 against those of code 1; None where single rows are left out and with them a class."""
        splits = study.splits if splits is None else splits
        models = np.asarray((study.relabelled(code_of, splits).class_weight() > 0).all(axis=1))
        if splits.row_by_row and not models.all():
            return None
        some, tests = study.once(("models", id(splits), models.tobytes()), lambda: of_models(splits, models))
        return cls(title, study.relabelled(code_of, some), tests, models)


def from_two(
    settings: Settings, study: Study, problems: Sequence[BinaryProblem | None], from_classes: bool
) -> Dispatched:
    """Models of many classes from models of two; those whose parts share nothing are refitted.

    from_classes : whether steps before the parts make the same of all of them unless they look at classes
    """
    found, notes = Dispatched.nothing(len(settings)), dict[int, list[Note]]()
    for s, estimator in enumerate(settings.estimators):
        note = learning_step(estimator, from_classes)
        if note is None and None in problems:
            note = Note("S033", type(model_of(estimator)).__name__)
        if note is not None:
            notes[s] = [note]
    good = [s for s in range(len(settings)) if s not in notes]
    parts = [_Solved(each, bases(settings.take(good))) for each in problems if each is not None and good]
    for n, s in enumerate(good):
        answers = [each.solved for each in parts if each.solved is not None]
        refits = [each for each in answers if each.refits(n)]
        found.ways[s], found.notes[s] = (refits or answers)[0].ways[n], (refits or answers)[0].notes[n]
        if refits:
            notes[s] = found.notes[s]
    shared = [s for s in good if s not in notes]
    if shared:
        if shared != good:
            parts = [_Solved(each.problem, bases(settings.take(shared))) for each in parts]
        found.jobs.append((shared, Combination(settings.take(shared), study, parts)))
    refit(found, notes, settings, study)
    return found


class _Solved:
    """A part of all settings; one whose two classes are in no training set is not solved at all."""

    def __init__(self, problem: BinaryProblem, settings: Settings) -> None:
        self.problem, self.size = problem, len(settings)
        self.solved = solve(settings, problem.study) if problem.models.any() else None

    def pairs(self, asked: Mask) -> list[TestedPairs | None]:
        """Scores of both classes, of the tests (S, T) that are asked for by training sets that have both."""
        if self.solved is None:
            return [None] * self.size
        return self.solved.reduce(AllPairs(self.size), asked[:, self.problem.tests])

    def difficulties(self, s: int) -> list[Note]:
        notes = () if self.solved is None else self.solved.difficulties(s)
        return [Note("S213", self.problem.title, note=note) for note in notes]


@dataclass(frozen=True, eq=False)
class Combination:
    """Models of many classes made of models of two, all settings together."""

    settings: Settings
    study: Study
    parts: list[_Solved]

    def reduce(self, keep: Reduction[Result], only: Mask | None = None) -> Result:
        """What the reduction keeps of all scores, or of those asked for: only (S, T)."""
        return keep.finish(reduced(self._parts(only), keep))

    def _parts(self, only: Mask | None) -> Iterator[Part]:
        data, splits = self.study.dataset, self.study.splits
        width = 2 * len(self.parts) + 2 * data.n_classes
        weight = self.study.class_weight()
        priors = (weight / weight.sum(axis=1, keepdims=True))[splits.model]
        for asked in batches(splits, only, len(self.settings), width, data.engine.memory):
            found = [part.pairs(asked) for part in self.parts]
            for s in np.flatnonzero(asked.any(axis=1)).tolist():
                row, test = tested_pairs(splits, asked[s])
                scores, predicted, posterior = self._combined(s, test, [each[s] for each in found])
                own = None if data.weight is None else data.weight[row]
                yield Part(s, row, test, scores, predicted, data.codes[row], own, priors, posterior)

    def _combined(self, s: int, test: Codes, found: list[TestedPairs | None]) -> tuple[Floats, Codes, bool]:
        """Scores of all classes by the rule of the model, together for training sets that have the same classes."""
        wrapper = model_of(self.settings.estimators[s])
        model = self.study.splits.model[test]
        binary = np.zeros((len(test), len(found), 2))
        for n, (part, pairs) in enumerate(zip(self.parts, found, strict=True)):
            if pairs is not None:
                binary[part.problem.models[model], n] = pairs.scores
        posterior = next(pairs.posterior for pairs in found if pairs is not None)
        present = self.study.class_weight()[model] > 0
        scores, predicted = np.full(present.shape, -np.inf), np.zeros(len(test), dtype=np.int32)
        for kind in np.unique(present, axis=0):
            some, classes = (present == kind).all(axis=1), np.flatnonzero(kind)
            own, best = wrapper.combined(binary[some], kind, posterior)
            scores[np.ix_(some, classes)] = own
            predicted[some] = classes[best]
        return scores, predicted, posterior

    def spent(self, s: int) -> float | None:
        """Nothing that belongs to one setting alone."""
        return None

    def difficulties(self, s: int) -> tuple[str, ...]:
        """Classes that training sets lack, and what was difficult in each part."""
        missing = self.study.absences()
        return (*missing, *(note for part in self.parts for note in part.difficulties(s)))


def tested_pairs(splits: Splits, asked: Mask) -> tuple[Index, Codes]:
    """Every (row, test) of the tests (T,) that are asked for, by test, then row."""
    tests = np.flatnonzero(asked).tolist()
    rows = [splits.test_rows(t) for t in tests]
    return np.concatenate(rows), np.repeat(tests, [len(some) for some in rows]).astype(np.int32)
