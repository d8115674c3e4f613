"""The drawing kernels again, in plain NumPy: written from their definition, by sorting, without buckets."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from assay.numerics.row_hash import absorb, row_hashes

Ints = NDArray[np.int32]


def classes_in_order(codes: Ints, hashes: NDArray[np.uint64]) -> list[int]:
    """Classes by the hash of their first row."""
    return sorted(set(codes.tolist()), key=lambda k: int(hashes[np.flatnonzero(codes == k)[0]]))


def ranked_rows(codes: Ints, hashes: NDArray[np.uint64], k: int) -> NDArray[np.intp]:
    """Rows of class k by hash."""
    rows = np.flatnonzero(codes == k)
    return rows[np.argsort(hashes[rows])]


def folds(codes: Ints, key: int, n_folds: int) -> Ints:
    """Fold of every row: the ranked rows of a class in parts, the longer parts first, dealt round robin."""
    hashes = row_hashes(key, np.arange(codes.size))
    out = np.full(codes.size, -9, dtype=np.int32)
    dealt = 0
    for k in classes_in_order(codes, hashes):
        parts = np.array_split(ranked_rows(codes, hashes, k), n_folds)  # the longer parts come first
        for p, rows in enumerate(parts):
            out[rows] = (dealt + p) % n_folds
        dealt += np.count_nonzero(codes == k) % n_folds
    return out


def held_out(codes: Ints, key: int, n_test: int) -> Ints:
    """0 for the tested rows, by largest remainders over the classes, -1 for the others."""
    n = codes.size
    hashes = row_hashes(key, np.arange(n))
    order = classes_in_order(codes, hashes)
    counts = {k: int(np.count_nonzero(codes == k)) for k in order}
    quota = {k: counts[k] * n_test // n for k in order}
    by_fraction = sorted(order, key=lambda k: -(counts[k] * n_test % n))
    for k in by_fraction[: n_test - sum(quota.values())]:
        quota[k] += 1
    out = np.full(n, -1, dtype=np.int32)
    for k in order:
        out[ranked_rows(codes, hashes, k)[: quota[k]]] = 0
    return out


def group_shares(codes: Ints, groups: Ints) -> NDArray[np.float64]:
    """For every group, its share of each class and, in the last column, of all rows."""
    n_groups, n_classes = int(groups.max()) + 1, int(codes.max()) + 1
    table = np.zeros((n_groups, n_classes))
    np.add.at(table, (groups, codes), 1.0)
    totals = np.maximum(table.sum(axis=0), 1.0)
    return np.column_stack([table / totals, table.sum(axis=1) / codes.size])


def group_order(groups: Ints, key: int, large_first: bool) -> list[int]:
    """Groups by the hash of their first row, optionally by size in powers of two before that."""
    sizes = np.bincount(groups)
    firsts = [int(np.flatnonzero(groups == g)[0]) for g in range(sizes.size)]
    return sorted(
        range(sizes.size),
        key=lambda g: (-(int(sizes[g]).bit_length()) if large_first else 0, absorb(key, firsts[g])),
    )


def bootstrap(key: int, n_replicates: int, n: int) -> NDArray[np.uint16]:
    """Counts of n draws with replacement, each draw in exact integer arithmetic."""
    out = np.zeros((n_replicates, n), dtype=np.uint16)
    for b in range(n_replicates):
        replicate = absorb(key, b)
        for draw in range(n):
            out[b, absorb(replicate, draw) * n >> 64] += 1
    return out


def proportional_order(codes: Ints, groups: Ints | None) -> list[int]:
    """Rows by (share of the class that comes before, row); within a class by (turn of the group, row)."""
    keys: list[tuple[Fraction, int]] = []
    for k in set(codes.tolist()):
        rows = np.flatnonzero(codes == k).tolist()
        if groups is not None:
            own = [groups[i] for i in rows]
            turn = [own[:place].count(g) for place, g in enumerate(own)]
            rows = [i for _, i in sorted(zip(turn, rows, strict=True))]
        keys += [(Fraction(place, len(rows)), i) for place, i in enumerate(rows)]
    return [i for _, i in sorted(keys)]
