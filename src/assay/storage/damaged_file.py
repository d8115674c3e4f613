"""Errors of files that were handed to us: clauses, which whoever reads or writes the file completes."""

from __future__ import annotations


class DamagedFileError(ValueError):
    """A file that is not what was written: damaged on its way, or changed."""


class RefusedFileError(ValueError):
    """A file that could be loaded elsewhere, or is of another kind. It carries a note that has yet to name the file."""
