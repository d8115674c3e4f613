r"""One search among all rows for all training sets.

The nearest training rows of a model are the first of a row's list that the model was trained on. Lists are longer than
asked for: of n listed rows a training set holds rows of weight μ n ± √(n v) with the mean μ and the variance v of what
a row counts for in it, so that n = k/μ + 4 √(v k/μ)/μ nearly always hold weight k. Rows for which they do not are
searched again, among the training set itself; and so are all rows of small training sets, for which that is cheaper.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assay.engines.local import Engine
from assay.numerics.distances import SQUARES
from assay.numerics.neighbors import Near, NeighborGroups, Searcher
from assay.numerics.votes import Asking, Setting, Some, Voters, settled
from assay.sharing.dataset import Block
from assay.sharing.neighbors.query import NeighborQuery, VoteScores
from assay.sharing.protocols import NeighborModel
from assay.sharing.reductions import Accumulator, Kept, Reduction, reduced
from assay.sharing.settings import model_of
from assay.sharing.splits import Splits
from assay.types import Array, Codes, Index, Integers

TOGETHER = 64  # rows that are treated alike, on average at least, for a search to pass over them as a whole
SURE = 4.0  # deviations by which lists are longer than on average needed
BATCH, LEAST_BATCH = (
    2**36,
    1024,
)  # products of a batch of queries, a second or a few, and its queries at least
PRODUCT, ENTRY, IN_TREE = (
    1 / 16,
    75.0,
    300.0,
)  # cost of a product, of a place in a list, and of one found by a tree


def one_search(query: NeighborQuery, keep: Reduction[Kept, object]) -> Kept | None:
    """What the reduction keeps of the scores of a model that stands alone, unfinished."""
    search = _ListSearch.of(query)

    scores = len(query.votes) * query.study.dataset.n_classes * search.tests_per_row
    size = 12 * search.length + int(24 * scores)
    return query.study.reduce(
        lambda block: search.reduced(block, keep), Accumulator(keep).merge, query.name, size
    )


@dataclass(frozen=True, eq=False)
class _ListSearch:
    """Who is looked for, how many of them, and by whom: all that is needed where tested rows are, but these rows."""

    answers: VoteScores
    model: NeighborModel
    settings: list[Setting]
    k: int
    name: str
    splits: Splits
    voters: Voters
    unit: Array | None
    engine: Engine
    whole: Searcher  # all rows
    part: Searcher  # those that any model is trained on
    group: Codes | None  # (N,) rows of the query's own are passed over
    without_itself: bool
    length: int
    tests_per_row: float

    @classmethod
    def of(cls, query: NeighborQuery) -> _ListSearch:
        study, data = query.study, query.study.dataset
        trained, tested = query.used
        queries = max(1, int(tested.sum()))
        whole = query.searcher()
        part = whole.part(np.flatnonzero(trained), queries)
        group, without_itself = together(query)
        apart = 0 if group is None else int(np.bincount(group[group >= 0]).min())
        lengths = _Lengths.of(query, int(trained.sum()) - apart)
        splits = replace(
            study.splits, cell=np.ascontiguousarray(study.splits.cell, dtype=np.int32), deeper=None
        )
        voters = Voters(data.codes, data.n_classes, data.weight)
        return cls(
            query.answers, model_of(query.longest), query.votes, query.k, query.name, splits, voters,
            study.row_unit(), data.engine, whole, part, group, without_itself, lengths.cheapest(part, queries),
            lengths.tested.sum() / queries,
        )  # fmt: skip

    def reduced(self, block: Block, keep: Reduction[Kept, object]) -> Kept | None:
        """What the reduction keeps of a block's rows."""
        rows, test = self.splits.pairs(block.cells, self.answers.asked)
        if not len(test):
            return None
        whole = block.n_rows == len(self.voters.codes)
        queries = self.whole.points if whole else self.whole.space.rows(block.X)
        place = np.arange(len(test)) if rows is None else rows
        row = place + block.start
        asking = self._asking(place, test)
        threads = self.engine.threads

        def vote(near: Near, short: Some | None) -> tuple[list[Array], Some]:
            voters = replace(self.voters, asking=asking if short is None else asking.take(short))
            votes: tuple[list[Array], Some] = self.model.votes(voters, near, self.settings, threads)
            return votes

        def again(length: int, short: Some) -> Near:
            return self._again(queries[place[short]], row[short], asking.model[short], length)

        shares = settled(vote, self._lists(queries, block.rows, whole), again, self.k)
        weight = None if block.weight is None else block.weight[place]
        return reduced(self.answers.parts(row, test, shares, block.codes[place], weight), keep)

    def _asking(self, place: Some, test: Codes) -> Asking:
        splits = self.splits
        asking = Asking(splits.model[test], place.astype(np.int32), self.unit)
        if splits.row_by_row:
            return asking
        return replace(asking, layer=splits.layer, cell=splits.cell, copies=splits.copies)

    def _lists(self, queries: NDArray[np.floating], rows: Index, metered: bool) -> Near:
        """The nearest rows of all queries, which are these rows, batch by batch."""
        engine = self.engine
        size = max(LEAST_BATCH, BATCH // max(1, self.part.points.size))
        starts = range(0, len(queries), size)
        batches = []
        with engine.meter(len(starts) if metered else 0, self.name) as meter:
            for start in starts:
                batch = slice(start, start + size)
                batches.append(self._nearest(queries[batch], rows[batch], self.length, engine.threads))
                if metered:
                    meter.advance()
        if len(batches) == 1:
            return batches[0]
        return Near(
            *(np.concatenate([getattr(near, name) for near in batches]) for name in ("rows", "distances"))
        )

    def _nearest(self, queries: NDArray[np.floating], rows: Index, length: int, threads: int) -> Near:
        if self.group is None or self.part.tree is not None:
            itself = rows if self.without_itself else None
            return self.part.nearest(queries, length, threads, itself)
        among = self.group if self.part.rows is None else self.group[self.part.rows]
        return self.part.nearest(queries, length, threads, groups=NeighborGroups(among, self.group[rows]))

    def _again(self, queries: NDArray[np.floating], rows: Index, model: Codes, length: int) -> Near:
        """Lists of that length, or of all rows there are, among the training set of each query's model."""
        splits, weight = self.splits, self.voters.weight
        if splits.row_by_row:
            return self._nearest(queries, rows, length, self.engine.threads)
        length = min(length, len(self.voters.codes) + 1)
        out = Near(np.full((len(rows), length), -1, np.int32), np.full((len(rows), length), np.inf))

        def work(m: int) -> None:
            queried = np.flatnonzero(model == m)
            seen = splits.copies_in([m], splits.cell)[0] > 0
            trained = np.flatnonzero(seen if weight is None else seen & (weight > 0))
            near = self.whole.part(trained, len(queried)).nearest(
                queries[queried], length, self.engine.threads
            )
            out.rows[queried, : near.rows.shape[1]] = near.rows
            out.distances[queried, : near.rows.shape[1]] = near.distances

        for _ in self.engine.each(np.unique(model).tolist(), work, self.name):
            pass
        return out


def together(query: NeighborQuery) -> tuple[Codes | None, bool]:
    """Groups of rows that all models treat alike (None: too small to matter), and whether none is its own neighbour."""
    splits = query.study.splits
    models = splits.model[query.tests]
    if splits.row_by_row:
        return None, True
    if ((splits.copies[models] > 0) & splits.tested[query.tests]).any():
        return None, False
    group = np.zeros(splits.cell.shape[1], dtype=np.int64)
    for layer in np.unique(splits.layer[models]):
        kinds, group = np.unique(group * (splits.n_cells + 1) + splits.cell[layer] + 1, return_inverse=True)
        if len(kinds) * TOGETHER > len(group):
            return None, True
    return group.astype(np.int32), True


@dataclass(frozen=True)
class _Lengths:
    """Of each model: rows trained on, rows tested, and how long a list it takes."""

    trained: Array
    tested: Array
    length: Array
    k: int

    @classmethod
    def of(cls, query: NeighborQuery, visible: int) -> _Lengths:
        splits, data = query.study.splits, query.study.dataset
        models = np.array([m for m, _ in query.tasks])
        weight = np.ones(data.n_rows) if data.weight is None else data.weight
        unit = query.study.row_unit()
        if splits.row_by_row:
            models = models[:1]
            rows, first, second = (np.array([(weight**p)[weight > 0].sum()]) for p in range(3))
            tested = np.array([float(len(query.tests))])
        else:
            powers = np.stack([weight > 0, weight, weight**2, np.ones(len(weight))])
            cells = np.stack([_cell_sums(cell, powers, splits.n_cells) for cell in splits.cell])
            copies, of_cells = splits.copies[models].astype(np.float64), cells[splits.layer[models]]
            rows, first, second = (
                (seen * of_cells[:, p]).sum(axis=1) for p, seen in enumerate((copies > 0, copies, copies**2))
            )
            asked_cells = np.stack([splits.tested[tests].sum(axis=0) for _, tests in query.tasks])
            tested = (asked_cells * of_cells[:, 3]).sum(axis=1)
        scale = 1.0 if unit is None else unit[models]
        mean, square = first * scale / visible, second * scale**2 / visible
        spread = np.sqrt(np.maximum(square - mean**2, 0.0) * query.k / mean) / mean
        length = np.minimum(np.ceil(query.k / mean + SURE * spread - 1e-9), visible + 1)
        return cls(rows, tested, length, query.k)

    def cheapest(self, part: Searcher, queries: int) -> int:
        """The length for which the one search and those of models that it does not serve cost least."""
        count, width = part.points.shape
        product = 0.0 if part.tree else width * (PRODUCT if part.space.kind == SQUARES else 1.0)
        entry = IN_TREE if part.tree else ENTRY + 1.5 * width
        alone = self.tested * (self.trained * product + entry * self.k)
        order = np.argsort(self.length)
        lengths = self.length[order]
        later = alone.sum() - np.cumsum(alone[order])
        return int(lengths[np.argmin(queries * (count * product + entry * lengths) + later)])


def _cell_sums(cell: Integers, values: Array, n_cells: int) -> Array:
    used = cell >= 0
    return np.stack([np.bincount(cell[used], power[used], n_cells) for power in values])
