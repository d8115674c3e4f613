"""Linear models solved by passes over the rows: all training sets and all penalties together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.engines.local import thread_count
from assay.models.base.class_weight import among_known, weighted
from assay.models.base.estimators import clone
from assay.models.base.linear_boundary import LinearScores
from assay.models.base.sparse import is_sparse, sparse_center, sparse_deviations
from assay.models.base.validation import (
    TrainingData,
    check_moments,
    check_sparse,
    check_training,
    check_two_classes,
    feature_names,
)
from assay.notes import Note
from assay.numerics.value_key import value_key
from assay.sharing.path.standard import ColumnScaling, spread_classes
from assay.solvers.parts import Parts
from assay.solvers.passes import Passes
from assay.solvers.result import PathSolution
from assay.statistics import Form, collect
from assay.types import Array, ClassWeights, Floats, Labels


class PathClassifier(LinearScores):
    """A linear classifier whose training parts and penalties can be solved together."""

    missing_ok: ClassVar[bool] = False
    penalties: ClassVar[tuple[str, ...]] = ("l2",)  # in which models that are solved together may differ
    l2: float
    class_weight: ClassWeights
    start: ArrayLike | None

    @property
    def moments_form(self) -> Form:
        """The moments that standardising needs."""
        return "diagonal"

    def solve_parts(self, passes: Passes, parts: Parts, n_classes: int, *penalties: Array) -> PathSolution:
        """Solutions of every part for every setting; penalties come in the order in which they are named."""
        raise NotImplementedError

    def fit_path(
        self, X: Floats, y: Labels, sample_weight: Array | None, models: Sequence[Self]
    ) -> list[Self]:
        """Models that differ from this one in penalties alone, fitted to the same rows in one go; nothing is reported.

        Of compressed rows: each training set has its own, as the steps before the model weigh them.
        """
        data = weighted(check_training(self, X, y, sample_weight), self.class_weight)
        check_two_classes(data)
        problem, known = among_known(data)
        penalties = np.array([model._penalties() for model in models]).T
        standard = standardised(data)
        with passes_of(standard, problem) as passes:
            path = self.solve_parts(passes, standard.one_part(), problem.n_classes, *penalties)
        fitted = [clone(model) for model in models]
        for at, model in enumerate(fitted):
            model.n_features_in_ = self.n_features_in_
            model._keep(data, standard, path.B[min(at, len(path.B) - 1)], known)
        return fitted

    def path_note(self) -> Note | None:
        """Why no pass serves several training parts; None: it does."""
        return None if self.start is None else Note("S007", type(self).__name__)

    def _start(self, data: TrainingData, known: NDArray[np.intp]) -> Array | None:
        """The weights to begin with, checked: (C, D+1) in the units of the columns, of the classes that have rows."""
        if self.start is None:
            return None
        wanted = (1 if data.n_classes == 2 else data.n_classes, data.X.shape[1] + 1)
        try:
            start = np.array(self.start, dtype=np.float64)
        except (TypeError, ValueError):
            start = np.empty(0)
        owner = type(self).__name__
        if start.shape != wanted:
            raise ValueError(
                Note(
                    "M025",
                    owner=owner,
                    shape=start.shape,
                    n_classes=data.n_classes,
                    n_columns=wanted[1] - 1,
                    wanted=wanted,
                )
            )
        if not np.isfinite(start).all():
            row, column = (int(i) for i in np.argwhere(~np.isfinite(start))[0])
            raise ValueError(Note("M026", owner=owner, start=start[row, column], row=row, column=column))
        if len(start) == 1:
            return start
        return start[known[1:]] - start[known[:1]] if len(known) == 2 else start[known]

    def _alike(self) -> tuple[object, ...]:
        """What models must have in common to be solved together: all but the penalties."""
        values = self.get_params(deep=False)
        shared = [(name, value_key(value)) for name, value in values.items() if name not in self.penalties]
        return (type(self), *shared)

    def _penalties(self) -> tuple[float, ...]:
        return tuple(float(getattr(self, name)) for name in self.penalties)

    def _keep(self, data: TrainingData, standard: ColumnScaling, B: Array, known: NDArray[np.intp]) -> None:
        """The solution B (1, C, P+1) among the classes that have rows as scores about the columns' centres."""
        self.classes_ = data.classes
        counts = np.bincount(data.codes, data.weight, data.n_classes)
        self.class_prior_ = counts / counts.sum()
        self._keep_form(standard.form(spread_classes(B, known, data.n_classes)))

    def _names(self) -> list[str]:
        names = feature_names(self, np.arange(self.n_features_in_))
        return [str(name) for name in names]


def passes_of(standard: ColumnScaling, data: TrainingData) -> Passes:
    """Passes over all rows as one fold."""
    everyone = np.zeros(len(data.codes), dtype=np.int32)
    threads = thread_count()
    return Passes(standard.rows(data.X, threads), data.codes, data.weight, everyone, 1, threads)


def standardised(data: TrainingData) -> ColumnScaling:
    """Centre and scale of the rows that count, from one pass that also finds values no model can use.

    Sparse columns are scaled by their root mean square and not centred: their zeros stay zeros.
    """
    if is_sparse(data.X):
        check_sparse(data.X, data.names)
        return ColumnScaling.about(sparse_center(data.X), sparse_deviations(data.X, data.weight))
    m = collect(
        data.X,
        np.zeros(len(data.codes), dtype=np.int32),
        1,
        form="diagonal",
        weight=data.weight,
        threads=thread_count(),
    )
    check_moments(m, data.X, data.names)
    return ColumnScaling.of(m[None])
