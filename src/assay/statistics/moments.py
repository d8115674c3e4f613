r"""Moments: weight, mean and scatter of every (group, class) cell of a table, from one pass.

A cell keeps its weight n, its mean as the pair (center c, offset S/n) and its scatter about the mean,
M = Σ w (x - m)(x - m)ᵀ. Cells merge by Chan's formula,

    M = M_a + M_b + (n_a n_b / n) δ δᵀ,    δ = (c_b - c_a) + (S_b/n_b - S_a/n_a),

which adds positive terms only: merging never loses digits. Leading axes are groups (folds, replicates).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.notes import Note
from assay.statistics.combine import combine_cells, leave_one_out
from assay.statistics.downdate import take_out
from assay.statistics.moment_arrays import Form, MomentArrays, spread_of
from assay.statistics.weights import rows_of_one
from assay.types import Array, Index, Numbers


@dataclass(frozen=True)
class Moments(MomentArrays):
    """Weight, mean and scatter of cells; build them with :func:`assay.statistics.collect`.

    Attributes
    ----------
    form : {"diagonal", "pooled", "full"}
        Scatter per cell and feature, per group as a matrix over its classes, or per cell as a matrix.
    weight : (..., K)
        Sum of the weights.
    rows : (..., K)
        Number of rows with a positive weight.
    center, offset : (..., K, D)
        The mean is ``center + offset``; kept apart so that differences of means keep their digits.
    scatter : (..., K, D), (..., D, D) or (..., K, D, D)
        Weighted sum of squares and products about the cell's mean.
    present : (..., K, D) or None
        Weight of the values that are not missing, where missing ones were skipped.
    importance : bool
        Whether weights are importance weights, which `in_rows` scales to numbers of rows.

    Examples
    --------
    >>> import numpy as np
    >>> from assay.statistics import collect
    >>> X, classes = np.array([[1.0], [3.0], [5.0], [9.0]]), np.array([0, 0, 1, 1], dtype=np.int32)
    >>> folds = collect(X, classes, 2, group=np.array([0, 1, 0, 1], dtype=np.int32), n_groups=2)
    >>> folds.complement().mean.ravel().tolist()  # training means of fold 0, then of fold 1
    [3.0, 9.0, 1.0, 5.0]
    """

    def flat(self) -> Moments:
        """The first two axes as one."""
        return self._map(lambda values: values.reshape(-1, *values.shape[2:]))

    def table(self, lines: int) -> Moments:
        """The first axis as two, of which the first has so many lines: the reverse of `flat`."""
        return self._map(lambda values: values.reshape(lines, -1, *values.shape[1:]))

    def turned(self) -> Moments:
        """The first two axes exchanged."""
        return self._map(lambda values: np.swapaxes(values, 0, 1))

    # -- merging ------------------------------------------------------------------------------------------

    def merge(self, other: Moments) -> Moments:
        """Moments of both sets of rows together."""
        if self.form != other.form or self.center.shape[-2:] != other.center.shape[-2:]:
            raise ValueError(
                Note(
                    "N035",
                    form=self.form,
                    shape=self.center.shape[-2:],
                    other_form=other.form,
                    other_shape=other.center.shape[-2:],
                )
            )
        n_a, n_b = self.feature_weight(), other.feature_weight()
        n = n_a + n_b
        share = np.divide(n_b, n, out=np.zeros(n.shape), where=n > 0)  # b's part of the weight
        delta = (other.center - self.center) + (other.offset - self.offset)
        delta = np.where((n_a > 0) & (n_b > 0), delta, 0.0)
        keep = n_a >= n_b
        center = np.where(keep, self.center, other.center)
        offset = np.where(keep, self.offset + delta * share, other.offset - delta * (1.0 - share))
        return Moments(
            form=self.form,
            weight=self.weight + other.weight,
            rows=self.rows + other.rows,
            center=center,
            offset=offset,
            scatter=self.scatter + other.scatter + spread_of(self.form, n_a * share, delta),
            present=None if self.present is None and other.present is None else n,
            importance=self.importance or other.importance,
        )

    def complement(self, n_folds: int | None = None) -> Moments:
        """For each of the first `n_folds` groups, the merge of all the others (prefixes with suffixes)."""
        groups = self.weight.shape[0]
        n_folds = groups if n_folds is None else n_folds
        before = self[0]._map(np.zeros_like)
        after = [before]
        for f in range(groups - 1, 0, -1):
            after.append(self[f].merge(after[-1]))
        out = []
        for f in range(n_folds):
            out.append(before.merge(after.pop()))
            before = before.merge(self[f])
        return stack(out)

    def combined(self, copies: Numbers) -> Moments:
        """Moments of M training sets from those of C cells, of which each holds so many copies, (M, C).

        Scatter of a set = Σ_c copies scatter_c + Σ_c copies n_c δ_c δ_cᵀ, δ_c the mean of the cell less that of the
        set: two products of matrices for all sets, and no difference of large numbers.
        """
        seen = np.asarray(copies, dtype=np.float64)
        return self.complement(len(seen)) if leave_one_out(seen) else combine_cells(self, seen)

    def together(self) -> Moments:
        """All groups merged into one."""
        total = self[0]
        for f in range(1, self.weight.shape[0]):
            total = total.merge(self[f])
        return total

    def without(self, other: Moments) -> tuple[Moments, Array]:
        """These moments after the rows behind `other` left, and the relative error that taking them out caused.

        The error, (..., D), is the rounding of a sum over the rows times what variance, weight and mean lost in the
        difference: 1e-6 means that six digits are left.
        """
        return take_out(self, other)

    # -- other views --------------------------------------------------------------------------------------

    def in_rows(self) -> Moments:
        """Weights as numbers of rows: importance weights of each group are scaled to add up to its rows."""
        if not self.importance:
            return self
        factor = rows_of_one(self.weight, self.rows)[..., None]
        wide = factor[..., None]
        present = None if self.present is None else self.present * wide
        scatter = self.scatter * (wide[..., None] if self.form == "full" else wide)
        return replace(self, weight=self.weight * factor, scatter=scatter, present=present, importance=False)

    def pooled(self) -> Moments:
        """Scatter added over the classes."""
        if self.form == "full":
            return replace(self, form="pooled", scatter=self.scatter.sum(axis=-3))
        if self.form == "diagonal":
            raise ValueError(Note("N037"))
        return self

    def overall(self) -> tuple[Array, Array, Array]:
        """Over all classes: mean as (center, offset), each (..., D), and class means less that mean (..., K, D)."""
        n = self.feature_weight()
        total = n.sum(axis=-2)
        share = np.divide(n, total[..., None, :], out=np.zeros(n.shape), where=total[..., None, :] > 0)
        heaviest = np.argmax(self.weight, axis=-1)[..., None, None]
        center = np.take_along_axis(self.center, heaviest, axis=-2)
        away = np.where(n > 0, (self.center - center) + self.offset, 0.0)  # class mean less the center
        offset = (share * away).sum(axis=-2)
        return center[..., 0, :], offset, np.where(n > 0, away - offset[..., None, :], 0.0)

    def between_diagonal(self) -> Array:
        """Weighted sum of squares of the class means about the overall mean, (..., D)."""
        return np.asarray((self.feature_weight() * self.overall()[2] ** 2).sum(axis=-2))

    def total_variance(self) -> Array:
        """Variance (divisor N) of each feature over all classes, (..., D)."""
        total = self.feature_weight().sum(axis=-2)
        # Each is divided before they are added: their sum may overflow where the variance does not.
        inside, between = (
            np.divide(squares, total, out=np.zeros(total.shape), where=total > 0)
            for squares in (self.within_diagonal(), self.between_diagonal())
        )
        return np.asarray(inside + between)

    def deviations(self) -> Array:
        """Total standard deviation of each feature, the unit of every floor; exactly 0 for constant ones, (..., D)."""
        variance = self.total_variance()
        center, offset, _ = self.overall()
        noise = 2.0 * np.finfo(np.float64).eps * np.abs(center + offset)
        return np.where(variance > noise**2, np.sqrt(variance), 0.0)

    def converted(self, form: Form) -> Moments:
        """The same in a smaller form."""
        if self.form == form:
            return self
        return self.diagonal() if form == "diagonal" else self.pooled()

    def select(self, columns: NDArray[np.intp] | slice) -> Moments:
        """Moments of some of the features (the others are marginalised)."""
        scatter = self.scatter[..., columns]
        if self.form != "diagonal":
            scatter = scatter[..., columns, :]
        return replace(
            self,
            center=self.center[..., columns],
            offset=self.offset[..., columns],
            scatter=scatter,
            present=None if self.present is None else self.present[..., columns],
        )

    def reclassed(self, position: NDArray[np.intp], n_classes: int) -> Moments:
        """The same cells in a longer list of classes: class k moves to position[k]."""

        def spread(values: Array, axis: int) -> Array:
            shape = list(values.shape)
            shape[axis] = n_classes
            out = np.zeros(shape)
            index: list[slice | Index] = [slice(None)] * values.ndim
            index[axis] = position
            out[tuple(index)] = values
            return out

        scatter = self.scatter
        if self.form != "pooled":
            scatter = spread(scatter, -2 if self.form == "diagonal" else -3)
        return replace(
            self,
            weight=spread(self.weight, -1),
            rows=spread(self.rows, -1),
            center=spread(self.center, -2),
            offset=spread(self.offset, -2),
            scatter=scatter,
            present=None if self.present is None else spread(self.present, -2),
        )

    # -- plain arrays -------------------------------------------------------------------------------------

    def to_arrays(self) -> dict[str, str | Array]:
        """The arrays and the name of their form; "importance" where weights are importance weights."""
        importance = {"importance": np.ones(1)} if self.importance else {}
        return {"form": self.form, **self.arrays(), **importance}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, ArrayLike]) -> Moments:
        """Moments from what :meth:`to_arrays` gave (also after a trip through ``numpy.savez``)."""
        values = {name: np.asarray(arrays[name]) for name in arrays}
        wanted = {"form", "weight", "rows", "center", "offset", "scatter"}
        if wanted - set(values) or set(values) - wanted - {"present", "importance"}:
            raise ValueError(Note("N038", given=sorted(values), wanted=sorted(wanted)))
        form, importance = str(values.pop("form")), bool(np.any(values.pop("importance", False)))
        numbers = {name: value.astype(np.float64) for name, value in values.items()}
        weight, rows, center, offset, scatter = (
            numbers[name] for name in ("weight", "rows", "center", "offset", "scatter")
        )
        moments = cls(
            form,  # type: ignore[arg-type]
            weight, rows, center, offset, scatter, numbers.get("present"), importance,
        )  # fmt: skip
        for name, shape in _shapes(form, moments.center.shape).items():
            if name in values and values[name].shape != shape:
                raise ValueError(Note("N039", name=name, shape=values[name].shape, wanted=shape))
        return moments


def _shapes(form: str, shape: tuple[int, ...]) -> dict[str, tuple[int, ...]]:
    """Shapes of the other arrays of moments whose centers have `shape`."""
    if form not in ("diagonal", "pooled", "full") or len(shape) < 2:
        raise ValueError(Note("N034", form=form, shape=shape))
    *lead, n_classes, width = shape
    square = {"diagonal": (n_classes, width), "pooled": (width, width), "full": (n_classes, width, width)}[
        form
    ]
    cell = (*lead, n_classes)
    return {"weight": cell, "rows": cell, "offset": shape, "scatter": (*lead, *square), "present": shape}


def stack(parts: list[Moments], axis: int = 0) -> Moments:
    """Moments of several groups along a new axis, the first one or the next."""
    arrays = [part.arrays() for part in parts]
    return parts[0].with_arrays({name: np.stack([part[name] for part in arrays], axis) for name in arrays[0]})
