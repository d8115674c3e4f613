"""Learning curves: the error of a candidate by the size of its training set.

All rows are in a fixed random order that keeps class proportions and takes folds in turn; a training set of size n is
the part of the first n rows that lies in the other folds. Smaller sets are subsets of larger ones, and all candidates
share their statistics. The setting is the one chosen inside that fold, without its tested rows. Where rows belong to
groups, whole groups are in that order, because new rows will come in new groups. Under priors, posteriors and tested
rows are re-weighted as in the estimate itself. Every fold is tested; in large tables, the first three. The last point,
all training rows, is the nested estimate itself.
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
    settings: Settings, nested: Nested, study: Study, partition: Partition, seed: int
) -> tuple[CurvePoint, ...]:
    """Points from a sixteenth or so of the training rows up to all of them.

    Parameters
    ----------
    nested : Nested
        The candidate's estimate; its first splits are the folds of `partition`.
    study : Study
        The rows; what is collected for one candidate serves the next.
    """
    data, whole = study.dataset, nested.evaluation
    folds = np.arange(partition.n_folds)
    if data.n_rows >= LARGE_ROWS:
        folds = folds[:FEW_FOLDS]
    rows = min(len(partition.train_rows(int(f))) for f in folds)
    growing = study.once(("growing", seed), lambda: _growing(data, partition, seed, rows))
    points = [] if growing is None else _smaller(settings, nested, growing, folds)
    pairs = _pairs(whole, whole.split < partition.n_folds)  # of the first repeat
    return (*points, _point(rows, pairs, whole))


def _growing(data: Dataset, partition: Partition, seed: int, rows: int) -> Study | None:
    """Training sets of halves, quarters ... of the rows; None where these are too few.

    Whole groups may be of one class: sizes with a training set of a single class are left out.
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


def _smaller(settings: Settings, nested: Nested, study: Study, folds: NDArray[np.intp]) -> list[CurvePoint]:
    """The points below the whole: of each fold the setting that was chosen inside it."""
    splits, n_sizes = study.splits, study.splits.n_sizes
    only = np.zeros((len(settings), splits.n_tests), dtype=bool)
    for f in folds:
        only[nested.chosen[f], f * n_sizes : (f + 1) * n_sizes] = True
    scores = solve(settings, study).reduce(AllScores(splits, len(settings), study.dataset.n_rows), only)
    rows = training_rows(splits).reshape(-1, n_sizes)[folds].mean(axis=0)
    points = []
    for size in range(n_sizes):
        parts = [_wrong(scored, size, splits, nested.evaluation) for scored in scores if scored is not None]
        tested, wrong = (np.concatenate(values) for values in zip(*parts, strict=True))
        points.append(_point(round(rows[size]), (tested, wrong), nested.evaluation))
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
