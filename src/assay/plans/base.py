"""What a plan is: a list of partitions, each of which says for every row where it is tested.

A plan is data. It holds parameters, never rows, and draws the same partitions whenever it is asked.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence, Sized
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.notes import Note
from assay.numerics.scalars import is_whole
from assay.types import Codes, Label, Labels, MatrixLike

ALWAYS_TRAIN = -1
UNUSED = -2

Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Partition:
    """One way to divide the rows into folds.

    Parameters
    ----------
    fold : int32 array (N,)
        ``fold[i] = f``: row i is tested in fold f and trained on in all others; -1 (`ALWAYS_TRAIN`): trained
        on in every fold; -2 (`UNUSED`): neither.
    n_folds : int
        Number of folds.
    untrained : bool array (N,), optional
        Rows that are tested in their fold and trained on in none: training parts that are smaller than they could be.

    Examples
    --------
    >>> import numpy as np
    >>> part = Partition(np.array([0, 1, 0, -1]), 2)
    >>> part.test_rows(0), part.train_rows(0)
    (array([0, 2]), array([1, 3]))
    """

    fold: Codes
    n_folds: int
    untrained: NDArray[np.bool_] | None = None

    def __post_init__(self) -> None:
        fold = np.ascontiguousarray(self.fold, dtype=np.int32).view()
        if fold.size and (fold.min() < UNUSED or fold.max() >= self.n_folds):
            row = int(np.flatnonzero((fold < UNUSED) | (fold >= self.n_folds))[0])
            raise ValueError(
                Note(
                    "S041",
                    row=row,
                    fold=fold[row],
                    last=self.n_folds - 1,
                    always_train=ALWAYS_TRAIN,
                    unused=UNUSED,
                )
            )
        fold.flags.writeable = False
        object.__setattr__(self, "fold", fold)
        if self.untrained is not None and np.shape(self.untrained) != fold.shape:
            raise ValueError(Note("S042", size=fold.size))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Partition):
            return NotImplemented
        same = self.n_folds == other.n_folds and np.array_equal(self.fold, other.fold)
        return same and np.array_equal(self.trained, other.trained)

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def trained(self) -> Codes:
        """The fold of every row that is trained on somewhere; -2 (`UNUSED`) for the others."""
        if self.untrained is None:
            return self.fold
        return np.where(self.untrained, np.int32(UNUSED), self.fold)

    def test_rows(self, f: int) -> Rows:
        """Rows tested in fold `f`, ascending."""
        self._check_fold(f)
        return np.flatnonzero(self.fold == f)

    def train_rows(self, f: int) -> Rows:
        """Rows trained on for fold `f`, ascending."""
        self._check_fold(f)
        trained = self.trained
        return np.flatnonzero((trained != f) & (trained != UNUSED))

    def _check_fold(self, f: int) -> None:
        if not 0 <= f < self.n_folds:
            raise ValueError(Note("S043", fold=f, last=self.n_folds - 1))


class Plan(ABC):
    """How rows are divided into training and test parts, again and again.

    Every plan also has scikit-learn's `split` and `get_n_splits`, so it serves as ``cv=`` there.

    Examples
    --------
    >>> import numpy as np
    >>> class OddRows(Plan):
    ...     def partitions(self, codes, groups=None):
    ...         return [Partition(-(np.arange(len(codes)) % 2 == 0).astype(int), 1)]
    ...     def get_n_splits(self, X=None, y=None, groups=None):
    ...         return 1
    >>> list(OddRows().split(np.zeros((5, 2))))
    [(array([0, 2, 4]), array([1, 3]))]
    """

    drawn: ClassVar[bool] = (
        False  # whether chance alone says where a row is: splits that are given have their reasons
    )
    single_rows: ClassVar[bool] = False  # whether it takes rows one by one, so that there are no folds
    in_parts: ClassVar[bool] = False  # whether one part of the rows chooses, and another tests the choice
    averages_splits: ClassVar[bool] = False  # whether a metric is the mean over splits, not over rows
    in_order: ClassVar[bool] = False  # whether it tests rows by models of the rows before them

    @property
    def split_column(self) -> str | None:
        """The column of the table that says which rows are tested, where one does."""
        return None

    def of_rows(self, values: Sequence[object], codes: ArrayLike) -> Plan:
        """The plan for rows whose values of that column are known: the values, and the number of each row's."""
        return self

    @abstractmethod
    def partitions(self, codes: ArrayLike, groups: ArrayLike | None = None) -> list[Partition]:
        """One `Partition` a repeat, for rows with class indices `codes`."""

    @abstractmethod
    def get_n_splits(
        self, X: MatrixLike | None = None, y: ArrayLike | None = None, groups: ArrayLike | None = None
    ) -> int:
        """Number of (training, test) pairs that `split` yields."""

    @property
    def option(self) -> str:
        """How the command line writes it; empty where it cannot."""
        return ""

    @property
    def fewest_groups(self) -> tuple[int, str]:
        """How many groups it needs at least, where rows stay together, and what it makes of them."""
        return 2, "sets"

    def split(
        self, X: MatrixLike | None, y: ArrayLike | None = None, groups: ArrayLike | None = None
    ) -> Iterator[tuple[Rows, Rows]]:
        """Yield (training rows, test rows); without `y` all rows are of one class."""
        n = count_rows(X, y)
        codes = np.zeros(n, dtype=np.int32) if y is None else encode(y, "y", n)
        for partition in self.partitions(codes, groups):
            for f in range(partition.n_folds):
                yield partition.train_rows(f), partition.test_rows(f)


