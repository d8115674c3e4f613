from typing import Any

from numpy import float64
from numpy.typing import ArrayLike, NDArray

class BaseCrossValidator:
    @classmethod
    def register(cls, subclass: type) -> type: ...
    def get_metadata_routing(self) -> Any: ...

class GroupKFold(BaseCrossValidator): ...

def cross_val_score(
    estimator: Any,
    X: ArrayLike,
    y: ArrayLike | None = None,
    *,
    groups: ArrayLike | None = None,
    scoring: Any = None,
    cv: Any = None,
    n_jobs: int | None = None,
    verbose: int = 0,
    params: dict[str, Any] | None = None,
    pre_dispatch: int | str = "2*n_jobs",
    error_score: Any = ...,
) -> NDArray[float64]: ...
