"""A tree from the top down: the cluster of the largest sum of squares is split in two by k-means, again and again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.solvers.kmeans import KMeansResult, kmeans, starts
from assay.types import Array, Floats

TRIES = 5  # starts of each split


@dataclass(eq=False)
class _Cluster:
    rows: NDArray[np.intp]
    squares: float  # sum about the mean
    parts: tuple[_Cluster, _Cluster] | None = None

    @property
    def height(self) -> float:
        return float(np.sqrt(2.0 * self.squares))


def split_again_and_again(
    rows: Floats, n_clusters: int, seed: int, threads: int
) -> tuple[Array, NDArray[np.intp]]:
    """The tree of at most `n_clusters` clusters in SciPy's form, its leaves the clusters; and the leaf of each row.

    Clusters whose rows are all equal are not split.
    """
    generator = np.random.default_rng(seed)
    root = _Cluster(np.arange(len(rows)), _squares(rows))
    clusters, splits = [root], []
    while len(clusters) < n_clusters:
        widest = max(clusters, key=lambda cluster: cluster.squares)
        if not _split(rows, widest, generator, threads):
            break
        assert widest.parts is not None
        clusters.remove(widest)
        clusters += widest.parts
        splits.append(widest)
    return _as_tree(clusters, splits, len(rows))


def _split(rows: Floats, cluster: _Cluster, generator: np.random.Generator, threads: int) -> bool:
    members = rows[cluster.rows]
    if (members == members[0]).all():
        return False
    best = min((_halves(members, generator, threads) for _ in range(TRIES)), key=lambda halves: halves.error)
    sides = [cluster.rows[best.labels == side] for side in (0, 1)]
    if not all(len(side) for side in sides):
        return False
    first, second = (_Cluster(side, min(_squares(rows[side]), cluster.squares)) for side in sides)
    cluster.parts = (first, second)
    return True


def _halves(rows: Floats, generator: np.random.Generator, threads: int) -> KMeansResult:
    start = starts(rows, 2, "k-means++", generator, threads=threads)
    return kmeans(rows, start, threads=threads)


def _squares(rows: Floats) -> float:
    away = rows - rows.mean(axis=0, dtype=np.float64)
    return float((away * away).sum())


def _as_tree(clusters: list[_Cluster], splits: list[_Cluster], n_rows: int) -> tuple[Array, NDArray[np.intp]]:
    """Merges undo the splits, the last first: heights never fall, because the widest cluster was split each time."""
    number = {id(cluster): place for place, cluster in enumerate(clusters)}
    leaf = np.empty(n_rows, dtype=np.intp)
    for place, cluster in enumerate(clusters):
        leaf[cluster.rows] = place
    tree, leaves = np.empty((len(splits), 4)), [1] * len(clusters)
    for merge, cluster in enumerate(reversed(splits)):
        assert cluster.parts is not None
        one, two = sorted(number[id(part)] for part in cluster.parts)
        leaves.append(leaves[one] + leaves[two])
        tree[merge] = one, two, cluster.height, leaves[-1]
        number[id(cluster)] = len(clusters) + merge
    return tree, leaf
