"""A setting of counts: a model, the step in front that may choose its words, and how rows reach it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from assay.notes import Note
from assay.numerics.value_key import value_key
from assay.sharing.dataset import Block, Dataset
from assay.sharing.forms import normalize
from assay.sharing.part import Part
from assay.sharing.protocols import CountModel, CountReader, WordStep
from assay.sharing.scoring import taken
from assay.sharing.splits import Splits
from assay.sharing.study import Study
from assay.types import Array, CellCodes, Codes, Index, Mask


@dataclass(frozen=True, eq=False)
class CountPipeline:
    """A setting: its number, its model, the reader of the model, and the step before it that chooses words, if any."""

    setting: int
    model: CountModel
    reader: CountReader
    step: WordStep | None = None

    @cached_property
    def source(self) -> CountReader:
        """Who reads the rows: the step that stands first, or the model."""
        return self.reader if self.step is None else self.step.read_counts()

    @cached_property
    def kind(self) -> Hashable:
        """Chains of one source and kind count the same numbers."""
        return self.step is not None and self.step.binary, self.reader.key

    @cached_property
    def step_key(self) -> Hashable:
        """Steps of equal value choose the same words; None: no step."""
        return None if self.step is None else value_key(self.step)

    def prepared(self, rows: csr_array) -> csr_array:
        """Words as the model counts them."""
        if self.step is None:
            return rows
        if self.step.binary:
            rows = present(rows)
        return csr_array(self.reader.prepared(rows))


def present(rows: csr_array) -> csr_array:
    """1 where a word is there; stored zeros are none."""
    return csr_array(((rows.data > 0).astype(np.float64), rows.indices, rows.indptr), shape=rows.shape)


def read_rows(study: Study, reader: CountReader) -> tuple[Dataset, Any]:
    """The rows as a reader reads them, once for all who ask, and its keys."""
    rows, keys = study.once(("read", reader.key), lambda: study.dataset.read_by(reader))
    return rows if rows.codes is study.dataset.codes else rows.labelled_as(study.dataset), keys


def part_of(
    pipeline: CountPipeline,
    block: Block,
    places: Index | None,
    test: Codes,
    scores: Array,
    priors: Array,
    threads: int,
) -> Part:
    """Log posteriors of pairs of a block, from joint log likelihoods."""
    best, unusable = normalize(scores, threads)
    if unusable:
        raise ValueError(Note("S131", rows=unusable))
    rows, codes, weight = taken(block, places)
    return Part(pipeline.setting, rows, test, scores, best, codes, weight, priors, True)


def pairs_of(scheme: Splits, cells: CellCodes, layer: int, tests: Mask) -> tuple[Index | None, Codes]:
    """Every (row, test) of a block with these cells (L, n), of tests of one layer: places of rows, and tests."""
    if scheme.n_layers == 1:
        return scheme.pairs(cells, None if tests.all() else tests)
    number, cell = np.flatnonzero(tests).astype(np.int32), cells[layer]
    place, which = np.nonzero((scheme.tested[number][:, cell] & (cell >= 0)).T)
    return place, number[which]


def split_of(study: Study, model: int) -> int:
    """The split of the plan that a model is trained for, which messages name."""
    splits = study.splits
    tests = np.flatnonzero(splits.model[splits.outer] == model)
    return int(tests[0]) if len(tests) else model
