from typing import Annotated

import numpy
from numpy.typing import NDArray

def grow_trees(
    columns: NDArray[numpy.float64],
    codes: NDArray[numpy.int32],
    classes: int,
    weight: NDArray[numpy.float64] | None,
    first: int,
    count: int,
    max_features: int,
    max_depth: int,
    max_leaves: int,
    min_weight: float,
    bootstrap: bool,
    seed: int,
    threads: int,
) -> tuple[
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    Annotated[NDArray[numpy.int32], dict(shape=(None,))],
    Annotated[NDArray[numpy.float64], dict(shape=(None,))],
    Annotated[NDArray[numpy.int32], dict(shape=(None,))],
    Annotated[NDArray[numpy.int32], dict(shape=(None,))],
    Annotated[NDArray[numpy.uint8], dict(shape=(None,))],
    Annotated[NDArray[numpy.float64], dict(shape=(None,))],
]: ...
def pruning_costs(
    feature: NDArray[numpy.int32],
    left: NDArray[numpy.int32],
    right: NDArray[numpy.int32],
    threshold: NDArray[numpy.float64],
    missing_left: NDArray[numpy.uint8],
    counts: NDArray[numpy.float64],
    cost: NDArray[numpy.float64],
) -> None: ...
def add_leaf_values(
    feature: NDArray[numpy.int32],
    left: NDArray[numpy.int32],
    right: NDArray[numpy.int32],
    threshold: NDArray[numpy.float64],
    missing_left: NDArray[numpy.uint8],
    begin: NDArray[numpy.int64],
    cost: NDArray[numpy.float64] | None,
    prune: float,
    values: NDArray[numpy.float64],
    rows: NDArray[numpy.float64],
    threads: int,
    sums: NDArray[numpy.float64],
) -> None: ...
