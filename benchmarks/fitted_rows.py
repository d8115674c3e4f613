"""How many models a job fits, and to how many rows: classifiers are counted where their `fit` is called.

Folds that share a computation call no `fit`, so they are not counted; fits inside a fit are part of it.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import ExitStack
from functools import wraps
from typing import Any
from unittest.mock import patch

from sklearn.base import ClassifierMixin

from benchmarks.harness import Run

METHODS = ("fit", "fit_columns")  # the second one where the steps before a model hand on a choice of columns


def fitted_rows(run: Run) -> list[int]:
    """Rows of every fit of a job, which must have run before: only classes that are imported are counted.

    The job runs in one thread, because fits in other processes would be missed.
    """
    rows: list[int] = []
    inside = threading.local()
    with ExitStack() as patches:
        patches.enter_context(patch.dict(os.environ, {"ASSAY_THREADS": "1"}))
        for kind, name in _definitions():
            patches.enter_context(patch.object(kind, name, _counting(vars(kind)[name], rows, inside)))
        run()
    return rows


def _definitions() -> set[tuple[type, str]]:
    """The methods that fit classifiers, each in the class that defines it."""
    kinds, left = set[type](), [ClassifierMixin]
    while left:
        below = set(left.pop().__subclasses__()) - kinds
        kinds |= below
        left += below
    bases = {base for kind in kinds for base in kind.__mro__}
    return {(base, name) for base in bases for name in METHODS if name in vars(base)}


def _counting(fit: Callable[..., Any], rows: list[int], inside: threading.local) -> Callable[..., Any]:
    """The same method; what it is given is counted unless another fit of the same thread calls it."""

    @wraps(fit)
    def counted(model: Any, X: Any, *arguments: Any, **options: Any) -> Any:
        if getattr(inside, "a_fit", False):
            return fit(model, X, *arguments, **options)
        rows.append(X.shape[0] if hasattr(X, "shape") else len(X))
        inside.a_fit = True
        try:
            return fit(model, X, *arguments, **options)
        finally:
            inside.a_fit = False

    return counted
