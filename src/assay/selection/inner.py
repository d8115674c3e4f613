"""How the training rows of an outer fold are divided again, by the other folds where there are enough of them, and the
mean losses of evaluations of such divisions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.models.sharing import Tested, check_classes
from assay.models.trouble import absences
from assay.models.validation import Encoded
from assay.plans import ALWAYS_TRAIN, UNUSED, KFold, Partition
from assay.selection.evaluation import Evaluation
from assay.selection.under_priors import untested

Array = NDArray[np.float64]
DRAWN_FOLDS = 5  # inner folds where the plan itself has too few


def inner_partition(
    partition: Partition, f: int, codes: NDArray[np.int32], groups: Any, merged: int | None
) -> Partition | None:
    """How the training rows of fold f are divided; its tested rows are unused. None if they cannot be divided."""
    fold, others = partition.fold, partition.n_folds - 1
    if others >= 2 and not (fold == ALWAYS_TRAIN).any():
        place = np.where(fold > f, fold - 1, fold)
        count = others if merged is None else min(merged, others)
        if count < others:
            place = place % count
        return Partition(np.where((fold == f) | (fold == UNUSED), UNUSED, place), count)
    train = partition.train_rows(f)
    inside = None if groups is None else np.asarray(groups)[train]
    units = len(train) if inside is None else len(np.unique(inside))
    if units < 2:
        return None
    drawn = KFold(min(DRAWN_FOLDS, units)).partitions(codes[train], inside)[0]
    division = np.full(len(codes), UNUSED, dtype=np.int32)
    division[train] = drawn.fold
    return Partition(division, drawn.n_folds)


def drawn_division(partition: Partition, codes: NDArray[np.int32], groups: Any, folds: int) -> Partition:
    """So many inner folds, drawn once for all outer ones: a row is in the same inner fold inside each.

    Every outer fold is spread evenly over the inner ones, class by class, so that its absence leaves them even.
    """
    return KFold(folds).partitions((partition.fold - UNUSED) * (int(codes.max()) + 1) + codes, groups)[0]


def divided(partition: Partition, f: int, division: Partition) -> Partition:
    """The training rows of fold f by such a division."""
    inside = (partition.fold != f) & (partition.fold != UNUSED)
    return Partition(np.where(inside, division.fold, np.int32(UNUSED)), division.n_folds)


def check_trained(partitions: list[Partition], labels: Encoded) -> None:
    """Every outer split trains on two classes, before its training rows are divided again."""
    trained = [part.train_rows(f) for part in partitions for f in range(part.n_folds)]
    width = len(labels.classes)
    check_classes(
        np.array([np.bincount(labels.codes[rows], minlength=width) for rows in trained]), labels.classes
    )


def can_train(partition: Partition, codes: NDArray[np.int32]) -> bool:
    """Whether every training part has at least two classes."""
    used = partition.fold != UNUSED
    size = int(codes.max()) + 1
    cells = (partition.fold[used] - ALWAYS_TRAIN) * size + codes[used]
    counts = np.bincount(cells, minlength=(partition.n_folds + 1) * size).reshape(-1, size)
    return bool((((counts.sum(axis=0) - counts[1:]) > 0).sum(axis=1) >= 2).all())


def others_train(partition: Partition, codes: NDArray[np.int32], division: Partition | None = None) -> bool:
    """Whether the other folds, or the division, divide the training rows of every fold, always leaving two classes."""
    folds, fold = partition.n_folds, partition.fold
    if folds < 3 or (fold == ALWAYS_TRAIN).any():
        return False
    size = int(codes.max()) + 1
    inner = 1 if division is None else division.n_folds
    place = fold if division is None else division.fold * folds + fold
    cell = np.where(fold >= 0, place * size + codes, inner * folds * size)
    counts = np.bincount(cell, minlength=inner * folds * size + 1)[:-1].reshape(inner, folds, size)
    for f in range(folds):
        others = np.delete(counts, f, axis=1)
        parts = others[0] if division is None else others.sum(axis=1)
        if not ((parts.sum(axis=0) - parts > 0).sum(axis=1) >= 2).all():
            return False
    return True


def first_partitions(result: Evaluation, partitions: list[Partition]) -> Evaluation:
    """Of neighbours in many partitions, the evaluation of the first ones alone."""
    n_splits, tested = sum(partition.n_folds for partition in partitions), result.tested
    keep = result.split < n_splits
    rows: NDArray[Any] | None = result.rows[keep]
    if len(partitions) == 1 and keep.sum() == len(result.codes):
        rows = None  # every row once, in order
    priors = tested.priors[:n_splits]
    told = absences(tested.priors, result.classes)
    notes = (*absences(priors, result.classes), *(note for note in tested.notes if note not in told))
    part = Tested(rows, tested.split[keep], tested.scores[keep], tested.predicted[keep], priors, notes)
    further = untested(result.codes, rows, result.classes, result.priors)
    return replace(result, tested=part, n_splits=n_splits, notes=(*notes, *further))


def figures_by_partition(results: list[Evaluation], batch: list[Partition]) -> Array:
    """Mean loss, and its standard error, of every setting (second axis) over the tested rows of each partition."""
    of_split = np.repeat(np.arange(len(batch)), [partition.n_folds for partition in batch])
    size = len(results[0].classes)
    columns = []
    for result in results:
        at = of_split[result.split]
        weight = np.ones(len(at)) if result.weight is None else result.weight[result.rows]
        if result.priors is not None:
            # Shares are those of the rows tested in the same partition.
            cell = at * size + result.truth_codes
            amount = np.bincount(cell, weight, len(batch) * size)
            weight = weight * result.priors[result.truth_codes] / np.where(amount > 0, amount, 1.0)[cell]
        columns.append(_weighted_means(at, weight, result.losses(), len(batch)))
    return np.stack(columns, axis=1)


def _weighted_means(at: NDArray[np.intp], weight: Array, values: Array, groups: int) -> Array:
    """Weighted mean of the values of each group and its standard error, (groups, 2), as `t_interval` has them."""
    total = np.bincount(at, weight, groups)
    if not total.all():
        raise ValueError(
            "No tested row counts inside a fold: every one has weight or prior zero; use other folds."
        )
    share = weight / total[at]
    mean = np.bincount(at, weight * values, groups) / total  # whole numbers of mistakes stay exact
    n = 1.0 / np.bincount(at, share**2, groups)
    spread = np.bincount(at, (share * (values - mean[at])) ** 2, groups)
    error = np.sqrt(spread * np.divide(n, n - 1, out=np.full(groups, np.nan), where=n > 1))
    return np.stack([mean, error], axis=1)
