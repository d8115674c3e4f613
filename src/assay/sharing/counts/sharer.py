"""Models solved from counts of categories and words: one count pass for all training sets and settings."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from assay.notes import Note
from assay.numerics.blas import single_threaded
from assay.sharing.counts.cells import CellCounts
from assay.sharing.counts.count_pipeline import CountPipeline, read_rows
from assay.sharing.counts.words import WordTables
from assay.sharing.protocols import Sharer, offered
from assay.sharing.reductions import Accumulator, Kept, Reduction
from assay.sharing.settings import Settings, model_of, steps_of
from assay.sharing.study import Study
from assay.types import Estimator, Mask

Result = TypeVar("Result")


def count_pipeline(setting: int, estimator: Estimator) -> CountPipeline | None:
    """A setting whose training sets are solved from counts; None: something else."""
    model, steps = model_of(estimator), steps_of(estimator)
    if not steps:
        return CountPipeline(setting, model, model.read_counts())
    if len(steps) > 1 or offered(steps[0], "word_map") is None:
        return None
    reader = model.read_counts()
    return CountPipeline(setting, model, reader, steps[0]) if reader.words else None


def _note(name: str, estimator: Estimator, study: Study) -> Note | None:
    """Models of counts whose counts fit into memory; in front of them at most a step that chooses words."""
    if offered(model_of(estimator), "solve_counts") is None:
        return Note("S000")
    pipeline = count_pipeline(0, estimator)
    if pipeline is None:
        return Note("S003", type(steps_of(estimator)[0]).__name__)
    with single_threaded():
        _, keys = read_rows(study, pipeline.source)
    need = pipeline.source.count_bytes(keys, study.dataset.n_classes)
    if need <= study.dataset.engine.memory:
        return None
    return Note("S020", values={"gibibytes": need / 2**30})


@dataclass(frozen=True, eq=False)
class SolvedCounts:
    """Counts that are made when scores are asked for."""

    settings: Settings
    study: Study

    @cached_property
    def _families(self) -> list[CellCounts | WordTables]:
        """Settings that read rows alike, together."""
        pipelines: dict[Hashable, list[CountPipeline]] = {}
        for s, estimator in enumerate(self.settings.estimators):
            pipeline = count_pipeline(s, estimator)
            assert pipeline is not None
            pipelines.setdefault(pipeline.source.key, []).append(pipeline)
        return [self._family(alike) for alike in pipelines.values()]

    def _family(self, pipelines: list[CountPipeline]) -> CellCounts | WordTables:
        rows, keys = read_rows(self.study, pipelines[0].source)
        if pipelines[0].source.compressed(keys):
            return WordTables(pipelines, self.study, rows)
        return CellCounts(pipelines, self.study, rows, keys)

    def reduce(self, keep: Reduction[Kept, Result], only: Mask | None = None) -> Result:
        """What the reduction keeps of all scores, or of those asked for: only (S, T)."""
        accumulator = Accumulator(keep)
        with single_threaded():
            for family in self._families:
                accumulator.include(family.reduce(keep, only))
        return keep.finish(accumulator.total)

    def difficulties(self, s: int) -> tuple[str, ...]:
        """Classes that training sets lack."""
        return self.study.absences()


COUNTS = Sharer("counts", _note, SolvedCounts)
