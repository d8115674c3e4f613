"""Whether whoever fits a model will read why it went as it did.

Some models can say more than that they failed, at the price of a second computation: the perceptron, for example, tells
by a linear programme whether the classes can be separated at all. Folds read scores alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_asked: ContextVar[bool] = ContextVar("asked", default=True)


def costly_diagnostics_wanted() -> bool:
    """Whether reasons that cost something should be found out."""
    return _asked.get()


@contextmanager
def without_costly_diagnostics() -> Iterator[None]:
    """Fits of this thread leave out what only a reader of `diagnostics_` would notice.

    >>> with without_costly_diagnostics():
    ...     costly_diagnostics_wanted()
    False
    >>> costly_diagnostics_wanted()
    True
    """
    token = _asked.set(False)
    try:
        yield
    finally:
        _asked.reset(token)
