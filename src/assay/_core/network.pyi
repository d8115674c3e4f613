from typing import overload

import numpy
from numpy.typing import NDArray

import assay._core.base

class Layers:
    def __init__(self, gemm: object, widths: NDArray[numpy.int64], activation: str) -> None: ...

class Training:
    def __init__(
        self,
        codes: NDArray[numpy.int32],
        weight: NDArray[numpy.float64] | None,
        order: NDArray[numpy.int64],
        ends: NDArray[numpy.int64],
        surrogate: str,
        solver: str,
        rate: float,
        momentum: float,
        l2: float,
    ) -> None: ...

@overload
def network_epoch(
    layers: Layers,
    x: NDArray[numpy.floating],
    columns: NDArray[numpy.int64],
    center: NDArray[numpy.float64],
    unit: NDArray[numpy.float64],
    limit: float,
    training: Training,
    steps: int,
    threads: int,
    parameters: NDArray[numpy.float64],
    state: NDArray[numpy.float64],
) -> float: ...
@overload
def network_epoch(
    layers: Layers,
    x: NDArray[numpy.floating],
    columns: NDArray[numpy.int64],
    center: NDArray[numpy.float64],
    unit: NDArray[numpy.float64],
    limit: float,
    training: Training,
    steps: int,
    threads: int,
    parameters: NDArray[numpy.float32],
    state: NDArray[numpy.float32],
) -> float: ...
@overload
def filled_network_epoch(
    layers: Layers,
    filled: assay._core.base.FilledRows,
    training: Training,
    steps: int,
    threads: int,
    parameters: NDArray[numpy.float64],
    state: NDArray[numpy.float64],
) -> float: ...
@overload
def filled_network_epoch(
    layers: Layers,
    filled: assay._core.base.NarrowFilledRows,
    training: Training,
    steps: int,
    threads: int,
    parameters: NDArray[numpy.float32],
    state: NDArray[numpy.float32],
) -> float: ...
@overload
def filled_network_scores(
    layers: Layers,
    filled: assay._core.base.FilledRows,
    which: NDArray[numpy.int64],
    parameters: NDArray[numpy.float64],
    threads: int,
    out: NDArray[numpy.float64],
) -> None: ...
@overload
def filled_network_scores(
    layers: Layers,
    filled: assay._core.base.NarrowFilledRows,
    which: NDArray[numpy.int64],
    parameters: NDArray[numpy.float32],
    threads: int,
    out: NDArray[numpy.float32],
) -> None: ...
@overload
def judged_scores(
    scores: NDArray[numpy.float64],
    which: NDArray[numpy.int64],
    codes: NDArray[numpy.int32],
    weight: NDArray[numpy.float64] | None,
    surrogate: str,
) -> tuple[float, float, float]: ...
@overload
def judged_scores(
    scores: NDArray[numpy.float32],
    which: NDArray[numpy.int64],
    codes: NDArray[numpy.int32],
    weight: NDArray[numpy.float64] | None,
    surrogate: str,
) -> tuple[float, float, float]: ...
@overload
def network_scores(
    layers: Layers,
    rows: NDArray[numpy.float64],
    parameters: NDArray[numpy.float64],
    threads: int,
    out: NDArray[numpy.float64],
) -> None: ...
@overload
def network_scores(
    layers: Layers,
    rows: NDArray[numpy.float32],
    parameters: NDArray[numpy.float32],
    threads: int,
    out: NDArray[numpy.float32],
) -> None: ...
def single_layer_steps(
    z: NDArray[numpy.float64],
    codes: NDArray[numpy.int32],
    rates: NDArray[numpy.float64],
    decay: NDArray[numpy.float64] | None,
    output: str,
    surrogate: str,
    low: float,
    weights: NDArray[numpy.float64],
) -> None: ...

class PerceptronRuns:
    def __init__(self) -> None: ...
    @property
    def current(self) -> int: ...
    @property
    def longest(self) -> int: ...

def perceptron_epoch(
    z: NDArray[numpy.float64],
    codes: NDArray[numpy.int32],
    size: NDArray[numpy.float64],
    order: NDArray[numpy.int64] | None,
    seen: float,
    weights: NDArray[numpy.float64],
    late: NDArray[numpy.float64],
    longest: NDArray[numpy.float64],
    largest: float = 0.0,
    runs: PerceptronRuns | None = None,
    largest_size: float = 0.0,
) -> int: ...

class OffsetCsrRows:
    @property
    def shape(self) -> tuple[int, int]: ...
    def base(self, out: NDArray[numpy.float64]) -> None: ...
    def scores(self, w: NDArray[numpy.float64], out: NDArray[numpy.float64]) -> None: ...
    def epoch(
        self,
        codes: NDArray[numpy.int32],
        size: NDArray[numpy.float64],
        order: NDArray[numpy.int64] | None,
        seen: float,
        weights: NDArray[numpy.float64],
        late: NDArray[numpy.float64],
        longest: NDArray[numpy.float64],
    ) -> int: ...

def lean_rows(filled: assay._core.base.FilledRows) -> OffsetCsrRows: ...
