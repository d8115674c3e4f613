r"""Hierarchical clustering: a tree of groups, cut where there are as many as are wanted.

From the bottom up every row begins as a group, and the two nearest groups are merged again and again (SciPy's linkage):

    single    the distance of their nearest rows          average   the mean distance of their rows
    complete  the distance of their farthest rows         ward      √(2 ab/(a+b)) |mean_a - mean_b|, a and b their sizes

From the top down all rows begin as one group, and the group of the largest sum of squares S about its mean is split in
two by k-means. The height of a split is √(2 S), for two rows their distance, and a part is never higher than the whole.

The distances of all pairs of rows are kept, N²/2 of them, and a copy: a table for which this is more than ASSAY_MEMORY
is refused. From the top down nothing of that kind is kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.engines.local import memory_limit, thread_count
from assay.models.base.estimators import ClusterMixin, Model, check_is_fitted
from assay.models.base.params import Param
from assay.models.base.stored import INPUT, NOTES, Field
from assay.models.base.validation import feature_names, unequal_scales
from assay.models.cluster.bisecting import split_again_and_again
from assay.models.cluster.row_checks import check_enough, finite_rows
from assay.notes import Note
from assay.numerics.distances import pairwise_blocks
from assay.numerics.random_state import RandomState, as_seed
from assay.types import Array, Floats, MatrixLike

LINKAGES = ("ward", "average", "complete", "single")
METRICS = ("euclidean", "manhattan", "hamming", "cosine", "correlation", "mahalanobis")
DIRECTIONS = ("bottom-up", "top-down")
HIERARCHY = (
    Param(
        "n_clusters", "int", 2, "Number of clusters; `cut` gives any other number without another fit.", low=1
    ),
    Param(
        "linkage",
        "choice",
        "ward",
        'Bottom-up: distance between clusters, from that between rows. "ward" needs Euclidean distances.',
        choices=LINKAGES,
        only_if=(("direction", ("bottom-up",)),),
    ),
    Param("metric", "choice", "euclidean", "Distance between rows.", choices=METRICS),
    Param(
        "direction",
        "choice",
        "bottom-up",
        (
            "Merge rows into clusters, or split all rows again and again. Top-down splits by k-means, "
            "which is Euclidean, into `n_clusters` clusters and no further."
        ),
        choices=DIRECTIONS,
    ),
    Param("random_state", "seed", 0, "Seed of all that is drawn at random."),
)


@dataclass(frozen=True)
class Dendrogram:
    """A tree as it is drawn.

    Attributes
    ----------
    across, up : (M, 4)
        Each merge as four points of a bracket: places 5, 15, 25, ... of the leaves, and heights.
    sizes : (L,)
        Rows of each leaf, from left to right.
    cut : float
        A height at which the tree falls into the groups; None where there is one group.
    """

    across: Array
    up: Array
    sizes: NDArray[np.int64]
    cut: float | None


class Hierarchy(ClusterMixin, Model):
    """Hierarchical clustering, bottom-up by linkage or top-down by k-means.

    Attributes
    ----------
    labels_ : (N,)
        Cluster of each row, numbered in the order of first occurrence.
    tree_ : (L - 1, 4)
        Merges in SciPy's form: two clusters, height, number of leaves. Leaves are the L = N rows; top-down the
        clusters.
    n_features_in_, diagnostics_

    Examples
    --------
    >>> model = Hierarchy(2, linkage="single").fit([[0.0], [1.0], [10.0], [12.0], [13.0]])
    >>> model.labels_.tolist(), model.tree_[:, 2].tolist()
    ([0, 0, 1, 1, 1], [1.0, 1.0, 2.0, 9.0])
    >>> model.cut(3).tolist()
    [0, 0, 1, 2, 2]
    """

    params: ClassVar[tuple[Param, ...]] = HIERARCHY
    stored: ClassVar[tuple[Field, ...]] = (
        *INPUT,
        Field("tree_", "amounts", ("M", "four")),
        Field("labels_", "codes", ("N",)),
        Field("_leaf", "places", ("N",), optional=True),  # from the top down
        NOTES,
    )
    tree_: Array
    _leaf: NDArray[np.intp] | None = None  # top-down: the leaf of each row

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        linkage: str = "ward",
        metric: str = "euclidean",
        direction: str = "bottom-up",
        random_state: RandomState = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.linkage = linkage
        self.metric = metric
        self.direction = direction
        self.random_state = random_state

    def fit(self, X: MatrixLike, y: ArrayLike | None = None) -> Self:
        """Build the tree and cut it; y is ignored."""
        self._check_params()
        rows = finite_rows(self, X, reset=True)
        if len(rows) < 2:
            raise ValueError(Note("M098"))
        check_enough(self.n_clusters, len(rows))
        if self.metric != "euclidean" and (self.direction == "top-down" or self.linkage == "ward"):
            what = "direction='top-down'" if self.direction == "top-down" else "linkage='ward'"
            raise ValueError(Note("M099", what=what, metric=self.metric))
        self.diagnostics_: tuple[str, ...] = ()
        if self.direction == "top-down":
            self.tree_, self._leaf = split_again_and_again(
                rows, self.n_clusters, as_seed(self.random_state), thread_count()
            )
            if len(self.tree_) + 1 < self.n_clusters:
                self.diagnostics_ = (Note("M328", distinct=len(self.tree_) + 1),)
        else:
            self.tree_, self._leaf = merged(rows, self.linkage, self.metric), None
        self.labels_ = self.cut(min(self.n_clusters, len(self.tree_) + 1))
        if self.metric in ("euclidean", "manhattan"):
            self.diagnostics_ += unequal_scales(rows, feature_names(self))
        return self

    def _restored(self) -> None:
        """From the bottom up rows are leaves, of which nothing is stored."""
        vars(self).setdefault("_leaf", None)

    def cut(self, n_clusters: int) -> NDArray[np.int32]:
        """Labels of the training rows (N,) if the tree is cut into this many groups."""
        check_is_fitted(self)
        leaves = len(self.tree_) + 1
        if not 1 <= n_clusters <= leaves:
            raise ValueError(Note("M100", n_clusters=n_clusters, leaves=leaves))
        labels = cut_tree(self.tree_, n_clusters)
        return in_order(labels if self._leaf is None else labels[self._leaf])

    def dendrogram(self, most_leaves: int = 40, n_clusters: int | None = None) -> Dendrogram:
        """The tree for a picture, with the height of the cut into `n_clusters` groups (None: those of the labels).

        Of larger trees the last merges are drawn, so that there are at most `most_leaves` leaves.
        """
        check_is_fitted(self)
        return drawn(
            self.tree_, self._leaf, self.n_clusters if n_clusters is None else n_clusters, most_leaves
        )


def merged(rows: Floats, linkage: str, metric: str) -> Array:
    """SciPy's tree of the rows."""
    from scipy.cluster.hierarchy import linkage as link

    count, needed = len(rows), pair_bytes(len(rows))
    if needed > memory_limit():
        raise ValueError(
            Note("M097", count=count, needed=needed / 2**30, memory_limit=memory_limit() / 2**30)
        )
    return np.asarray(link(condensed(rows, metric), method=linkage))


