"""Interrupts: after Ctrl-C, threads whose result nobody waits for stop.

Signals reach the main thread alone. It gives each helper an event; long loops call `check_interrupt` between their
passes, and compiled ones every fifth of a second (core/python/interrupt.hpp).
"""

from __future__ import annotations

import threading

from assay import _core

_here = threading.local()


def stop_with(*events: threading.Event) -> None:
    """This thread stops once one of the events is set."""
    _here.events = events


def stop_events() -> tuple[threading.Event, ...]:
    """The events that stop this thread, and the threads that work for it."""
    return getattr(_here, "events", ())


def check_interrupt() -> None:
    """Raise KeyboardInterrupt if one of the events of this thread is set."""
    if any(event.is_set() for event in stop_events()):
        raise KeyboardInterrupt


_core.set_interrupt_check(check_interrupt)
