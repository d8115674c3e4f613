"""Labels of every type, and what a fitted estimator answers."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

LABELS: dict[str, Any] = {
    "text": np.array(["wolf", "ant", "cat"]),
    "objects": np.array(["wolf", "ant", "cat"], dtype=object),
    "bytes": np.array([b"wolf", b"ant", b"cat"]),
    "negative": np.array([-3, 0, 7]),
    "large": np.array([2**62, -(2**62), 5]),
    "unsigned": np.array([255, 0, 7], dtype=np.uint8),
    "float": np.array([2.0, -1.0, 0.0]),
    "objects of int": np.array([30, 10, 20], dtype=object),
    "int8 span": np.array([-128, 127, 0], dtype=np.int8),
}


def outputs(model: Any, X: Any) -> np.ndarray[Any, Any]:
    """Log posteriors, scores, transformed rows, or log densities."""
    for method in ("predict_log_proba", "decision_function", "transform", "score_samples"):
        if hasattr(model, method):
            found = getattr(model, method)(X)
            return np.asarray(found.toarray() if sparse.issparse(found) else found)
    raise AssertionError(f"{model!r} has no output")
