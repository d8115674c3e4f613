"""A table in groups: how many, how large, and what each stands out by."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.commands.cluster.profiles import Portrait, adjusted_rand, portraits, seen_from
from assay.data.sources.database_address import source_name
from assay.engines.local import memory_limit
from assay.models.cluster.hierarchy import Dendrogram, Hierarchy, pair_bytes
from assay.models.cluster.kmeans import KMeans
from assay.models.cluster.parameters import LINKAGES
from assay.notes import Note
from assay.notes.phrases import plural
from assay.numerics.scalars import is_whole
from assay.selection.cluster_density import ClusterDensity, ClusterRows
from assay.selection.clusters import CRITERIA, ROWS_A_GROUP, choose_clusters, eligible
from assay.workbench.numeric_design import GroupedRows, read_rows

Array = NDArray[np.float64]
Report = Callable[[str, float], None]
METHODS = ("k-means", "hierarchy", "top-down")
USUAL = range(1, 11)
FOLDS, CHEAP = (
    5,
    2e9,
)  # held-out likelihoods are computed unasked where all of them take so many products at most
MOST_LEAVES = 40


@dataclass(frozen=True)
class Trial:
    """One number of groups: the mean squared distance E to the means, the share of the variance that is between the
    groups, BIC, and the mean log likelihood of rows held out (None where it was not computed)."""

    k: int
    error: float
    explained: float
    bic: float
    held_out: float | None


@dataclass(frozen=True, eq=False)
class Clustered:
    """Rows in groups.

    Attributes
    ----------
    name, method, linkage, criterion : str
        Linkage None but for a hierarchy.
    trials : tuple of Trial
    chosen : int
        Number of groups asked for; fewer may have rows.
    labels : (N,)
        Group of each row, 0 the largest.
    groups : tuple of Portrait
    target, codes, classes
        The column that was left out, None without one.
    agreement : float or None
        Adjusted Rand index of groups and classes: 1 for the same partition, about 0 for unrelated ones.
    tree : Dendrogram or None
    points : (N, 2) or (N, 1)
        Places on the two directions of largest variance, which hold `shares` of it.
    """

    name: str
    method: str
    linkage: str | None
    criterion: str
    trials: tuple[Trial, ...]
    chosen: int
    labels: NDArray[np.int32]
    groups: tuple[Portrait, ...]
    columns: tuple[str, ...]
    target: str | None
    codes: NDArray[np.int32] | None
    classes: NDArray[Any] | None
    agreement: float | None
    tree: Dendrogram | None
    points: Array
    shares: tuple[float, ...]
    notes: tuple[str, ...]

    @property
    def trial(self) -> Trial:
        """The figures of the number chosen."""
        return next(each for each in self.trials if each.k == self.chosen)

    def contingency(self) -> NDArray[np.int64]:
        """Rows of each group and class."""
        assert self.codes is not None and self.classes is not None
        known = self.codes >= 0
        table = np.zeros((len(self.groups), len(self.classes)), dtype=np.int64)
        np.add.at(table, (self.labels[known], self.codes[known]), 1)
        return table


def cluster(
    source: Any,
    target: str | None = None,
    *,
    k: Sequence[int] | int | None = None,
    method: str = "k-means",
    linkage: str = "ward",
    criterion: str = "bic",
    n_starts: int = 10,
    types: Mapping[str, str] | None = None,
    drop: Collection[str] = (),
    query: str | None = None,
    missing: Any = None,
    random_state: int = 0,
    progress: Report = lambda doing, share: None,
) -> Clustered:
    """Group the rows of a table.

    Parameters
    ----------
    source : anything `assay.read` takes
    target : str, optional
        A column that takes no part and is compared with the groups afterwards.
    k : int or sequence of int, optional
        Numbers of groups to try, 1 to 10 if there are as many rows.
    method : {"k-means", "hierarchy", "top-down"}
        "hierarchy" merges rows from the bottom up, "top-down" splits by k-means again and again.
    linkage : {"ward", "average", "complete", "single"}
        Of a hierarchy.
    criterion : {"bic", "held-out"}
        What chooses among several numbers; see `assay.selection.clusters`.
    types, drop, query, missing
        As for `assay.read`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> found = cluster(load_iris(return_X_y=True), k=3)
    >>> [group.rows for group in found.groups], round(found.agreement, 2)
    ([53, 50, 47], 0.62)
    """
    _check(method, linkage, criterion, k)
    progress("reading", 0.0)
    rows = read_rows(source, target, types=types, drop=drop, query=query, missing=missing)
    tried = _numbers(k, len(rows.points))
    if method == "k-means":
        found = _by_means(rows, tried, criterion, n_starts, random_state, progress)
    else:
        found = _by_tree(rows, tried, method, linkage, random_state, progress)
    progress("describing the groups", 0.98)
    return replace(found, name=source_name(source))


def _check(method: str, linkage: str, criterion: str, k: Any) -> None:
    for name, value, allowed in (
        ("method", method, METHODS),
        ("linkage", linkage, LINKAGES),
        ("criterion", criterion, CRITERIA),
    ):
        if value not in allowed:
            raise ValueError(
                Note("C017", name=name, value=value, allowed=", ".join(allowed[:-1]), allowed_2=allowed[-1])
            )
    if criterion == "held-out" and method != "k-means":
        raise ValueError(Note("C013"))
    given = [] if k is None else [k] if is_whole(k) else list(k)
    if k is not None and (not given or min(given) < 1):
        raise ValueError(Note("C014"))


def _numbers(k: Sequence[int] | int | None, n_rows: int) -> tuple[int, ...]:
    if k is None:
        return tuple(each for each in USUAL if each <= n_rows)
    tried = tuple(sorted({int(each) for each in ([k] if isinstance(k, int | np.integer) else k)}))
    if tried[-1] > n_rows:
        raise ValueError(Note("C015", tried=tried[-1], n_rows=n_rows))
    return tried


def _by_means(
    rows: GroupedRows, tried: tuple[int, ...], criterion: str, n_starts: int, seed: int, progress: Report
) -> Clustered:
    work = float(rows.points.size) * sum(tried) * n_starts * FOLDS
    several = len(tried) > 1 and (criterion == "held-out" or work <= CHEAP)
    choice = choose_clusters(
        rows.points, tried, criterion=criterion if several else "bic", folds=FOLDS if several else None,
        levels=rows.levels, n_starts=n_starts, random_state=seed,
        progress=lambda doing, share: progress(doing, 0.05 + 0.9 * share),
    )  # fmt: skip
    held: list[float | None] = [None] * len(tried)
    if choice.held_out is not None:
        held = [value if np.isfinite(value) else None for value in choice.held_out.tolist()]
    trials = _trials(rows, tried, choice.error.tolist(), choice.bic.tolist(), held)
    best: KMeans = choice.best
    return _described(
        rows, "k-means", None, criterion, trials, choice.chosen, best.labels_, None,
        (*best.diagnostics_, *choice.notes),
    )  # fmt: skip


def _by_tree(
    rows: GroupedRows, tried: tuple[int, ...], method: str, linkage: str, seed: int, progress: Report
) -> Clustered:
    count = len(rows.points)
    if method == "hierarchy" and pair_bytes(count) > memory_limit():
        raise ValueError(Note("C016", count=count, pair_bytes=pair_bytes(count) / 2**30))
    progress("building the tree", 0.1)
    down = method == "top-down"
    model = Hierarchy(
        tried[-1],
        linkage="ward" if down else linkage,
        direction=method if down else "bottom-up",
        random_state=seed,
    ).fit(rows.points)
    there = len(model.tree_) + 1
    kept = tuple(k for k in tried if k <= there) or (there,)
    cuts = [model.cut(k) for k in kept]
    seen = ClusterRows.of(rows.points, rows.levels)
    errors = [_error(rows.points, labels) for labels in cuts]
    bics = [ClusterDensity.of(seen, labels).bic(seen) for labels in cuts]
    allowed, notes = eligible(len(rows.points), kept)
    best = min(allowed, key=lambda at: bics[at])
    trials = _trials(rows, kept, errors, bics, [None] * len(kept))
    tree = model.dendrogram(MOST_LEAVES, kept[best])
    return _described(
        rows,
        method,
        None if down else linkage,
        "bic",
        trials,
        kept[best],
        cuts[best],
        tree,
        (*model.diagnostics_, *notes),
    )


def _error(points: Array, labels: NDArray[np.int32]) -> float:
    sizes = np.bincount(labels)
    sums = np.stack([np.bincount(labels, column) for column in points.T], axis=1)
    return float(((points - (sums / sizes[:, None])[labels]) ** 2).sum() / len(points))


def _trials(
    rows: GroupedRows,
    tried: tuple[int, ...],
    errors: list[float],
    bics: list[float],
    held: list[float | None],
) -> tuple[Trial, ...]:
    whole = float((rows.points * rows.points).sum() / len(rows.points))
    return tuple(
        Trial(k, error, max(0.0, 1.0 - error / whole), bic, out)
        for k, error, bic, out in zip(tried, errors, bics, held, strict=True)
    )


def _described(
    rows: GroupedRows,
    method: str,
    linkage: str | None,
    criterion: str,
    trials: tuple[Trial, ...],
    chosen: int,
    labels: NDArray[np.int32],
    tree: Dendrogram | None,
    told: tuple[str, ...],
) -> Clustered:
    sizes = np.bincount(labels)
    order = np.argsort(-sizes, kind="stable")[: int((sizes > 0).sum())]
    place = np.full(len(sizes), -1, dtype=np.int32)
    place[order] = np.arange(len(order))
    by_size = place[labels]
    points, shares = seen_from(rows.points)
    found = Clustered(
        "", method, linkage, criterion, trials, chosen, by_size, portraits(rows, by_size), rows.names, rows.target,
        rows.codes, rows.classes, None, tree, points, shares, (*rows.notes, *told, *_about(rows, trials, chosen)),
    )  # fmt: skip
    return found if rows.codes is None else replace(found, agreement=adjusted_rand(found.contingency()))


def _about(rows: GroupedRows, trials: tuple[Trial, ...], chosen: int) -> list[str]:
    if len(trials) < 2 or chosen != trials[-1].k or ROWS_A_GROUP * chosen > len(rows.points):
        return []
    return [
        f"The largest number tried, {plural(chosen, 'group')}, was chosen: more may fit better; try others with k=."
    ]
