"""The counter-based random numbers behind every plan.

``u(seed, repeat, row) = absorb(absorb(absorb(absorb(0, seed), stream), repeat), row)``, where ``absorb`` is
one step of SplitMix64 (Steele, Lea and Flood, 2014). A draw depends on its coordinates alone: not on threads,
not on the order in which rows arrive, not on how many draws were made before. For a fixed key, ``absorb`` is
a bijection of the row, so no two rows share a number and ranks have no ties.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.numerics.random_state import RandomState, as_seed

FOLDS = 0
BOOTSTRAP = 1

_GOLDEN = 0x9E3779B97F4A7C15
_FIRST = 0xBF58476D1CE4E5B9
_SECOND = 0x94D049BB133111EB
_MASK = (1 << 64) - 1


def absorb(state: int, value: int) -> int:
    """The 64-bit hash of `value` under `state`.

    >>> hex(absorb(0, 0))
    '0xe220a8397b1dcdaf'
    """
    z = (state + (int(value) + 1) * _GOLDEN) & _MASK  # NumPy's integers would overflow
    z = ((z ^ (z >> 30)) * _FIRST) & _MASK
    z = ((z ^ (z >> 27)) * _SECOND) & _MASK
    return z ^ (z >> 31)


def stream_key(seed: RandomState, stream: int) -> int:
    """The key of one kind of draw (`FOLDS` or `BOOTSTRAP`) under `seed`."""
    return absorb(absorb(0, as_seed(seed)), stream)


def fold_key(seed: RandomState, repeat: int) -> int:
    """The key that orders the rows in one repeat of a plan."""
    return absorb(stream_key(seed, FOLDS), repeat)


def row_hashes(key: int, rows: ArrayLike) -> NDArray[np.uint64]:
    """`absorb(key, row)` for many rows at once; streams use it to place a block of rows.

    >>> [hex(u) for u in row_hashes(0, [0, 1])]
    ['0xe220a8397b1dcdaf', '0x6e789e6aa1b965f4']
    """
    z = np.atleast_1d(np.asarray(rows)).astype(np.uint64)
    z = (z + np.uint64(1)) * np.uint64(_GOLDEN) + np.uint64(key)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(_FIRST)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(_SECOND)
    return z ^ (z >> np.uint64(31))
