from typing import overload

import numpy
from numpy.typing import NDArray

def row_hashes(key: int, out: NDArray[numpy.uint64]) -> None: ...
def assign_folds(
    codes: NDArray[numpy.int32], n_classes: int, key: int, n_folds: int, out: NDArray[numpy.int32]
) -> None: ...
def proportional_order(
    codes: NDArray[numpy.int32],
    groups: NDArray[numpy.int32] | None,
    n_classes: int,
    n_groups: int,
    out: NDArray[numpy.int64],
) -> None: ...
def assign_test(
    codes: NDArray[numpy.int32], n_classes: int, key: int, n_test: int, out: NDArray[numpy.int32]
) -> None: ...
def assign_group_folds(
    codes: NDArray[numpy.int32],
    groups: NDArray[numpy.int32],
    n_classes: int,
    n_groups: int,
    key: int,
    n_folds: int,
    out: NDArray[numpy.int32],
) -> None: ...
def assign_group_test(
    codes: NDArray[numpy.int32],
    groups: NDArray[numpy.int32],
    n_classes: int,
    n_groups: int,
    key: int,
    n_test: int,
    out: NDArray[numpy.int32],
) -> None: ...
def bootstrap_counts(key: int, first: int, threads: int, out: NDArray[numpy.uint16]) -> None: ...
@overload
def cell_sums(
    cells: NDArray[numpy.int32],
    codes: NDArray[numpy.int32],
    weight: NDArray[numpy.float64] | None,
    sums: NDArray[numpy.float64],
    threads: int = 1,
) -> None: ...
@overload
def cell_sums(
    cells: NDArray[numpy.int16],
    codes: NDArray[numpy.int32],
    weight: NDArray[numpy.float64] | None,
    sums: NDArray[numpy.float64],
    threads: int = 1,
) -> None: ...
@overload
def cell_copies(
    cells: NDArray[numpy.int32],
    layer: NDArray[numpy.int32],
    table: NDArray[numpy.uint16],
    copies: NDArray[numpy.uint16],
    threads: int = 1,
) -> None: ...
@overload
def cell_copies(
    cells: NDArray[numpy.int16],
    layer: NDArray[numpy.int32],
    table: NDArray[numpy.uint16],
    copies: NDArray[numpy.uint16],
    threads: int = 1,
) -> None: ...
@overload
def count_pairs(
    cells: NDArray[numpy.int32], first: NDArray[numpy.int64], ends: NDArray[numpy.int64], threads: int = 1
) -> None: ...
@overload
def count_pairs(
    cells: NDArray[numpy.int16], first: NDArray[numpy.int64], ends: NDArray[numpy.int64], threads: int = 1
) -> None: ...
@overload
def list_pairs(
    cells: NDArray[numpy.int32],
    first: NDArray[numpy.int64],
    tests: NDArray[numpy.int32],
    ends: NDArray[numpy.int64],
    row: NDArray[numpy.int64],
    test: NDArray[numpy.int32],
    threads: int = 1,
) -> None: ...
@overload
def list_pairs(
    cells: NDArray[numpy.int16],
    first: NDArray[numpy.int64],
    tests: NDArray[numpy.int32],
    ends: NDArray[numpy.int64],
    row: NDArray[numpy.int64],
    test: NDArray[numpy.int32],
    threads: int = 1,
) -> None: ...
def every_row_once(row: NDArray[numpy.int64]) -> bool: ...
def pairs_ascend(
    layer: NDArray[numpy.int32], row: NDArray[numpy.int64], test: NDArray[numpy.int32], threads: int = 1
) -> bool: ...
