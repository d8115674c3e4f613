"""Neighbours behind scalers in overlapping splits of the same rows: one search, then each split under its own scale.

Split s multiplies column j by w_sj, learned from its training part. Under the least of these weights no distance
exceeds that of any split,

    Σ_j min_s w_sj² (x_j - y_j)²  ≤  Σ_j w_sj² (x_j - y_j)²,

so one search under them lists candidates of every row for all splits. Split by split, those of the training part are
measured as a model fitted to it measures them; they hold the k nearest if the k-th of them is nearer than the last of
the list. Rows for which it is not are searched by themselves, in that split.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.engines.local import spread, thread_count
from assay.models.base import clone, parts_of
from assay.models.features.impute import Impute
from assay.models.features.reference import DropReference
from assay.models.features.scale import Standardize
from assay.models.neighbors.votes import Voters
from assay.models.sharing.counts import Labels
from assay.models.sharing.near_rows import Lists, PatternRows, Patterns, WholeRows
from assay.numerics.distances import Space
from assay.numerics.neighbors import Groups, Near, nearest, tree_is_faster

Array = NDArray[np.float64]
Split = tuple[NDArray[np.intp], NDArray[np.intp]]
LEAST_ROWS = 1000  # fewer are quickly searched in every split
WORTH = 2.0  # how many times as many pairs the splits must have as one search
SLACK = (4.0, 64)  # lists are this many times as long as k rows of the training part need, and so much longer
GROUP = 64  # rows in a group that is passed over as a whole, on average at least
MOST = 2**26  # places in all lists
FACTOR = 1.0 + 1e-9  # within which, and DIGITS of the largest value, distances count as equal
DIGITS = 2.0**-50
LARGEST = 1e100


def fold_shares(
    model: Any,
    settings: list[tuple[int, str]],
    X: Any,
    labels: Labels,
    splits: Sequence[Split],
    n_jobs: int | None,
) -> list[list[Array]] | None:
    """Class shares (M, K) of the tested rows in every split and setting; None where splits are searched one by one."""
    k = max(k for k, _ in settings)
    if not _can_share(model, X, labels, splits, k):
        return None
    membership = Membership.of(splits, len(X))
    if membership is None:
        return None
    length = membership.list_length(k)
    if not membership.pays(len(X) * length):
        return None
    y = labels.classes[labels.codes]
    steps = [step for _, step in parts_of(model)[:-1]]
    if any(isinstance(step, Impute) for step in steps):  # without gaps it only gives doubles
        X = np.asarray(X, dtype=np.float64)
    fitted = spread(lambda split, _: _learned(steps, X, y, split[0]), splits, n_jobs)
    found = _search(X, np.stack([_weights(each, X.shape[1]) for each in fitted]), membership, length, n_jobs)
    if found is None:
        return None
    one = partial(_of_split, found, settings, X, labels)
    jobs = list(zip(fitted, splits, strict=True))
    threads = thread_count(n_jobs)
    parts = [one(job, threads) for job in jobs] if len(jobs) < 4 * threads else spread(one, jobs, n_jobs)
    shares = [part for part in parts if part is not None]
    return shares if len(shares) == len(parts) else None


def _can_share(model: Any, X: Any, labels: Labels, splits: Sequence[Split], k: int) -> bool:
    """Whether columns are only multiplied and left out before Euclidean distances of rows that count alike."""
    parts = [part for _, part in parts_of(model)]
    last = parts[-1] if parts else model
    steps = parts[:-1]
    if last.metric != "euclidean" or labels.weight is not None or len(labels.codes) < LEAST_ROWS:
        return False
    if not all(type(step) in (Standardize, DropReference, Impute) for step in steps):
        return False
    if not (isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype in (np.float32, np.float64)):
        return False
    least = min(len(train) for train, _ in splits)
    tree = last.algorithm == "tree" or (
        last.algorithm == "auto" and tree_is_faster(Space("euclidean"), (least, X.shape[1]))
    )
    return not tree and k <= least and bool(np.isfinite(X).all())


@dataclass(frozen=True)
class Membership:
    """Rows in groups that every split trains on, tests or leaves out as a whole."""

    group: NDArray[np.int32]  # (N,), -1: in no split
    tested: NDArray[np.bool_]  # (N,), in any split
    least: int  # rows of the smallest training part
    pairs: float  # that the splits have, searched one by one

    @classmethod
    def of(cls, splits: Sequence[Split], n_rows: int) -> Membership | None:
        """None where a split trains on rows twice or out of order, which settles ties, or tests what it trains on."""
        state = np.zeros((n_rows, len(splits)), dtype=np.uint8)
        for s, (train, test) in enumerate(splits):
            if (np.diff(train) <= 0).any():
                return None
            state[train, s] = 1
            if state[test, s].any():
                return None
            state[test, s] = 2
        kinds, group = np.unique(state.view(f"V{len(splits)}").ravel(), return_inverse=True)
        used = state.any(axis=1)
        if len(kinds) * GROUP > n_rows:  # hardly any two rows are always together
            group = np.arange(n_rows)
        return cls(
            np.where(used, group.ravel(), -1).astype(np.int32),
            (state == 2).any(axis=1),
            min(len(train) for train, _ in splits),
            float(sum(len(train) * len(test) for train, test in splits)),
        )

    @property
    def sizes(self) -> NDArray[np.intp]:
        return np.bincount(self.group[self.group >= 0])

    def list_length(self, k: int) -> int:
        """Candidates of which k are of the training part, and some more."""
        others = int(self.sizes.sum() - self.sizes[self.sizes > 0].min())
        return min(int(SLACK[0] * k * others / self.least) + SLACK[1], others)

    def pays(self, places: int) -> bool:
        total = int(self.tested.sum()) * float(self.sizes.sum())
        return places <= MOST and self.pairs > WORTH * total


@dataclass(frozen=True)
class Found:
    """The candidates of every tested row, and what distances under the least weights may be wrong by."""

    near: Near
    place: NDArray[np.int32]  # (N,), the list of each tested row
    slack: float
    patterns: Patterns | None


def _learned(
    steps: list[Any], X: NDArray[np.floating], y: NDArray[Any], train: NDArray[np.intp]
) -> list[Any]:
    """The steps fitted to a training part without gaps."""
    own, labels = X[train], y[train]
    fitted: list[Any] = []
    for step in steps:
        if isinstance(step, Impute):
            step._check_params()
            continue
        if fitted:
            own = fitted[-1].transform(own)
        fitted.append(clone(step).fit(own, labels))
    return fitted


def _weights(fitted: list[Any], width: int) -> Array:
    """What each column is multiplied by; 0: left out."""
    columns, weight = np.arange(width), np.ones(width)
    for step in fitted:
        if isinstance(step, DropReference):
            columns, weight = columns[step.kept_], weight[step.kept_]
        elif isinstance(step, Standardize):
            weight = weight / step.scale_
    out = np.zeros(width)
    out[columns] = weight
    return out


def _search(
    X: NDArray[np.floating], weights: Array, membership: Membership, length: int, n_jobs: int | None
) -> Found | None:
    """Candidates of every tested row, nearest first under the least weights; None where values are too large."""
    least = weights.min(axis=0)
    with np.errstate(over="ignore", invalid="ignore"):
        Z = np.ascontiguousarray(((X - X.mean(axis=0, dtype=np.float64)) * least)[:, least > 0])
    largest = float(np.abs(Z).max(initial=0.0))
    if not (largest < LARGEST and Z.shape[1]):
        return None
    rows = np.flatnonzero(membership.tested)
    together = len(membership.sizes) * GROUP <= len(X)
    groups = Groups(membership.group, membership.group[rows]) if together else None
    itself = None if together else rows.astype(np.int64)
    near = nearest(
        Space("euclidean"), Z, Z[rows], length, threads=thread_count(n_jobs), itself=itself, groups=groups
    )
    place = np.full(len(X), -1, dtype=np.int32)
    place[rows] = np.arange(len(rows))
    return Found(near, place, DIGITS * float(np.sqrt(X.shape[1])) * largest, Patterns.of(X))


def _of_split(
    found: Found,
    settings: list[tuple[int, str]],
    X: NDArray[np.floating],
    labels: Labels,
    job: tuple[list[Any], Split],
    threads: int,
) -> list[Array] | None:
    """Shares of the tested rows of a split in every setting; None where values are too large."""
    fitted, (train, test) = job
    rows = WholeRows.of(X, fitted) if found.patterns is None else PatternRows.of(found.patterns, fitted)
    if not rows.largest < LARGEST:
        return None
    slack = found.slack + DIGITS * float(np.sqrt(X.shape[1])) * rows.largest
    lists = Lists(found.near, found.place, FACTOR, slack)
    near = _nearest(rows, lists, train, test, max(k for k, _ in settings), threads)
    voters = Voters(labels.codes, len(labels.classes), None)
    answers: dict[tuple[int, str], Array] = {}
    for rule in dict.fromkeys(rule for _, rule in settings):
        sizes = list(dict.fromkeys(k for k, other in settings if other == rule))
        shares, _ = voters.vote(near, sizes, rule == "distance", True, threads)
        answers.update({(k, rule): each for k, each in zip(sizes, shares, strict=True)})
    return [answers[setting] for setting in settings]


def _nearest(
    rows: WholeRows | PatternRows,
    lists: Lists,
    train: NDArray[np.intp],
    test: NDArray[np.intp],
    k: int,
    threads: int,
) -> Near:
    """The k nearest training rows of the tested ones: from the lists, or searched where these leave doubt."""
    allowed = np.zeros(len(lists.place), dtype=np.uint8)
    allowed[train] = 1
    near, sure = rows.listed(lists, test, allowed, k, threads)
    left = np.flatnonzero(sure == 0)
    if len(left):
        own = rows.nearest(train, test[left], k, threads)
        near.rows[left], near.distances[left] = own.rows, own.distances
    return near
