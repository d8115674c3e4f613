r"""Some rows stand for all (Nyström): kernels with M landmarks become columns, and the linear machine does the rest.

    φ(x) = S^(-1/2) U' (k(x, l_1), ..., k(x, l_M)),    K_landmarks = U S U'

φ(x)·φ(z) is the kernel of x and z seen through the landmarks, exact between landmarks. Weights w of φ are coefficients
U S^(-1/2) w of the landmarks, so that the fitted machine has the same form as an exact one.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from assay.engines.local import memory_limit
from assay.models.svm.gram import Rows
from assay.models.svm.linear import LinearSVM
from assay.models.svm.pairwise import PairwiseSvm, joined
from assay.models.svm.votes import pairs_of
from assay.numerics.row_hash import row_hashes, stream_key
from assay.types import Array

DRAWN = 3  # stream of random numbers: the landmarks
RANK = 1e-10  # of the largest eigenvalue; directions below are rounding
TOL = 1e-4  # relative duality gap of the linear machine


def drawn(weight: Array, count: int, seed: int) -> Rows:
    """Landmarks: rows that count, each with the same chance, in order."""
    able = np.flatnonzero(weight > 0)
    hashes = row_hashes(stream_key(seed, DRAWN), able.astype(np.uint64))
    return np.sort(able[np.argsort(hashes, kind="stable")[:count]])


def affordable(landmarks: int, rows: int) -> int:
    """Landmarks whose columns memory can hold."""
    return int(max(2, min(landmarks, rows, memory_limit() // (4 * 8 * rows))))


def solve_landmarks(
    values: Callable[[Rows], Array], marks: Rows, codes: NDArray[np.int32], cost: Array, n_classes: int
) -> PairwiseSvm:
    """Machines of all pairs; values(rows) are kernels of these rows with the landmarks."""
    size, U = np.linalg.eigh(values(marks))
    positive = size > RANK * size[-1]
    to_columns = U[:, positive] / np.sqrt(size[positive])
    Z = values(np.arange(len(codes), dtype=np.intp)) @ to_columns
    pairs = pairs_of(np.flatnonzero(np.bincount(codes, cost > 0, n_classes)))
    coef, intercept, histories, steps = np.zeros((len(pairs), len(codes))), np.zeros(len(pairs)), [], 0
    for p, (j, k) in enumerate(pairs):
        rows = np.flatnonzero(((codes == j) | (codes == k)) & (cost > 0))
        total = float(cost[rows].sum())
        model = LinearSVM(l2=1.0 / total, tol=TOL).fit(Z[rows], codes[rows] == k, cost[rows])
        coef[p, marks] = to_columns @ model.coef_[0]
        intercept[p] = model.intercept_[0]
        value, gap = model.history_.T
        histories.append(np.column_stack([0 * gap, 0 * gap, total * value * (1 - gap), total * value]))
        steps += len(gap)
    return PairwiseSvm(pairs, coef, intercept, joined(histories), steps, bends_down=bool((size < 0).any()))
