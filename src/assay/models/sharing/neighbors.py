"""Every number of neighbours and both rules of voting from one search in each split.

A model of neighbours learns nothing but its rows: fitted once with the steps before it, and asked once for the longest
list, it answers for all settings that differ in k and in the votes. Leave-one-out of a model without steps needs no
splits: one search among all rows in which no row finds itself.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.engines.local import spread, thread_count
from assay.models.base import clone, fit_weighted, parts_of
from assay.models.sharing.counts import Labels
from assay.models.sharing.folds import check_classes
from assay.models.sharing.near_folds import fold_shares
from assay.models.sharing.near_scaled import can_scale, scaled_lists
from assay.models.sharing.tested import Tested
from assay.sharing.overrides import overrides
from assay.sharing.value_key import value_key
from assay.statistics.solve_diagnostics import absences
from assay.statistics.weights import is_importance, subset_weight

Array = NDArray[np.float64]
Split = tuple[NDArray[np.intp], NDArray[np.intp]]
Setting = tuple[int, str]
Take = Callable[[Any, NDArray[np.intp]], Any]


def shares_neighbors(model: Any) -> bool:
    """Whether settings of the model, or of the model at the end of a pipeline, can be had from one search."""
    return hasattr(_last(model), "_near_key") and overrides(model) is None


def _last(model: Any) -> Any:
    return parts[-1][1] if (parts := parts_of(model)) else model


def _key(model: Any) -> Hashable:
    """Models with equal keys find the same neighbours."""
    before = [part for _, part in parts_of(model)[:-1]]
    return value_key(before), _last(model)._near_key()


@dataclass(frozen=True)
class Data:
    """Rows of any kind that estimators take, with their labels, and how to take some of them."""

    X: Any
    labels: Labels
    take: Take

    def weight(self, rows: NDArray[np.intp]) -> Array | None:
        """Weights of a training set."""
        return subset_weight(self.labels.weight, rows)


def neighbor_scores(
    models: list[Any], data: Data, splits: Sequence[Split] | None, n_jobs: int | None
) -> list[Tested]:
    """Tested scores of every model, equal to refitting each split; splits None: every row by itself."""
    keys = [_key(model) for model in models]
    found: dict[int, Tested] = {}
    for key in dict.fromkeys(keys):
        places = [place for place, other in enumerate(keys) if other == key]
        found.update(zip(places, _alike([models[i] for i in places], data, splits, n_jobs), strict=True))
    return [found[place] for place in range(len(models))]


def _alike(models: list[Any], data: Data, splits: Sequence[Split] | None, n_jobs: int | None) -> list[Tested]:
    """Models that find the same neighbours."""
    settings = [_last(model)._near_setting() for model in models]
    for model in models:
        _last(model)._check_params()
    longest = models[int(np.argmax([k for k, _ in settings]))]
    if splits is None:
        if not parts_of(longest) and longest._leaves_rows_alone():
            return _left_out(longest, settings, data, n_jobs)
        everyone = np.arange(len(data.labels.codes))
        if can_scale(longest, len(everyone), data.labels.weight):
            return _left_out_scaled(longest, settings, data, n_jobs)
        splits = [(np.delete(everyone, i), everyone[i : i + 1]) for i in everyone]
    amounts = np.stack([_class_weight(data, train) for train, _ in splits])
    check_classes(amounts, data.labels.classes)
    together = fold_shares(longest, settings, data.X, data.labels, splits, n_jobs)
    if together is not None:
        priors = amounts / amounts.sum(axis=1, keepdims=True)
        return _of_splits(list(zip(together, priors, strict=True)), splits, data.labels.classes)

    def one(split: Split, threads: int) -> tuple[list[Array], Array]:
        return _of_split(longest, settings, data, split, threads)

    if len(splits) < 4 * thread_count(n_jobs):  # each with all threads: their number would not divide well
        parts = [one(split, thread_count(n_jobs)) for split in splits]
    else:
        parts = spread(one, splits, n_jobs)
    return _of_splits(parts, splits, data.labels.classes)


def _of_splits(
    parts: list[tuple[list[Array], Array]], splits: Sequence[Split], classes: NDArray[Any]
) -> list[Tested]:
    """Of every setting, the shares of all splits and their class shares."""
    rows = np.concatenate([test for _, test in splits]).astype(np.int64)
    split_of = np.repeat(np.arange(len(splits), dtype=np.int32), [len(test) for _, test in splits])
    priors = np.stack([part[1] for part in parts])
    shares = [np.concatenate([part[0][s] for part in parts]) for s in range(len(parts[0][0]))]
    return [tested_shares(each, rows, split_of, priors, classes) for each in shares]


def _class_weight(data: Data, rows: NDArray[np.intp]) -> Array:
    codes, count = data.labels.codes[rows], len(data.labels.classes)
    return np.bincount(codes, data.weight(rows), count).astype(np.float64)


def _of_split(
    model: Any, settings: list[Setting], data: Data, split: Split, threads: int
) -> tuple[list[Array], Array]:
    """Shares (M, K) of the tested rows in every setting, and the class shares of the training rows."""
    train, test = split
    classes = data.labels.classes
    labels = classes[data.labels.codes[train]]
    fitted = fit_weighted(clone(model), data.take(data.X, train), labels, data.weight(train))
    last, Z = _last(fitted), data.take(data.X, test)
    for _, step in parts_of(fitted)[:-1]:
        Z = step.transform(Z) if len(test) else Z
    place = np.searchsorted(classes, last.classes_)
    shares = [np.zeros((len(test), len(classes))) for _ in settings]
    if len(test):
        for out, found in zip(
            shares, last._shares(last._measured(last._read(Z)), settings, None, threads), strict=True
        ):
            out[:, place] = found
    prior = np.zeros(len(classes))
    prior[place] = last.class_prior_
    return shares, prior


def _left_out(model: Any, settings: list[Setting], data: Data, n_jobs: int | None) -> list[Tested]:
    """Every row by all others, from one search."""
    labels, rows = data.labels, np.arange(len(data.labels.codes))
    left = _without_each(data)
    _check_left(model, settings, left)
    fitted = fit_weighted(clone(model), data.X, labels.classes[labels.codes], labels.weight)
    counts = np.ones(len(rows), dtype=bool) if labels.weight is None else labels.weight > 0
    itself = np.where(counts, np.cumsum(counts) - 1, -1).astype(np.int64)
    points = fitted._measured(fitted._read(data.X))
    if not is_importance(labels.weight):
        return _each_by_others(fitted._shares(points, settings, itself, n_jobs), left, labels.classes)
    # Scaled to the others, weights add up to k elsewhere than scaled to all rows: at a k of each row.
    unit = left.sum(axis=1) / _without_each(data, scaled=False).sum(axis=1)

    def one(i: int, threads: int) -> list[Array]:
        asked = [(k / unit[i], rule) for k, rule in settings]
        return list(fitted._shares(points[i : i + 1], asked, itself[i : i + 1], threads))

    alone = spread(one, range(len(rows)), n_jobs)
    return _each_by_others([np.concatenate(each) for each in zip(*alone, strict=True)], left, labels.classes)


def _left_out_scaled(model: Any, settings: list[Setting], data: Data, n_jobs: int | None) -> list[Tested]:
    """The same behind a scaler that leaves the row out, too; the few rows in doubt are fitted by themselves."""
    labels, rows = data.labels, np.arange(len(data.labels.codes))
    left = _without_each(data)
    _check_left(_last(model), settings, left)
    k = min(max(k for k, _ in settings), len(rows) - 1)
    fitted, near, doubtful = scaled_lists(model, data.X, labels.classes[labels.codes], k, n_jobs)
    shares = fitted._voted(near, settings, n_jobs)
    for i in doubtful:
        alone, _ = _of_split(
            model, settings, data, (np.delete(rows, i), rows[i : i + 1]), thread_count(n_jobs)
        )
        for out, found in zip(shares, alone, strict=True):
            out[i] = found[0]
    return _each_by_others(shares, left, labels.classes)


def _without_each(data: Data, scaled: bool = True) -> Array:
    """Weight of each class in all rows but one, (N, K); importance weights are scaled to these rows."""
    labels, rows = data.labels, np.arange(len(data.labels.codes))
    weight = np.ones(len(rows)) if labels.weight is None else labels.weight
    left = np.tile(np.bincount(labels.codes, weight, len(labels.classes)) + 0.0, (len(rows), 1))
    left[rows, labels.codes] -= weight
    count = np.bincount(labels.codes[weight > 0], minlength=len(labels.classes))
    alone = (weight > 0) & (count[labels.codes] == 1)
    left[rows[alone], labels.codes[alone]] = 0.0  # exactly, whatever rounding leaves
    check_classes(left, labels.classes)
    if scaled and is_importance(labels.weight):
        left *= ((count.sum() - (weight > 0)) / left.sum(axis=1))[:, None]
    return left


def _each_by_others(shares: list[Array], left: Array, classes: NDArray[Any]) -> list[Tested]:
    rows = np.arange(len(left))
    priors = left / left.sum(axis=1, keepdims=True)
    return [
        tested_shares(each, rows.astype(np.int64), rows.astype(np.int32), priors, classes) for each in shares
    ]


def _check_left(model: Any, settings: list[Setting], left: Array) -> None:
    k, least = max(k for k, _ in settings), float(left.sum(axis=1).min())
    if model.fewer_rows == "refuse" and k > least * (1.0 + 1e-12):
        raise ValueError(
            f"n_neighbors={k} is more than the {least:g} training rows that are left without the tested one; give at "
            f"most {int(least)}, or more rows."
        )


def tested_shares(
    shares: Array,
    rows: NDArray[np.int64] | None,
    split: NDArray[np.int32],
    priors: Array,
    classes: NDArray[Any],
) -> Tested:
    """Class shares (M, K) of tested pairs as their scores."""
    predicted = shares.argmax(axis=1).astype(np.int32)
    with np.errstate(divide="ignore"):
        scores = np.log(shares)
    return Tested(rows, split, scores, predicted, priors, absences(priors, classes))
