"""Learning curves: the error of a candidate trained on ever more of the rows.

All rows stand in a fixed random order, classes in proportion and folds in turn, and each size trains on what the first
so many of them hold of the other folds: smaller sets lie inside larger ones, and all candidates share their statistics.
The setting is the one chosen inside that fold: no tested row had a say in it. Where rows belong together, groups stand
in that order, each with all of its rows: more rows will come in further groups, too. Under priors, posteriors and
tested rows are re-weighted as in the estimate itself. Every fold is tested, of large tables the first three. The last
point, all of the training rows, is the nested estimate itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.plans import Partition
from assay.selection.evaluation import Evaluation
from assay.selection.learning_curve import evaluations_by_size, growing_parts, piece_of
from assay.selection.nested import Nested, comparable
from assay.sharing.dataset import Dataset
from assay.sharing.settings import Settings
from assay.sharing.splits import pieces
from assay.sharing.study import Study

HALVINGS = 4
LARGE_ROWS, FEW_FOLDS = 5000, 3


class CurvePoint(NamedTuple):
    """Error after training on `rows` rows, with its interval on the (effective) number of rows tested."""

    rows: int
    error: float
    low: float
    high: float


def learning_curve(
    settings: Settings, result: Nested, study: Study, partition: Partition, seed: int, share: float = 1.0
) -> tuple[CurvePoint, ...]:
    """Points from a sixteenth or so of the training rows up to all of them.

    Parameters
    ----------
    result : Nested
        The candidate's estimate; its first splits are the folds of `partition`.
    study : Study
        The rows; what is collected for one candidate serves the next.
    share : float
        Proportion of the rows that belong to the sample on which models are trained, the first of the order above.
    """
    data, whole = study.dataset, result.evaluation
    folds = np.arange(partition.n_folds)
    if data.n_rows >= LARGE_ROWS:
        folds = folds[:FEW_FOLDS]
    rows = round(share * min(len(partition.train_rows(int(f))) for f in folds))
    growing = study.once(("growing", seed), lambda: _growing(data, partition, seed, rows, share))
    points = [] if growing is None else _smaller(settings, result, growing, folds)
    return (*points, _point(rows, whole.first_splits(partition.n_folds)))  # of the first repeat


def _growing(data: Dataset, partition: Partition, seed: int, rows: int, share: float) -> Study | None:
    """Training sets of halves, quarters ... of the rows that are trained on; None where these are too few.

    Whole groups may be of one class: sizes that leave nothing to tell apart are left out.
    """
    least = max(10, 3 * data.n_classes)
    shares = [share * 0.5**h for h in range(HALVINGS, 0, -1) if rows // 2**h >= least]
    while shares:
        piece = piece_of(partition, data.codes, np.array(shares), seed, data.groups)
        study = Study(data, pieces(partition, piece, len(shares)))
        classes = (study.class_weight() > 0).sum(axis=1).reshape(-1, len(shares))
        if (classes >= 2).all():
            return study
        shares = shares[1:]
    return None


def _smaller(settings: Settings, result: Nested, study: Study, folds: NDArray[np.intp]) -> list[CurvePoint]:
    """The points below the whole: of each fold the setting that was chosen inside it."""
    n_sizes, whole = study.splits.n_sizes, result.evaluation
    only = np.zeros((len(settings), study.splits.n_tests), dtype=bool)
    for f in folds:
        only[result.chosen[f], f * n_sizes : (f + 1) * n_sizes] = True
    parts = comparable(growing_parts(settings, study, only), None, whole.priors)
    evaluations = evaluations_by_size(
        parts, study, whole.plan, None, whole.priors, name=whole.name, strategy=whole.strategy, seconds=0.0, notes=()
    )  # fmt: skip
    rows = study.splits.trained.reshape(-1, n_sizes)[folds].mean(axis=0)
    return [_point(round(count), evaluation) for count, evaluation in zip(rows, evaluations, strict=True)]


def _point(rows: int, evaluation: Evaluation) -> CurvePoint:
    return CurvePoint(rows, evaluation.error, *evaluation.error_interval)
