"""Models solved from moments: every split of every one of them from one pass over the data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.engines.local import memory_limit
from assay.models.base import Model
from assay.models.sharing import (
    Chain,
    Tested,
    can_pair,
    pair_scores,
)
from assay.models.validation import TrainingData, check_rows
from assay.numerics.blas import single_threaded
from assay.plans import Bootstrap, LeaveOneOut, Partition, Plan
from assay.selection.evaluation import Evaluation
from assay.statistics import cells_bytes

WIDER = 2  # features for each row from which on products of features cost more than fits


def can_share(
    chain: Chain, plan: Plan, n_groups: int, n_classes: int, width: int, gaps: bool = True
) -> str | None:
    """Why moments cannot carry this chain through this plan, or None if they can."""
    if chain.strategy == "path" and isinstance(plan, LeaveOneOut | Bootstrap):
        return "Folds are solved together, single rows and replicates are not: every split was fitted anew."
    need = _bytes(chain, n_groups, n_classes, width, gaps)
    if need > memory_limit():
        return (
            f"The statistics of all splits would take {need / 2**30:.1f} GiB, more than ASSAY_MEMORY allows: every "
            "split was fitted anew."
        )
    return None


def quicker_anew(chain: Chain, n_rows: int, width: int) -> str | None:
    """Why folds of a table wider than long are fitted one by one, None if they are not: a step works among the rows."""
    if width < WIDER * n_rows or not any(getattr(step, "solves_among_rows", False) for step in chain.steps):
        return None
    return "The table is wider than long, and its projection is found among the rows: every split was fitted anew."


def _bytes(chain: Chain, n_groups: int, n_classes: int, width: int, gaps: bool) -> int:
    """The cells, the merged training parts, and the merges on the way."""
    return 3 * cells_bytes(chain.form(gaps), n_groups, n_classes, width)


def join(parts: list[Tested], partitions: list[Partition]) -> Tested:
    """The repeats of a plan as one list of tested pairs."""
    if len(parts) == 1:
        return parts[0]
    first = np.cumsum([0, *(partition.n_folds for partition in partitions)])
    rows = [np.arange(len(part.scores)) if part.rows is None else part.rows for part in parts]
    return replace(
        parts[0],
        rows=np.concatenate(rows).astype(np.int64),
        split=np.concatenate([part.split + np.int32(first[r]) for r, part in enumerate(parts)]),
        scores=np.concatenate([part.scores for part in parts]),
        predicted=np.concatenate([part.predicted for part in parts]),
        priors=np.concatenate([part.priors for part in parts]),
        notes=tuple(dict.fromkeys(note for part in parts for note in part.notes)),
    )


def inner_figures(
    chains: list[Chain],
    X: Any,
    outer: Evaluation,
    partition: Partition,
    figure: Callable[[Chain, Tested], tuple[float, float]],
    n_jobs: int | None,
) -> NDArray[np.float64] | None:
    """Two figures of each chain inside each fold, (folds, chains, 2), from pairs of folds; None: they do not serve."""
    if not can_pair(chains, partition):
        return None
    reader = Model()
    data = TrainingData(check_rows(reader, X, reset=True), outer.codes, outer.classes, outer.weight)
    pairs = partition.n_folds * (partition.n_folds - 1) // 2
    gaps = any(chain.imputes for chain in chains) and bool(np.isnan(data.X).any())
    need = max(cells_bytes(chain.form(gaps), 3 * pairs, data.n_classes, data.X.shape[1]) for chain in chains)
    if need > memory_limit():
        return None
    with single_threaded():
        return np.array(pair_scores(chains, data, partition, figure, n_jobs)).swapaxes(0, 1)
