"""Names of the arrays that pass from room to room."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Codes = NDArray[np.int32]  # numbers of classes, cells, models, tests
Index = NDArray[np.int64]  # numbers of rows
Mask = NDArray[np.bool_]
Labels = NDArray[Any]
