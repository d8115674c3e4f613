r"""Nearest neighbours: (squared) distances are sums over features, d(x, z) = Σ_j |x_j - z_j|^p.

For every tested row the sum over the chosen features is made once, each candidate adds its term, and the nearest rows
vote; going back, the terms before and behind the feature left out are added.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.engines.local import thread_count
from assay.models.neighbors.classifier import KNeighborsClassifier
from assay.models.sharing.folds import check_classes
from assay.models.validation import TrainingData
from assay.selection.features.layout import listed
from assay.selection.features.refits import RefitJudge
from assay.selection.features.task import Array, Chosen, Figure, Task


@dataclass(frozen=True)
class _Split:
    train: Array  # (D, rows)
    test: Array
    train_codes: NDArray[np.int32]
    test_codes: NDArray[np.int32]


class NearJudge(RefitJudge):
    """k nearest neighbours by Euclidean or Manhattan distance, rows without weights."""

    shared = "sums of distances"

    def __init__(self, task: Task, data: TrainingData) -> None:
        super().__init__(task)
        assert isinstance(task.model, KNeighborsClassifier)
        self.splits = [
            _split(data, partition.train_rows(f), partition.test_rows(f))
            for partition in task.partitions
            for f in range(partition.n_folds)
        ]
        counts = [np.bincount(split.train_codes, minlength=data.n_classes) for split in self.splits]
        check_classes(np.array(counts), data.classes)
        self.count = sum(len(split.test_codes) for split in self.splits)

    @staticmethod
    def suits(task: Task) -> bool:
        """Whether sums over features are all that this model and these rows need."""
        model = task.model
        if not isinstance(model, KNeighborsClassifier) or task.weight is not None or not task.plain:
            return False
        if model.metric not in ("euclidean", "manhattan") or len(task.partitions) != 1:
            return False
        partition = task.partitions[0]
        least = min(len(partition.train_rows(f)) for f in range(partition.n_folds))
        return bool(model.n_neighbors <= least)

    def adding(self, chosen: Chosen, candidates: Sequence[int]) -> Array:
        return self._losses(chosen, candidates, False)

    def dropping(self, chosen: Chosen, candidates: Sequence[int]) -> Array:
        tried = set(candidates)
        return self._losses([unit for unit in chosen if unit not in tried], candidates, True)

    def figure(self, chosen: Chosen, loss: float | None) -> Figure:
        loss = float(self._losses((), [chosen], False)[0]) if loss is None else loss
        return Figure.of_hits(self.count - round(loss * self.count), float(self.count))

    def _losses(self, base: Sequence[int], units: Sequence[int | Chosen], without: bool) -> Array:
        """Losses of the base with each unit (without: with all but one); a unit may be a whole set."""
        model, of = self.task.model, self.task.units
        _, first = listed([of.columns[unit] for unit in base])
        sets = [unit if isinstance(unit, tuple) else (unit,) for unit in units]
        start, columns = listed([of.columns_of(each).astype(np.int32) for each in sets])
        hits = np.zeros(len(units), dtype=np.int64)
        for split in self.splits:
            found = np.empty(len(units), dtype=np.int64)
            _core.try_neighbors(
                split.train, split.test, split.train_codes, split.test_codes, model.n_neighbors,
                len(self.task.classes), model.metric == "euclidean", model.weights == "distance",
                first, start, columns, without, thread_count(self.task.n_jobs), found,
            )  # fmt: skip
            hits += found
        return np.asarray((self.count - hits) / self.count)


def _split(data: TrainingData, train: NDArray[np.intp], test: NDArray[np.intp]) -> _Split:
    def columns(rows: NDArray[np.intp]) -> Array:
        return np.ascontiguousarray(data.X[rows].T, dtype=np.float64)

    return _Split(columns(train), columns(test), data.codes[train], data.codes[test])
