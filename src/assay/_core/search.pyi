import numpy
from numpy.typing import NDArray

class SortedRows:
    def __init__(
        self,
        first: NDArray[numpy.int64],
        split: NDArray[numpy.int32],
        own: NDArray[numpy.int32],
        splits: int,
        features: int,
        classes: int,
        weight: NDArray[numpy.float64] | None,
    ) -> None: ...

search_rows: int = 16

def sort_rows(
    table: NDArray[numpy.floating],
    rows: SortedRows,
    source: NDArray[numpy.int64],
    center: NDArray[numpy.float64],
    threads: int,
    out: NDArray[numpy.float64],
) -> None: ...
def add_normals(
    rows: SortedRows,
    x: NDArray[numpy.float64],
    mean: NDArray[numpy.float64],
    half: NDArray[numpy.float64],
    constant: NDArray[numpy.float64],
    feature: NDArray[numpy.int32],
    threads: int,
    margin: NDArray[numpy.float64],
) -> None: ...
def try_normals(
    rows: SortedRows,
    x: NDArray[numpy.float64],
    mean: NDArray[numpy.float64],
    half: NDArray[numpy.float64],
    constant: NDArray[numpy.float64],
    start: NDArray[numpy.int64],
    feature: NDArray[numpy.int32],
    without: bool,
    margin: NDArray[numpy.float64],
    threads: int,
    hits: NDArray[numpy.float64],
) -> None: ...
def try_moves(
    rows: SortedRows,
    moved: int,
    move_slope: NDArray[numpy.float64] | None,
    move_center: NDArray[numpy.float64] | None,
    factor: NDArray[numpy.float64] | None,
    start: NDArray[numpy.int64],
    feature: NDArray[numpy.int32],
    slope: NDArray[numpy.float64],
    center: NDArray[numpy.float64],
    others: NDArray[numpy.int32],
    threads: int,
    x: NDArray[numpy.float64],
    margin: NDArray[numpy.float64],
    hits: NDArray[numpy.float64],
) -> None: ...
