"""What a network is fitted to: rows that count, standardised; and notes about the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.engines.local import memory_limit, thread_count
from assay.models.base.class_weight import weighted
from assay.models.base.validation import TrainingData, check_moments, check_several, check_training
from assay.notes import Note
from assay.solvers.standard_rows import StandardRows
from assay.statistics import collect
from assay.statistics.solve_diagnostics import ColumnKey, no_difficulties
from assay.types import Array, ClassWeights, Estimator, MatrixLike, RowWeights


@dataclass(frozen=True)
class Inputs:
    """Checked rows of positive weight, and how their columns are standardised."""

    data: TrainingData
    center: Array
    scale: Array  # 1 for constant columns
    active: NDArray[np.bool_]
    shares: Array  # of each class in the total weight

    @property
    def weight(self) -> Array | None:
        """Weights of mean 1; None where all are one."""
        w = self.data.weight
        return None if w is None else w / w.mean()

    def rows(self, unit: Array, dtype: Any, *, limit: float = np.inf, compiled: bool = False) -> StandardRows:
        """The columns that vary, times `unit` (D,) about their center and drawn in towards ±limit.

        They are kept standardised where memory allows, unless compiled code reads them and can do it on its way, or
        from their filled entries.
        """
        used, kind = np.flatnonzero(self.active), np.dtype(dtype)
        rows = StandardRows(self.data.X, used, self.center[used], unit[used], kind, limit=limit)
        if compiled:
            rows = rows.sparsely()
            if rows.filled is not None or rows.source is not None:
                return rows
        return rows.kept() if rows.copy_bytes <= memory_limit() else rows

    def notes(self, columns: Sequence[ColumnKey]) -> tuple[Note, ...]:
        """What was left out."""
        clean = no_difficulties(1, len(self.shares), len(self.center))
        diagnostics = replace(clean, constant=~self.active[None], unseen=self.shares[None] == 0)
        return diagnostics.notes(0, self.data.classes, columns, ())


def network_inputs(
    estimator: Estimator, X: MatrixLike, y: ArrayLike, sample_weight: RowWeights, class_weight: ClassWeights
) -> Inputs:
    """Check the input of a fit, drop rows of weight 0 and find center and scale of the columns."""
    data = weighted(check_training(estimator, X, y, sample_weight), class_weight)
    check_several(data.classes)
    if data.weight is not None and not data.weight.all():
        counts = data.weight > 0
        data = replace(data, X=data.X[counts], codes=data.codes[counts], weight=data.weight[counts])
    totals = np.bincount(data.codes, data.weight, data.n_classes)
    everyone = np.zeros(len(data.codes), dtype=np.int32)
    m = collect(data.X, everyone, 1, form="diagonal", weight=data.weight, threads=thread_count())
    check_moments(m, data.X, data.names)
    center, deviation = m.mean[0], np.sqrt(m.scatter[0] / m.weight[0])
    # Rounding leaves a constant column with a deviation of a few last places.
    active = deviation > 1e-14 * np.abs(center)
    return Inputs(data, center, np.where(active, deviation, 1.0), active, totals / totals.sum())
