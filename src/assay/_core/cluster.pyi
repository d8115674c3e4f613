import numpy
from numpy.typing import NDArray

def lloyd(
    rows: NDArray[numpy.floating],
    weight: NDArray[numpy.float64] | None,
    most_steps: int,
    tolerance: float,
    threads: int,
    centers: NDArray[numpy.float64],
    labels: NDArray[numpy.int32],
) -> tuple[list[float], bool, int, int]: ...
def nearest_centers(
    rows: NDArray[numpy.floating], centers: NDArray[numpy.float64], threads: int, labels: NDArray[numpy.int32]
) -> None: ...
def closer(
    rows: NDArray[numpy.floating],
    weight: NDArray[numpy.float64] | None,
    drawn: NDArray[numpy.int32],
    closest: NDArray[numpy.float64],
    threads: int,
    left: NDArray[numpy.float64],
    sums: NDArray[numpy.float64],
) -> None: ...
def em_steps(
    x: NDArray[numpy.float64],
    weight: NDArray[numpy.float64],
    codes: NDArray[numpy.int32] | None,
    shape: int,
    floor: float,
    steps: int,
    gain: float,
    rounding: float,
    least: float,
    shares: NDArray[numpy.float64],
    means: NDArray[numpy.float64],
    covariances: NDArray[numpy.float64],
    whiteners: NDArray[numpy.float64],
    log_determinants: NDArray[numpy.float64],
    floored: NDArray[numpy.int64],
) -> tuple[list[float], int]: ...