@dataclass(frozen=True)
class Cells:
    """What the kernels read: the stratum of every row, and its group where rows must stay together."""

    codes: Codes
    n_classes: int
    groups: Codes | None
    n_groups: int

    @classmethod
    def of(cls, codes: ArrayLike, groups: ArrayLike | None, stratified: bool) -> Cells:
        checked = check_codes(codes)
        if not stratified:
            checked = np.zeros(checked.size, dtype=np.int32)
        members = None if groups is None else encode(groups, "groups", checked.size)
        return cls(checked, _width(checked), members, 0 if members is None else _width(members))


def _width(codes: Codes) -> int:
    return int(codes.max()) + 1 if codes.size else 0


def count_rows(X: MatrixLike | None, y: ArrayLike | None = None) -> int:
    """Number of rows of X, or of y where X is None."""
    source = y if X is None else X
    if source is None:
        raise ValueError(Note("S034"))
    shape = getattr(source, "shape", None)
    return int(shape[0]) if shape else len(cast(Sized, source))


def check_codes(codes: ArrayLike) -> Codes:
    """`codes` as a contiguous int32 vector of class indices."""
    array = np.asarray(codes)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise TypeError(Note("S035", dtype=array.dtype, shape=array.shape))
    if array.size and array.min() < 0:
        row = int(np.flatnonzero(array < 0)[0])
        raise ValueError(Note("S036", row=row, class_code=array[row]))
    if array.size and array.max() >= array.size:
        # A table of classes longer than the rows is wasteful, and renaming classes changes no fold.
        return encode(array, "codes", array.size)
    return np.ascontiguousarray(array, dtype=np.int32)


def encode(values: ArrayLike, name: str, n: int) -> Codes:
    """The labels or group names of n rows as indices 0..(number of distinct values)-1."""
    array = np.asarray(values)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1 or array.size != n:
        raise ValueError(Note("S037", name=name, n_rows=n, shape=array.shape))
    _refuse_missing(array, name)
    if array.dtype.kind in "iub" and array.size:
        dense = _encode_dense(array.astype(np.int64))
        if dense is not None:
            return dense
    try:
        return np.unique(array, return_inverse=True)[1].astype(np.int32)
    except TypeError:  # labels of mixed types have no order; any numbering will do
        numbers: dict[Label, int] = {}
        return np.array([numbers.setdefault(value, len(numbers)) for value in array], dtype=np.int32)


def _encode_dense(array: NDArray[np.int64]) -> Codes | None:
    """Indices by table look-up, ten times faster than sorting; None if the values spread too widely."""
    low = int(array.min())
    width = int(array.max()) - low + 1
    if width > 4 * array.size + 1024:
        return None
    offset = array - low
    present = np.zeros(width, dtype=np.bool_)
    present[offset] = True
    number = (np.cumsum(present) - 1).astype(np.int32)
    codes: Codes = number[offset]
    return codes


def _refuse_missing(array: Labels, name: str) -> None:
    if array.dtype.kind == "f":
        missing = np.isnan(array)
    elif array.dtype.kind == "O":
        missing = np.array([value is None or value != value for value in array], dtype=np.bool_)
    else:
        return
    if missing.any():
        row = int(np.flatnonzero(missing)[0])
        raise ValueError(Note("S038", name=name, row=row))


def check_count(name: str, value: object, least: int) -> int:
    """`value` as an integer of at least `least`."""
    if not is_whole(value, least):
        raise ValueError(Note("S039", name=name, least=least, value=value))
    return int(value)


def check_flag(name: str, value: object) -> bool:
    """`value` as a bool."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(Note("S040", name=name, value=value))
    return bool(value)
