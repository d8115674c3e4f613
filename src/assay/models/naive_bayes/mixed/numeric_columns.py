"""Scores of columns of numbers, normal given the class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.models.base.validation import explain_rows
from assay.notes import Note
from assay.sharing.forms import ModelPairs, ScoreForm
from assay.types import Array, ColumnNames


@dataclass(frozen=True)
class GaussianForm:
    """Normal densities of M training sets."""

    form: ScoreForm
    names: ColumnNames

    def scores(self, rows: Array, model: NDArray[np.int32] | None, threads: int) -> Array:
        """Joint log likelihoods under equal priors, (N, K)."""
        models = None if model is None else np.ascontiguousarray(model)
        return usable(self.form.scores(rows, ModelPairs(None, models), threads=threads), rows, self.names)


def usable(scores: Array, rows: Array, names: ColumnNames) -> Array:
    """Scores of rows none of which is infinitely far from every class: no other column could make up for that."""
    if not (scores > -np.inf).any(axis=1).all():
        error = explain_rows(names, rows, missing_allowed=True)
        raise error or ValueError(Note("M012"))
    return scores
