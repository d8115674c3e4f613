import numpy
from numpy.typing import NDArray

class Critics:
    def __init__(
        self,
        first: NDArray[numpy.int64],
        item: NDArray[numpy.int32],
        code: NDArray[numpy.generic],
        items: int,
        mean: NDArray[numpy.float64],
        inverse: NDArray[numpy.float64],
    ) -> None: ...

class Targets:
    def __init__(
        self,
        first: NDArray[numpy.int64],
        item: NDArray[numpy.int32],
        code: NDArray[numpy.generic],
        itself: NDArray[numpy.int32],
        query_first: NDArray[numpy.int64],
        query_item: NDArray[numpy.int32],
        one_out: bool,
    ) -> None: ...

class Closeness:
    def __init__(self, overlap: int, shrinkage: float, unit: float) -> None: ...

def rating_predictions(
    critics: Critics,
    targets: Targets,
    kinds: NDArray[numpy.int32],
    closeness: Closeness,
    neighbors: int,
    panels: bool,
    threads: int,
    out: NDArray[numpy.float64],
    used: NDArray[numpy.int32],
) -> None: ...
def rating_similarities(
    critics: Critics,
    first: NDArray[numpy.int64],
    item: NDArray[numpy.int32],
    code: NDArray[numpy.generic],
    kind: int,
    closeness: Closeness,
    common: NDArray[numpy.int32],
    out: NDArray[numpy.float64],
) -> None: ...
