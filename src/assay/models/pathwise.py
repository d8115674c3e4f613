"""Linear models solved by passes over the rows: all folds and all penalties together.

Columns are standardised inside, z = (x - center) / scale, so that units cost no digits and no steps. A penalty on the
weights w by x is one on the weights u = scale w by z, divided by scale².
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from assay.models.base import Classifier
from assay.models.forms import Linear
from assay.models.normal import deviations
from assay.models.validation import TrainingData, check_moments
from assay.solvers.logistic_objective import ABSENT
from assay.solvers.parts import Parts
from assay.solvers.passes import Passes
from assay.solvers.result import PathSolution
from assay.solvers.rows import DenseRows
from assay.statistics import Filling, Form, Moments, collect

Array = NDArray[np.float64]


class PathClassifier(Classifier):
    """A linear classifier whose training parts and penalties can be solved together."""

    missing_ok: ClassVar[bool] = False
    l2: float
    class_weight: Any

    def _form(self) -> Form:
        """The moments that standardising needs."""
        return "diagonal"

    def _solve_parts(self, passes: Passes, parts: Parts, n_classes: int, l2: Array) -> PathSolution:
        """Solutions of every part for every penalty."""
        raise NotImplementedError

    def _can_share(self) -> bool:
        """Whether one pass serves several training parts; balanced classes are weighted anew in each."""
        return not isinstance(self.class_weight, str)

    def _alike(self) -> tuple[Any, ...]:
        """What models must have in common to be solved together: all but the penalty."""
        values = self.get_params(deep=False)
        return (type(self), *((name, repr(value)) for name, value in values.items() if name != "l2"))


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
        deviation = np.sqrt((deviations(m) ** 2).mean(axis=0))
        active = deviation > 0
        return cls((origin + offset).mean(axis=0), np.where(active, deviation, 1.0), active)

    @property
    def penalty(self) -> Array:
        return np.asarray(1.0 / self.scale**2)

    def rows(self, X: NDArray[np.floating], filling: Filling | None = None) -> DenseRows:
        """The table as blocks of standardised rows."""
        fill, flags = (None, None) if filling is None else (filling.values, filling.indicators)
        return DenseRows(X, self.center, np.where(self.active, 1.0 / self.scale, 0.0), fill, flags)

    def form(self, B: Array) -> Linear:
        """Scores of G models B (G, C, P+1), given by z, as functions of x; two classes have scores ∓f/2."""
        if B.shape[1] == 1:
            B = np.concatenate([-0.5 * B, 0.5 * B], axis=1)
        weights = B[..., :-1] * np.where(self.active, 1.0 / self.scale, 0.0)
        bias = np.where(B[..., -1] <= ABSENT / 2, -np.inf, B[..., -1])
        return Linear(np.repeat(self.center[None], len(B), axis=0), weights, bias)


def standardised(data: TrainingData) -> Standard:
    """Centre and scale of the rows that count, from one pass that also finds values no model can use."""
    m = collect(data.X, np.zeros(len(data.codes), dtype=np.int32), 1, form="diagonal", weight=data.weight)
    check_moments(m, data.X, data.names)
    return Standard.of(m[None])
