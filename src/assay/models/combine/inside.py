"""Combined models inside a study: their parts are settings of the same dispatcher, and what comes back is combined."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from assay.notes import Note
from assay.sharing.dispatch import Dispatched, solve
from assay.sharing.part import Part
from assay.sharing.protocols import offered
from assay.sharing.reductions import CollectedParts, Kept, Parts, Reduction, reduced
from assay.sharing.refit import REFIT
from assay.sharing.settings import Settings, model_of, steps_of, with_model
from assay.sharing.splits import Splits
from assay.sharing.splits.restriction import test_sizes, with_models
from assay.sharing.study import Study
from assay.types import Array, Codes, Estimator, Index, Mask

Result = TypeVar("Result")


@dataclass(frozen=True)
class AllPairs(CollectedParts):
    """A reduction that keeps the scores of every setting, by test, then row; None of settings without a pair."""

    settings: int

    def finish(self, total: Parts | None) -> list[Part | None]:
        return [_by_test(total[s]) if total and s in total else None for s in range(self.settings)]


def _by_test(parts: list[Part]) -> Part:
    part = Part.joined(parts)
    part = part.take(np.lexsort((part.row, part.test)))
    return part if part.posterior else part._replace(scores=_centred(part.scores))


def _centred(margins: Array) -> Array:
    """Margins of models of two classes as a fit gives them: half the difference, and its negative."""
    known = np.isfinite(margins)
    two = known.sum(axis=1) == 2
    if not two.any():
        return margins
    mean = np.where(known, margins, 0.0).sum(axis=1, keepdims=True) / 2
    return np.where(two[:, None], margins - mean, margins)


def bases(settings: Settings) -> Settings:
    """What is inside the wrappers, behind the steps that stand before them."""
    inner = [with_model(estimator, model_of(estimator).estimator) for estimator in settings.estimators]
    return Settings(tuple(inner), settings.names)


def refit(dispatched: Dispatched, notes: dict[int, list[Note]], settings: Settings, study: Study) -> None:
    """Send these settings to be fitted to every training set, and say why."""
    which = list(notes)
    if which:
        subset = settings.take(which)
        for s, note in zip(which, REFIT.suits(subset, study), strict=True):
            dispatched.notes[s] = [*notes[s], *([] if note is None else [note])]
            if note is not None:
                raise MemoryError(str(note))
        dispatched.send(which, REFIT.solve(subset, study), REFIT.name)


def learning_step(estimator: Estimator, from_classes: bool) -> Note | None:
    """A note about the first step before a wrapper that learns from rows, or may learn from their classes.

    In a fit it learns once for all parts; behind the wrapper it would learn for each of them.
    """
    for step in steps_of(estimator):
        tags = step.__sklearn_tags__()
        ours = offered(step, "fold_map") is not None or offered(step, "sparse_ok")
        blind = from_classes and ours and not tags.target_tags.required
        if not blind and tags.requires_fit and not offered(step, "data_free"):
            return Note("S032", type(model_of(estimator)).__name__, {"step": type(step).__name__})
    return None


def batches(splits: Splits, only: Mask | None, settings: int, width: int, memory: int) -> Iterator[Mask]:
    """Tests of some models at a time, (S, T), whose scores (of `width` numbers a pair) have room together."""
    requested = np.ones((settings, splits.n_tests), dtype=bool) if only is None else only
    cost = 8 * width * test_sizes(splits) * requested.sum(axis=0)
    tests = np.argsort(splits.model, kind="stable")
    tests = tests[np.any(requested, axis=0)[tests]]
    total, batch = 0, np.zeros(splits.n_tests, dtype=bool)
    for place, test in enumerate(tests):
        new = place == 0 or splits.model[test] != splits.model[tests[place - 1]]
        if new and total and total + cost[test] > memory:
            yield requested & batch
            total, batch = 0, np.zeros(splits.n_tests, dtype=bool)
        batch[test] = True
        total += int(cost[test])
    if batch.any():
        yield requested & batch


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
        subset, tests = study.once(
            ("models", id(splits), models.tobytes()), lambda: with_models(splits, models)
        )
        return cls(title, study.relabelled(code_of, subset), tests, models)


def from_two(
    settings: Settings, study: Study, problems: Sequence[BinaryProblem | None], from_classes: bool
) -> Dispatched:
    """Models of many classes from models of two; those whose parts share nothing are refitted.

    from_classes : whether steps before the parts make the same of all of them unless they look at classes
    """
    dispatched, notes = Dispatched.nothing(len(settings)), dict[int, list[Note]]()
    for s, estimator in enumerate(settings.estimators):
        note = learning_step(estimator, from_classes)
        if note is None and None in problems:
            note = Note("S033", type(model_of(estimator)).__name__)
        if note is not None:
            notes[s] = [note]
    good = [s for s in range(len(settings)) if s not in notes]
    parts = [
        _SolvedPart(problem, bases(settings.take(good)))
        for problem in problems
        if problem is not None and good
    ]
    for n, s in enumerate(good):
        answers = [part.solved for part in parts if part.solved is not None]
        refits = [answer for answer in answers if answer.refits(n)]
        dispatched.ways[s], dispatched.notes[s] = (
            (refits or answers)[0].ways[n],
            (refits or answers)[0].notes[n],
        )
        if refits:
            notes[s] = dispatched.notes[s]
    shared = [s for s in good if s not in notes]
    if shared:
        if shared != good:
            parts = [_SolvedPart(part.problem, bases(settings.take(shared))) for part in parts]
        dispatched.jobs.append((shared, Combination(settings.take(shared), study, parts)))
    refit(dispatched, notes, settings, study)
    return dispatched


class _SolvedPart:
    """A part of all settings; one whose two classes are in no training set is not solved at all."""

    def __init__(self, problem: BinaryProblem, settings: Settings) -> None:
        self.problem, self.size = problem, len(settings)
        self.solved = solve(settings, problem.study) if problem.models.any() else None

    def pairs(self, requested: Mask) -> list[Part | None]:
        """Scores of both classes, of the tests (S, T) that are asked for by training sets that have both."""
        if self.solved is None:
            return [None] * self.size
        return self.solved.reduce(AllPairs(self.size), requested[:, self.problem.tests])

    def difficulties(self, s: int) -> list[Note]:
        notes = () if self.solved is None else self.solved.difficulties(s)
        return [Note("S213", self.problem.title, note=note) for note in notes]


@dataclass(frozen=True, eq=False)
class Combination:
    """Models of many classes made of models of two, all settings together."""

    settings: Settings
    study: Study
    parts: list[_SolvedPart]

    def reduce(self, keep: Reduction[Kept, Result], only: Mask | None = None) -> Result:
        """What the reduction keeps of all scores, or of those asked for: only (S, T)."""
        return keep.finish(reduced(self._parts(only), keep))

    def _parts(self, only: Mask | None) -> Iterator[Part]:
        data, splits = self.study.dataset, self.study.splits
        width = 2 * len(self.parts) + 2 * data.n_classes
        weight = self.study.class_weight()
        priors = (weight / weight.sum(axis=1, keepdims=True))[splits.model]
        for requested in batches(splits, only, len(self.settings), width, data.engine.memory):
            part_pairs = [part.pairs(requested) for part in self.parts]
            for s in np.flatnonzero(requested.any(axis=1)).tolist():
                row, test = splits.rows_of(np.flatnonzero(requested[s]).astype(np.int32))
                scores, predicted, posterior = self._combined(s, test, [pairs[s] for pairs in part_pairs])
                row_weight = None if data.weight is None else data.weight[row]
                yield Part(s, row, test, scores, predicted, data.codes[row], row_weight, priors, posterior)

    def _combined(self, s: int, test: Codes, part_pairs: list[Part | None]) -> tuple[Array, Codes, bool]:
        """Scores of all classes by the rule of the model, together for training sets that have the same classes."""
        wrapper = model_of(self.settings.estimators[s])
        model = self.study.splits.model[test]
        binary = np.zeros((len(test), len(part_pairs), 2))
        for n, (part, pairs) in enumerate(zip(self.parts, part_pairs, strict=True)):
            if pairs is not None:
                binary[part.problem.models[model], n] = pairs.scores
        posterior = next(pairs.posterior for pairs in part_pairs if pairs is not None)
        present = self.study.class_weight()[model] > 0
        scores, predicted = np.full(present.shape, -np.inf), np.zeros(len(test), dtype=np.int32)
        for kind in np.unique(present, axis=0):
            rows, classes = (present == kind).all(axis=1), np.flatnonzero(kind)
            kind_scores, best = wrapper.combined(binary[rows], kind, posterior)
            scores[np.ix_(rows, classes)] = kind_scores
            predicted[rows] = classes[best]
        return scores, predicted, posterior

    def difficulties(self, s: int) -> tuple[str, ...]:
        """Classes that training sets lack, and what was difficult in each part."""
        missing = self.study.absences()
        return (*missing, *(note for part in self.parts for note in part.difficulties(s)))
