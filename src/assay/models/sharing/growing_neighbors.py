"""Neighbours among training parts of growing size: every pair of rows is measured once for all sizes.

The rows lie in pieces, and size s holds the first s of them. The nearest rows of a query in the first pieces are the
nearest of what each piece has to offer: pieces are searched one after the other, each query among the rows of other
folds, and its list is merged with that of the pieces before.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.engines.local import thread_count
from assay.models.base import clone, parts_of
from assay.models.neighbors.votes import Voters
from assay.models.sharing.counts import Labels, training_weights
from assay.models.sharing.neighbors import tested_shares
from assay.models.sharing.tested import Tested
from assay.numerics.neighbors import Groups, Near, as_distances, merged, nearest
from assay.plans import ALWAYS_TRAIN, Partition
from assay.statistics.weights import is_importance

LONGEST = 4  # lists, in units of k, that uneven weights may ask for


def can_grow(model: Any, weight: Any) -> bool:
    """Whether the model is bare neighbours in a space that no rows are needed for, and every row counts.

    Importance weights are scaled to each size, which changes how many rows weigh k.
    """
    counts = weight is None or bool((weight > 0).all() and not is_importance(weight))
    return counts and not parts_of(model) and bool(model._leaves_rows_alone())


def _length(k: int, weight: Any) -> int:
    """How many rows weigh k for certain: so many of the lightest do, and one more for rounding."""
    return k if weight is None else int(np.searchsorted(np.cumsum(np.sort(weight)), k)) + 2


def growing_neighbors(
    model: Any,
    X: Any,
    labels: Labels,
    partition: Partition,
    piece: NDArray[np.int32],
    n_sizes: int,
    n_jobs: int | None = None,
) -> list[Tested] | None:
    """Scores at every size, equal to refits; None where lists would be too short, or a tree is quicker.

    Parameters
    ----------
    piece : int32 (N,)
        Smallest size that a row is trained on in; `n_sizes` or more: in none.
    """
    model._check_params()
    k, rule = model._near_setting()
    sizes = [Partition(partition.fold, partition.n_folds, piece > s) for s in range(n_sizes)]
    weights = [training_weights(labels, each) for each in sizes]
    length = _length(k, labels.weight)
    if k > weights[0].sum(axis=1).min() or length > LONGEST * k + 2:
        return None
    fitted = clone(model).fit(X, labels.classes[labels.codes], labels.weight)
    if fitted.algorithm_ == "tree":
        return None
    voters, threads = Voters(fitted.codes_, len(labels.classes), labels.weight), thread_count(n_jobs)
    rows = np.flatnonzero(partition.fold >= 0)
    tested = None if len(rows) == len(piece) else rows.astype(np.int64)
    group = np.where(partition.fold == ALWAYS_TRAIN, np.int32(partition.n_folds), partition.fold)
    queries, own = fitted._points[rows], group[rows]

    def search(some: NDArray[np.intp]) -> Near:
        """The nearest among some rows, those of other folds."""
        groups = Groups(group[some], own)
        near = nearest(
            fitted._space, fitted._points[some], queries, length,
            threads=threads, groups=groups, measured=False,
        )  # fmt: skip
        return Near(np.where(near.rows >= 0, some.astype(np.int32)[near.rows], np.int32(-1)), near.distances)

    found: list[Tested] = []
    near = search(np.flatnonzero((piece == 0) & (group >= 0)))
    for s, weight in enumerate(weights):
        further = np.flatnonzero((piece == s) & (group >= 0))
        if s > 0 and len(further):
            near = merged(near, search(further))
        lists = as_distances(fitted._space, near)
        shares = voters.vote(lists, [k], rule == "distance", True, threads)[0][0]
        priors = weight / weight.sum(axis=1, keepdims=True)
        found.append(tested_shares(shares, tested, own, priors, labels.classes))
    return found
