import numpy
from numpy.typing import NDArray

def kept_size(width: int, start: NDArray[numpy.int64]) -> int: ...

class FoldRows:
    def __init__(
        self,
        x: NDArray[numpy.floating],
        fill: NDArray[numpy.float64] | None,
        indicators: NDArray[numpy.int32] | None,
        order: NDArray[numpy.int64],
        center: NDArray[numpy.float64],
        unit: NDArray[numpy.float64],
        codes: NDArray[numpy.int32],
        weight: NDArray[numpy.float64] | None,
        start: NDArray[numpy.int64],
        fold: NDArray[numpy.int32],
        coarse: bool,
        keep: bool,
    ) -> None: ...
    def gradients(
        self,
        models: NDArray[numpy.float64],
        first: NDArray[numpy.int64],
        exact: bool,
        threads: int,
        gradient: NDArray[numpy.float64],
        loss: NDArray[numpy.float64],
    ) -> None: ...
    def grams(
        self,
        model: NDArray[numpy.float64],
        wanted: NDArray[numpy.bool_],
        exact: bool,
        threads: int,
        out: NDArray[numpy.float64],
    ) -> None: ...

class TrainingParts:
    def __init__(
        self,
        share: NDArray[numpy.float64],
        penalty: NDArray[numpy.float64],
        free: NDArray[numpy.bool_],
        start: NDArray[numpy.float64],
        weight: NDArray[numpy.float64],
        maps: NDArray[numpy.float64] | None,
    ) -> None: ...

def newton_path(
    rows: object,
    parts: TrainingParts,
    pilot: TrainingParts | None,
    l2: NDArray[numpy.float64],
    tol: float,
    threads: int,
    B: NDArray[numpy.float64],
    gradient: NDArray[numpy.float64],
    loss: NDArray[numpy.float64],
    converged: NDArray[numpy.bool_],
    theta: NDArray[numpy.float64],
    renewed: NDArray[numpy.bool_],
    begin: NDArray[numpy.float64] | None = None,
) -> tuple[list[tuple[float, float, float]], int]: ...
def standardized_rows(
    x: NDArray[numpy.floating],
    rows: NDArray[numpy.int64] | None,
    first: int,
    fill: NDArray[numpy.float64] | None,
    indicators: NDArray[numpy.int32] | None,
    center: NDArray[numpy.float64],
    unit: NDArray[numpy.float64],
    out: NDArray[numpy.float64],
) -> None: ...
def softmax_residuals(
    scores: NDArray[numpy.float64],
    codes: NDArray[numpy.int32],
    weight: NDArray[numpy.float64] | None,
    loss: NDArray[numpy.float64],
) -> None: ...
def softmax_posteriors(scores: NDArray[numpy.float64]) -> None: ...
def coordinate_descent(
    hessian: NDArray[numpy.float64],
    gradient: NDArray[numpy.float64],
    start: NDArray[numpy.float64],
    l1: NDArray[numpy.float64],
    sweeps: int,
    tol: float,
    out: NDArray[numpy.float64],
) -> int: ...
