r"""The reference level: in each one-hot group the most frequent level of the training part is left out.

The columns of a group add up to one, so with all of them a covariance is singular. Left out, the most frequent
level is the zero vector that the others are measured against, and a level never seen counts as it. Levels that do
not occur in training are left out as well: they are constant there.

Which columns go differs from fold to fold. As a fold map a dropped column is multiplied by 0: its mean and scatter
are then exactly 0, and every model solved from moments leaves constant features out of all its sums.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.models.base.estimators import Tags, clone
from assay.models.base.params import Param
from assay.models.base.stored import INPUT, Field
from assay.models.base.validation import column_names
from assay.models.features.affine_step import AffineStep
from assay.notes import Note
from assay.sharing.protocols import ColumnScales
from assay.statistics import AffineMap, Extremes, Filling, Moments
from assay.types import Array, Floats, MatrixLike, RowWeights

# Shares of levels are sums rounded in different orders: below this one is none, and within it two are equal.
SHARE_ROUNDING = 1e-10


class DropReference(AffineStep):
    """Drop the reference category of each group of one-hot columns, and categories without a training row.

    Attributes
    ----------
    kept_ : positions of the columns that are kept
    reference_ : position of the reference category of each group

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 0.0, 7.0], [0.0, 1.0, 8.0], [0.0, 1.0, 9.0]])
    >>> DropReference([(0, 2)]).fit_transform(X).tolist()
    [[1.0, 7.0], [0.0, 8.0], [0.0, 9.0]]
    """

    params: ClassVar[tuple[Param, ...]] = (
        Param(
            "groups",
            "groups",
            None,
            (
                "Design columns `first` to `last` - 1 are the categories of one column. Of `OneHot.groups_` "
                "only the categorical ones are used. Columns outside the groups are kept."
            ),
            optional=True,
        ),
    )
    stored: ClassVar[tuple[Field, ...]] = (
        *INPUT,
        Field("kept_", "columns", ("E",)),
        Field("reference_", "columns", ("G",)),
    )
    narrows: ClassVar[bool] = True
    passes_gaps: ClassVar[bool] = True

    def __init__(self, groups: Sequence[tuple[int, int]] | None = None) -> None:
        self.groups = groups

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True  # levels have no gaps, and other columns pass through untouched
        return tags

    def fit(self, X: MatrixLike, y: ArrayLike | None = None, sample_weight: RowWeights = None) -> Self:
        """Find the reference levels."""
        self._check_params()
        _, moments = self._moments(X, sample_weight, missing=True)
        self.learn(moments[None])
        return self

    def learn(self, m: Moments, extremes: Extremes | None = None, filling: Filling | None = None) -> None:
        """Find the reference levels from moments of all rows."""
        self.n_features_in_ = m.n_features
        self._check_groups(m.n_features)
        mask, reference = self._mask(m)
        self.kept_ = np.flatnonzero(mask[0])
        if len(self.kept_) == 0:  # one level in all rows: a constant column says the same as none
            self.kept_ = reference[0][:1]
        self.reference_ = reference[0]

    def transform(self, X: MatrixLike) -> Array:
        """The columns that are kept."""
        rows = self._rows(X)
        out = np.empty((len(rows), len(self.kept_)))
        # Run by run: neighbours are copied together, which takes a fraction of the time of single columns.
        breaks = np.flatnonzero(np.diff(self.kept_) != 1) + 1
        ends = [0, *breaks.tolist(), len(self.kept_)]
        for first, last in zip(ends, ends[1:], strict=False):
            start = self.kept_[first]
            out[:, first:last] = rows[:, start : start + last - first]
        return out

    def column_scales(self, X: Floats, y: ArrayLike) -> ColumnScales:
        """The columns that rows without gaps keep."""
        return ColumnScales(clone(self).fit(X, y).kept_)

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[np.object_]:
        """Names of the columns that are kept."""
        names = column_names(self, input_features, self.n_features_in_)
        return names[self.kept_]

    def fold_map(self, m: Moments, extremes: Extremes | None = None) -> AffineMap:
        """All columns, those that a group's training part drops times 0."""
        self._check_groups(m.n_features)
        mask, _ = self._mask(m)
        nothing = np.zeros(mask.shape)
        return AffineMap(nothing, nothing, columns=np.arange(m.n_features), scale=mask.astype(np.float64))

    def _mask(self, m: Moments) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
        """Columns kept (G, D) and the reference column of each one-hot group (G, groups)."""
        center, offset, _ = m.overall()
        share = center + offset
        mask = np.ones(share.shape, dtype=bool)
        reference = []
        for first, last in spans(self.groups):
            part = share[..., first:last]
            most = part.max(axis=-1, keepdims=True)
            frequent = np.argmax(part >= most - SHARE_ROUNDING, axis=-1)
            mask[..., first:last] = (part > SHARE_ROUNDING) & (np.arange(last - first) != frequent[..., None])
            reference.append(first + frequent)
        return mask, np.stack(reference, axis=-1) if reference else np.zeros((len(share), 0), dtype=np.intp)

    def _check_groups(self, width: int) -> None:
        for first, last in spans(self.groups):
            if not 0 <= first < last <= width:
                raise ValueError(Note("M064", first=first, last=last, width=width))


def spans(groups: Iterable[Any] | None) -> list[tuple[int, int]]:
    """Groups as (first, last); of an encoder's groups the categorical ones."""
    ranges = []
    for group in groups if groups is not None else ():
        if hasattr(group, "type"):
            if group.type == "categorical":
                ranges.append((int(group.first), int(group.last)))
        else:
            first, last = group
            ranges.append((int(first), int(last)))
    return ranges
