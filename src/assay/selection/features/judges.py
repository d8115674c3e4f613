"""Who judges the sets of features of a model: the cheapest way that is exact for it."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.engines.local import memory_limit
from assay.models.base import Model
from assay.models.gaussian.classifier import GaussianClassifier
from assay.models.linear.least_squares import LeastSquaresClassifier
from assay.models.naive_bayes.gaussian import GaussianNB
from assay.models.statistical import StatisticsClassifier
from assay.models.validation import TrainingData, check_rows, explain_rows
from assay.selection.features.columns import columns_judge
from assay.selection.features.from_moments import MomentsJudge, Trained
from assay.selection.features.layout import Pairs, SortedRows
from assay.selection.features.linear import LinearJudge
from assay.selection.features.near import NearJudge
from assay.selection.features.reduced import reduced
from assay.selection.features.refits import RefitJudge
from assay.selection.features.sums import SumsJudge
from assay.selection.features.task import Judge, Task
from assay.selection.features.words import words_judge
from assay.sharing.overrides import overrides
from assay.statistics import cells_bytes


def judge_of(task: Task) -> Judge:
    """The judge of a task."""
    bare = reduced(task) if task.partitions and overrides(task.model) is None else None
    return (None if bare is None else _quick(bare)) or RefitJudge(task)


def _quick(task: Task) -> Judge | None:
    """The judge of a model that need not be refitted."""
    if (counted := columns_judge(task) or words_judge(task)) is not None:
        return counted
    return _of_numbers(task) if isinstance(task.X, np.ndarray) and task.X.dtype.kind == "f" else None


def _of_numbers(task: Task) -> Judge | None:
    """The judge of a model on numbers that need not be refitted."""
    model = task.model
    if NearJudge.suits(task):
        data = _checked(task)
        if error := explain_rows(data.names, data.X):
            raise error
        model._check_params()
        return NearJudge(task, data)
    if not isinstance(model, StatisticsClassifier) or _needs(task) > memory_limit():
        return None
    model._check_params()
    trained = Trained.of(task, _checked(task), model)
    return _suited(model)(task, trained)


def _suited(model: Any) -> type[MomentsJudge]:
    if isinstance(model, GaussianNB):
        return SumsJudge
    if isinstance(model, LeastSquaresClassifier):
        return LinearJudge
    if isinstance(model, GaussianClassifier) and model.shrinkage == 0.0:
        if model._structure == "diagonal":
            return SumsJudge
        if model._structure == "full" and model._own == 0.0:
            return LinearJudge
    return MomentsJudge


def _checked(task: Task) -> TrainingData:
    names = task.units.column_names
    rows = check_rows(Model(), task.X, reset=True)
    return TrainingData(rows, task.codes, task.classes, task.weight, None if names is None else list(names))


def _needs(task: Task) -> int:
    """Memory for the moments of the training parts and for the rows in the order of a search."""
    splits, width = sum(part.n_folds for part in task.partitions), task.X.shape[1]
    data = TrainingData(task.X, task.codes, task.classes, task.weight)
    cells = 4 * cells_bytes(task.model.moments_form, splits + 1, len(task.classes), width)
    return cells + SortedRows.bytes(Pairs.of(task.partitions), data)
