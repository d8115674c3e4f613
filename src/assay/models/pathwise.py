"""Linear models solved by passes over the rows: all folds and all penalties together.

Columns are standardised inside, z = (x - center) / scale, so that units cost no digits and no steps. A penalty on the
weights w by x is one on the weights u = scale w by z, divided by scale².
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from assay.engines.local import thread_count
from assay.models.linear_geometry import LinearScores
from assay.models.normal import deviations
from assay.models.sparse import is_sparse, sparse_center, sparse_deviations
from assay.models.validation import TrainingData, check_moments, check_sparse, feature_names
from assay.sharing.forms import Linear
from assay.sharing.value_key import value_key
from assay.solvers.logistic_objective import ABSENT
from assay.solvers.parts import Parts
from assay.solvers.passes import Passes
from assay.solvers.result import PathSolution
from assay.solvers.rows import DenseRows, Rows, SparseRows
from assay.statistics import Filling, Form, Moments, collect
from assay.statistics.solve_diagnostics import constant_sentence

Array = NDArray[np.float64]


class PathClassifier(LinearScores):
    """A linear classifier whose training parts and penalties can be solved together."""

    missing_ok: ClassVar[bool] = False
    penalties: ClassVar[tuple[str, ...]] = (
        "l2",
    )  # parameters in which models that are solved together may differ
    l2: float
    class_weight: Any
    start: Any

    @property
    def moments_form(self) -> Form:
        """The moments that standardising needs."""
        return "diagonal"

    def _solve_parts(self, passes: Passes, parts: Parts, n_classes: int, l2: Array) -> PathSolution:
        """Solutions of every part for every setting; a model with more penalties takes them in their order."""
        raise NotImplementedError

    def _can_share(self) -> bool:
        """Whether one pass serves several training parts; balanced classes are weighted anew in each."""
        return not isinstance(self.class_weight, str) and self.start is None

    def _start(self, data: TrainingData) -> Array | None:
        """The weights to begin with, checked: (C, D+1) in the units of the columns, the intercept last."""
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
                f"{owner}(start=...) has shape {start.shape}; {data.n_classes} classes and {wanted[1] - 1} columns "
                f"need {wanted}: in each row the weights of the columns, then the intercept."
            )
        if not np.isfinite(start).all():
            row, column = (int(i) for i in np.argwhere(~np.isfinite(start))[0])
            raise ValueError(
                f"{owner}(start=...) holds {start[row, column]} in row {row}, column {column}; give finite numbers."
            )
        return start

    def _alike(self) -> tuple[Any, ...]:
        """What models must have in common to be solved together: all but the penalties."""
        values = self.get_params(deep=False)
        shared = [(name, value_key(value)) for name, value in values.items() if name not in self.penalties]
        return (type(self), *shared)

    def _penalties(self) -> tuple[float, ...]:
        return tuple(float(getattr(self, name)) for name in self.penalties)

    def _keep(self, data: TrainingData, standard: Standard, B: Array) -> None:
        """The solution B (1, C, P+1) as scores about the columns' centres."""
        self.classes_ = data.classes
        counts = np.bincount(data.codes, data.weight, data.n_classes)
        self.class_prior_ = counts / counts.sum()
        self._keep_form(standard.form(B))

    def _names(self) -> list[str]:
        names = feature_names(self, np.arange(self.n_features_in_))
        return [str(name) for name in names]


@dataclass(frozen=True)
class Standard:
    """The centre and scale of each column; columns that never vary have scale 1 and are left out."""

    center: Array
    scale: Array
    active: NDArray[np.bool_]

    @classmethod
    def of(cls, m: Moments) -> Standard:
        """From moments of one group or more: their mean centre and scale, which only has to be near each."""
        origin, offset, _ = m.overall()
        return cls.about((origin + offset).mean(axis=0), np.sqrt((deviations(m) ** 2).mean(axis=0)))

    @classmethod
    def about(cls, center: Array, deviation: Array) -> Standard:
        active = deviation > 0
        return cls(center, np.where(active, deviation, 1.0), active)

    @property
    def unit(self) -> Array:
        return np.where(self.active, 1.0 / self.scale, 0.0)

    def one_part(self) -> Parts:
        """All rows as a single part."""
        everyone = np.ones((1, 1))
        return Parts(everyone, (1.0 / self.scale**2)[None], self.active[None])

    def rows(self, X: Any, filling: Filling | None = None) -> Rows:
        """The table as blocks of standardised rows."""
        if is_sparse(X):
            return SparseRows(X, self.unit, thread_count())
        fill, flags = (None, None) if filling is None else (filling.values, filling.indicators)
        return DenseRows(X, self.center, self.unit, fill, flags)

    def passes(self, data: TrainingData) -> Passes:
        """Passes over all rows as one fold."""
        everyone = np.zeros(len(data.codes), dtype=np.int32)
        return Passes(self.rows(data.X), data.codes, data.weight, everyone, 1, thread_count())

    def of_columns(self, weights: Array) -> Array:
        """Weights (C, P+1) by z of the scores that these weights (C, P+1) by x give."""
        by_row = np.where(self.active, weights[:, :-1] * self.scale, 0.0)
        return np.column_stack([by_row, weights[:, -1] + weights[:, :-1] @ self.center])

    def form(self, B: Array) -> Linear:
        """Scores of G models B (G, C, P+1), given by z, as functions of x; two classes have scores ∓f/2."""
        if B.shape[1] == 1:
            B = np.concatenate([-0.5 * B, 0.5 * B], axis=1)
        bias = np.where(B[..., -1] <= ABSENT / 2, -np.inf, B[..., -1])
        return Linear(np.repeat(self.center[None], len(B), axis=0), B[..., :-1] * self.unit, bias)

    def sentences(self, names: Sequence[str]) -> tuple[str, ...]:
        """Which columns were left out."""
        return constant_sentence([name for name, used in zip(names, self.active, strict=True) if not used])


def standardised(data: TrainingData) -> Standard:
    """Centre and scale of the rows that count, from one pass that also finds values no model can use.

    Sparse columns are scaled by their root mean square and not centred: their zeros stay zeros.
    """
    if is_sparse(data.X):
        check_sparse(data.X, data.names)
        return Standard.about(sparse_center(data.X), sparse_deviations(data.X, data.weight))
    m = collect(data.X, np.zeros(len(data.codes), dtype=np.int32), 1, form="diagonal", weight=data.weight)
    check_moments(m, data.X, data.names)
    return Standard.of(m[None])
