from typing import Annotated, overload

import numpy
from numpy.typing import NDArray

class Kernel:
    def __init__(self, gemm: object, kernel: str, gamma: float, coef0: float, degree: int) -> None: ...

@overload
def kernel_block(
    kernel: Kernel,
    left: NDArray[numpy.float64],
    right: NDArray[numpy.float64],
    threads: int,
    out: NDArray[numpy.float64],
) -> None: ...
@overload
def kernel_block(
    kernel: Kernel,
    left: NDArray[numpy.float32],
    right: NDArray[numpy.float32],
    threads: int,
    out: NDArray[numpy.float32],
) -> None: ...
@overload
def kernel_sums(
    kernel: Kernel,
    points: NDArray[numpy.float64],
    vectors: NDArray[numpy.float64],
    factor: NDArray[numpy.float64],
    threads: int,
    out: NDArray[numpy.float64],
) -> None: ...
@overload
def kernel_sums(
    kernel: Kernel,
    points: NDArray[numpy.float32],
    vectors: NDArray[numpy.float32],
    factor: NDArray[numpy.float64],
    threads: int,
    out: NDArray[numpy.float64],
) -> None: ...
@overload
def smo_gram(
    gram: NDArray[numpy.float64],
    low: NDArray[numpy.float64],
    high: NDArray[numpy.float64],
    tolerance: float,
    most_steps: int,
    threads: int,
    b: NDArray[numpy.float64],
    v: NDArray[numpy.float64],
) -> tuple[int, float, float, bool, list[tuple[int, float, float, float]]]: ...
@overload
def smo_gram(
    gram: NDArray[numpy.float32],
    low: NDArray[numpy.float64],
    high: NDArray[numpy.float64],
    tolerance: float,
    most_steps: int,
    threads: int,
    b: NDArray[numpy.float64],
    v: NDArray[numpy.float64],
) -> tuple[int, float, float, bool, list[tuple[int, float, float, float]]]: ...
@overload
def smo_rows(
    kernel: Kernel,
    points: NDArray[numpy.float64],
    most_rows: int,
    low: NDArray[numpy.float64],
    high: NDArray[numpy.float64],
    tolerance: float,
    most_steps: int,
    threads: int,
    b: NDArray[numpy.float64],
    v: NDArray[numpy.float64],
) -> tuple[int, float, float, bool, list[tuple[int, float, float, float]]]: ...
@overload
def smo_rows(
    kernel: Kernel,
    points: NDArray[numpy.float32],
    most_rows: int,
    low: NDArray[numpy.float64],
    high: NDArray[numpy.float64],
    tolerance: float,
    most_steps: int,
    threads: int,
    b: NDArray[numpy.float64],
    v: NDArray[numpy.float64],
) -> tuple[int, float, float, bool, list[tuple[int, float, float, float]]]: ...
def hinge_length(
    t: NDArray[numpy.float64],
    bent: NDArray[numpy.float64],
    c: NDArray[numpy.float64],
    sigma: float,
    linear: float,
    square: float,
) -> float: ...

class HingeRows:
    def __init__(
        self,
        y: NDArray[numpy.float64],
        c: NDArray[numpy.float64],
        f: NDArray[numpy.float64],
        alpha: NDArray[numpy.float64],
        sigma: float,
    ) -> None: ...
    def move(self, along: NDArray[numpy.float64], linear: float, square: float) -> float: ...
    def figures(self) -> tuple[float, float, float]: ...
    def free(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...
    def nearness(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    def multipliers(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    def changed(
        self,
    ) -> tuple[
        Annotated[NDArray[numpy.int64], dict(shape=(None,))],
        Annotated[NDArray[numpy.float64], dict(shape=(None,))],
    ]: ...

class DualRows:
    @overload
    def __init__(
        self,
        first: NDArray[numpy.int32],
        column: NDArray[numpy.int32],
        value: NDArray[numpy.float64],
        columns: int,
        y: NDArray[numpy.float64],
        c: NDArray[numpy.float64],
        squared: bool,
    ) -> None: ...
    @overload
    def __init__(
        self,
        first: NDArray[numpy.int64],
        column: NDArray[numpy.int64],
        value: NDArray[numpy.float64],
        columns: int,
        y: NDArray[numpy.float64],
        c: NDArray[numpy.float64],
        squared: bool,
    ) -> None: ...
    def solve(
        self,
        l2: float,
        r: float,
        tolerance: float,
        most_steps: int,
        b0: float,
        alpha: NDArray[numpy.float64],
        w: NDArray[numpy.float64],
    ) -> tuple[int, float, float, float, float]: ...
