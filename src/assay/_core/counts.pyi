from typing import overload

import numpy
from numpy.typing import NDArray

def level_ranges(
    x: NDArray[numpy.generic],
    threads: int,
    low: NDArray[numpy.float64],
    high: NDArray[numpy.float64],
    whole: NDArray[numpy.uint8],
) -> None: ...
def table_codes(
    x: NDArray[numpy.generic],
    low: NDArray[numpy.float64],
    first: NDArray[numpy.int64],
    codes: NDArray[numpy.int32],
    threads: int,
    out: NDArray[numpy.int32],
) -> None: ...
def count_levels(
    codes: NDArray[numpy.int32],
    first: NDArray[numpy.int64],
    cell: NDArray[numpy.int32],
    threads: int,
    out: NDArray[numpy.int64],
) -> None: ...
def count_weighted_levels(
    codes: NDArray[numpy.int32],
    first: NDArray[numpy.int64],
    cell: NDArray[numpy.int32],
    weight: NDArray[numpy.float64],
    threads: int,
    out: NDArray[numpy.float64],
) -> None: ...
def level_scores(
    codes: NDArray[numpy.int32],
    first: NDArray[numpy.int64],
    model: NDArray[numpy.int32] | None,
    table: NDArray[numpy.float64],
    bias: NDArray[numpy.float64],
    threads: int,
    out: NDArray[numpy.float64],
) -> None: ...
def count_bins(
    x: NDArray[numpy.floating],
    cut: NDArray[numpy.int64],
    codes: NDArray[numpy.int32],
    threads: int,
    edges: NDArray[numpy.int64],
    out: NDArray[numpy.int64],
) -> None: ...

class WordRows:
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
    def add(
        self,
        rows: NDArray[numpy.int64],
        code: NDArray[numpy.int32],
        weight: NDArray[numpy.float64] | None,
        factor: float,
        table: NDArray[numpy.float64],
    ) -> None: ...
    def scores(
        self,
        rows: NDArray[numpy.int64],
        place: NDArray[numpy.int32],
        weights: NDArray[numpy.float64],
        bias: NDArray[numpy.float64],
        threads: int,
        out: NDArray[numpy.float64],
    ) -> None: ...

def vocabulary_sums(
    counts: NDArray[numpy.float64],
    chosen: NDArray[numpy.uint8],
    base: NDArray[numpy.float64] | None,
    threads: int,
    totals: NDArray[numpy.float64],
    logs: NDArray[numpy.float64],
) -> None: ...
def word_logs(
    counts: NDArray[numpy.float64],
    words: NDArray[numpy.int64],
    base: NDArray[numpy.float64],
    sign: float,
    others: bool,
    threads: int,
    out: NDArray[numpy.float64],
) -> None: ...
