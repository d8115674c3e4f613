"""What can be wrong with a file that was handed to us."""

from __future__ import annotations


class DamagedFileError(ValueError):
    """A file that is not what was written: damaged on its way, or changed. The message is a clause, not a sentence."""
