"""The nearest rows, exactly: ordered by (distance in double precision, row), whichever way they are found.

Sums of squares are searched by products in single precision whose rounding is bounded
(`core/neighbors/float_products.cpp`), of small whole numbers by exact ones (`core/neighbors/integer_products.cpp`),
other metrics by measuring every pair. In few columns and many rows a tree of SciPy is faster; what it finds is
measured by the same loop, and rows that ties leave in doubt are searched as the others are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from assay import _core
from assay.numerics.distances import SQUARES, Space, alike
from assay.types import Array, Floats, Index

Places = NDArray[np.int32]
FEW = 16  # queries that are measured at once, without packing the rows
DOUBT = 1e-9  # relative difference of distances below which a tree's choice is checked
ALL, OTHERS, OWN = range(3)


@dataclass(frozen=True)
class Near:
    """Neighbours of M queries, nearest first: rows (M, k) and their distances; -1 and infinity where none is left."""

    rows: Places
    distances: Array


@dataclass(frozen=True)
class NeighborGroups:
    """Groups of rows and of queries (-1 and less: rows that are nobody's neighbours), and which ones are searched."""

    rows: Places
    queries: Places
    part: int = OTHERS


def nearest(
    space: Space,
    rows: Floats,
    queries: Floats,
    k: int,
    *,
    threads: int = 1,
    itself: NDArray[np.int64] | None = None,
    groups: NeighborGroups | None = None,
    measured: bool = True,
) -> Near:
    """The k nearest rows of every query; both as `space.rows` gives them.

    Parameters
    ----------
    itself : (M,), optional
        A row that each query leaves out, -1 for none.
    groups : Groups, optional
        Search only rows of other groups than the query's, or of its own.
    measured : bool
        False: for `merged`, what rows are ordered by, sums of squares for one; `as_distances` makes distances of it.

    Examples
    --------
    >>> space, X = Space("euclidean"), np.array([[0.0], [1.0], [3.0]])
    >>> nearest(space, X, X, 1, itself=np.arange(3)).rows.ravel().tolist()
    [1, 0, 1]
    """
    rows, queries = alike(rows, queries)
    near = np.empty((len(queries), k), dtype=np.int32)
    distances = np.empty((len(queries), k))
    by_products = space.kind == SQUARES and len(queries) > FEW
    part, row_group, query_group, count = ALL, None, None, 1
    if groups is not None:
        part, row_group, query_group = groups.part, groups.rows, groups.queries
        count = int(max(row_group.max(initial=0), query_group.max(initial=0))) + 1
    _core.neighbors.nearest(
        rows, queries, row_group, query_group, count, part, itself, space.kind, space.numeric, by_products, threads,
        near, distances, not measured,
    )  # fmt: skip
    return Near(near, space.distances(distances) if measured else distances)


def as_distances(space: Space, near: Near) -> Near:
    """Lists that were not `measured`, with their distances."""
    distances = np.sqrt(near.distances) if space.kind == SQUARES else near.distances
    return Near(near.rows, space.distances(distances))


def merged(one: Near, two: Near) -> Near:
    """The nearest of two lists of different rows, as many as the first has.

    Lists that are not `measured` merge to what one search would find, to the last tie: sums of squares that differ in
    their last digit may have the same root.
    """
    near, distances = np.empty_like(one.rows), np.empty_like(one.distances)
    _core.neighbors.merge_near(one.rows, one.distances, two.rows, two.distances, near, distances)
    return Near(near, distances)


def fold_lists(X: Floats, k: int, fold: Places, threads: int = 1) -> tuple[Near, Near]:
    """From one pass over all pairs: neighbours among the other folds, and among all rows but the row itself."""
    space = Space("euclidean")
    rows = space.rows(X)
    others = nearest(
        space, rows, rows, k, threads=threads, groups=NeighborGroups(fold, fold, OTHERS), measured=False
    )
    same_fold = nearest(
        space, rows, rows, k, threads=threads, itself=np.arange(len(rows)), groups=NeighborGroups(fold, fold, OWN),
        measured=False,
    )  # fmt: skip
    return as_distances(space, others), as_distances(space, merged(others, same_fold))


def tree_is_faster(space: Space, shape: tuple[int, int]) -> bool:
    """Whether a tree beats products: by rows and columns, as measured with AVX2 (docs/neighbors.md)."""
    n_rows, width = shape
    return space.metric == "euclidean" and width in TREE_ROWS and n_rows >= TREE_ROWS[width]


@dataclass(frozen=True)
class Searcher:
    """Rows to search among, by products or by a tree; `rows` are their numbers where they are some of all."""

    space: Space
    points: Floats
    tree: Tree | None
    rows: Places | None = None

    @classmethod
    def of(cls, space: Space, X: Floats, algorithm: str) -> Searcher:
        """The rows of X; algorithm: "brute", "tree", or "auto" for whichever is faster."""
        points = space.rows(X)
        tree = algorithm == "tree" or (algorithm == "auto" and tree_is_faster(space, X.shape))
        return cls(space, points, Tree(points) if tree else None)

    def part(self, rows: NDArray[np.integer], queries: int) -> Searcher:
        """Some of the rows, for so many queries: few are not worth a tree."""
        if len(rows) == len(self.points):
            return self
        points = self.points[rows]
        tree = Tree(points) if self.tree is not None and WORTH * queries > len(rows) else None
        return Searcher(self.space, points, tree, rows.astype(np.int32))

    def nearest(
        self,
        queries: Floats,
        k: int,
        threads: int,
        itself: NDArray[np.int64] | None = None,
        groups: NeighborGroups | None = None,
    ) -> Near:
        """As `nearest`; asked for more rows than there are, lists end with -1 and infinity."""
        k = min(k, len(self.points) + 1)
        if self.rows is not None and itself is not None:
            place = np.full(int(max(self.rows[-1], itself.max(initial=0))) + 1, -1)
            place[self.rows] = np.arange(len(self.rows))
            itself = place[itself]
        if self.tree is not None and groups is None:
            near = self.tree.nearest(queries, k, threads=threads, itself=itself)
        else:
            near = nearest(self.space, self.points, queries, k, threads=threads, itself=itself, groups=groups)
        return near if self.rows is None else Near(_numbered(self.rows, near.rows), near.distances)


def _numbered(rows: Places, near: Places) -> Places:
    return np.where(near >= 0, rows[near], np.int32(-1))


WORTH = 16  # queries for each of which so many rows are put into a tree
TREE_ROWS = {1: 2_000, 2: 2_000, 3: 5_000, 4: 20_000}  # columns: rows from which on it does


class Tree:
    """A k-d tree of Euclidean rows, and the same answers as `nearest`."""

    def __init__(self, rows: Floats) -> None:
        self.rows = rows
        self._tree = cKDTree(rows)

    def nearest(
        self, queries: Floats, k: int, *, threads: int = 1, itself: NDArray[np.int64] | None = None
    ) -> Near:
        """The k nearest rows of every query."""
        rows, queries = alike(self.rows, queries)
        wanted = min(k + 1 + (itself is not None), len(rows))
        tree_distances, candidates = self._tree.query(queries, k=np.arange(1, wanted + 1), workers=threads)
        candidates = np.ascontiguousarray(candidates, dtype=np.int32)
        distances = np.empty(candidates.shape)
        _core.neighbors.candidate_distances(rows, queries, candidates, threads, distances)
        near = _ordered(candidates, distances, k, itself)
        if wanted < len(rows):
            reached = near.distances[:, -1] * (1.0 + DOUBT) >= tree_distances[:, -1]
            near = self._settled(near, np.flatnonzero(reached), queries, itself, threads)
        return near

    def _settled(
        self, near: Near, doubtful: Index, queries: Floats, itself: Index | None, threads: int
    ) -> Near:
        """Queries whose last neighbour ties with the first row left out, searched among all rows."""
        if len(doubtful):
            excluded = None if itself is None else itself[doubtful]
            rows, queries = alike(self.rows, queries)
            k = near.rows.shape[1]
            sure = nearest(Space("euclidean"), rows, queries[doubtful], k, threads=threads, itself=excluded)
            near.rows[doubtful], near.distances[doubtful] = sure.rows, sure.distances
        return near


def _ordered(candidates: Places, distances: Array, k: int, itself: Index | None) -> Near:
    """Candidates by (distance, row), the query itself left out."""
    if itself is not None:
        is_query = candidates == itself[:, None]
        distances = np.where(is_query, np.inf, distances)
        candidates = np.where(is_query, np.int32(-1), candidates)
    order = np.lexsort((candidates, distances))[:, :k]
    rows, sorted_distances = np.take_along_axis(candidates, order, 1), np.take_along_axis(distances, order, 1)
    missing = ((0, 0), (0, k - order.shape[1]))
    return Near(
        np.pad(rows, missing, constant_values=-1), np.pad(sorted_distances, missing, constant_values=np.inf)
    )
