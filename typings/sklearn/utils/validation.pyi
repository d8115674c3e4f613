from collections.abc import Callable
from typing import Any

def validate_data(
    _estimator: Any,
    /,
    X: Any = "no_validation",
    y: Any = "no_validation",
    reset: bool = True,
    validate_separately: bool | tuple[dict[str, Any], dict[str, Any]] = False,
    skip_check_array: bool = False,
    **check_params: Any,
) -> Any: ...
def check_is_fitted(
    estimator: object,
    attributes: str | list[str] | tuple[str, ...] | None = None,
    *,
    msg: str | None = None,
    all_or_any: Callable[..., bool] = ...,
) -> None: ...
def check_array(array: Any, accept_sparse: bool | str | list[str] = False, **check_params: Any) -> Any: ...
def check_consistent_length(*arrays: Any) -> None: ...
def column_or_1d(y: Any, *, dtype: Any = None, input_name: str = "y", warn: bool = False) -> Any: ...
def has_fit_parameter(estimator: object, parameter: str) -> bool: ...
