"""What kind of array something is."""

from __future__ import annotations

from typing import TypeGuard, overload

import numpy as np
from numpy.typing import NDArray

from assay.types import Cells, Entry


@overload
def is_array(value: object, *, axes: int | None = None) -> TypeGuard[Cells]: ...
@overload
def is_array(value: object, *dtypes: type[Entry], axes: int | None = None) -> TypeGuard[NDArray[Entry]]: ...
def is_array(value: object, *dtypes: type[Entry], axes: int | None = None) -> bool:
    """Whether this is an array of one of these types, in any order of bytes, with so many axes.

    >>> is_array(np.zeros((2, 3)), np.float64, axes=2), is_array(np.zeros(3), np.int64), is_array([0.0])
    (True, False, False)
    """
    if not isinstance(value, np.ndarray) or (axes is not None and value.ndim != axes):
        return False
    return not dtypes or value.dtype.newbyteorder("=") in dtypes