def pair_bytes(count: int) -> int:
    """Memory of the distances of all pairs of rows, and of the copy that SciPy works on."""
    return 8 * count * (count - 1)


def condensed(rows: Floats, metric: str) -> Array:
    """Distances of all pairs i < j, row after row."""
    count = len(rows)
    out = np.empty(count * (count - 1) // 2)
    at = 0
    for first, block in pairwise_blocks(rows, metric=metric, threads=thread_count()):
        for i, distances in enumerate(block, first):
            out[at : at + count - 1 - i] = distances[i + 1 :]
            at += count - 1 - i
    return out


def cut_tree(tree: Array, n_clusters: int) -> NDArray[np.intp]:
    """Label of each leaf after all merges but the last n_clusters - 1."""
    leaves = len(tree) + 1
    parent = np.arange(2 * leaves - 1)
    for merge in range(leaves - n_clusters):
        parent[tree[merge, :2].astype(np.intp)] = leaves + merge
    for node in range(2 * leaves - 2, -1, -1):  # parents come after their parts
        parent[node] = parent[parent[node]]
    return parent[:leaves]


def in_order(labels: NDArray[np.intp]) -> NDArray[np.int32]:
    """Labels 0, 1, ... in the order in which they first occur."""
    _, first, code = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first)).astype(np.int32)[code]


def drawn(tree: Array, leaf: NDArray[np.intp] | None, n_clusters: int, most: int) -> Dendrogram:
    from scipy.cluster.hierarchy import dendrogram

    if not len(tree):
        return Dendrogram(
            np.empty((0, 4)), np.empty((0, 4)), np.array([0 if leaf is None else len(leaf)]), None
        )
    leaves = len(tree) + 1
    shown = min(leaves, max(2, most))
    layout = dendrogram(tree, p=shown, truncate_mode="lastp" if shown < leaves else None, no_plot=True)
    leaf_sizes = np.ones(leaves, dtype=np.int64) if leaf is None else np.bincount(leaf, minlength=leaves)
    sizes = [*leaf_sizes.tolist()]
    for one, two in tree[:, :2].astype(np.intp).tolist():
        sizes.append(sizes[one] + sizes[two])
    cut = None
    if 1 < n_clusters <= leaves:
        below = tree[leaves - n_clusters - 1, 2] if n_clusters < leaves else 0.0
        cut = float(below + tree[leaves - n_clusters, 2]) / 2.0
    return Dendrogram(
        np.array(layout["icoord"]),
        np.array(layout["dcoord"]),
        np.array([sizes[i] for i in layout["leaves"]]),
        cut,
    )
