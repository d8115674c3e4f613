"""A tree from the top down: the group of the largest sum of squares is split in two by k-means, again and again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.solvers.kmeans import KMeansResult, kmeans, starts

Array = NDArray[np.float64]
Rows = NDArray[np.floating]
TRIES = 5  # starts of each split


@dataclass(eq=False)
class _Group:
    rows: NDArray[np.intp]
    squares: float  # sum about the mean
    parts: tuple[_Group, _Group] | None = None

    @property
    def height(self) -> float:
        return float(np.sqrt(2.0 * self.squares))


def split_again_and_again(
    rows: Rows, n_clusters: int, seed: int, threads: int
) -> tuple[Array, NDArray[np.intp]]:
    """The tree of at most `n_clusters` groups in SciPy's form, its leaves the groups; and the leaf of each row.

    Groups whose rows are all equal are not split.
    """
    generator = np.random.default_rng(seed)
    root = _Group(np.arange(len(rows)), _squares(rows))
    groups, splits = [root], []
    while len(groups) < n_clusters:
        widest = max(groups, key=lambda group: group.squares)
        if not _split(rows, widest, generator, threads):
            break
        assert widest.parts is not None
        groups.remove(widest)
        groups += widest.parts
        splits.append(widest)
    return _as_tree(groups, splits, len(rows))


def _split(rows: Rows, group: _Group, generator: np.random.Generator, threads: int) -> bool:
    members = rows[group.rows]
    if (members == members[0]).all():
        return False
    best = min((_halves(members, generator, threads) for _ in range(TRIES)), key=lambda halves: halves.error)
    sides = [group.rows[best.labels == side] for side in (0, 1)]
    if not all(len(side) for side in sides):
        return False
    first, second = (_Group(side, min(_squares(rows[side]), group.squares)) for side in sides)
    group.parts = (first, second)
    return True


def _halves(rows: Rows, generator: np.random.Generator, threads: int) -> KMeansResult:
    start = starts(rows, 2, "k-means++", generator, threads=threads)
    return kmeans(rows, start, threads=threads)


def _squares(rows: Rows) -> float:
    away = rows - rows.mean(axis=0, dtype=np.float64)
    return float((away * away).sum())


def _as_tree(groups: list[_Group], splits: list[_Group], n_rows: int) -> tuple[Array, NDArray[np.intp]]:
    """Merges undo the splits, the last first: heights never fall, because the widest group was split each time."""
    number = {id(group): place for place, group in enumerate(groups)}
    leaf = np.empty(n_rows, dtype=np.intp)
    for place, group in enumerate(groups):
        leaf[group.rows] = place
    tree, leaves = np.empty((len(splits), 4)), [1] * len(groups)
    for merge, group in enumerate(reversed(splits)):
        assert group.parts is not None
        one, two = sorted(number[id(part)] for part in group.parts)
        leaves.append(leaves[one] + leaves[two])
        tree[merge] = one, two, group.height, leaves[-1]
        number[id(group)] = len(groups) + merge
    return tree, leaf
