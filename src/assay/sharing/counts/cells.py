"""Counts by (cell, class): the training counts of all models are sums over cells, and rows are scored in one pass."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from assay.notes import Note
from assay.sharing.counts.count_pipeline import CountPipeline, pairs_of, part_of, split_of
from assay.sharing.dataset import Block, Dataset
from assay.sharing.protocols import CountForm, RowError
from assay.sharing.reductions import Accumulator, Kept, Reduction
from assay.sharing.study import Study
from assay.statistics import Counts
from assay.types import Array, Codes, Index, Mask

FEW = 1024  # rows that leave the counts at a time, each by itself


class _LayerForms(NamedTuple):
    """Models of one layer, and every pipeline solved for them."""

    models: Codes
    forms: list[CountForm]


@dataclass(frozen=True, eq=False)
class CellCounts:
    """Chains of one reader; `rows` are as it reads them."""

    pipelines: list[CountPipeline]
    study: Study
    rows: Dataset
    keys: Any

    @property
    def _classes(self) -> int:
        return self.study.dataset.n_classes

    @cached_property
    def _room(self) -> int:
        """Training sets whose counts, and the tables made of these, fit into memory at a time."""
        need = self.pipelines[0].reader.count_bytes(self.keys, self._classes)
        return max(1, self.study.dataset.engine.memory // (2 * max(need, 1)))

    @cached_property
    def _priors(self) -> list[Array]:
        return [self.study.priors(pipeline.model.priors) for pipeline in self.pipelines]

    def reduce(self, keep: Reduction[Kept, object], only: Mask | None) -> Kept | None:
        """What the reduction keeps of all scores, or of those asked for: only (S, T); unfinished."""
        if self.study.splits.row_by_row:
            return self._less_each(keep, only)
        accumulator = Accumulator(keep)
        for jobs in self._jobs(only):
            accumulator.include(self._scored(jobs, keep, only))
        return accumulator.total

    # -- sets of cells ------------------------------------------------------------------------------------

    def _jobs(self, only: Mask | None) -> Iterator[list[_LayerForms]]:
        """Models that are asked for, layer by layer, as many at a time as memory allows."""
        splits = self.study.splits
        wanted_models = np.zeros(splits.n_models, dtype=bool)
        wanted = [pipeline.setting for pipeline in self.pipelines]
        wanted_models[splits.model if only is None else splits.model[only[wanted].any(axis=0)]] = True
        layers = max(1, self._room // max(1, splits.n_cells))
        for first in range(0, splits.n_layers, layers):
            cells, jobs, size = (
                self._cells(first, min(first + layers, splits.n_layers)),
                list[_LayerForms](),
                0,
            )
            for place, counted in enumerate(cells):
                models = np.flatnonzero(wanted_models & (splits.layer == first + place)).astype(np.int32)
                for batch in (
                    np.split(models, range(self._room, len(models), self._room)) if len(models) else ()
                ):
                    if jobs and size + len(batch) > self._room:
                        yield jobs
                        jobs, size = [], 0
                    train = counted.combined(splits.copies[batch]).in_rows()
                    solved = [pipeline.model.solve_counts(train, self.keys) for pipeline in self.pipelines]
                    jobs.append(_LayerForms(batch, solved))
                    size += len(batch)
            if jobs:
                yield jobs

    def _cells(self, first: int, end: int) -> list[Counts]:
        """Counts of every cell of some layers, each (C, K, ...)."""
        splits, reader, data = self.study.splits, self.pipelines[0].reader, self.study.dataset
        keys, K, C, threads = self.keys, self._classes, splits.n_cells, data.engine.threads

        def map_block(block: Block) -> list[Counts]:
            return [
                reader.count(
                    block.X, keys, block.codes, K, threads, group=cell, n_groups=C, weight=block.weight
                )
                for cell in block.cells
            ]

        def merge(a: list[Counts], b: list[Counts]) -> list[Counts]:
            return [one.merge(other) for one, other in zip(a, b, strict=True)]

        def make() -> tuple[object, list[Counts]]:
            cell = splits.cell[first:end]
            counted = self.rows.reduce(map_block, merge, cell=cell, label="counts")
            return (splits.cell, data.codes, data.weight), counted  # kept as long as their names

        key = "counts", reader.key, id(splits.cell), C, id(data.codes), id(data.weight), first
        return (self.study.once(key, make) if end - first == splits.n_layers else make())[1]

    def _scored(
        self, jobs: list[_LayerForms], keep: Reduction[Kept, object], only: Mask | None
    ) -> Kept | None:
        """One pass over the rows for the tests of these models."""
        study, pipelines, priors = self.study, self.pipelines, self._priors
        scheme, threads = study.splits.scheme, study.dataset.engine.threads
        place = np.full(scheme.n_models, -1, dtype=np.int32)
        inside = []
        for job in jobs:
            place[job.models] = np.arange(len(job.models), dtype=np.int32)
            in_job = np.zeros(scheme.n_models, dtype=bool)
            in_job[job.models] = True
            inside.append(in_job[scheme.model])

        def map_block(block: Block) -> Kept | None:
            accumulator, known = Accumulator(keep), dict[bytes, tuple[Index | None, Codes]]()
            for job, tests in zip(jobs, inside, strict=True):
                for pipeline, form, prior in zip(pipelines, job.forms, priors, strict=True):
                    wanted = tests if only is None else tests & only[pipeline.setting]
                    key = wanted.tobytes()
                    if key not in known:
                        known[key] = pairs_of(scheme, block.cells, int(scheme.layer[job.models[0]]), wanted)
                    places, test = known[key]
                    if len(test):
                        X = block.X if places is None else block.X[places]
                        model = place[scheme.model[test]]
                        scores = self._scores(form, X, model, job.models, block, places)
                        accumulator.add(part_of(pipeline, block, places, test, scores, prior, threads))
            return accumulator.total

        tests_per_row = 1 + int(scheme.tested.sum()) // scheme.n_cells
        width = 8 * (self._classes + 4) * tests_per_row
        return self.rows.reduce(
            map_block, Accumulator(keep).merge, cell=study.splits.cell, label="scores", bytes_per_row=width
        )

    def _scores(
        self, form: CountForm, X: Any, model: Codes, models: Codes, block: Block, places: Index | None
    ) -> Array:
        try:
            return form.scores(X, model, self.study.dataset.engine.threads)
        except RowError as error:
            row = block.start + (error.row if places is None else int(places[error.row]))
            split = split_of(self.study, int(models[error.model]))
            raise ValueError(Note(error.code, values=error.values, row=row, split=split)) from None

    # -- one row left out ---------------------------------------------------------------------------------

    def _less_each(self, keep: Reduction[Kept, object], only: Mask | None) -> Kept | None:
        """The counts of all rows less those of each, for a few rows at a time."""
        study, pipelines, keys, K, priors = self.study, self.pipelines, self.keys, self._classes, self._priors
        reader, threads = pipelines[0].reader, study.dataset.engine.threads
        whole = self.rows.reduce(
            lambda block: reader.count(block.X, keys, block.codes, K, threads, weight=block.weight),
            lambda a, b: a.merge(b),
            label="counts",
        )
        step = min(FEW, self._room)

        def map_block(block: Block) -> Kept | None:
            accumulator = Accumulator(keep)
            for start in range(0, block.n_rows, step):
                end = min(start + step, block.n_rows)
                X, codes, number = (
                    block.X[start:end],
                    block.codes[start:end],
                    np.arange(end - start, dtype=np.int32),
                )
                weight = None if block.weight is None else block.weight[start:end]
                single = reader.count(
                    X, keys, codes, K, threads, group=number, n_groups=len(number), weight=weight
                )
                train, test = whole.without_each(single).in_rows(), block.cells[0][start:end].astype(np.int32)
                part = Block(block.start + start, X, codes, weight)
                for pipeline, prior in zip(pipelines, priors, strict=True):
                    form = pipeline.model.solve_counts(train, keys)
                    scores = self._scores(form, X, number, test, part, None)
                    made = part_of(pipeline, part, None, test, scores, prior, threads)
                    accumulator.add(made if only is None else made.take(only[pipeline.setting][test]))
            return accumulator.total

        return self.rows.reduce(map_block, Accumulator(keep).merge, cell=study.splits.cell, label="scores")
