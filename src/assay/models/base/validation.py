"""The only checks of input: arrays, labels, weights, scales; each failure is one sentence that names the culprit."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol, TypeGuard, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from assay.data import Table
from assay.data.convert import plain
from assay.models.base.sparse import compressed_rows, filled_rows, is_sparse
from assay.notes import Note
from assay.statistics.checks import LARGEST as LARGEST
from assay.statistics.checks import RangeError as RangeError
from assay.statistics.checks import check_moments as check_moments
from assay.statistics.checks import check_squares as check_squares
from assay.statistics.checks import explain_rows as explain_rows
from assay.statistics.checks import feature_name as feature_name
from assay.statistics.weights import in_rows
from assay.types import (
    Array,
    Cells,
    Codes,
    ColumnNames,
    CompressedRows,
    Floats,
    Frame,
    Integers,
    Labels,
    Mask,
    MatrixLike,
    Names,
    RowWeights,
)

UNEQUAL = 10.0  # a larger ratio of the standard deviations of columns gets a note
Otherwise = TypeVar("Otherwise")  # what stands in for names
DISTANCES = "M307"  # the note about columns that dominate distances


@dataclass(frozen=True)
class TrainingData:
    """Checked input of a fit: rows, class of each row, the classes, weights (None: all one)."""

    X: Floats  # of models that take them, compressed rows
    codes: Codes
    classes: Labels
    weight: Array | None
    names: ColumnNames = None  # of the columns, for messages

    @property
    def n_classes(self) -> int:
        return len(self.classes)

    @cached_property
    def gaps(self) -> Mask:
        """Columns that hold NaN; looked for once, whatever is fitted to the rows."""
        return np.asarray(np.isnan(self.X).any(axis=0))


class Encoded(NamedTuple):
    """Labels that were encoded before: the class of each row, and the classes, some of which may have no row."""

    codes: Codes
    classes: Labels


def check_training(
    estimator: object,
    X: MatrixLike,
    y: ArrayLike | None,
    sample_weight: RowWeights = None,
    *,
    reset: bool = True,
    further: bool = False,
) -> TrainingData:
    """Check and encode the input of a fit. Non-finite values are found by the pass itself, see explain_rows.

    further : whether other rows may come or these may go; their weights then decide together, so these stay as given
    """
    labels = check_given(estimator, y)
    X = check_rows(estimator, X, reset=reset)
    codes, classes, weight = check_targets(labels, sample_weight, X.shape[0])
    names = feature_names(estimator)
    return TrainingData(X, codes, classes, weight if further else in_rows(weight), names)


def check_given(estimator: object, y: ArrayLike | None) -> ArrayLike:
    """The labels, which a classifier needs."""
    if y is None:
        raise ValueError(Note("M031", kind=type(estimator).__name__))
    return y


def check_targets(y: ArrayLike, sample_weight: RowWeights, n_rows: int) -> tuple[Codes, Labels, Array | None]:
    """Class of each row, the classes, and weights as given, as many as there are rows."""
    codes, classes = encode(y)
    if len(codes) != n_rows:
        raise ValueError(Note("M032", n_rows=n_rows, n_labels=len(codes)))
    return codes, classes, check_weight(sample_weight, n_rows)


def check_several(classes: Labels) -> None:
    """A classifier needs something to tell apart."""
    if len(classes) < 2:
        raise ValueError(Note("M033", label=classes.tolist()[0]))


def check_two_classes(data: TrainingData) -> None:
    """The same where rows may count for nothing."""
    check_several(data.classes)
    counts = np.bincount(data.codes, data.weight, data.n_classes)
    if (counts > 0).sum() < 2:
        only = data.classes.tolist()[int(np.argmax(counts))]
        raise ValueError(Note("M034", label=only))


def all_classes(classes: ArrayLike, present: Labels) -> Labels:
    """All classes that may come, sorted; those that are present are among them."""
    known = np.unique(np.asarray(classes))
    strange = np.setdiff1d(present, known)
    if len(strange):
        raise ValueError(Note("M017", strange=strange.tolist()[0], known=known.tolist()))
    return known


def check_sparse(X: CompressedRows, names: ColumnNames = None) -> None:
    """The error that names the first entry of a sparse table no model can use."""
    bad = np.flatnonzero(
        ~np.isfinite(X.data) | (np.abs(X.data) > np.float64(LARGEST))
    )  # no float32 is as large
    if len(bad):
        row = int(np.searchsorted(X.indptr, bad[0], side="right")) - 1
        where = f"row {row}, {feature_name(names, int(X.indices[bad[0]]))}"
        value = X.data[bad[0]]
        kind = "NaN" if np.isnan(value) else "infinity" if np.isinf(value) else f"{value:.3g}"
        raise ValueError(Note("M035", kind=kind, where=where))


def check_not_negative(owner: str, X: Floats, names: ColumnNames) -> None:
    """Counts are at least 0; the first that is not is named."""
    values = X.data if is_sparse(X) else X
    if not values.size or values.min() >= 0:
        return
    if is_sparse(X):
        entry = int(np.flatnonzero(values < 0)[0])
        row, column = int(np.searchsorted(X.indptr, entry, side="right")) - 1, int(X.indices[entry])
        value = X.data[entry]
    else:
        row, column = (int(i) for i in np.argwhere(values < 0)[0])
        value = X[row, column]
    raise ValueError(
        Note("M030", owner=owner, value=value, row=row, feature_name=feature_name(names, column))
    )


def check_rows(estimator: object, X: MatrixLike, *, reset: bool) -> Floats:
    """X as a two-dimensional float64 or float32 array in any order; names and width remembered or compared."""
    X, fills = as_frame(compressed_rows(X)), getattr(estimator, "fills_sparse", False)
    try:
        checked: Floats = validate_data(
            estimator,
            X,
            reset=reset,
            dtype=(np.float64, np.float32),
            ensure_all_finite=False,
            accept_sparse="csr" if getattr(estimator, "sparse_ok", False) or fills else False,
        )
    except ValueError as error:
        raise _text_error(X) or error from None
    if not isinstance(checked, np.ndarray):  # sparse
        return filled_rows(type(estimator).__name__, checked) if fills else checked
    if min(checked.strides) < 0 or any(step % checked.itemsize for step in checked.strides):
        checked = np.ascontiguousarray(checked)
    return checked


def read_numbers(X: MatrixLike) -> tuple[Floats | CompressedRows, Names | None]:
    """A table as numbers, with the names of its columns; compressed sparse rows stay so."""
    if is_sparse(X):
        return X, None
    reader = BaseEstimator()
    rows = check_rows(reader, X, reset=True)
    return rows, feature_names(reader)


def all_finite(X: Floats) -> bool:
    """True only where no number is NaN or infinite: one sum in place of a mask; False may be an overflow."""
    with np.errstate(all="ignore"):
        return bool(np.isfinite(X.sum()))


def as_frame(X: MatrixLike) -> MatrixLike:
    """Tables of Arrow and typed ones as an Arrow table without dictionaries; anything else as it is."""
    if isinstance(X, Table):
        frame: Frame = X.to_arrow()
        return frame
    if not is_arrow(X):
        return X
    import pyarrow as pa

    # NumPy's view of a dictionary with nulls shows values in their place.
    frame = pa.table([plain(column) for column in X.columns], names=X.column_names)
    return frame


class ArrowTable(Frame, Protocol):
    """A table or batch of Arrow."""

    @property
    def column_names(self) -> list[str]: ...
    @property
    def columns(self) -> list[ArrayLike]: ...
    @property
    def schema(self) -> object: ...


def is_arrow(X: object) -> TypeGuard[ArrowTable]:
    """Whether this is a table or batch of Arrow."""
    return hasattr(X, "column_names") and hasattr(X, "schema")


def _is_frame(X: object) -> TypeGuard[Frame]:
    return hasattr(X, "columns") and hasattr(X, "shape")


def check_cells(estimator: object, X: MatrixLike, *, reset: bool) -> Cells | Frame:
    """X as columns of any type: a frame as it is, anything else as a two-dimensional array."""
    X = as_frame(X)
    if not _is_frame(X) or min(X.shape) == 0:
        cells: Cells = validate_data(estimator, X, reset=reset, dtype=None, ensure_all_finite=False)
        return cells
    validate_data(estimator, X, reset=reset, skip_check_array=True)
    return X


def _text_error(X: MatrixLike) -> ValueError | None:
    """The error that names the first cell of a table that is text, or None if there is none."""
    names = getattr(X, "column_names", getattr(X, "columns", None))  # of Arrow; of pandas and polars
    try:
        cells = np.asarray(X, dtype=object)
    except (ValueError, TypeError):  # ragged, or not a table at all: scikit-learn's sentence says so
        return None
    for row, values in enumerate(cells if cells.ndim == 2 else ()):
        for column, value in enumerate(values):
            if isinstance(value, str) and not _is_number(value):
                where = feature_name(None if names is None else list(names), column)
                return ValueError(Note("M045", row=row, where=where, value=value))
    return None


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def check_row_weight(sample_weight: RowWeights, n_rows: int) -> Array | None:
    """Weights of all rows of a call as numbers of rows (N,); None where all are one."""
    return in_rows(check_weight(sample_weight, n_rows))


def check_weight(sample_weight: RowWeights, n_rows: int) -> Array | None:
    """Weights as given, as float64 (N,); None where all are one. A single number means the same weight for all."""
    if sample_weight is None:
        return None
    weight = np.asarray(sample_weight, dtype=np.float64)
    if weight.ndim == 0:
        weight = np.full(n_rows, float(weight))
    if weight.ndim > 1:
        raise ValueError(Note("M036"))
    if weight.shape != (n_rows,):
        raise ValueError(Note("M037", shape=weight.shape, n_rows=n_rows))
    bad = np.flatnonzero(~np.isfinite(weight) | (weight < 0))
    if len(bad):
        raise ValueError(Note("M038", row=bad[0], weight=weight[bad[0]]))
    if not weight.any():
        raise ValueError(Note("M039"))
    return np.ascontiguousarray(weight)


def encode(y: ArrayLike) -> tuple[Codes, Labels]:
    """Class of each label as int32 codes 0..K-1, and the sorted classes; labels of any type."""
    if isinstance(y, Encoded):
        return y
    labels = np.asarray(
        plain(y) if hasattr(y, "to_pylist") else y
    )  # of Arrow's dictionaries NumPy loses the nulls
    if labels.ndim == 2 and labels.shape[1] == 1:
        _warn_column()
        labels = labels[:, 0]
    if labels.ndim != 1:
        raise ValueError(Note("M040", shape=labels.shape))
    if labels.dtype.kind in "iu" and len(labels):
        fast = _encode_integers(labels)
        if fast is not None:
            return fast
    if labels.dtype.kind == "f":
        _check_class_numbers(labels)
    if labels.dtype.kind == "O":
        _check_objects(labels)
    try:
        classes, codes = np.unique(labels, return_inverse=True)
    except TypeError:
        kinds = sorted({type(label).__name__ for label in labels.tolist()})
        raise ValueError(Note("M043", kinds=", ".join(kinds))) from None
    return codes.astype(np.int32), classes


def _encode_integers(labels: Integers) -> tuple[Codes, Labels] | None:
    """Small ranges of integers by a table instead of a sort; None where the range is wide."""
    low, high = int(labels.min()), int(labels.max())
    if high - low > max(1024, len(labels)):
        return None
    wide = labels if labels.dtype.itemsize == 8 else labels.astype(np.int64)  # 127 - (-128) is no int8
    shifted = (wide - wide.dtype.type(low)).astype(np.intp, copy=False)
    present = np.flatnonzero(np.bincount(shifted, minlength=high - low + 1))
    table = np.zeros(high - low + 1, dtype=np.int32)
    table[present] = np.arange(len(present), dtype=np.int32)
    return table[shifted], (present.astype(wide.dtype) + wide.dtype.type(low)).astype(labels.dtype)


def _check_class_numbers(labels: Floats) -> None:
    bad = np.flatnonzero(~np.isfinite(labels))
    if len(bad):
        raise ValueError(Note("M041", row=bad[0]))
    if (labels != np.floor(labels)).any() and len(np.unique(labels)) > 2:
        row = int(np.flatnonzero(labels != np.floor(labels))[0])
        raise ValueError(Note("M042", label=labels[row], row=row))


def _check_objects(labels: Labels) -> None:
    for row, label in enumerate(labels.tolist()):
        if label is None or (isinstance(label, float) and label != label):
            raise ValueError(Note("M044", row=row))


def _warn_column() -> None:
    import warnings

    from sklearn.exceptions import DataConversionWarning

    warnings.warn(
        Note("M503"),
        DataConversionWarning,
        stacklevel=4,
    )


@overload
def feature_names(estimator: object) -> Names | None: ...
@overload
def feature_names(estimator: object, otherwise: Otherwise) -> Names | Otherwise: ...
def feature_names(estimator: object, otherwise: object = None) -> object:
    """Names of the columns that an estimator was fitted to, where they had some."""
    return getattr(estimator, "feature_names_in_", otherwise)


def column_names(estimator: object, given: ArrayLike | None, count: int) -> Names:
    """Names of all columns: those that an estimator was fitted to, else those given, else x0, x1 and so on."""
    names = feature_names(estimator, given)
    return np.asarray([f"x{j}" for j in range(count)] if names is None else names, dtype=object)


def unequal_scales(X: Floats, names: ColumnNames, code: str = DISTANCES) -> tuple[Note, ...]:
    """A note if some columns of the rows vary so much more than others that they dominate, say, the distances."""
    with np.errstate(over="ignore", invalid="ignore"):  # of values whose squares have no float64
        deviation = np.nan_to_num(X.std(axis=0, dtype=np.float64), nan=np.inf)
    # A constant column varies by rounding.
    rounding = 4.0 * np.finfo(np.float64).eps * np.abs(X).max(axis=0, initial=0.0)
    return unequal_deviations(np.where(deviation > rounding, deviation, 0.0), names, code)


def unequal_deviations(deviation: Array, names: ColumnNames, code: str = DISTANCES) -> tuple[Note, ...]:
    """The same from the standard deviations of the columns; the note of this code has the widest and narrowest."""
    varying = np.flatnonzero(deviation > 0)
    if len(varying) < 2:
        return ()
    most, least = varying[deviation[varying].argmax()], varying[deviation[varying].argmin()]
    ratio = float(deviation[most] / deviation[least]) if np.isfinite(deviation[least]) else 1.0
    if ratio <= UNEQUAL:
        return ()
    wide, narrow = (int(j) if names is None else str(names[j]) for j in (most, least))
    return (Note(code, wide=wide, ratio=ratio, narrow=narrow),)
