"""The arrays of moments: cells in one of three forms of scatter, and what is read off them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, Self, TypeVar

import numpy as np

from assay.notes import Note
from assay.numerics.blas import single_threaded
from assay.types import Array, Which

Form = Literal["diagonal", "pooled", "full"]


@dataclass(frozen=True)
class MomentArrays:
    """Weight, mean and scatter of cells; :class:`assay.statistics.Moments` describes them."""

    form: Form
    weight: Array
    rows: Array
    center: Array
    offset: Array
    scatter: Array
    present: Array | None = None
    importance: bool = False

    @property
    def n_classes(self) -> int:
        return int(self.weight.shape[-1])

    @property
    def n_features(self) -> int:
        return int(self.center.shape[-1])

    @property
    def mean(self) -> Array:
        """Mean of every cell, (..., K, D)."""
        return self.center + self.offset

    def __getitem__(self, index: Which) -> Self:
        """Some of the groups: indexes the first axis."""
        return self._map(lambda values: values[index])

    def _map(self, change: Callable[[Array], Array]) -> Self:
        return self.with_arrays({name: change(array) for name, array in self.arrays().items()})

    def with_arrays(self, arrays: Mapping[str, Array]) -> Self:
        """The same with these arrays in place of its own."""
        fields: dict[str, Any] = {**vars(self), **arrays}
        return type(self)(**fields)

    def feature_weight(self) -> Array:
        """Weight behind each mean, (..., K, D)."""
        if self.present is not None:
            return self.present
        return np.broadcast_to(self.weight[..., None], self.center.shape)

    def diagonal(self) -> Self:
        """The diagonal form of full moments."""
        if self.form == "diagonal":
            return self
        if self.form == "pooled":
            raise ValueError(Note("N036"))
        return replace(self, form="diagonal", scatter=diag(self.scatter))

    def within_diagonal(self) -> Array:
        """Sum of squares about the class means, per feature, (..., D)."""
        if self.form == "diagonal":
            return np.asarray(self.scatter.sum(axis=-2))
        scatter = self.scatter if self.form == "pooled" else self.scatter.sum(axis=-3)
        return diag(scatter)

    def class_diagonal(self) -> Array:
        """Sum of squares about the class mean, per class and feature, (..., K, D)."""
        return np.asarray(self.diagonal().scatter)

    def arrays(self) -> dict[str, Array]:
        """The arrays by name."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if isinstance(value, np.ndarray)}


Cells = TypeVar("Cells", bound=MomentArrays)


def gram(rows: Array) -> Array:
    """rowsᵀ rows, (..., D, D); a threaded product of matrices would change bits with its thread count."""
    with single_threaded():
        return np.asarray(np.swapaxes(rows, -1, -2) @ rows)


def diag(matrices: Array) -> Array:
    return np.diagonal(matrices, axis1=-2, axis2=-1)


def spread_of(form: Form, weight: Array, delta: Array) -> Array:
    """weight · δ δᵀ in the shape of the form's scatter; weight and δ are (..., K, D)."""
    if form == "diagonal":
        return weight * delta**2
    left = np.sqrt(weight) * delta  # the same weight for every feature of a cell
    if form == "pooled":
        return gram(left)
    return left[..., :, None] * left[..., None, :]
