"""The rows that a size of a learning curve trains on, and its scores in their order."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay import Evaluation
from assay.plans import UNUSED, Partition


def trained_on(partition: Partition, piece: Any, f: int, s: int) -> Any:
    return np.flatnonzero((partition.fold != f) & (partition.fold != UNUSED) & (piece <= s))


def in_order(found: Evaluation) -> Any:
    """Split, row and scores of every pair, in one order."""
    scores = found.posterior if found.probabilistic else found.scores
    order = np.lexsort((found.rows, found.split))
    return np.column_stack([found.split, found.rows, scores])[order]
