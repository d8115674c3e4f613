r"""Bernoulli naive Bayes of columns with two values, some of which may be missing.

    p_kj = (c_kj + a) / (n_kj + 2a)

c_kj counts the rows of class k with the second value in column j, n_kj those with either. Without gaps it is
`BernoulliNB`; with them a column is left out of the product where it has no value. It is categorical naive Bayes whose
two levels are known beforehand.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from assay.engines.local import thread_count
from assay.models.base.category_codes import MISSING, Levels
from assay.models.base.column_notes import column_keys
from assay.models.base.params import PRIORS, Param
from assay.models.base.stored import FROM_COUNTS, Field
from assay.models.base.validation import check_rows, check_targets, explain_rows, feature_names
from assay.models.naive_bayes.base import SMOOTHING, Learned
from assay.models.naive_bayes.categorical import CategoricalNB
from assay.models.naive_bayes.category_codes import LevelReader
from assay.notes import Note
from assay.statistics import Counts, count_levels
from assay.types import Array, Codes, MatrixLike, PriorsLike, RowWeights

BOTH = np.arange(2)


class BinaryNB(CategoricalNB):
    """Bernoulli naive Bayes of a table of numbers: larger than 0 or not, NaN for missing.

    Examples
    --------
    >>> X = [[1, 1], [1, float("nan")], [0, 1], [0, 0]]
    >>> BinaryNB().fit(X, ["a", "a", "b", "b"]).predict_proba([[1, float("nan")]]).round(3).tolist()
    [[0.75, 0.25]]
    """

    params: ClassVar[tuple[Param, ...]] = (SMOOTHING, PRIORS)
    solved_from: ClassVar[tuple[Field, ...]] = FROM_COUNTS
    closed = True
    unseen = "ignore"
    flags = None

    def __init__(self, *, smoothing: float = 1.0, priors: PriorsLike = "ml") -> None:
        self.smoothing = smoothing
        self.priors = priors

    def _codes(self, X: MatrixLike, *, reset: bool) -> Codes:
        """0, 1 or missing, (D, N)."""
        rows = check_rows(self, X, reset=reset)
        error = explain_rows(feature_names(self), rows, missing_allowed=True)
        if error is not None:
            raise error
        return np.ascontiguousarray(np.where(np.isnan(rows), MISSING, rows > 0).astype(np.int32).T)

    def _nearest_rows(self, rows: Array) -> Array:
        return rows

    def _read(self, X: MatrixLike) -> Codes:
        return self._codes(X, reset=False)

    def _find(self, X: MatrixLike) -> tuple[Codes, Levels]:
        codes = self._codes(X, reset=True)
        return codes, (BOTH,) * len(codes)

    def _known(self, X: MatrixLike, levels: Levels) -> Codes:
        return self._codes(X, reset=True)

    def _reader(self) -> LevelReader:
        return LevelReader(self, "two levels")

    def _count(self, X: MatrixLike, y: ArrayLike, sample_weight: RowWeights, *, reset: bool) -> Learned:
        codes = self._codes(X, reset=reset)
        classes, names, weight = check_targets(y, sample_weight, codes.shape[1])
        return Learned(
            names,
            count_levels(
                codes.T, classes, len(names), [2] * len(codes), weight=weight, threads=thread_count()
            ),
        )

    def _learned(self) -> Learned:
        return Learned(self.classes_, self.statistics_)

    def _n_counted(self) -> int:
        return 2 * self.n_features_in_

    def _possible(self, counts: Counts) -> bool:
        columns = counts.counts.reshape(len(counts.weight), -1, 2).sum(axis=-1)
        return bool((columns <= counts.weight[:, None] * (1.0 + 1e-9)).all())

    def _solve(self, seen: Learned) -> None:
        super()._solve(replace(seen, levels=(BOTH,) * self.n_features_in_))

    def _difficulties(self, labels: list[str]) -> tuple[Note, ...]:
        keys = column_keys(self)
        shown = (self.statistics_.counts.sum(axis=0).reshape(-1, 2) > 0).sum(axis=1)
        alone = tuple(keys[j] for j in np.flatnonzero(shown < 2))
        return (Note("M413", columns=alone),) if alone else ()
