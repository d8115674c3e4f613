"""Linear models solved by passes over the rows: all training sets and penalties together.

Settings that differ in penalties alone are solved in one go, those of a layer from one copy of the rows. What stands
before a model is a map of its weights, so the rows are never transformed. A row counts in a training set as often as
the set sees it, times the factor of its class.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from assay.notes import Note
from assay.numerics.blas import single_threaded
from assay.sharing.dataset import Dataset
from assay.sharing.forms import Linear
from assay.sharing.moments.training import Reading, training_statistics
from assay.sharing.path.blocks import BlockPasses, FoldReader, Folds
from assay.sharing.path.standard import ColumnScaling, parts_of, spread_classes, trouble_of
from assay.sharing.protocols import Sharer, has_posterior, offered
from assay.sharing.reductions import Accumulator, Kept, Reduction
from assay.sharing.scoring import Job, score
from assay.sharing.settings import Settings, model_of, steps_of
from assay.sharing.steps import (
    SILENT,
    TrainingStatistics,
    mapped,
    named,
    unfollowed,
)
from assay.sharing.study import Study
from assay.solvers.passes import Passes
from assay.statistics import Form
from assay.statistics.solve_diagnostics import SolveDiagnostics
from assay.types import Array, Codes, Estimator, Mask

Result = TypeVar("Result")
LABEL = "Linear models"


def _note(name: str, estimator: Estimator, study: Study) -> Note | None:
    """Linear models behind steps that moments can follow."""
    steps, model = steps_of(estimator), model_of(estimator)
    if offered(model, "solve_parts") is None:
        return SILENT
    alone = offered(model, "path_note")
    note: Note | None = alone() if alone is not None else None
    note = note or unfollowed(steps, study)
    if note is not None:
        return note
    if study.splits.row_by_row:
        return Note("S022", type(model).__name__)
    return _reading(steps, model, study).note(type(model).__name__, study)


def _reading(steps: tuple[Estimator, ...], model: Estimator, study: Study) -> Reading:
    """Moments of the rows that hold the deviation of every coordinate behind the steps, where classes have weights."""
    mixed: Form = "pooled" if offered(model, "class_weight") is None else "full"
    return Reading.behind(steps, "diagonal", study, mixed)


def _n_classes(folds: Folds, data: Dataset) -> int:
    return data.n_classes if folds.pair is None else 2


class PenaltyGroup(NamedTuple):
    """Settings that differ in penalties alone, and how they read the rows."""

    which: list[int]
    steps: tuple[Estimator, ...]
    model: Any
    penalties: Array  # (penalties, settings)
    reading: Reading
    factor: Array | None  # (M, K) of the classes in each training set

    def take(self, settings: Mask) -> PenaltyGroup:
        """Some of the settings."""
        which = [s for s, wanted in zip(self.which, settings, strict=True) if wanted]
        return self._replace(which=which, penalties=self.penalties[:, settings])


class Solution(NamedTuple):
    """Some models of one setting."""

    models: Codes
    form: Linear
    trouble: SolveDiagnostics


@dataclass(frozen=True, eq=False)
class SolvedPath:
    """Models that are solved when their scores are asked for, and kept."""

    settings: Settings
    study: Study
    solutions: dict[int, list[Solution]] = field(default_factory=dict)

    @cached_property
    def groups(self) -> list[PenaltyGroup]:
        """Settings that are solved together."""
        return [
            self._group(which) for which in self.settings.families(lambda model: offered(model, "penalties"))
        ]

    def _group(self, which: list[int]) -> PenaltyGroup:
        estimator = self.settings.estimators[which[0]]
        steps, model = steps_of(estimator), model_of(estimator)
        params = [model_of(self.settings.estimators[s]).get_params(deep=False) for s in which]
        penalties = np.array(
            [[float(values[name]) for values in params] for name in offered(model, "penalties")]
        ).reshape(-1, len(which))
        reading = _reading(steps, model, self.study)
        factor = self.study.class_factor(offered(model, "class_weight"))
        return PenaltyGroup(which, named(steps, self.study.dataset.names), model, penalties, reading, factor)

    def forms(self, s: int) -> Linear:
        """The models of a setting that test something, as functions of the rows as they are read."""
        with single_threaded():
            self._solve([group for group in self.groups if s in group.which], None)
        return self._form(s)

    def reduce(self, keep: Reduction[Kept, Result], only: Mask | None = None) -> Result:
        """What the reduction keeps of all scores, or of those asked for: only (S, T)."""
        accumulator = Accumulator(keep)
        with single_threaded():
            self._solve(self.groups, only)
            for filled in (False, True):  # rows are read once for all settings that read missing values alike
                groups = [group for group in self.groups if (group.reading.filling is not None) == filled]
                jobs = [self._job(group, s) for group in groups for s in group.which if s in self.solutions]
                if jobs:
                    filling = groups[0].reading.filling
                    accumulator.include(score(self.study, jobs, keep, only, self._models, filling))
        return keep.finish(accumulator.total)

    @cached_property
    def _models(self) -> Codes:
        """Models that test something."""
        return np.unique(self.study.splits.model).astype(np.int32)

    def _solve(self, groups: list[PenaltyGroup], only: Mask | None) -> None:
        """What is asked for and has not been solved yet, one batch of models at a time."""
        tasks = [task for group in groups for task in self._tasks(group, self._missing(group, only))]
        if not tasks:
            return
        for group in {
            id(group): group for group, _ in tasks
        }.values():  # collected here, once for all threads
            self._trained(group, self._models[:1])
        data = self.study.dataset
        engine, copy = data.engine, 8 * data.n_rows * (data.n_features + 1)
        # Side by side where there is room for as many copies of the rows.
        together = copy * min(engine.threads, len(tasks)) <= engine.memory
        solved = engine.each(tasks, lambda task: self._solved(*task), LABEL, together)
        for (group, _), solutions in zip(tasks, solved, strict=True):
            for s, solution in zip(group.which, solutions, strict=True):
                self.solutions.setdefault(s, []).append(solution)

    def _missing(self, group: PenaltyGroup, only: Mask | None) -> Mask:
        """Which models of each setting of a group are asked for and not solved, (settings, models that test)."""
        if only is None:
            missing = np.ones((len(group.which), len(self._models)), dtype=bool)
        else:
            missing = np.zeros((len(group.which), self.study.splits.n_models), dtype=bool)
            setting, test = np.nonzero(only[group.which])
            missing[setting, self.study.splits.model[test]] = True
            missing = missing[:, self._models]
        for place, s in enumerate(group.which):
            for solution in self.solutions.get(s, []):
                missing[place, np.searchsorted(self._models, solution.models)] = False
        return missing

    def _tasks(self, group: PenaltyGroup, missing: Mask) -> Iterator[tuple[PenaltyGroup, Codes]]:
        """Models that are solved together: of one layer, for the same settings, on training sets of like size.

        Every pass goes over the rows that any of them sees: sets of half the size would wait for the large ones.
        """
        data, unsolved = self.study.dataset, missing.any(axis=0)
        if not unsolved.any():
            return
        models = self._models[unsolved]
        known = self._known(group, models)
        known |= known.sum(axis=1, keepdims=True) != 2  # sets of two classes are by themselves: see `_pair`
        rows = np.maximum(self.study.splits.trained[models], 1)
        halvings = np.rint(np.log2(rows.max() / rows)).astype(np.int32)
        keys = np.column_stack([self.study.splits.layer[models], halvings, known, missing[:, unsolved].T])
        batch = np.unique(keys, axis=0, return_inverse=True)[1].reshape(-1)
        size = (data.n_features + 1) * (1 if data.n_classes == 2 else data.n_classes)
        for b in range(int(batch.max()) + 1):
            needed = missing[:, unsolved][:, batch == b][:, 0]
            subgroup = group.take(needed)
            model_bytes = (
                16 * min(size, 4096) ** 2 + 8 * (data.n_features + 1) ** 2 + 8 * size * len(subgroup.which)
            )
            most = max(1, data.engine.memory // (4 * model_bytes))
            for at in range(0, int((batch == b).sum()), most):
                yield subgroup, models[batch == b][at : at + most]

    def _known(self, group: PenaltyGroup, models: Codes) -> Mask:
        """Classes that have weight in each training set, (m, K)."""
        weight = self.study.class_weight()
        return np.asarray((weight if group.factor is None else weight * group.factor)[models] > 0)

    def _pair(self, group: PenaltyGroup, models: Codes) -> Codes | None:
        """The two classes that models of a batch know, if there are more: a fit would solve a problem of two classes.

        Its one vector of weights is penalised, and not one vector for each of the two classes.
        """
        known = np.flatnonzero(self._known(group, models[:1])[0]).astype(np.int32)
        return known if len(known) == 2 < self.study.dataset.n_classes else None

    def _trained(self, group: PenaltyGroup, models: Codes) -> TrainingStatistics:
        statistics = training_statistics(self.study, group.reading, [group.steps], models)
        return replace(statistics, moments=statistics.moments.converted(group.reading.form))

    def _solved(self, group: PenaltyGroup, models: Codes) -> list[Solution]:
        """Models of one layer, of every setting of a group."""
        data, filling = self.study.dataset, group.reading.filling
        way = mapped(group.steps, self._trained(group, models))
        standard = ColumnScaling.of(way.original, group.reading.flags)
        folds, copies, factor = self._folds(group, models)
        parts = parts_of(way, standard, copies, None if group.factor is None else group.factor[models])
        unit = self.study.row_unit()
        parts = replace(parts, factor=factor, unit=None if unit is None else unit[models])
        with self._passes(FoldReader(folds, standard, filling, data.engine.threads)) as passes:
            path = group.model.solve_parts(passes, parts, _n_classes(folds, data), *group.penalties)
        weights = path.B if folds.pair is None else spread_classes(path.B, folds.pair, data.n_classes)
        last = len(weights) - 1  # where nothing tells settings apart, one solution is that of all
        return [
            Solution(
                models,
                standard.form(weights[min(at, last)]),
                trouble_of(way, parts.active, path.converged[min(at, last)]),
            )
            for at in range(len(group.which))
        ]

    def _passes(self, read: FoldReader) -> Passes:
        data = self.study.dataset
        if not data.in_memory:
            return BlockPasses(self.study, read)
        return read.passes(data.matrix(), data.codes, data.weight, self.study.splits.cell)

    def _folds(self, group: PenaltyGroup, models: Codes) -> tuple[Folds, NDArray[np.int64], Array | None]:
        """Folds of the rows that these models of a layer see, how often each sees them, and their factors."""
        splits, K = self.study.splits, self.study.dataset.n_classes
        seen = splits.copies[models]
        used = seen.any(axis=0)
        number = np.where(used, np.cumsum(used) - 1, -1).astype(np.int32)
        layer, count, copies = int(splits.layer[models[0]]), int(used.sum()), seen[:, used].astype(np.int64)
        pair = self._pair(group, models)
        if group.factor is None:
            return Folds(layer, number, count, pair=pair), copies, None
        factor = group.factor[models]
        if (factor == factor[0]).all():
            return Folds(layer, number, count, scale=factor[0], pair=pair), copies, None
        folds = Folds(layer, number, count * K, by_class=K, pair=pair)
        return folds, np.repeat(copies, K, axis=1), np.tile(factor, (1, count))

    def _job(self, group: PenaltyGroup, s: int) -> Job:
        """The models of a setting, in their order."""
        model = model_of(self.settings.estimators[s])
        return Job(
            s,
            self._form(s),
            has_posterior(model),
            self.study.priors("ml", group.factor),
            offered(model, "winners"),
        )

    def _form(self, s: int) -> Linear:
        """The models of a setting in their order; those that nobody asked for are zero."""
        solutions = self.solutions[s]
        if len(solutions) == 1 and len(solutions[0].models) == len(self._models):
            return solutions[0].form
        forms = [part.form for part in solutions]
        center, weights, bias = (
            np.concatenate([getattr(form, name) for form in forms]) for name in ("center", "weights", "bias")
        )
        places = np.searchsorted(self._models, np.concatenate([part.models for part in solutions]))
        whole: Linear = Linear(center, weights, bias).spread(places, len(self._models))
        return whole

    def difficulties(self, s: int) -> tuple[str, ...]:
        """What was difficult in the models of the plan's tests."""
        return self.study.summary((part.models, part.trouble) for part in self.solutions.get(s, []))


PATH = Sharer("path", _note, SolvedPath)
