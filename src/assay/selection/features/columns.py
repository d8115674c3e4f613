r"""Columns that are independent given the class: what each says of a row is its score under a model of it alone.

    s_k(x) = ln P_k + Σ_j e_kj(x_j)

So one count pass per column gives e for all rows and folds, and sets of columns are sums.
"""

from __future__ import annotations

import numpy as np

from assay.decision.priors import log_priors
from assay.engines.local import memory_limit
from assay.models.base import clone
from assay.models.mixed.classifier import MixedNB
from assay.models.mixed.parts import GaussianPart, parts_for
from assay.models.naive_bayes.categorical import CategoricalNB
from assay.models.normal import alike
from assay.models.sharing.counts import Labels, training_counts, training_weights
from assay.numerics.blas import single_threaded
from assay.selection.features.refits import on_columns
from assay.selection.features.summed import SummedJudge, Sums
from assay.selection.features.task import Array, Chosen, Task
from assay.statistics.solve_diagnostics import absences


def columns_judge(task: Task) -> ColumnsJudge | None:
    """The judge of a model of independent columns; None where its columns do not simply add up."""
    model = task.model
    if not isinstance(model, CategoricalNB | MixedNB) or _needs(task) > memory_limit():
        return None
    model._check_params()
    if not model.smoothing > 0 or (isinstance(model, MixedNB) and _borrows(task)):
        return None
    return ColumnsJudge(task)


def _needs(task: Task) -> int:
    """Memory of what all columns say."""
    tested = sum(int((part.fold >= 0).sum()) for part in task.partitions)
    return 8 * tested * (len(task.classes) - 1) * len(task.units)


def _borrows(task: Task) -> bool:
    """Whether a class has one number in all rows of a training part: its variance there depends on the set."""
    reader = clone(task.model).read_counts()
    rows, keys = reader.read(task.X)
    for partition in task.partitions:
        labels = Labels(task.codes, task.classes, task.weight)
        cells = training_counts(reader, rows, keys, labels, partition)
        for part, train in zip(parts_for(keys.kinds), cells.parts, strict=True):
            if isinstance(part, GaussianPart):
                if (alike(train) & (train.weight > 0)[..., None]).any():
                    return True
    return False


class ColumnsJudge(SummedJudge):
    """Categorical naive Bayes, and mixed naive Bayes of columns of every kind."""

    def __init__(self, task: Task) -> None:
        labels = Labels(task.codes, task.classes, task.weight)
        weight = np.concatenate([training_weights(labels, part) for part in task.partitions])
        super().__init__(task, log_priors(task.model.priors, weight), absences(weight, task.classes))
        self._absent = weight[self.contests.pairs.split] == 0
        with single_threaded():
            self._said = [
                self.contests.of_scores(self._alone(unit, labels)) for unit in range(len(task.units))
            ]

    def _alone(self, unit: int, labels: Labels) -> Array:
        """Scores of the tested rows by a unit alone, under equal priors, (M, K)."""
        task, parts = self.task, []
        model, X = on_columns(task.model, task.X, task.units.columns_of([unit]))
        model.set_params(priors="uniform")
        reader = model.read_counts()
        rows, keys = reader.read(X)
        for partition in task.partitions:
            train = training_counts(reader, rows, keys, labels, partition)
            fold = np.maximum(partition.fold, np.int32(0))
            scores = model.solve_counts(train, keys).scores(rows, fold, task.n_jobs)
            parts.append(scores[partition.fold >= 0])
        return np.where(self._absent, 0.0, np.concatenate(parts))

    def _sums(self, unit: int) -> Sums:
        said = self._said[unit]
        return (said != 0).any(axis=0).astype(np.float64), said

    def _margins(self, chosen: Chosen, sums: Sums) -> Array:
        return sums[1]
