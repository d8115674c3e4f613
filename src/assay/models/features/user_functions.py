"""Columns computed by functions that a user gives: each takes the rows (N, D) and returns (N,) or (N, M)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from assay.notes import Note
from assay.types import Array

SAME = 1e-6  # relative; a function of one row may be rounded otherwise than one of many

UserFunction: TypeAlias = Callable[[Array], ArrayLike]  # of rows (N, D): one column or several of them
Functions: TypeAlias = UserFunction | Sequence[UserFunction] | None


def listed(functions: Functions) -> list[UserFunction]:
    """One function or several, as a list."""
    return [functions] if callable(functions) else list(functions or ())


def titles(functions: list[UserFunction]) -> list[str]:
    """Names of functions: their own where they have one of their own, otherwise by number.

    >>> titles([np.sin, lambda X: X[:, 0]])
    ['sin', 'function1']
    """
    names = [str(getattr(function, "__name__", "")) for function in functions]
    return [
        name if name.isidentifier() and names.count(name) == 1 else f"function{i}"
        for i, name in enumerate(names)
    ]


def call(function: UserFunction, title: str, X: Array) -> Array:
    """What a function makes of the rows, checked, (N, M)."""
    rows = X.view()
    rows.flags.writeable = False
    try:
        with np.errstate(all="ignore"):  # what comes of it is checked
            returned = np.asarray(function(rows), dtype=np.float64)
    except Exception as error:
        raise ValueError(
            Note("M093", title=title, n_rows=len(X), message=" ".join(str(error).split()).rstrip("."))
        ) from error
    if returned.ndim not in (1, 2) or len(returned) != len(X) or 0 in returned.shape[1:]:
        raise ValueError(Note("M090", title=title, shape=returned.shape, n_rows=len(X)))
    values = returned[:, None] if returned.ndim == 1 else returned
    if not np.isfinite(values).all():
        row, column = (int(i) for i in np.argwhere(~np.isfinite(values))[0])
        raise ValueError(Note("M091", title=title, given=values[row, column], row=row))
    return values


def check_alone(function: UserFunction, title: str, X: Array, values: Array) -> None:
    """A function of a row must not look at the other rows: in a fold those would be of the training part."""
    alone = call(function, title, X[:1])
    if alone.shape[1] != values.shape[1] or not np.allclose(alone[0], values[0], rtol=SAME, atol=SAME):
        raise ValueError(Note("M092", title=title))
