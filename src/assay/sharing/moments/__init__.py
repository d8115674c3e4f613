"""Models that follow from the moments of their training sets: one pass over the rows serves all of them.

Whatever the splits are, moments of the training sets are sums over cells. Steps are maps of these moments, models are
solved from what is behind the maps, and one more pass scores the rows.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

import numpy as np

from assay.notes import Note
from assay.numerics.blas import single_threaded
from assay.sharing.forms import ScoreForm
from assay.sharing.moments.mistakes import count_mistakes
from assay.sharing.moments.moment_pipeline import MomentPipeline, pipelines_of, solve_pipeline
from assay.sharing.moments.row_by_row import score_rows
from assay.sharing.moments.training import Reading, training_statistics, whole
from assay.sharing.protocols import GramModel, Sharer, has_posterior, offered
from assay.sharing.reductions import Accumulator, Kept, Reduction, counts_mistakes
from assay.sharing.scoring import Job, score
from assay.sharing.settings import Settings, model_of, steps_of
from assay.sharing.steps import (
    SILENT,
    WIDER,
    TrainingStatistics,
    needs_extremes,
    unfollowed,
)
from assay.sharing.study import Study
from assay.statistics import cells_bytes
from assay.statistics.solve_diagnostics import SolveDiagnostics
from assay.types import Codes, Estimator, Index, Mask

Result = TypeVar("Result")


def _note(name: str, estimator: Estimator, study: Study) -> Note | None:
    """Models solved from moments, behind steps that moments can follow."""
    steps, model = steps_of(estimator), model_of(estimator)
    if offered(model, "solve_moments") is None:
        return SILENT
    data = study.dataset
    note = unfollowed(steps, study)
    if note is not None:
        return note
    if not steps and data.n_features >= WIDER * data.n_rows and _among_rows(model, study):
        return SILENT
    if study.splits.row_by_row and needs_extremes(steps):
        return Note("S012")
    return Reading.behind(steps, offered(model, "moments_form"), study).note(type(model).__name__, study)


@dataclass(frozen=True, eq=False)
class SolvedMoments:
    """Models that are solved when their scores are asked for."""

    settings: Settings
    study: Study
    troubles: dict[int, list[tuple[Codes, SolveDiagnostics]]] = field(default_factory=dict)
    notes: dict[int, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def pipelines(self) -> list[MomentPipeline]:
        """The settings, and how they read the rows."""
        return pipelines_of(self.settings, self.study)

    def forms(self, s: int) -> ScoreForm:
        """The models of all training sets of a setting, as functions of the rows as they are read."""
        pipeline = self.pipelines[s]
        with single_threaded():
            return self._solve(pipeline, self._trained([pipeline], None), None)

    def reduce(self, keep: Reduction[Kept, Result], only: Mask | None = None) -> Result:
        """What the reduction keeps of all scores, or of those asked for: only (S, T)."""
        accumulator = Accumulator(keep)
        with single_threaded():  # once: to set the limit costs more than many of the products inside
            for batch in self._batches():
                pipelines = [pipeline for pipeline in batch if only is None or only[pipeline.setting].any()]
                if not pipelines:
                    continue
                for pipeline in pipelines:
                    self.troubles.pop(pipeline.setting, None)
                part = self._counted(pipelines, keep) if only is None else None
                if part is not None:
                    accumulator.include(part)
                elif self.study.splits.row_by_row:
                    accumulator.include(self._row_by_row(pipelines, keep, only))
                else:
                    for models in self._models(pipelines, only):
                        accumulator.include(self._scored(pipelines, models, keep, only))
        return keep.finish(accumulator.total)

    def _batches(self) -> Iterator[list[MomentPipeline]]:
        """Settings that are solved from the same moments and score the rows together."""
        groups: dict[Hashable, list[MomentPipeline]] = {}
        for pipeline in self.pipelines:
            reading = pipeline.reading
            groups.setdefault((reading.form, reading.filling is None, reading.missing), []).append(pipeline)
        yield from groups.values()

    def _models(self, pipelines: list[MomentPipeline], only: Mask | None) -> Iterator[Codes | None]:
        """Models whose tests are asked for, as many at a time as there is room for; None: all."""
        splits, data = self.study.splits, self.study.dataset
        reading = pipelines[0].reading
        width = data.n_features + reading.flags
        model_bytes = cells_bytes(reading.form, 1, data.n_classes, width) * (3 + len(pipelines))
        most = max(1, data.engine.memory // (4 * model_bytes))
        if only is None and splits.n_models <= most:
            yield None
            return
        tests = (
            slice(None) if only is None else only[[pipeline.setting for pipeline in pipelines]].any(axis=0)
        )
        models = np.unique(splits.model[tests]).astype(np.int32)
        for at in range(0, len(models), most):
            yield models[at : at + most]

    def _scored(
        self,
        pipelines: list[MomentPipeline],
        models: Codes | None,
        keep: Reduction[Kept, object],
        only: Mask | None,
    ) -> Kept | None:
        trained = self._trained(pipelines, models)
        engine, filling = self.study.dataset.engine, trained.filling

        def solved(pipeline: MomentPipeline) -> ScoreForm:
            return self._solve(pipeline, trained, models, places[pipeline.setting])

        places = {pipeline.setting: self._places(pipeline, models, only) for pipeline in pipelines}
        pipelines = [p for p in pipelines if (wanted := places[p.setting]) is None or len(wanted)]
        forms = list(engine.each(pipelines, solved, ""))
        jobs = [
            Job(
                pipeline.setting,
                form,
                has_posterior(pipeline.model),
                self.study.priors(offered(pipeline.model, "priors")),
                offered(pipeline.model, "winners"),
                pipeline.reading.missing,
            )
            for pipeline, form in zip(pipelines, forms, strict=True)
        ]
        return score(self.study, jobs, keep, only, models, filling)

    def _counted(self, pipelines: list[MomentPipeline], keep: Reduction[Kept, object]) -> Kept | None:
        """What a reduction of mistakes alone keeps of settings that share bases; None: scores are needed."""
        splits = self.study.splits
        if not counts_mistakes(keep) or splits.row_by_row or splits.n_layers > 1:
            return None
        shared = [offered(pipeline.model, "has_basis") for pipeline in pipelines]
        alike = len({type(pipeline.model) for pipeline in pipelines}) == 1
        if not alike or not all(has_basis is not None and has_basis() for has_basis in shared):
            return None
        if (
            any(needs_extremes(pipeline.steps) for pipeline in pipelines)
            or next(self._models(pipelines, None)) is not None
        ):
            return None
        sums = count_mistakes(self.study, pipelines, self._trained(pipelines, None), keep)
        return None if sums is None else keep.sums(sums)

    def _row_by_row(
        self, pipelines: list[MomentPipeline], keep: Reduction[Kept, object], only: Mask | None
    ) -> Kept | None:
        priors = [self.study.priors(offered(pipeline.model, "priors")) for pipeline in pipelines]
        scored = score_rows(self.study, pipelines, priors, keep, only)
        for pipeline, (trouble, notes) in zip(pipelines, scored[1], strict=True):
            self.notes[pipeline.setting] = notes
            if trouble is not None:
                models = np.arange(len(trouble.unseen), dtype=np.int32)
                self.troubles[pipeline.setting] = [(models, trouble)]
        return scored[0]

    def _trained(self, pipelines: list[MomentPipeline], models: Codes | None) -> TrainingStatistics:
        steps = [pipeline.steps for pipeline in pipelines]
        return training_statistics(self.study, pipelines[0].reading, steps, models)

    def _places(self, pipeline: MomentPipeline, models: Codes | None, only: Mask | None) -> Index | None:
        """Which of the models a setting is asked for, by their places; None: all."""
        if only is None:
            return None
        numbers = self._numbers(models)
        wanted = np.unique(self.study.splits.model[only[pipeline.setting]])
        places = np.flatnonzero(np.isin(numbers, wanted))
        return None if len(places) == len(numbers) else places

    def _numbers(self, models: Codes | None) -> Codes:
        return np.arange(self.study.splits.n_models, dtype=np.int32) if models is None else models

    def _solve(
        self,
        pipeline: MomentPipeline,
        trained: TrainingStatistics,
        models: Codes | None,
        places: Index | None = None,
    ) -> ScoreForm:
        """The models of a setting as functions of the rows as they are read; those not asked for are zero."""
        statistics = trained if places is None else trained.take(places)
        form, trouble = solve_pipeline(pipeline.steps, pipeline.model, statistics)
        numbers = self._numbers(models)
        if trouble is not None:
            solved = numbers if places is None else numbers[places]
            self.troubles.setdefault(pipeline.setting, []).append((solved, trouble))
        return form if places is None else form.spread(places, len(numbers))

    def difficulties(self, s: int) -> tuple[str, ...]:
        """What was difficult in the models of the plan's tests."""
        return (*self.study.summary(self.troubles.get(s, [])), *self.notes.get(s, ()))


def _among_rows(model: GramModel, study: Study) -> bool:
    """Whether equations among the rows serve a model of a table wider than long: they are the smaller ones."""
    keeps_digits, data = offered(model, "keeps_digits"), study.dataset
    if keeps_digits is None or model.gram_note(data.n_rows, data.width, data.engine.memory) is not None:
        return False
    return bool(keeps_digits(float(whole(study, Reading("diagonal"))[None].total_variance().sum())))


MOMENTS = Sharer("statistics", _note, SolvedMoments)
