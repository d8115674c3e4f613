"""What there is to say, as records."""

from assay.notes.note import Note

__all__ = ["Note"]
