"""In which order candidates are evaluated, which share of the time each has, and how large a sample fits into it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from assay.catalog import ModelCard
from assay.models.base.card import MOST_COMPLEX

QUICK = 10.0  # seconds that a candidate takes at most which comes before the others
ALL_ROUNDER = 2.0  # times the share of another candidate
FEWEST = 500  # rows of a sample
ROOM = 0.8  # of its share that a sample is made for: forecasts are rough


def work_order(entry: ModelCard, bound: float) -> tuple[int, float]:
    """By which candidates are sorted: the baseline, quick ones, strong all-rounders, others by what they take at most.

    Estimators of which nobody knows what they will take come last.
    """
    if entry.complexity == 0:
        return 0, bound
    if entry.complexity == MOST_COMPLEX:
        return 4, bound
    if bound <= QUICK:
        return 1, bound
    return (2 if entry.all_rounder else 3), bound


def time_share(left: float, entries: Sequence[ModelCard], bounds: Sequence[float]) -> float:
    """Seconds of those left for the first of the candidates that are still to come.

    Those that need less than an equal part leave the rest to the others.

    bounds : seconds that each of them takes at most
    """
    if math.isinf(left):
        return left
    weights = [ALL_ROUNDER if entry.all_rounder else 1.0 for entry in entries]
    order = sorted(range(len(entries)), key=lambda i: bounds[i] / weights[i])
    total = sum(weights)
    for i in order:
        part = left * weights[i] / total
        if i == 0:
            return part  # the candidates before it take all that they need
        taken = min(bounds[i], part)
        left, total = left - taken, total - weights[i]
    return left


def sample_size(rows: int, needed: float, share: float) -> int | None:
    """Rows, of so many that would take `needed` seconds, which fit into the share; None where they are too few.

    Two digits, so that people can repeat it. No method takes less than in proportion to its rows.
    """
    fitting = rows * ROOM * share / needed
    if fitting < FEWEST:
        return FEWEST if rows >= 2 * FEWEST else None
    digit: int = 10 ** (math.floor(math.log10(fitting)) - 1)
    return int(fitting // digit) * digit
