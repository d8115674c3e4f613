"""Votes of neighbours: class shares among the k nearest, for several k at once.

A row of weight w counts as w equal rows: the nearest rows vote whose weights add up to k, the last one with the part
that is left. Without weights these are the k nearest. By distance a row votes with w d₁ / d, d₁ being the distance of
the nearest one; where d₁ = 0, rows at distance 0 alone have votes, w each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.numerics.neighbors import Near
from assay.numerics.ties import settle_ties

Array = NDArray[np.float64]
Search = Callable[[int, NDArray[np.intp] | None], Near]
LONGER = 4  # by how much lists grow that were too short for the weight asked for


@dataclass(frozen=True)
class Voters:
    """The training rows: their classes and weights (None: all one)."""

    codes: NDArray[np.int32]
    n_classes: int
    weight: Array | None

    def shares(
        self, search: Search, sizes: Sequence[float], by_distance: bool, available: int, threads: int
    ) -> Array:
        """Class shares for every size, a sum of weights, (S, M, K).

        search(k, queries) gives the k nearest rows of some queries (None: of all); `available` rows can be found.
        """
        length = min(ceil(max(sizes)), available)
        near = search(length, None)
        out, short = self.vote(near, sizes, by_distance, length == available, threads)
        while len(short):
            length = min(LONGER * length, available)
            near = search(length, short)
            some, left = self.vote(near, sizes, by_distance, length == available, threads)
            out[:, short] = some
            short = short[left]
        return out

    def vote(
        self, near: Near, sizes: Sequence[float], by_distance: bool, last: bool, threads: int
    ) -> tuple[Array, NDArray[np.intp]]:
        """Shares from lists, and the queries whose lists are too short; `last`: there are no further rows."""
        order = np.argsort(np.asarray(sizes), kind="stable")
        wanted = np.asarray(sizes, dtype=np.float64)[order]
        out = np.zeros((len(wanted), len(near.rows), self.n_classes))
        short = np.zeros(len(near.rows), dtype=np.uint8)
        _core.vote(
            near.rows, near.distances, self.codes, self.weight, wanted, by_distance, last, threads, short, out
        )
        if self.weight is not None:
            settle_ties(out)
        return out[np.argsort(order)] if (order[1:] < order[:-1]).any() else out, np.flatnonzero(short)
