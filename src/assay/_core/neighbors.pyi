import numpy
from numpy.typing import NDArray

class Candidates:
    def __init__(
        self,
        query: NDArray[numpy.int32],
        place: NDArray[numpy.int32],
        lists: NDArray[numpy.int32],
        bounds: NDArray[numpy.float64],
        allowed: NDArray[numpy.uint8],
        factor: float,
        slack: float,
    ) -> None: ...

class Patterns:
    def __init__(
        self,
        bits: NDArray[numpy.uint64],
        numbers: NDArray[numpy.float64],
        kind: NDArray[numpy.uint8],
        step: NDArray[numpy.float64],
    ) -> None: ...

def nearest(
    rows: NDArray[numpy.floating],
    queries: NDArray[numpy.floating],
    row_group: NDArray[numpy.int32] | None,
    query_group: NDArray[numpy.int32] | None,
    groups: int,
    part: int,
    itself: NDArray[numpy.int64] | None,
    metric: int,
    numeric: int,
    by_products: bool,
    threads: int,
    near: NDArray[numpy.int32],
    distances: NDArray[numpy.float64],
    squared: bool = False,
) -> None: ...
def all_distances(
    rows: NDArray[numpy.floating],
    queries: NDArray[numpy.floating],
    metric: int,
    numeric: int,
    threads: int,
    out: NDArray[numpy.float64],
) -> None: ...
def candidate_distances(
    rows: NDArray[numpy.floating],
    queries: NDArray[numpy.floating],
    candidates: NDArray[numpy.int32],
    threads: int,
    out: NDArray[numpy.float64],
) -> None: ...
def nearest_listed(
    rows: NDArray[numpy.floating],
    candidates: Candidates,
    threads: int,
    near: NDArray[numpy.int32],
    distances: NDArray[numpy.float64],
    sure: NDArray[numpy.uint8],
) -> None: ...
def patterns_listed(
    patterns: Patterns,
    candidates: Candidates,
    threads: int,
    near: NDArray[numpy.int32],
    distances: NDArray[numpy.float64],
    sure: NDArray[numpy.uint8],
) -> None: ...
def nearest_patterns(
    patterns: Patterns,
    rows: NDArray[numpy.int32],
    queries: NDArray[numpy.int32],
    threads: int,
    near: NDArray[numpy.int32],
    distances: NDArray[numpy.float64],
) -> None: ...
def merge_near(
    rows: NDArray[numpy.int32],
    distances: NDArray[numpy.float64],
    other_rows: NDArray[numpy.int32],
    other_distances: NDArray[numpy.float64],
    near: NDArray[numpy.int32],
    out: NDArray[numpy.float64],
) -> None: ...
def vote(
    near: NDArray[numpy.int32],
    distances: NDArray[numpy.float64],
    codes: NDArray[numpy.int32],
    weight: NDArray[numpy.float64] | None,
    sizes: NDArray[numpy.float64],
    by_distance: bool,
    last: bool,
    threads: int,
    too_short: NDArray[numpy.uint8],
    out: NDArray[numpy.float64],
    place: NDArray[numpy.int32] | None = None,
    model: NDArray[numpy.int32] | None = None,
    unit: NDArray[numpy.float64] | None = None,
    cell: NDArray[numpy.int32] | None = None,
    layer: NDArray[numpy.int32] | None = None,
    copies: NDArray[numpy.uint16] | None = None,
) -> int: ...
