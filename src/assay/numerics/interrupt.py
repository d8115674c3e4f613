"""Interrupts: after Ctrl-C, threads whose result nobody waits for stop.

Signals reach the main thread alone. It gives each helper an event; long loops call `check_interrupt` between their
passes, and compiled ones every fifth of a second (core/python/interrupt.hpp). Whatever tells whether it is time to stop
serves as an event, such as a deadline.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from assay import _core

_here = threading.local()


class StopEvent(Protocol):
    """Says whether it is time to stop, as a `threading.Event` does."""

    def is_set(self) -> bool: ...


def stop_with(*events: StopEvent) -> None:
    """This thread stops once one of the events is set."""
    _here.events = events


def stop_events() -> tuple[StopEvent, ...]:
    """The events that stop this thread, and the threads that work for it."""
    events: tuple[StopEvent, ...] = vars(_here).get("events", ())
    return events


@contextmanager
def also_stop_with(event: StopEvent) -> Iterator[None]:
    """This thread stops for one more event while the block lasts."""
    events = stop_events()
    stop_with(*events, event)
    try:
        yield
    finally:
        stop_with(*events)


def check_interrupt() -> None:
    """Raise KeyboardInterrupt if one of the events of this thread is set."""
    if any(event.is_set() for event in stop_events()):
        raise KeyboardInterrupt


_core.set_interrupt_check(check_interrupt)
