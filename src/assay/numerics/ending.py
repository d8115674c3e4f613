"""Ending what nobody waits for any more: after Ctrl-C, threads that still compute are told to stop.

Signals reach the main thread alone. It gives each helper an event; long loops call `go_on` between their passes,
and compiled ones every fifth of a second (core/signals.hpp).
"""

from __future__ import annotations

import threading

_here = threading.local()


def end_with(event: threading.Event) -> None:
    """What this thread does ends once the event is set."""
    _here.event = event


def go_on() -> None:
    """KeyboardInterrupt where nobody waits for this thread's result any more."""
    event: threading.Event | None = getattr(_here, "event", None)
    if event is not None and event.is_set():
        raise KeyboardInterrupt
