import numpy
from numpy.typing import NDArray

def linear_scores(
    x: NDArray[numpy.floating],
    rows: NDArray[numpy.int64] | None,
    models: NDArray[numpy.int32] | None,
    fill: NDArray[numpy.float64] | None,
    indicators: NDArray[numpy.int32] | None,
    center: NDArray[numpy.float64],
    weights: NDArray[numpy.float64],
    bias: NDArray[numpy.float64],
    threads: int,
    out: NDArray[numpy.float64],
    best: NDArray[numpy.int32] | None = None,
    unusable: NDArray[numpy.int64] | None = None,
) -> None: ...
def diagonal_scores(
    x: NDArray[numpy.floating],
    rows: NDArray[numpy.int64] | None,
    models: NDArray[numpy.int32] | None,
    fill: NDArray[numpy.float64] | None,
    indicators: NDArray[numpy.int32] | None,
    mean: NDArray[numpy.float64],
    precision: NDArray[numpy.float64],
    bias: NDArray[numpy.float64],
    marginal: bool,
    threads: int,
    out: NDArray[numpy.float64],
    best: NDArray[numpy.int32] | None = None,
    unusable: NDArray[numpy.int64] | None = None,
) -> None: ...
def quadratic_scores(
    x: NDArray[numpy.floating],
    rows: NDArray[numpy.int64] | None,
    models: NDArray[numpy.int32] | None,
    fill: NDArray[numpy.float64] | None,
    indicators: NDArray[numpy.int32] | None,
    mean: NDArray[numpy.float64],
    whitener: NDArray[numpy.float64],
    bias: NDArray[numpy.float64],
    triangular: bool,
    threads: int,
    out: NDArray[numpy.float64],
    best: NDArray[numpy.int32] | None = None,
    unusable: NDArray[numpy.int64] | None = None,
) -> None: ...
def normalize_scores(scores: NDArray[numpy.float64], threads: int, best: NDArray[numpy.int32]) -> int: ...
def log_losses(
    scores: NDArray[numpy.float64],
    codes: NDArray[numpy.int32],
    floor: float,
    threads: int,
    out: NDArray[numpy.float64],
) -> None: ...
def posteriors(log_posterior: NDArray[numpy.float64], threads: int, out: NDArray[numpy.float64]) -> None: ...

class GridBases:
    def __init__(
        self,
        settings: NDArray[numpy.int32],
        turn: NDArray[numpy.float64],
        start: NDArray[numpy.float64],
        share: NDArray[numpy.float64],
        bias: NDArray[numpy.float64],
    ) -> None: ...

def grid_mistakes(
    table: NDArray[numpy.floating],
    fill: NDArray[numpy.float64] | None,
    indicators: NDArray[numpy.int32] | None,
    first: NDArray[numpy.int64],
    source: NDArray[numpy.int64],
    fold: NDArray[numpy.int32],
    own: NDArray[numpy.int32],
    weight: NDArray[numpy.float64] | None,
    tests: NDArray[numpy.int32],
    center: NDArray[numpy.float64],
    unit: NDArray[numpy.float64],
    bases: GridBases,
    slope: NDArray[numpy.float64],
    level: NDArray[numpy.float64],
    threads: int,
    sums: NDArray[numpy.float64],
) -> int: ...
