"""
Compiled kernels, a submodule per room; see core/*/*.hpp for what each computes.
"""

from collections.abc import Callable

from assay._core import (
    base as base,
    cluster as cluster,
    counts as counts,
    folds as folds,
    logistic as logistic,
    moments as moments,
    neighbors as neighbors,
    network as network,
    ratings as ratings,
    scores as scores,
    search as search,
    svm as svm,
    text as text,
    trees as trees,
)

def isa() -> str: ...
def set_interrupt_check(check: Callable[[], None]) -> None: ...
