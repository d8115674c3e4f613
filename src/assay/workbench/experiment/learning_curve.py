"""Learning curves: the error of a candidate trained on ever more of the rows.

All rows stand in a fixed random order, classes in proportion and folds in turn, and each size trains on what the first
so many of them hold of the other folds: smaller sets lie inside larger ones, and all candidates share their statistics.
The setting is the one chosen inside that fold: no tested row had a say in it. Where rows belong together, groups stand
in that order, each with all of its rows: more rows will come in further groups, too. Under priors, posteriors and
tested rows are re-weighted as in the estimate itself. Every fold is tested, of large tables the first three. The last
point, all of the training rows, is the nested estimate itself.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.decision import wilson
from assay.notes import Note
from assay.plans import Partition
from assay.selection.evaluation import Evaluation
from assay.selection.learning import piece_of, training_rows
from assay.selection.nested import Nested
from assay.selection.tested import tested_of
from assay.selection.under_priors import row_weights, share_size
from assay.sharing.dataset import Dataset
from assay.sharing.dispatch import solve
from assay.sharing.reductions import AllScores, Scored
from assay.sharing.settings import Settings
from assay.sharing.splits import Splits, pieces
from assay.sharing.study import Study

Array = NDArray[np.float64]
HALVINGS = 4
LARGE_ROWS, FEW_FOLDS = 5000, 3
Pairs = tuple[NDArray[np.int64], Array]


class CurvePoint(NamedTuple):
    """Error after training on `rows` rows, with its interval on the (effective) number of rows tested."""

    rows: int
    error: float
    low: float
    high: float


def learning_curve(
    settings: Settings, found: Nested, study: Study, partition: Partition, seed: int
) -> tuple[CurvePoint, ...]:
    """Points from a sixteenth or so of the training rows up to all of them.

    Parameters
    ----------
    found : Nested
        The candidate's estimate; its first splits are the folds of `partition`.
    study : Study
        The rows; what is collected for one candidate serves the next.
    """
    data, whole = study.dataset, found.evaluation
    folds = np.arange(partition.n_folds)
    if data.n_rows >= LARGE_ROWS:
        folds = folds[:FEW_FOLDS]
    rows = min(len(partition.train_rows(int(f))) for f in folds)
    growing = study.once(("growing", seed), lambda: _growing(data, partition, seed, rows))
    points = [] if growing is None else _smaller(settings, found, growing, folds)
    pairs = _pairs(whole, whole.split < partition.n_folds)  # of the first repeat
    return (*points, _point(rows, pairs, whole))


def _growing(data: Dataset, partition: Partition, seed: int, rows: int) -> Study | None:
    """Training sets of halves, quarters ... of the rows; None where these are too few.

    Whole groups may be of one class: sizes that leave nothing to tell apart are left out.
    """
    least = max(10, 3 * data.n_classes)
    shares = [0.5**h for h in range(HALVINGS, 0, -1) if rows // 2**h >= least]
    while shares:
        piece = piece_of(partition, data.codes, np.array(shares), seed, data.groups)
        study = Study(data, pieces(partition, piece, len(shares)))
        classes = (study.class_weight() > 0).sum(axis=1).reshape(-1, len(shares))
        if (classes >= 2).all():
            return study
        shares = shares[1:]
    return None


def _smaller(settings: Settings, found: Nested, study: Study, folds: NDArray[np.intp]) -> list[CurvePoint]:
    """The points below the whole: of each fold the setting that was chosen inside it."""
    splits, n_sizes = study.splits, study.splits.n_sizes
    only = np.zeros((len(settings), splits.n_tests), dtype=bool)
    for f in folds:
        only[found.chosen[f], f * n_sizes : (f + 1) * n_sizes] = True
    scores = solve(settings, study).reduce(AllScores(splits, len(settings), study.dataset.n_rows), only)
    rows = training_rows(splits).reshape(-1, n_sizes)[folds].mean(axis=0)
    points = []
    for size in range(n_sizes):
        parts = [_wrong(each, size, splits, found.evaluation) for each in scores if each is not None]
        tested, wrong = (np.concatenate(values) for values in zip(*parts, strict=True))
        points.append(_point(round(rows[size]), (tested, wrong), found.evaluation))
    return points


def _wrong(scored: Scored, size: int, splits: Splits, whole: Evaluation) -> Pairs:
    """Rows that are tested at a size, and whether they are wrong, under the priors of the estimate."""
    tested, _ = tested_of(scored, splits, ())
    result = replace(whole, tested=tested, probabilistic=scored.posterior, n_splits=splits.n_tests)
    return _pairs(result, tested.split % splits.n_sizes == size)


def _pairs(result: Evaluation, these: NDArray[np.bool_]) -> Pairs:
    """Rows of some tested pairs, and which of them are wrong."""
    return result.rows[these], result.wrong[these]


def _point(rows: int, pairs: Pairs, whole: Evaluation) -> CurvePoint:
    (at, wrong), groups = pairs, whole.groups
    weight = None if whole.weight is None else whole.weight[at]
    if whole.priors is not None:
        weight = row_weights(whole.codes[at], weight, whole.priors, slice(None))
    if weight is not None and not weight.any():
        raise ValueError(Note("C002"))
    error = float(wrong.mean() if weight is None else np.average(wrong, weights=weight))
    size = share_size(wrong, weight, None if groups is None else groups[at], whole.priors is not None)
    return CurvePoint(rows, error, *wilson(min(error, 1.0) * size, size))
