"""What each column tells about the class, and filters that keep the columns that tell something.

Everything here is learned from the training rows: put a filter into a pipeline and it is learned inside each fold.
"""

from __future__ import annotations

from typing import ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array

from assay.engines.local import thread_count
from assay.models.base.estimators import Model, Tags, Transformer, check_is_fitted
from assay.models.base.params import Param
from assay.models.base.sparse import is_sparse
from assay.models.base.stored import INPUT, NOTES, Field
from assay.models.base.validation import (
    TrainingData,
    check_rows,
    check_sparse,
    check_training,
    column_names,
    explain_rows,
    feature_names,
)
from assay.notes import Note
from assay.numerics.information import Tables, count_bins, count_dense, count_sparse, join
from assay.numerics.scalars import is_whole
from assay.types import Array, CompressedRows, Floats, Index, Mask, MatrixLike

KINDS = ("auto", "discrete", "binned", "presence")
FEW_LEVELS = 32  # whole numbers with at most so many values are levels by themselves
MOST_BINS = 64


class Relevance(NamedTuple):
    """χ² of each column, its degrees of freedom, and the chance of more without any relation."""

    statistic: Array
    freedom: NDArray[np.int64]
    p_value: Array


def mutual_information(
    X: MatrixLike,
    y: ArrayLike,
    *,
    kind: str = "auto",
    bins: int | None = None,
    corrected: bool = True,
    cut: bool = True,
) -> Array:
    """Mutual information of every column and the class, in nats.

    Parameters
    ----------
    X : array (N, D) or sparse matrix
    y : array (N,)
    kind : {"auto", "discrete", "binned", "presence"}
        Categories of a column: its values, bins of about equal counts, or whether a value is 0. By default columns of
        whole numbers with at most 32 values, and all sparse ones, are discrete, the others binned.
    bins : int, optional
        Number of bins; the cube root of N, from 2 to 64, when not given. Equal values fall into one bin.
    corrected : bool
        Subtract the bias (categories - 1)(classes - 1) / (2 N), the mean of the estimate for independent columns.
    cut : bool
        Set negative values to 0. Without the cut, the corrected estimate for independent columns is 0 on average; with
        it, slightly above 0.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 25)
    >>> (mutual_information(X, X[:, 0]) / np.log(2)).round(3).tolist()
    [0.993, 0.0]
    """
    return _tables(_checked(X, y), kind, bins).information(corrected=corrected, cut=cut)


def chi_square(X: MatrixLike, y: ArrayLike, *, kind: str = "auto", bins: int | None = None) -> Relevance:
    """χ² test of independence of every column and the class, on the categories of `mutual_information`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 25)
    >>> chi_square(X, X[:, 0]).statistic.round(6).tolist()
    [100.0, 0.0]
    """
    from scipy.special import chdtrc

    statistic, freedom = _tables(_checked(X, y), kind, bins).chi_square()
    chance = chdtrc(np.maximum(freedom, 1), statistic)
    return Relevance(statistic, freedom, np.where(freedom > 0, chance, 1.0))


class _Reader(Model):
    sparse_ok = True


def _checked(X: MatrixLike, y: ArrayLike, reader: Model | None = None) -> TrainingData:
    if y is None and reader is None:
        raise ValueError(Note("M067"))
    data = check_training(reader or _Reader(), X, y)
    if is_sparse(data.X):
        check_sparse(data.X, data.names)
    elif (error := explain_rows(data.names, data.X)) is not None:
        raise error
    return data


def _tables(data: TrainingData, kind: str, bins: int | None) -> Tables:
    """Levels of every column by class."""
    if kind not in KINDS:
        raise ValueError(Note("M068", kind=kind, kinds=", ".join(KINDS)))
    if bins is not None and not is_whole(bins, 2):
        raise ValueError(Note("M069", bins=bins))
    if is_sparse(data.X):
        if kind == "binned":
            raise ValueError(Note("M070"))
        return _sparse_tables(csr_array(data.X), data, kind == "presence")
    count = bins or int(np.clip(round(len(data.codes) ** (1 / 3)), 2, MOST_BINS))
    binned = np.array([_is_binned(data.X[:, j], kind) for j in range(data.X.shape[1])], dtype=bool)
    cut, whole = np.flatnonzero(binned), np.flatnonzero(~binned)
    continuous = data.X if len(whole) == 0 else data.X[:, cut]
    levels = np.empty((len(data.codes), len(whole)), dtype=np.int64)
    for place, j in enumerate(whole):
        levels[:, place] = _levels(data.X[:, j], kind == "presence")
    binned_tables = count_bins(continuous, data.codes, data.n_classes, count, thread_count())
    return join([(whole, count_dense(levels, data.codes, data.n_classes)), (cut, binned_tables)], len(binned))


def _is_binned(values: NDArray[np.floating], kind: str) -> bool:
    if kind != "auto":
        return kind == "binned"
    head = values[:256]
    whole = np.array_equal(head, np.rint(head)) and np.array_equal(values, np.rint(values))
    return not whole or len(np.unique(values)) > FEW_LEVELS


def _levels(values: NDArray[np.floating], presence: bool) -> NDArray[np.int64]:
    return np.asarray(values != 0 if presence else np.unique(values, return_inverse=True)[1], dtype=np.int64)


