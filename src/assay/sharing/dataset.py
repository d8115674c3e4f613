"""Rows, and the one way to touch them all: a function of a block, and how two of its results become one.

The same lines run over a table in memory and over blocks that are read again for every pass.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, ClassVar, Protocol, Self, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from assay.engines.local import Engine
from assay.statistics.weights import is_importance
from assay.types import (
    Array,
    Codes,
    ColumnNames,
    CompressedRows,
    Floats,
    Index,
    Labels,
    MatrixLike,
    RowTransformer,
)

Sum = TypeVar("Sum")
Read = Callable[
    [MatrixLike], tuple[Floats | CompressedRows, ColumnNames]
]  # of rows of any kind: a table of numbers, and the names of its columns
LEAST_ROWS = 4096  # of a block that is cut from a table in memory


@dataclass(frozen=True, eq=False)
class Block:
    """Rows that lie together, and what is known of each."""

    start: int  # number of the first row
    X: Any
    codes: Codes
    weight: Array | None  # None: all one
    cells: NDArray[Any] = field(default_factory=lambda: np.zeros((0, 0), dtype=np.int32))  # (L, n)

    @property
    def n_rows(self) -> int:
        return len(self.codes)

    @property
    def end(self) -> int:
        """Number of the row behind the last."""
        return self.start + len(self.codes)

    @property
    def rows(self) -> Index:
        """Numbers of the rows."""
        return np.arange(self.start, self.end, dtype=np.int64)


BlockSource = Callable[[], Iterable[Block]]  # gives its blocks again for every pass


class RowReader(Protocol):
    """How rows of any kind are read where that depends on all of them, such as on the categories that there are."""

    def read(self, X: Any) -> tuple[Any, Any]:
        """All rows as they are read, which can be indexed by rows, and what was found on the way: keys."""

    def keys(self, X: Any) -> Any:
        """What some of the rows show."""

    def union(self, a: Any, b: Any) -> Any:
        """What two sets of rows show."""

    def look_up(self, X: Any, keys: Any) -> Any:
        """Some of the rows, given what all of them show."""


class Dataset(Protocol):
    """Labelled rows; classes, weights and groups of all of them are known without the rows."""

    @property
    def codes(self) -> Codes: ...
    @property
    def classes(self) -> Labels: ...
    @property
    def weight(self) -> Array | None: ...
    @property
    def groups(self) -> Codes | None: ...
    @property
    def engine(self) -> Engine: ...
    @property
    def names(self) -> ColumnNames: ...
    @property
    def n_rows(self) -> int: ...
    @property
    def n_classes(self) -> int: ...
    @property
    def n_features(self) -> int: ...
    @property
    def width(self) -> int: ...
    @property
    def importance(self) -> bool: ...
    @property
    def sparse(self) -> bool: ...
    @property
    def in_memory(self) -> bool: ...
    def reduce(
        self,
        map_block: Callable[[Block], Sum],
        merge: Callable[[Sum, Sum], Sum],
        *,
        cell: NDArray[Any] | None = None,
        label: str = "",
        bytes_per_row: int = 0,
    ) -> Sum: ...
    def fits(self, copies: int = 1) -> bool: ...
    def matrix(self) -> Floats: ...
    def source(self) -> MatrixLike: ...
    def numbers(self, table: MatrixLike) -> Floats: ...
    def relabelled(self, code_of: Codes) -> Dataset: ...
    def behind(self, step: RowTransformer) -> Dataset: ...
    def read_by(self, reader: RowReader) -> tuple[Dataset, Any]: ...
    def labelled_as(self, other: Self) -> Dataset: ...


class _DatasetBase:
    """What follows from labels, weights and the blocks of every partition alone."""

    codes: Codes
    classes: Labels
    weight: Array | None
    engine: Engine
    in_memory: ClassVar[bool]

    @property
    def n_rows(self) -> int:
        return len(self.codes)

    @property
    def n_classes(self) -> int:
        return len(self.classes)

    @cached_property
    def importance(self) -> bool:
        """Whether weights say how much rows matter, and not how many there are."""
        return is_importance(self.weight)

    def _blocks(self, bytes_per_row: int) -> Sequence[BlockSource]:
        """Functions that give blocks from the first row to the last, without cells."""
        raise NotImplementedError

    def reduce(
        self,
        map_block: Callable[[Block], Sum],
        merge: Callable[[Sum, Sum], Sum],
        *,
        cell: NDArray[Any] | None = None,
        label: str = "",
        bytes_per_row: int = 0,
    ) -> Sum:
        """The results of all blocks, merged in their order within their partition, then those of the partitions.

        Parameters
        ----------
        map_block : function of a Block
        merge : function of two results
        cell : (L, N), optional
            Laid beside the rows.
        label : str
            What is being done, in the user's words.
        bytes_per_row : int
            What `map_block` needs for each row: a block of a table in memory is as large as there is room for.
        """

        def mapped(block: Block) -> Sum:
            if cell is None:
                return map_block(block)
            whole = block.n_rows == cell.shape[1]
            return map_block(replace(block, cells=cell if whole else cell[:, block.start : block.end]))

        def parts() -> Iterator[Sum]:
            for partition in partitions:
                yield functools.reduce(merge, map(mapped, partition()))
                meter.advance()

        partitions = self._blocks(bytes_per_row)
        if self.in_memory and len(partitions) == 1:  # of a single block there is nothing to tell on the way
            return functools.reduce(merge, map(mapped, partitions[0]()))
        with self.engine.meter(len(partitions), label) as meter:
            return functools.reduce(merge, parts())


@dataclass(frozen=True, eq=False)
class InMemory(_DatasetBase):
    """A table in memory.

    Attributes
    ----------
    table : rows of any kind that estimators take
    codes : (N,) class of each row
    classes : (K,) labels
    weight : (N,) or None
    groups : (N,) or None
        Rows that stay together.
    read : function
        The table as numbers, with the names of its columns; called once, by the first who asks for numbers.
    """

    table: MatrixLike
    codes: Codes
    classes: Labels
    weight: Array | None
    groups: Codes | None
    engine: Engine
    read: Read
    in_memory: ClassVar[bool] = True

    @cached_property
    def _numbers(self) -> tuple[Floats, ColumnNames]:
        rows, names = self.read(self.table)
        return cast("Floats", rows), names  # compressed rows are asked for what both have

    @property
    def names(self) -> ColumnNames:
        """Names of the columns, where they have some."""
        return self._numbers[1]

    @property
    def n_features(self) -> int:
        return int(self.matrix().shape[1])

    @property
    def width(self) -> int:
        """Columns as they were given; 0 of rows without columns, such as texts."""
        shape: tuple[int, ...] = getattr(self.table, "shape", ())
        return int(shape[1]) if len(shape) == 2 else 0

    @property
    def sparse(self) -> bool:
        """Whether rows are compressed."""
        return hasattr(self.table, "tocsr")

    def matrix(self) -> Floats:
        """All rows as numbers: an array, or compressed sparse rows."""
        return self._numbers[0]

    def source(self) -> MatrixLike:
        """All rows as estimators take them."""
        return self.table

    def numbers(self, table: MatrixLike) -> Floats:
        """What steps made of rows, as numbers."""
        return cast("Floats", self.read(table)[0])

    def fits(self, copies: int = 1) -> bool:
        """Whether there is room for so many copies of the rows: they are here, and some of them may be taken twice."""
        return copies <= 2 or copies * getattr(self.table, "nbytes", 0) <= self.engine.memory

    def behind(self, step: RowTransformer) -> InMemory:
        """The rows that a step gives which learns nothing."""
        return replace(self, table=step.fit(self.table).transform(self.table))

    def relabelled(self, code_of: Codes) -> InMemory:
        """The same rows with other classes: those of code k get code_of[k]."""
        codes = np.asarray(code_of, dtype=np.int32)[self.codes]
        return replace(self, codes=codes, classes=np.arange(int(code_of.max()) + 1))

    def read_by(self, reader: RowReader) -> tuple[InMemory, Any]:
        """The rows as a reader reads them, and its keys."""
        rows, keys = reader.read(self.table)
        return replace(self, table=rows, read=_as_read), keys

    def labelled_as(self, other: Self) -> InMemory:
        """These rows with the classes and weights of another table of the same rows."""
        return replace(self, codes=other.codes, classes=other.classes, weight=other.weight)

    def _blocks(self, bytes_per_row: int) -> Sequence[BlockSource]:
        size = self.n_rows if not bytes_per_row else max(LEAST_ROWS, self.engine.memory // bytes_per_row)
        starts = range(0, max(self.n_rows, 1), max(size, 1))
        return [partial(self._block, start, min(start + size, self.n_rows)) for start in starts]

    def _block(self, start: int, stop: int) -> Iterator[Block]:
        X, rows = self.matrix(), slice(start, stop)
        if stop - start == self.n_rows:
            yield Block(0, X, self.codes, self.weight)
        else:
            yield Block(start, X[rows], self.codes[rows], None if self.weight is None else self.weight[rows])


def _as_read(rows: Any) -> tuple[Floats, ColumnNames]:
    return rows, None


@dataclass(frozen=True, eq=False)
class Blocks(_DatasetBase):
    """Partitions of blocks that a function gives again for every pass.

    Attributes
    ----------
    partitions : tuple of functions
        Each gives its blocks from the first to the last; blocks carry their own classes and weights.
    """

    partitions: tuple[BlockSource, ...]
    codes: Codes
    classes: Labels
    weight: Array | None
    groups: Codes | None
    engine: Engine
    n_features: int
    names: ColumnNames = None
    code_of: Codes | None = None  # other classes than those of the blocks
    sparse: bool = False  # whether rows are compressed
    in_memory: ClassVar[bool] = False

    def matrix(self) -> Floats:
        """All rows in this process, where there is room for them."""
        return stacked([block.X for partition in self.partitions for block in partition()])

    def source(self) -> MatrixLike:
        """All rows as estimators take them."""
        return self.matrix()

    def numbers(self, table: MatrixLike) -> Floats:
        """What steps made of rows, as numbers."""
        return np.asarray(table)

    @property
    def width(self) -> int:
        return self.n_features

    def fits(self, copies: int = 1) -> bool:
        """Whether there is room for so many copies of the rows."""
        return copies * 8 * self.n_rows * self.n_features <= self.engine.memory

    def behind(self, step: RowTransformer) -> Blocks:
        """The rows that a step gives which learns nothing, made again for every pass."""
        head = next(iter(self.partitions[0]())).X
        step.fit(head)

        width = step.transform(head[:1]).shape[1]
        made = tuple(
            _Changed(partition, lambda block: replace(block, X=step.transform(block.X)))
            for partition in self.partitions
        )
        return replace(self, partitions=made, n_features=width, names=None)

    def relabelled(self, code_of: Codes) -> Blocks:
        """The same rows with other classes: those of code k get code_of[k]."""
        code_of = np.asarray(code_of, dtype=np.int32)
        first = code_of if self.code_of is None else code_of[self.code_of]
        classes = np.arange(int(code_of.max()) + 1)
        return replace(self, codes=code_of[self.codes], classes=classes, code_of=first)

    def read_by(self, reader: RowReader) -> tuple[Blocks, Any]:
        """The rows as a reader reads them, block by block after a pass for its keys."""
        keys = self.reduce(lambda block: reader.keys(block.X), reader.union)
        read = tuple(
            _Changed(partition, lambda block: replace(block, X=reader.look_up(block.X, keys)))
            for partition in self.partitions
        )
        return replace(self, partitions=read), keys

    def labelled_as(self, other: Self) -> Blocks:
        """These rows with the classes of another dataset of the same rows."""
        return replace(self, codes=other.codes, classes=other.classes, code_of=other.code_of)

    def _blocks(self, bytes_per_row: int) -> Sequence[BlockSource]:
        code_of = self.code_of
        if code_of is None:
            return self.partitions

        def relabel(block: Block) -> Block:
            return replace(block, codes=code_of[block.codes])

        return [_Changed(partition, relabel) for partition in self.partitions]


def stacked(parts: list[Floats]) -> Floats:
    """Tables of numbers, one below the other."""
    if hasattr(parts[0], "tocsr"):
        from scipy.sparse import vstack

        return cast("Floats", vstack(parts).tocsr())
    return np.concatenate(parts)


@dataclass(frozen=True)
class _Changed:
    """The blocks of a partition, each of them changed."""

    partition: BlockSource
    change: Callable[[Block], Block]

    def __call__(self) -> Iterator[Block]:
        return map(self.change, self.partition())
