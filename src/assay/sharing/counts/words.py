"""Words: one table of counts (V, K), which becomes that of one training set after the other.

Cells in which two training sets differ leave the table or come to it: whole numbers do that without a trace. Fractions
are counted again, as a fit would. Which words stay follows from how many training rows hold each, so texts are cut into
words once, whatever the splits and the settings. Rows in memory are counted as they are; of blocks that are read again
for every pass the sums by (cell, class) are kept, in compressed form.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Generic

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from assay import _core
from assay.notes import Note, note_of
from assay.numerics.ties import settle_ties
from assay.sharing.counts.count_pipeline import CountPipeline, part_of, present, split_of
from assay.sharing.dataset import Block, Dataset
from assay.sharing.reductions import Accumulator, Kept, Reduction
from assay.sharing.refit import take_rows
from assay.sharing.splits import Splits
from assay.sharing.study import Study
from assay.statistics import Counts, count_words
from assay.statistics.counts import ROUNDING, WHOLE, ColumnMask, WordTotals
from assay.statistics.word_part import WordPart
from assay.types import Array, Codes, Index, Integers, Mask

ROWS_HELD, ROWS_SUMMED = ("documents",), ("totals",)  # what vocabularies are chosen by


@dataclass(frozen=True, eq=False)
class _WordUnits:
    """What is added to a table as one: rows, or sums of those of one cell and class."""

    rows: csr_array
    cell: Integers  # (L, U)
    code: Codes
    weight: Array | None
    whole_table: bool  # whether the units are the rows of the only block

    @cached_property
    def kernel(self) -> _core.counts.WordRows:
        return kernel_of(self.rows)

    def merge(self, other: _WordUnits) -> _WordUnits:
        """Sums of the units of two blocks."""
        return replace(self, rows=csr_array(self.rows + other.rows))


def kernel_of(rows: csr_array) -> _core.counts.WordRows:
    """Compressed rows that a kernel adds up and scores."""
    return _core.counts.WordRows(
        rows.indptr, rows.indices.astype(rows.indptr.dtype, copy=False), rows.data, rows.shape[1]
    )


@dataclass(eq=False)
class _WordTable:
    """Counts (V, K) of one training set, and how to come to those of the next."""

    units: _WordUnits
    n_classes: int
    layer: int = -1
    copies: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def __post_init__(self) -> None:
        self.counts = np.zeros((self.units.rows.shape[1], self.n_classes))

    @cached_property
    def whole(self) -> bool:
        """Whether all counts are whole numbers, exact in float64."""
        data, weight = self.units.rows.data, self.units.weight
        whole = bool((np.floor(data) == data).all())
        if weight is not None:
            whole &= bool((np.floor(weight) == weight).all())
        most = 1.0 if weight is None else float(weight.max(initial=0))
        return whole and float(data.sum()) * most < WHOLE / 2**16  # copies are below 2^16

    def move(self, layer: int, copies: NDArray[np.int64]) -> None:
        """Become the table of the training set that sees the cells of a layer so often."""
        if layer != self.layer or not self.whole:
            self.counts[:] = 0.0
            self.layer, self.copies = layer, np.zeros_like(copies)
        change, cell = copies - self.copies, self.units.cell[layer]
        times = np.append(change, 0)[cell]  # the last is that of cell -1
        for factor in np.unique(change[change != 0]):
            self.add(np.flatnonzero(times == factor), float(factor))
        self.copies = copies

    def add(self, units: Index, factor: float) -> None:
        """Add some of the units."""
        rows = units.astype(np.int64, copy=False)
        self.units.kernel.add(rows, self.units.code, self.units.weight, factor, self.counts)


@dataclass(frozen=True, eq=False)
class _TrainingWords:
    """What is known of one training set: counts of every kind, and the words that pipelines keep."""

    model: int
    counts: dict[Hashable, Counts]  # of each kind: weight, rows (K,) and counts (V, K)
    whole: dict[Hashable, bool]
    chosen: dict[Hashable, ColumnMask]


@dataclass(frozen=True, eq=False)
class WordTables:
    """Chains of one source; `rows` are compressed, as it reads them."""

    pipelines: list[CountPipeline]
    study: Study
    rows: Dataset

    def reduce(self, keep: Reduction[Kept, object], only: Mask | None) -> Kept | None:
        """What the reduction keeps of all scores, or of those asked for: only (S, T); unfinished."""
        splits, accumulator = self.study.splits, Accumulator(keep)
        scoring = _Scoring(self.pipelines, self.study, keep, only)
        if splits.row_by_row:
            return self._less_each(scoring)
        wanted = [pipeline.setting for pipeline in self.pipelines]
        models = np.unique(splits.model if only is None else splits.model[only[wanted].any(axis=0)])
        tables = self._tables(splits.cell, splits.n_cells)
        with self.study.dataset.engine.meter(len(models), "words") as meter:
            for trained in self._training_sets(models, tables):
                ready = {kind: table.units for kind, table in tables.items()}

                def map_block(
                    block: Block,
                    trained: list[_TrainingWords] = trained,
                    ready: dict[Hashable, _WordUnits] = ready,
                ) -> Kept | None:
                    return scoring.of_block(block, trained, _BlockUnits(block, self._kinds, ready))

                part = self.rows.reduce(map_block, accumulator.merge, cell=splits.cell, label="scores")
                accumulator.include(part)
                for _ in trained:
                    meter.advance()
        return accumulator.total

    @cached_property
    def _kinds(self) -> dict[Hashable, CountPipeline]:
        """One pipeline for each kind of counts."""
        return {pipeline.kind: pipeline for pipeline in reversed(self.pipelines)}

    # -- training sets ------------------------------------------------------------------------------------

    def _training_sets(
        self, models: Codes, tables: dict[Hashable, _WordTable]
    ) -> Iterator[list[_TrainingWords]]:
        """Training sets one after the other, or as many at a time as memory allows where every pass costs a reading."""
        splits = self.study.splits
        size = sum(table.counts.nbytes for table in tables.values())
        alone = next(iter(tables.values())).units.whole_table
        room = 1 if alone else max(1, self.study.dataset.engine.memory // (2 * max(size, 1)))
        held: list[_TrainingWords] = []
        for m in models[np.argsort(splits.layer[models], kind="stable")].tolist():
            layer, copies = int(splits.layer[m]), splits.copies[m].astype(np.int64)
            for table in tables.values():
                table.move(layer, copies)
            held.append(self._trained(m, tables, int(splits.trained[m]), stays=room > 1))
            if len(held) == room:
                yield held
                held = []
        if held:
            yield held

    def _tables(self, cell: Integers, n_cells: int) -> dict[Hashable, _WordTable]:
        """An empty table for every kind of counts, and for what vocabularies are chosen by."""
        kinds, K, n_rows = self._kinds, self.study.dataset.n_classes, self.study.dataset.n_rows
        steps = [pipeline.step for pipeline in self.pipelines if pipeline.step is not None]
        ranks = any(step.max_words is not None for step in steps)

        def map_block(block: Block) -> dict[Hashable, _WordUnits]:
            units_of = {
                kind: _units(block, pipeline.prepared(block.X), K, n_cells, n_rows)
                for kind, pipeline in kinds.items()
            }
            plain = replace(block, codes=np.zeros_like(block.codes), weight=None)
            if ranks:
                units_of[ROWS_SUMMED] = _units(plain, block.X, 1, n_cells, n_rows)
            if steps:
                units_of[ROWS_HELD] = _units(plain, present(block.X), 1, n_cells, n_rows)
            return units_of

        def merge(a: dict[Hashable, _WordUnits], b: dict[Hashable, _WordUnits]) -> dict[Hashable, _WordUnits]:
            return {kind: a[kind].merge(b[kind]) for kind in a}

        units = self.rows.reduce(map_block, merge, cell=cell, label="counts")
        return {kind: _WordTable(rows, K if kind in kinds else 1) for kind, rows in units.items()}

    def _trained(
        self, m: int, tables: dict[Hashable, _WordTable], n_documents: int, *, stays: bool
    ) -> _TrainingWords:
        """What the tables say now; with copies of them if it stays when they change."""
        study, counts = self.study, dict[Hashable, Counts]()
        weight, rows = study.class_weight()[m], study.class_rows()[m].astype(np.int64)
        for kind in self._kinds:
            table, whole = tables[kind].counts, tables[kind].whole
            counted = Counts(weight, rows, table.copy() if stays else table, study.dataset.importance)
            counts[kind] = replace(counted, weight=weight.astype(np.int64)) if whole else counted.in_rows()
        chosen: dict[Hashable, ColumnMask] = {}
        if ROWS_HELD in tables:
            documents = tables[ROWS_HELD].counts[:, 0].astype(np.int64)
            totals = tables[ROWS_SUMMED].counts[:, 0] if ROWS_SUMMED in tables else documents
            chosen = self._chosen(m, WordTotals(documents, totals, n_documents))
        return _TrainingWords(m, counts, {kind: tables[kind].whole for kind in self._kinds}, chosen)

    def _chosen(self, m: int, totals: WordTotals) -> dict[Hashable, ColumnMask]:
        """The words that every step keeps in a training set."""
        chosen: dict[Hashable, ColumnMask] = {}
        for pipeline in self.pipelines:
            if pipeline.step is None or pipeline.step_key in chosen:
                continue
            try:
                chosen[pipeline.step_key] = pipeline.step.word_map(totals)
            except ValueError as error:
                raise self._named(m, pipeline, error) from None
        return chosen

    def _named(self, m: int, pipeline: CountPipeline, error: ValueError) -> ValueError:
        """What is wrong with the words of a training set, with the split named; readers know more than counts do."""
        data = self.study.dataset
        if data.fits():
            try:
                pipeline.source.read(take_rows(data.source(), self.study.splits.train_rows(m)))
            except ValueError as said:
                error = said
        return ValueError(Note("S133", split=split_of(self.study, m), reason=note_of(error) or str(error)))

    # -- one row left out ---------------------------------------------------------------------------------

    def _less_each(self, scoring: _Scoring[Kept]) -> Kept | None:
        """The tables of all rows, which every row leaves while it is tested."""
        data, splits = self.study.dataset, self.study.splits
        tables = self._tables(np.zeros((1, data.n_rows), dtype=np.int32), 1)
        for table in tables.values():
            table.move(0, np.ones(1, dtype=np.int64))

        def map_block(block: Block) -> Kept | None:
            accumulator = Accumulator(scoring.keep)
            read = _BlockUnits(block, self._kinds, {kind: table.units for kind, table in tables.items()})
            for i, m in enumerate(block.cells[0].tolist()):
                if not scoring.asks(m):
                    continue
                left = [_leave(table, *read.row(kind, i)) for kind, table in tables.items()]
                trained = [self._trained(m, tables, data.n_rows - 1, stays=False)]
                one = replace(block, cells=np.where(np.arange(block.n_rows) == i, block.cells, -1))
                accumulator.include(scoring.of_block(one, trained, read))
                for table, (words, k, before) in zip(tables.values(), left, strict=True):
                    table.counts[words, k] = before
            return accumulator.total

        return self.rows.reduce(map_block, Accumulator(scoring.keep).merge, cell=splits.cell, label="scores")


def _units(block: Block, rows: csr_array, n_classes: int, n_cells: int, n_rows: int) -> _WordUnits:
    """The rows of the only block as they are; of one of several, sums by (layer, cell, class)."""
    if block.n_rows == n_rows:
        return _WordUnits(rows, block.cells, block.codes, block.weight, True)
    parts = []
    for cell in block.cells:
        groups = {"group": cell, "n_groups": n_cells, "weight": block.weight}
        counted = count_words(rows, block.codes, n_classes, **groups).counts
        parts.append(csr_array(counted.reshape(-1, rows.shape[1]), dtype=np.float64))
    size = n_cells * n_classes
    cell = np.full((len(parts), len(parts), size), -1, dtype=np.int32)
    for layer in range(len(parts)):
        cell[layer, layer] = np.repeat(np.arange(n_cells), n_classes)
    code = np.tile(np.arange(n_classes, dtype=np.int32), n_cells * len(parts))
    return _WordUnits(csr_array(vstack(parts)), cell.reshape(len(parts), -1), code, None, False)


@dataclass(frozen=True, eq=False)
class _BlockUnits:
    """The rows of a block in every kind, made when asked for."""

    block: Block
    kinds: dict[Hashable, CountPipeline]
    ready: dict[Hashable, _WordUnits]  # those of the only block

    @cached_property
    def _made(self) -> dict[Hashable, _WordUnits]:
        return {kind: units for kind, units in self.ready.items() if units.whole_table}

    def of(self, kind: Hashable) -> _WordUnits:
        if kind not in self._made:
            X, block = self.block.X, self.block
            if kind in self.kinds:
                rows, weight, codes = self.kinds[kind].prepared(X), block.weight, block.codes
            else:
                rows, weight, codes = present(X) if kind == ROWS_HELD else X, None, np.zeros_like(block.codes)
            self._made[kind] = _WordUnits(rows, block.cells, codes, weight, False)
        return self._made[kind]

    def row(self, kind: Hashable, i: int) -> tuple[Integers, int, Array]:
        """Words of a row, its class, and what it adds to the counts."""
        units = self.of(kind)
        inside = slice(units.rows.indptr[i], units.rows.indptr[i + 1])
        weight = 1.0 if units.weight is None else float(units.weight[i])
        return units.rows.indices[inside], int(units.code[i]), weight * units.rows.data[inside]


def _leave(table: _WordTable, words: Integers, k: int, values: Array) -> tuple[Integers, int, Array]:
    """Take a row out of a table; gives where it was and what was there before."""
    before = table.counts[words, k].copy()
    left = before - values
    table.counts[words, k] = np.where(left > ROUNDING * before, left, 0.0)
    return words, k, before


@dataclass(frozen=True, eq=False)
class _Scoring(Generic[Kept]):
    """What is asked, and what becomes of it."""

    pipelines: list[CountPipeline]
    study: Study
    keep: Reduction[Kept, object]
    only: Mask | None

    @cached_property
    def _priors(self) -> list[Array]:
        return [self.study.priors(pipeline.model.priors) for pipeline in self.pipelines]

    def asks(self, test: int) -> bool:
        """Whether some pipeline asks for a test."""
        return self.only is None or any(self.only[pipeline.setting, test] for pipeline in self.pipelines)

    def of_block(self, block: Block, trained: list[_TrainingWords], read: _BlockUnits) -> Kept | None:
        """The tests of these training sets in a block."""
        scheme, threads = self.study.splits.scheme, self.study.dataset.engine.threads
        accumulator = Accumulator(self.keep)
        for training_set in trained:
            its_tests, known = (
                scheme.model == training_set.model,
                dict[bytes, tuple[Index, Codes, NDArray[np.int64]]](),
            )
            for pipeline, prior in zip(self.pipelines, self._priors, strict=True):
                wanted = its_tests if self.only is None else its_tests & self.only[pipeline.setting]
                key = wanted.tobytes()
                if key not in known:
                    known[key] = _tested(scheme, block, training_set.model, wanted)
                places, test, held = known[key]
                if len(test):
                    scores = _scores(pipeline, training_set, read.of(pipeline.kind), places, held, threads)
                    accumulator.add(part_of(pipeline, block, places, test, scores, prior, threads))
        return accumulator.total


def _tested(scheme: Splits, block: Block, model: int, tests: Mask) -> tuple[Index, Codes, NDArray[np.int64]]:
    """Places of tested rows, their tests, and (V,) how many of them hold each word."""
    if scheme.row_by_row:
        places = np.flatnonzero(block.cells[0] == model) if tests[model] else np.zeros(0, dtype=np.int64)
        test = block.cells[0][places].astype(np.int32)
    else:
        number, cell = np.flatnonzero(tests).astype(np.int32), block.cells[scheme.layer[model]]
        which, places = np.nonzero(scheme.tested[number][:, cell] & (cell >= 0))
        test = number[which]
    part = block.X if len(places) == block.n_rows else block.X[places]
    words = part.indices if part.data.all() else part.indices[part.data > 0]
    return places, test, np.bincount(words, minlength=block.X.shape[1])


def _scores(
    pipeline: CountPipeline,
    trained: _TrainingWords,
    units: _WordUnits,
    places: Index,
    held: NDArray[np.int64],
    threads: int,
) -> Array:
    """Joint log likelihoods of some rows, (M, K)."""
    train, chosen = trained.counts[pipeline.kind], trained.chosen.get(pipeline.step_key)
    size = train.counts.shape[0]
    if trained.whole[pipeline.kind]:
        mask = np.ones(size, dtype=np.uint8) if chosen is None else chosen
        words = np.flatnonzero((held > 0) & (mask > 0)).astype(np.int64, copy=False)
        narrow = pipeline.model.word_weights(WordPart(train.counts, train.weight, mask, words, threads))
        if narrow is not None:
            place = np.full(size, -1, dtype=np.int32)
            place[words] = np.arange(len(words), dtype=np.int32)
            out = np.empty((len(places), train.n_classes))
            units.kernel.scores(places.astype(np.int64, copy=False), place, *narrow, threads, out)
            return settle_ties(out)
    columns = slice(None) if chosen is None else np.flatnonzero(chosen)
    numbers = np.ascontiguousarray(train.counts[columns].T)[None]
    numbers = numbers.astype(np.int64) if trained.whole[pipeline.kind] else numbers
    counted = Counts(train.weight[None], train.rows[None], numbers)
    rows = units.rows[places]
    form = pipeline.model.solve_counts(counted, None)
    return form.scores(rows if chosen is None else rows[:, columns], None, threads)
