"""A run folder is written by one process at a time: a file in it is locked while a run goes on.

The system releases the lock of a process that ends, however it ends.
"""

from __future__ import annotations

import fcntl
import os
from dataclasses import dataclass
from pathlib import Path

from assay.notes import Note

LOCK = "lock"


@dataclass(frozen=True)
class RunLock:
    """The lock of a folder, held by this process."""

    path: Path
    descriptor: int

    @classmethod
    def of(cls, folder: Path) -> RunLock:
        """Lock a folder, or say that another process writes to it."""
        path = folder / LOCK
        while True:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(descriptor)
                raise BlockingIOError(Note("C068", path=str(folder))) from None
            if path.exists() and os.path.samestat(os.fstat(descriptor), path.stat()):
                return cls(path, descriptor)
            os.close(descriptor)  # the process that held it has just removed it

    def release(self) -> None:
        """Let others write; the file goes before the lock does."""
        self.path.unlink(missing_ok=True)
        os.close(self.descriptor)


def is_locked(folder: Path) -> bool:
    """Whether a process writes to a folder."""
    if not (folder / LOCK).exists():
        return False
    try:
        RunLock.of(folder).release()
    except OSError:
        return True
    return False
