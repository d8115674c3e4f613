"""What there is to say, as records; sentences are made at the edge."""

from assay.notes.note import Note, as_note, note_of, render

__all__ = ["Note", "as_note", "note_of", "render"]
