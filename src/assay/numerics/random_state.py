"""`random_state` in all the forms that scikit-learn knows, as one whole number to draw by."""

from __future__ import annotations

from typing import TypeGuard

import numpy as np

from assay.notes import Note
from assay.numerics.scalars import is_whole

RandomState = int | np.random.RandomState | np.random.Generator | None
MOST = (1 << 64) - 1


def as_seed(random_state: object) -> int:
    """The seed that is given, or one drawn: from the given generator, or, for None, a new one in every call.

    >>> as_seed(7)
    7
    >>> as_seed(np.random.default_rng(0)), as_seed(np.random.RandomState(0))
    (3653403231, 209652396)
    """
    if random_state is None:
        random_state = np.random.default_rng()
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(1 << 32))
    if hasattr(random_state, "randint"):  # a RandomState, or the module np.random
        return int(random_state.randint(1 << 31))
    if not is_seed(random_state):
        raise ValueError(Note("N016", random_state=random_state))
    return int(random_state)


def is_random_state(value: object) -> bool:
    """Whether `as_seed` takes a value."""
    return (
        value is None or isinstance(value, np.random.Generator) or hasattr(value, "randint") or is_seed(value)
    )


def is_seed(value: object) -> TypeGuard[int]:
    """Whether a value is a whole number that can be a seed."""
    return is_whole(value, 0) and int(value) <= MOST
