"""Clusters of a table: k-means, hierarchy, and the choice of their number."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.commands.cluster.profiles import adjusted_rand, cluster_profiles, principal_plane
from assay.commands.cluster.result import ClusterResult, Trial
from assay.data.read import Markers
from assay.data.sources.database_address import source_name
from assay.engines.local import memory_limit
from assay.engines.progress import Progress, silent
from assay.models.cluster.hierarchy import LINKAGES, Dendrogram, Hierarchy, pair_bytes
from assay.models.cluster.kmeans import KMeans
from assay.notes import Note
from assay.numerics.scalars import is_whole
from assay.selection.cluster_density import ClusterDensity, ClusterRows
from assay.selection.clusters import CRITERIA, ROWS_A_GROUP, choose_clusters, eligible
from assay.types import Array
from assay.workbench.numeric_design import NumericDesign, read_design

METHODS = ("k-means", "hierarchy", "top-down")
DEFAULT_NUMBERS = range(1, 11)
FOLDS = 5
CHEAP = 2e9  # products: up to here held-out likelihoods are computed without being asked for
MOST_LEAVES = 40


def cluster(
    source: object,
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
    missing: Markers = None,
    random_state: int = 0,
    progress: Progress = silent,
) -> ClusterResult:
    """Cluster the rows of a table.

    Parameters
    ----------
    source : anything `assay.read` takes
    target : str, optional
        A column that is not used and is compared with the clusters afterwards.
    k : int or sequence of int, optional
        Numbers of clusters to try, 1 to 10 if there are as many rows.
    method : {"k-means", "hierarchy", "top-down"}
        "hierarchy" merges rows from the bottom up, "top-down" splits by k-means, again and again.
    linkage : {"ward", "average", "complete", "single"}
        Of a hierarchy.
    criterion : {"bic", "held-out"}
        Criterion for the number of clusters; see `assay.selection.clusters`.
    types, drop, query, missing
        As for `assay.read`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> result = cluster(load_iris(return_X_y=True), k=3)
    >>> [profile.rows for profile in result.profiles], round(result.agreement, 2)
    ([53, 50, 47], 0.62)
    """
    _check(method, linkage, criterion, k)
    progress("reading", 0.0)
    design = read_design(source, target, types=types, drop=drop, query=query, missing=missing)
    numbers = _numbers(k, len(design.points))
    if method == "k-means":
        result = _by_means(design, numbers, criterion, n_starts, random_state, progress)
    else:
        result = _by_tree(design, numbers, method, linkage, random_state, progress)
    progress("describing the clusters", 0.98)
    return replace(result, name=source_name(source))


def _check(method: str, linkage: str, criterion: str, k: Any) -> None:
    for name, value, allowed in (
        ("method", method, METHODS),
        ("linkage", linkage, LINKAGES),
        ("criterion", criterion, CRITERIA),
    ):
        if value not in allowed:
            raise ValueError(Note("C017", option_name=name, choice=value, choices=tuple(allowed)))
    if criterion == "held-out" and method != "k-means":
        raise ValueError(Note("C013"))
    given = [] if k is None else [k] if is_whole(k) else list(k)
    if k is not None and (not given or min(given) < 1):
        raise ValueError(Note("C014"))


def _numbers(k: Sequence[int] | int | None, n_rows: int) -> tuple[int, ...]:
    if k is None:
        return tuple(number for number in DEFAULT_NUMBERS if number <= n_rows)
    numbers = tuple(sorted({int(number) for number in ([k] if isinstance(k, int | np.integer) else k)}))
    if numbers[-1] > n_rows:
        raise ValueError(Note("C015", n_clusters=numbers[-1], n_rows=n_rows))
    return numbers


def _by_means(
    design: NumericDesign,
    numbers: tuple[int, ...],
    criterion: str,
    n_starts: int,
    seed: int,
    progress: Progress,
) -> ClusterResult:
    work = float(design.points.size) * sum(numbers) * n_starts * FOLDS
    several = len(numbers) > 1 and (criterion == "held-out" or work <= CHEAP)
    choice = choose_clusters(
        design.points, numbers, criterion=criterion if several else "bic", folds=FOLDS if several else None,
        levels=design.categories, n_starts=n_starts, random_state=seed,
        progress=lambda doing, share: progress(doing, 0.05 + 0.9 * share),
    )  # fmt: skip
    held: list[float | None] = [None] * len(numbers)
    if choice.held_out is not None:
        held = [value if np.isfinite(value) else None for value in choice.held_out.tolist()]
    trials = _trials(design, numbers, choice.error.tolist(), choice.bic.tolist(), held)
    best: KMeans = choice.best
    return _result(
        design, "k-means", None, criterion, trials, choice.chosen, best.labels_, None,
        (*best.diagnostics_, *choice.notes),
    )  # fmt: skip


def _by_tree(
    design: NumericDesign, numbers: tuple[int, ...], method: str, linkage: str, seed: int, progress: Progress
) -> ClusterResult:
    count = len(design.points)
    if method == "hierarchy" and pair_bytes(count) > memory_limit():
        raise ValueError(Note("C016", n_rows=count, gibibytes=pair_bytes(count) / 2**30))
    progress("building the tree", 0.1)
    down = method == "top-down"
    model = Hierarchy(
        numbers[-1],
        linkage="ward" if down else linkage,
        direction=method if down else "bottom-up",
        random_state=seed,
    ).fit(design.points)
    leaves = len(model.tree_) + 1
    numbers_cut = tuple(k for k in numbers if k <= leaves) or (leaves,)
    cuts = [model.cut(k) for k in numbers_cut]
    seen = ClusterRows.of(design.points, design.categories)
    errors = [_error(design.points, labels) for labels in cuts]
    bics = [ClusterDensity.of(seen, labels).bic(seen) for labels in cuts]
    allowed, notes = eligible(len(design.points), numbers_cut)
    best = min(allowed, key=lambda at: bics[at])
    trials = _trials(design, numbers_cut, errors, bics, [None] * len(numbers_cut))
    tree = model.dendrogram(MOST_LEAVES, numbers_cut[best])
    return _result(
        design,
        method,
        None if down else linkage,
        "bic",
        trials,
        numbers_cut[best],
        cuts[best],
        tree,
        (*model.diagnostics_, *notes),
    )


def _error(points: Array, labels: NDArray[np.int32]) -> float:
    sizes = np.bincount(labels)
    sums = np.stack([np.bincount(labels, column) for column in points.T], axis=1)
    return float(((points - (sums / sizes[:, None])[labels]) ** 2).sum() / len(points))


def _trials(
    design: NumericDesign,
    numbers: tuple[int, ...],
    errors: list[float],
    bics: list[float],
    held: list[float | None],
) -> tuple[Trial, ...]:
    whole = float((design.points * design.points).sum() / len(design.points))
    return tuple(
        Trial(k, error, max(0.0, 1.0 - error / whole), bic, out)
        for k, error, bic, out in zip(numbers, errors, bics, held, strict=True)
    )


def _result(
    design: NumericDesign,
    method: str,
    linkage: str | None,
    criterion: str,
    trials: tuple[Trial, ...],
    chosen: int,
    labels: NDArray[np.int32],
    tree: Dendrogram | None,
    notes: tuple[str, ...],
) -> ClusterResult:
    sizes = np.bincount(labels)
    order = np.argsort(-sizes, kind="stable")[: int((sizes > 0).sum())]
    place = np.full(len(sizes), -1, dtype=np.int32)
    place[order] = np.arange(len(order))
    by_size = place[labels]
    points, variance_ratios = principal_plane(design.points)
    result = ClusterResult(
        name="",
        method=method,
        linkage=linkage,
        criterion=criterion,
        trials=trials,
        chosen=chosen,
        labels=by_size,
        profiles=cluster_profiles(design, by_size),
        columns=design.names,
        target=design.target,
        codes=design.codes,
        classes=design.classes,
        agreement=None,
        tree=tree,
        points=points,
        variance_ratios=variance_ratios,
        notes=(*design.notes, *notes, *_largest_chosen(design, trials, chosen)),
    )
    return result if design.codes is None else replace(result, agreement=adjusted_rand(result.contingency()))


def _largest_chosen(design: NumericDesign, trials: tuple[Trial, ...], chosen: int) -> tuple[Note, ...]:
    """A note where more clusters than were tried may fit better."""
    if len(trials) < 2 or chosen != trials[-1].k or ROWS_A_GROUP * chosen > len(design.points):
        return ()
    return (Note("C303", clusters=chosen),)
