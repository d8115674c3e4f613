"""Ending what nobody waits for any more: after Ctrl-C, threads that still compute are told to stop.

Signals reach the main thread alone. It gives each helper an event; long loops call `go_on` between their passes,
and compiled ones every fifth of a second (core/signals.hpp).
"""

from __future__ import annotations

import threading

_here = threading.local()


def end_with(*events: threading.Event) -> None:
    """What this thread does ends once one of the events is set."""
    _here.events = events


def ends() -> tuple[threading.Event, ...]:
    """What this thread ends with; threads that work for it shall, too."""
    return getattr(_here, "events", ())


def go_on() -> None:
    """KeyboardInterrupt where nobody waits for this thread's result any more."""
    if any(event.is_set() for event in ends()):
        raise KeyboardInterrupt