def _sparse_tables(X: CompressedRows, data: TrainingData, presence: bool) -> Tables:
    nonzero = X.data != 0  # stored zeros are zeros
    value = np.ones(int(nonzero.sum()), dtype=np.int64) if presence else X.data[nonzero]
    row = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))[nonzero]
    total = np.bincount(data.codes, minlength=data.n_classes)
    return count_sparse(X.indices[nonzero], value, data.codes[row].astype(np.int64), total, X.shape[1])


class _Filter(Transformer):
    """Keeps some columns, dense or sparse, in their order."""

    sparse_ok: ClassVar[bool] = True

    def _keep(self, mask: NDArray[np.bool_], nothing: Note) -> Self:
        if not mask.any():
            raise ValueError(nothing)
        self.positions_ = np.flatnonzero(mask)
        self.diagnostics_ = (Note("M403", kept=len(self.positions_), n_columns=len(mask)),)
        return self

    def transform(self, X: MatrixLike) -> Floats | CompressedRows:
        """The columns that are kept."""
        check_is_fitted(self)
        rows = check_rows(self, X, reset=False)
        self._check_finite(rows)
        return (
            rows[:, self.positions_]
            if is_sparse(rows)
            else np.asarray(rows[:, self.positions_], dtype=np.float64)
        )

    def _check_finite(self, rows: Floats) -> None:
        names = feature_names(self)
        if is_sparse(rows):
            check_sparse(rows, names)
            return
        error = explain_rows(names, rows)
        if error is not None:
            raise error

    def get_support(self, indices: bool = False) -> Index | Mask:
        """Which columns are kept, as a mask or by their positions."""
        check_is_fitted(self)
        mask = np.isin(np.arange(self.n_features_in_), self.positions_)
        return self.positions_ if indices else mask

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[np.object_]:
        """Names of the columns that are kept."""
        check_is_fitted(self)
        names = column_names(self, input_features, self.n_features_in_)
        return names[self.positions_]


class SelectByInformation(_Filter):
    """Keep the columns of largest mutual information with the class.

    Attributes
    ----------
    information_ : array (D,)
        Corrected mutual information of each column, in nats.
    positions_ : array
        Columns that are kept.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 25)
    >>> SelectByInformation(1).fit(X, X[:, 1]).positions_.tolist()
    [1]
    """

    params: ClassVar[tuple[Param, ...]] = (
        Param(
            "count",
            "int",
            100,
            "Number of columns to keep; all if there are fewer. Of equal columns the first.",
            low=1,
        ),
        Param(
            "kind", "choice", "auto", "What counts as a category, as in `mutual_information`.", choices=KINDS
        ),
        Param(
            "bins",
            "int",
            None,
            (
                "Bins of a continuous column; the cube root of the number of rows when not given, as in "
                "`mutual_information`."
            ),
            low=2,
            optional=True,
            only_if=(("kind", ("auto", "binned")),),
        ),
    )
    stored: ClassVar[tuple[Field, ...]] = (
        *INPUT,
        Field("positions_", "columns", ("E",)),
        Field("information_", "amounts", ("D",)),
        NOTES,
    )

    def __init__(self, count: int = 100, *, kind: str = "auto", bins: int | None = None) -> None:
        self.count = count
        self.kind = kind
        self.bins = bins

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    def fit(self, X: MatrixLike, y: ArrayLike) -> Self:
        """Count levels by class."""
        self._check_params()
        self.information_ = _tables(_checked(X, y, self), self.kind, self.bins).information(corrected=True)
        best = np.argsort(-self.information_, kind="stable")[: self.count]
        return self._keep(np.isin(np.arange(len(self.information_)), best), Note("M522"))


class DropRare(_Filter):
    """Drop words, and columns of zeros and ones, that occur in very few rows or in nearly all.

    A dense column with other values than 0 and 1 is always kept.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.zeros((1000, 2))
    >>> X[0, 0] = X[:9, 1] = 1.0
    >>> DropRare().fit(X).positions_.tolist()
    [1]
    """

    params: ClassVar[tuple[Param, ...]] = (
        Param(
            "min_share",
            "float",
            0.001,
            "A column that is not 0 in at most this proportion of the rows is dropped.",
            low=0.0,
            high=1.0,
        ),
        Param(
            "max_share",
            "float",
            0.999,
            "A column that is not 0 in at least this proportion of the rows is dropped.",
            low=0.0,
            high=1.0,
        ),
    )
    stored: ClassVar[tuple[Field, ...]] = (*INPUT, Field("positions_", "columns", ("E",)), NOTES)

    def __init__(self, min_share: float = 0.001, max_share: float = 0.999) -> None:
        self.min_share = min_share
        self.max_share = max_share

    def fit(self, X: MatrixLike, y: ArrayLike | None = None) -> Self:
        """Count the rows in which each column is not 0."""
        self._check_params()
        if self.min_share >= self.max_share:
            raise ValueError(Note("M071", min_share=self.min_share, max_share=self.max_share))
        rows = check_rows(self, X, reset=True)
        self._check_finite(rows)
        if is_sparse(rows):
            words = csr_array(rows)
            shares = np.bincount(words.indices[words.data != 0], minlength=rows.shape[1]) / rows.shape[0]
            judged = np.ones(rows.shape[1], dtype=bool)
        else:
            shares = (rows != 0).mean(axis=0)
            judged = ((rows == 0) | (rows == 1)).all(axis=0)
        rare, common = judged & (shares <= self.min_share), judged & (shares >= self.max_share)
        return self._keep(
            ~(rare | common),
            Note(
                "M523",
                rare=int(rare.sum()),
                common=int(common.sum()),
                min_share=float(self.min_share),
                max_share=float(self.max_share),
            ),
        )
