"""The nodes of grown trees as arrays, and what is computed from them; the loops are compiled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.engines.local import thread_count
from assay.types import Array, Codes, Floats, Index, Mask


@dataclass(frozen=True)
class Growth:
    """Where trees end, and what is drawn at random.

    max_features : columns tried for each division
    max_depth : None: no limit
    max_leaf_nodes : None: no limit; else the divisions that gain most come first
    min_samples_leaf : least weight of a leaf
    bootstrap : whether every tree has rows of its own, drawn with replacement
    """

    max_features: int
    max_depth: int | None = None
    max_leaf_nodes: int | None = None
    min_samples_leaf: int = 1
    bootstrap: bool = False
    seed: int = 0


@dataclass(frozen=True, eq=False)
class TreeNodes:
    """The nodes of B trees, one tree after the other, each with its root first and children behind their parents.

    begin : (B + 1,) first node of every tree, and the number of nodes
    feature : column that is asked for; -1: the node is a leaf
    threshold : a value up to it goes left
    left, right : children
    missing_left : whether a missing value goes left
    counts : (nodes, K) weight of the training rows of each class
    """

    begin: Index
    feature: Codes
    threshold: Array
    left: Codes
    right: Codes
    missing_left: NDArray[np.uint8]
    counts: Array

    @classmethod
    def grow(
        cls,
        rows: Floats,
        codes: Codes,
        n_classes: int,
        weight: Array | None,
        growth: Growth,
        n_trees: int = 1,
    ) -> Self:
        """Trees of these rows; each depends on its number and the seed alone."""
        begin, feature, threshold, left, right, missing_left, counts = _core.trees.grow_trees(
            np.ascontiguousarray(rows.T, dtype=np.float64),
            codes,
            n_classes,
            weight,
            0,
            n_trees,
            growth.max_features,
            -1 if growth.max_depth is None else growth.max_depth,
            growth.max_leaf_nodes or 0,
            float(growth.min_samples_leaf),
            growth.bootstrap,
            growth.seed,
            thread_count(),
        )
        return cls(begin, feature, threshold, left, right, missing_left, counts.reshape(-1, n_classes))

    @property
    def n_trees(self) -> int:
        return len(self.begin) - 1

    @property
    def leaf(self) -> Mask:
        return self.feature < 0

    def pruning_costs(self) -> Array:
        """Of a single tree, the complexity parameter from which on each node is a leaf; infinite for leaves."""
        cost = np.empty(len(self.feature))
        counts = np.ascontiguousarray(self.counts)
        parts = self.feature, self.left, self.right, self.threshold, self.missing_left
        _core.trees.pruning_costs(*parts, counts, cost)
        return cost

    def pruned(self, cut: Mask) -> Self:
        """A single tree whose nodes at `cut` are leaves."""
        stays = np.zeros(len(self.feature), dtype=bool)
        stays[0] = True
        inner = ~self.leaf & ~cut
        for node in np.flatnonzero(inner):  # parents come first
            stays[self.left[node]] |= stays[node]
            stays[self.right[node]] |= stays[node]
        kept = np.flatnonzero(stays)
        number = np.cumsum(stays, dtype=np.int32) - np.int32(1)
        leaf = ~inner[kept]

        def children(of: Codes) -> Codes:
            return np.where(leaf, -1, number[of[kept]]).astype(np.int32)

        return type(self)(
            np.array([0, len(kept)]),
            np.where(leaf, -1, self.feature[kept]).astype(np.int32),
            np.where(leaf, 0.0, self.threshold[kept]),
            children(self.left),
            children(self.right),
            np.where(leaf, 0, self.missing_left[kept]).astype(np.uint8),
            self.counts[kept],
        )

    def add_leaf_values(
        self,
        sums: Array,
        rows: Floats,
        values: Array,
        trees: slice = slice(None),
        cost: Array | None = None,
        prune: float = 0.0,
    ) -> None:
        """Add values (nodes, K) of the leaf that each row reaches in some trees; a cost up to `prune` makes a leaf."""
        parts = self.feature, self.left, self.right, self.threshold, self.missing_left
        begin = np.ascontiguousarray(self.begin[:-1][trees])
        numbers: Array = np.ascontiguousarray(rows, dtype=np.float64)
        _core.trees.add_leaf_values(
            *parts, begin, cost, prune, np.ascontiguousarray(values), numbers, thread_count(), sums
        )

    def importances(self, width: int) -> Array:
        """By how much the divisions by each column reduce impurity, as proportions; the mean over the trees."""
        weight = self.counts.sum(axis=1)
        impure = weight - (self.counts**2).sum(axis=1) / weight
        inner = np.flatnonzero(~self.leaf)
        gain = np.maximum(impure[inner] - impure[self.left[inner]] - impure[self.right[inner]], 0.0)
        tree = np.searchsorted(self.begin, inner, side="right") - 1
        of_trees = np.zeros((self.n_trees, width))
        np.add.at(of_trees, (tree, self.feature[inner]), gain)
        total = of_trees.sum(axis=1, keepdims=True)
        mean: Array = np.divide(of_trees, total, out=np.zeros_like(of_trees), where=total > 0).mean(axis=0)
        return mean / mean.sum() if mean.any() else mean
