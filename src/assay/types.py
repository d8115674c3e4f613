"""Names of the types that pass from room to room, each with what a value of it means."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Protocol, Self, TypeAlias, TypeGuard, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

# Arrays that Assay computes.
Array = NDArray[np.float64]
Floats = NDArray[np.floating]  # float32 or float64, as the rows of the caller are
Codes = NDArray[np.int32]  # numbers of classes, cells, models, tests
CellCodes: TypeAlias = (
    NDArray[np.int32] | NDArray[np.int16]
)  # cell of each row in every layer, in two bytes where cells count drawn copies
Index = NDArray[np.int64]  # numbers of rows
Integers = NDArray[np.integer]  # whole numbers of any width
Numbers = NDArray[np.number]  # whole numbers or not, such as counts with and without sample weights
Mask = NDArray[np.bool_]
Labels = NDArray[np.generic]  # labels of any type: the class of each row, or the classes in their order
Cells = NDArray[np.generic]  # values of a column or table as they were given: numbers, texts, objects
Names = NDArray[np.object_]  # texts: names of columns

Real = TypeVar(
    "Real", bound=np.floating
)  # float32 or float64, the same in what a function takes and gives back
Entry = TypeVar("Entry", bound=np.generic)  # any type of entries, likewise

# Which entries of an axis; None: all of them, behind a new axis.
Which: TypeAlias = int | np.integer | slice | Integers | Mask | None

# Single values.
Label: TypeAlias = Hashable  # a class label as a Python value: text, whole number, truth value
Json: TypeAlias = (
    "None | bool | int | float | str | Sequence[Json] | Mapping[str, Json]"  # what JSON can hold
)
JsonObject: TypeAlias = Mapping[str, Json]
Plain: TypeAlias = None | bool | int | float | str  # a value of JSON without parts
Parameters: TypeAlias = Mapping[str, object]  # values of an estimator's parameters, by name

# What callers give.
ColumnNames: TypeAlias = Sequence[object] | Names | None  # of a table; None: columns are known by position
PriorsLike: TypeAlias = ArrayLike | None  # "ml" or None: proportions of the data; "uniform"; or probabilities
RowWeights: TypeAlias = ArrayLike | None  # sample weights; None: all one
ClassWeights: TypeAlias = Mapping[Label, float] | str | None  # weight of each class; "balanced"; all alike


class SparseMatrix(Protocol):
    """A matrix or array of SciPy, in any of its formats."""

    @property
    def shape(self) -> tuple[int, int]: ...
    @property
    def dtype(self) -> np.dtype[np.number]: ...
    @property
    def format(self) -> str: ...
    @property
    def nnz(self) -> int: ...
    def tocsr(self) -> SparseMatrix: ...
    def tocsc(self) -> SparseMatrix: ...
    def toarray(self) -> Numbers: ...


class CompressedRows(SparseMatrix, Protocol):
    """The entries of a CSR matrix row after row; those of a CSC matrix column after column."""

    @property
    def data(self) -> Floats: ...
    @property
    def indices(self) -> Integers: ...
    @property
    def indptr(self) -> Integers: ...
    @property
    def has_canonical_format(self) -> bool: ...
    @property
    def T(self) -> CompressedRows: ...  # noqa: N802
    def copy(self) -> Self: ...
    def tocsr(self) -> CompressedRows: ...
    def sum_duplicates(self) -> None: ...
    def sum(self, axis: int) -> Floats: ...
    def toarray(self) -> Floats: ...
    def __matmul__(self, other: Floats, /) -> Array: ...
    def multiply(self, other: CompressedRows, /) -> CompressedRows: ...
    def __getitem__(self, key: slice | Integers | Mask | tuple[slice | Integers | Mask, ...], /) -> Self: ...


class Frame(Protocol):
    """A table with named columns: of pandas, polars, Arrow or Assay."""

    @property
    def shape(self) -> tuple[int, int]: ...
    @property
    def columns(self) -> Sequence[object]: ...


MatrixLike: TypeAlias = ArrayLike | SparseMatrix | Frame  # rows as a caller gives them


class Estimator(Protocol):
    """What scikit-learn asks of every estimator and transformer."""

    def get_params(self, deep: bool = True) -> dict[str, object]: ...
    def set_params(self, **params: object) -> Self: ...


class RowClassifier(Estimator, Protocol):
    """What scikit-learn asks of a classifier: anybody's class, or a pipeline, may be one."""

    @property
    def classes_(self) -> Labels: ...
    def fit(self, X: MatrixLike, y: ArrayLike) -> Self: ...
    def predict(self, X: MatrixLike) -> Labels: ...


class MarginModel(RowClassifier, Protocol):
    """A classifier with scores: (N,) of two classes, (N, K) of more."""

    def decision_function(self, X: MatrixLike) -> Array: ...


class PosteriorModel(RowClassifier, Protocol):
    """A classifier with posteriors, (N, K)."""

    def predict_proba(self, X: MatrixLike) -> Array: ...


def has_margins(model: object) -> TypeGuard[MarginModel]:
    """Whether a classifier gives scores; a wrapper does as the model inside it."""
    return hasattr(model, "decision_function")


def has_posteriors(model: object) -> TypeGuard[PosteriorModel]:
    """Whether a classifier gives posteriors; a wrapper does as the model inside it."""
    return hasattr(model, "predict_proba")


def infers(model: object) -> bool:
    """Whether a classifier gives posteriors or their logarithms."""
    return has_posteriors(model) or hasattr(model, "predict_log_proba")


ModelsLike: TypeAlias = (
    RowClassifier | Sequence[RowClassifier] | Mapping[str, RowClassifier]
)  # one or several


class RowTransformer(Estimator, Protocol):
    """What scikit-learn asks of a step in front of a classifier."""

    def fit(self, X: MatrixLike, y: ArrayLike | None = None) -> Self: ...
    def transform(self, X: MatrixLike) -> Floats | CompressedRows: ...
