"""Votes of neighbours: class shares among the nearest rows, for several numbers of them at once.

A row of weight w counts as w equal rows: the nearest rows vote whose weights add up to k, the last one with the part
that is left. Without weights these are the k nearest. By distance a row votes with w d₁ / d, d₁ being the distance of
the nearest one; where d₁ = 0, rows at distance 0 alone have votes, w each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.numerics.neighbors import Near
from assay.numerics.ties import settle_ties
from assay.types import Array, CellCodes, Codes

Setting = tuple[float, str]  # how many neighbours; "uniform" or "distance"
Some = NDArray[np.intp]
LONGER = 4  # by how much lists grow that were too short for the weight asked for


@dataclass(frozen=True)
class Asking:
    """Queries of several models: query i reads list place[i] (None: list i) and is one of model[i].

    A weight of 1 counts as unit[model] rows. A model sees a row as often as copies[model, cell[layer, row]] says, never
    where that cell is negative; without copies, every row once.
    """

    model: Codes
    place: Codes | None = None
    unit: Array | None = None  # (M,)
    layer: Codes | None = None  # (M,)
    cell: CellCodes | None = None  # (L, N)
    copies: NDArray[np.uint16] | None = None  # (M, C)

    def take(self, queries: Some) -> Asking:
        """Some of the queries, with lists of their own."""
        return replace(self, model=self.model[queries], place=None)


@dataclass(frozen=True)
class Voters:
    """The rows that may vote: their classes and weights (None: all one), and who asks them."""

    codes: Codes
    n_classes: int
    weight: Array | None
    asking: Asking | None = None

    def vote(self, near: Near, settings: Sequence[Setting], threads: int) -> tuple[list[Array], Some]:
        """Shares (M, K) of every setting, and the queries whose lists are too short; -1 ends one that cannot be."""
        by_setting: dict[Setting, Array] = {}
        short: NDArray[np.bool_] | None = None
        for rule in dict.fromkeys(rule for _, rule in settings):
            sizes = sorted({k for k, other in settings if other == rule})
            shares, too_short = self._shares(near, sizes, rule == "distance", threads)
            by_setting.update(
                {(k, rule): setting_shares for k, setting_shares in zip(sizes, shares, strict=True)}
            )
            short = too_short if short is None else short | too_short
        assert short is not None
        return [by_setting[setting] for setting in settings], np.flatnonzero(short)

    def _shares(
        self, near: Near, sizes: list[float], by_distance: bool, threads: int
    ) -> tuple[Array, NDArray[np.bool_]]:
        asking = self.asking
        count = len(near.rows) if asking is None else len(asking.model)
        more: dict[str, Any] = {} if asking is None else vars(asking)
        out, short = np.zeros((len(sizes), count, self.n_classes)), np.zeros(count, dtype=np.uint8)
        _core.neighbors.vote(
            near.rows, near.distances, self.codes, self.weight, np.asarray(sizes, dtype=np.float64), by_distance,
            False, threads, short, out, **more,
        )  # fmt: skip
        return out if self.weight is None else settle_ties(out), short > 0


def settled(
    vote: Callable[[Near, Some | None], tuple[list[Array], Some]],
    near: Near,
    search: Callable[[int, Some], Near],
    length: int,
) -> list[Array]:
    """Votes from lists that grow where they are too short.

    Parameters
    ----------
    vote : shares of some queries (None: of all) from their lists, and which of these are too short
    search : lists of a length for some queries; a list that ends before it holds all rows there are
    length : of the first search
    """
    shares, short = vote(near, None)
    while len(short):
        parts, left = vote(search(length, short), short)
        for out, part in zip(shares, parts, strict=True):
            out[short] = part
        short, length = short[left], LONGER * length
    return shares
