import numpy
from numpy.typing import NDArray

def diagonal_moments(
    x: NDArray[numpy.floating],
    cell: NDArray[numpy.int32],
    weight: NDArray[numpy.float64] | None,
    center: NDArray[numpy.float64],
    threads: int,
    total: NDArray[numpy.float64],
    sum: NDArray[numpy.float64],
    square: NDArray[numpy.float64],
    present: NDArray[numpy.float64] | None,
) -> None: ...
def full_moments(
    x: NDArray[numpy.floating],
    cell: NDArray[numpy.int32],
    weight: NDArray[numpy.float64] | None,
    center: NDArray[numpy.float64],
    pool: int,
    fill: NDArray[numpy.float64] | None,
    indicators: NDArray[numpy.int32] | None,
    threads: int,
    total: NDArray[numpy.float64],
    sum: NDArray[numpy.float64],
    product: NDArray[numpy.float64],
) -> None: ...
def replicate_moments(
    x: NDArray[numpy.floating],
    cell: NDArray[numpy.int32],
    weight: NDArray[numpy.float64] | None,
    center: NDArray[numpy.float64],
    multiplicity: NDArray[numpy.uint16],
    pool: int,
    threads: int,
    total: NDArray[numpy.float64],
    drawn: NDArray[numpy.float64],
    sum: NDArray[numpy.float64],
    product: NDArray[numpy.float64],
) -> None: ...
