"""Models solved from moments: one pass collects those of all features, and every subset is solved from its part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assay.models.base import clone
from assay.models.sharing import Chain, Tested
from assay.models.sharing.chain import Background
from assay.models.sharing.folds import Scorer, cells_of, check_classes
from assay.models.validation import TrainingData
from assay.numerics.blas import single_threaded
from assay.selection.evaluation import Evaluation
from assay.selection.features.layout import Pairs
from assay.selection.features.task import Array, Chosen, Figure, Task
from assay.sharing.forms import Pairs as FormPairs
from assay.statistics import Moments
from assay.statistics.solve_diagnostics import absences


@dataclass(frozen=True)
class Trained:
    """Checked rows, the tested pairs, and the moments of every training part."""

    data: TrainingData
    pairs: Pairs
    moments: Moments

    @classmethod
    def of(cls, task: Task, data: TrainingData, model: Any) -> Trained:
        chain, parts = Chain((), model), []
        for partition in task.partitions:
            cells = cells_of([chain], data, partition, model.moments_form, None, task.n_jobs)
            parts.append(cells.complement(partition.n_folds).in_rows())
            check_classes(parts[-1].weight, data.classes)
        moments = parts[0] if len(parts) == 1 else _stacked(parts)
        return cls(data, Pairs.of(task.partitions), moments)


def _stacked(parts: list[Moments]) -> Moments:
    """Groups of several moments, one after the other."""
    arrays = [part.arrays() for part in parts]
    if any("present" in each for each in arrays):
        arrays = [
            {**each, "present": part.feature_weight()} for each, part in zip(arrays, parts, strict=True)
        ]
    joined: Any = {name: np.concatenate([each[name] for each in arrays]) for name in arrays[0]}
    return replace(parts[0], **joined)


class MomentsJudge:
    """Solves and scores each set of features from the moments of the training parts."""

    strategy = "statistics"

    def __init__(self, task: Task, trained: Trained) -> None:
        self.task, self.trained = task, trained
        self.model = clone(task.model)
        self.plain = task.plain and task.weight is None and trained.pairs.once
        self.count = float(len(trained.pairs.rows))

    @property
    def notes(self) -> tuple[str, ...]:
        return absences(self.trained.moments.weight, self.task.classes)

    def adding(self, chosen: Chosen, candidates: Sequence[int]) -> Array:
        return np.array([self._solved((*chosen, unit)).loss for unit in candidates])

    def dropping(self, chosen: Chosen, candidates: Sequence[int]) -> Array:
        return np.array([self._solved(tuple(u for u in chosen if u != unit)).loss for unit in candidates])

    def figure(self, chosen: Chosen, loss: float | None) -> Figure:
        if self.plain and loss is not None:
            return Figure.of_hits(self.count - round(loss * self.count), self.count)
        return self._solved(chosen)

    @property
    def _countable(self) -> bool:
        """Whether hits, or their weights, are all that counts."""
        return self.task.plain and self.trained.pairs.evenly

    def _losses(self, hits: Array) -> Array:
        weight = self.task.weight
        total = self.count if weight is None else float(weight[self.trained.pairs.rows].sum())
        return np.asarray((total - hits) / total)

    def _solved(self, chosen: Chosen) -> Figure:
        return Figure.of(self._evaluated(chosen))

    def _evaluated(self, chosen: Chosen) -> Evaluation:
        """The evaluation of a set, solved by itself."""
        columns = self.task.units.columns_of(chosen)
        data, pairs = self.trained.data, self.trained.pairs
        part = TrainingData(data.X[:, columns], data.codes, data.classes, data.weight)
        moments = self.trained.moments.select(columns)
        with single_threaded():
            form = self.model.solve_moments(moments)
        assert form.trouble is not None
        scorer = Scorer([Chain((), self.model)], [(form, form.trouble)], part, Background(moments))
        (tested,) = scorer.tested(pairs.rows, FormPairs(pairs.rows, pairs.split), self.task.n_jobs)
        return self._evaluation(tested)

    def _evaluation(self, tested: Tested) -> Evaluation:
        from assay.decision import LossMatrix

        task = self.task
        return Evaluation(
            name=type(self.model).__name__,
            classes=task.classes,
            codes=task.codes,
            weight=task.weight,
            tested=tested,
            probabilistic=self.model.probabilistic,
            n_splits=self.trained.pairs.n_splits,
            strategy=self.strategy,
            seconds=0.0,
            plan=task.plan,
            loss=None if task.loss is None else LossMatrix.of(task.loss, task.classes),
        )
