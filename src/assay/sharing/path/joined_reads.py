"""Rows by their numbers, from blocks that are read again for every pass: one pass serves all who wait for rows.

Problems that are solved side by side each run in a thread. A thread that asks for rows waits until every other one
asks for some, too, or is done; then one pass over the blocks answers all of them. So the problems read the data as
often as the one with the most steps does, and every one of them is solved as it is from rows in memory.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from assay.engines.local import helpers
from assay.numerics.interrupt import check_interrupt
from assay.sharing.dataset import Block, Dataset
from assay.solvers.rows import DenseBlock, SolverRows
from assay.types import Array, Floats

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")
Numbers = NDArray[np.int64]
LABEL = "Passes over the rows"
ROW_BYTES = 128  # what a problem remembers of every row
MOST_PROBLEMS = 64  # threads that wait for each other
SOON = 0.2  # seconds after which one that waits notices Ctrl-C
SUMMED, WHOLE = 1.0, 2.0  # what is asked of a row: products, or all of its numbers


@dataclass(eq=False)
class _Request:
    """What is asked of some rows: their scores by models, sums with coefficients, or the rows themselves.

    Who asks beside it has the same order in every run, so that sums have the same bits.
    """

    place: int
    which: Numbers
    models: Array | None = None  # (M, P+1)
    coefficients: Array | None = None  # (M, n)
    answer: Any = None
    error: BaseException | None = None


class _Answers(NamedTuple):
    """Of the rows asked for in some blocks: their numbers, scores (M, n) and those wanted whole; and sums."""

    numbers: list[Numbers]
    scores: list[Array]
    whole: list[Array]
    sums: Array

    def merged(self, other: _Answers) -> _Answers:
        return _Answers(
            self.numbers + other.numbers,
            self.scores + other.scores,
            self.whole + other.whole,
            self.sums + other.sums,
        )


@dataclass(frozen=True)
class _JoinedPass:
    """What is read of a block; beside its rows lie the coefficients of sums, and what is asked of each row."""

    rows: Callable[[Floats], SolverRows]
    models: Array

    def __call__(self, block: Block) -> _Answers:
        coefficients, wanted = block.cells[:-1], block.cells[-1]
        which = np.flatnonzero(wanted)
        if len(which) == 0:
            return _Answers([], [], [], np.zeros((len(coefficients), self.models.shape[1])))
        part = self.rows(block.X).block(which)
        whole = wanted[which] == WHOLE
        return _Answers(
            [block.start + which],
            [part.scores(self.models)],
            [part.dense()[whole]] if whole.any() else [],
            part.products(np.ascontiguousarray(coefficients[:, which])),
        )


class JoinedReads:
    """Reads of a dataset, made when everybody waits for one.

    rows : function of the rows of a block, standardised rows
    width : columns of these
    """

    def __init__(self, data: Dataset, rows: Callable[[Floats], SolverRows], width: int) -> None:
        self.data, self.rows, self.width = data, rows, width
        self._changed = threading.Condition()
        self._working, self._waiting = 0, list[_Request]()
        self._here = threading.local()

    def together(self, work: Callable[[Item], Outcome], items: Sequence[Item]) -> list[Outcome]:
        """Work of every item, results in order; as many at a time as there is room for read the rows together."""
        most = max(1, min(MOST_PROBLEMS, self.data.engine.memory // (ROW_BYTES * max(1, self.data.n_rows))))
        outcomes: list[Outcome] = []
        for first in range(0, len(items), most):
            batch = list(enumerate(items[first : first + most]))
            self._working = len(batch)
            with helpers(len(batch)) as pool:
                outcomes += pool.map(lambda numbered: self._one(work, *numbered), batch)
        return outcomes

    def _one(self, work: Callable[[Item], Outcome], place: int, item: Item) -> Outcome:
        self._here.place = place
        try:
            return work(item)
        finally:
            with self._changed:
                self._working -= 1
                self._read_if_all_wait()

    def ask(self, which: Numbers, models: Array | None = None, coefficients: Array | None = None) -> Any:
        """Scores (M, n) of these rows, sums (M, P+1), or the rows (n, P+1)."""
        check_interrupt()
        request = _Request(self._here.__dict__.get("place", 0), which, models, coefficients)
        with self._changed:
            self._waiting.append(request)
            try:
                self._read_if_all_wait()
                while request in self._waiting:
                    self._changed.wait(SOON)
                    check_interrupt()
            finally:
                self._waiting = [other for other in self._waiting if other is not request]
        if request.error is not None:
            raise request.error
        return request.answer

    def _read_if_all_wait(self) -> None:
        if not self._waiting or len(self._waiting) < self._working:
            return
        requests = sorted(self._waiting, key=lambda request: request.place)
        try:
            self._read(requests)
        except BaseException as error:
            for request in requests:
                request.error = error
        self._waiting = []
        self._changed.notify_all()

    def _read(self, requests: list[_Request]) -> None:
        """One pass over the blocks for all of them."""
        nothing = np.zeros((0, self.width + 1))
        stacks = [nothing if request.models is None else request.models for request in requests]
        lines = np.cumsum([0, *(0 if r.coefficients is None else len(r.coefficients) for r in requests)])
        beside = np.zeros((int(lines[-1]) + 1, self.data.n_rows))
        for request, (first, last) in zip(requests, pairwise(lines), strict=True):
            wanted = SUMMED
            if request.coefficients is not None:
                beside[first:last, request.which] = request.coefficients
            elif request.models is None:
                wanted = WHOLE
            beside[-1, request.which] = np.maximum(beside[-1, request.which], wanted)
        answers = self.data.reduce(
            _JoinedPass(self.rows, np.concatenate(stacks)), _Answers.merged, cell=beside, label=LABEL
        )
        numbers = np.concatenate([np.zeros(0, dtype=np.int64), *answers.numbers])
        scores = np.concatenate([np.zeros((sum(map(len, stacks)), 0)), *answers.scores], axis=1)
        whole, read_whole = np.concatenate([nothing, *answers.whole]), numbers[beside[-1, numbers] == WHOLE]
        models = np.cumsum([0, *map(len, stacks)])
        for at, request in enumerate(requests):
            if request.models is not None:
                request.answer = scores[models[at] : models[at + 1], np.searchsorted(numbers, request.which)]
            elif request.coefficients is not None:
                request.answer = answers.sums[lines[at] : lines[at + 1]]
            else:
                request.answer = whole[np.searchsorted(read_whole, request.which)]


@dataclass(frozen=True)
class ReadRows:
    """Standardised rows that are read when something is asked of them."""

    reads: JoinedReads
    rows_a_block: ClassVar[int] = 1 << 62
    rows_a_chunk: ClassVar[int] = 1 << 62

    @property
    def width(self) -> int:
        return self.reads.width

    def block(self, which: Numbers) -> ReadBlock:
        return ReadBlock(self.reads, which)


@dataclass(frozen=True)
class ReadBlock:
    """Some of them; a pass for each question."""

    reads: JoinedReads
    which: Numbers

    def scores(self, B: Array) -> Array:
        scores: Array = self.reads.ask(self.which, models=B)
        return scores

    def products(self, R: Array) -> Array:
        sums: Array = self.reads.ask(self.which, coefficients=R)
        return sums

    def dense(self) -> Array:
        rows: Array = self.reads.ask(self.which)
        return rows

    def square_products(self, R: Array) -> Array:
        return DenseBlock(self.dense()).square_products(R)

    def gram(self, r: Array) -> Array:
        return DenseBlock(self.dense()).gram(r)
