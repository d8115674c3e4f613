from typing import overload

import numpy
from numpy.typing import NDArray

class SparseMatrix:
    @overload
    def __init__(
        self,
        first: NDArray[numpy.int32],
        column: NDArray[numpy.int32],
        value: NDArray[numpy.float64],
        columns: int,
    ) -> None: ...
    @overload
    def __init__(
        self,
        first: NDArray[numpy.int64],
        column: NDArray[numpy.int64],
        value: NDArray[numpy.float64],
        columns: int,
    ) -> None: ...
    def products(
        self, right: NDArray[numpy.float64], squared: bool, threads: int, out: NDArray[numpy.float64]
    ) -> None: ...

class FilledRows:
    @property
    def shape(self) -> tuple[int, int]: ...
    @property
    def entries(self) -> int: ...
    def scores(
        self, which: NDArray[numpy.int64], b: NDArray[numpy.float64], out: NDArray[numpy.float64]
    ) -> None: ...
    def sums(
        self, which: NDArray[numpy.int64], r: NDArray[numpy.float64], out: NDArray[numpy.float64]
    ) -> None: ...
    def dense(self, which: NDArray[numpy.int64], out: NDArray[numpy.float64]) -> None: ...

def fill_rows(
    x: NDArray[numpy.floating],
    which: NDArray[numpy.int64] | None,
    fill: NDArray[numpy.float64] | None,
    indicators: NDArray[numpy.int32] | None,
    columns: NDArray[numpy.int64],
    center: NDArray[numpy.float64],
    unit: NDArray[numpy.float64],
    limit: float,
    most: int,
) -> FilledRows | None: ...

class NarrowFilledRows:
    @property
    def shape(self) -> tuple[int, int]: ...
    @property
    def entries(self) -> int: ...

def fill_narrow_rows(
    x: NDArray[numpy.floating],
    which: NDArray[numpy.int64] | None,
    fill: NDArray[numpy.float64] | None,
    indicators: NDArray[numpy.int32] | None,
    columns: NDArray[numpy.int64],
    center: NDArray[numpy.float64],
    unit: NDArray[numpy.float64],
    limit: float,
    most: int,
) -> NarrowFilledRows | None: ...
def map_filled(
    filled: FilledRows,
    which: NDArray[numpy.int64],
    columns: NDArray[numpy.int64],
    factor: NDArray[numpy.float64],
    shift: NDArray[numpy.float64],
) -> FilledRows: ...
