"""Texts of notes about anything."""

from __future__ import annotations

from assay.notes.texts.text import Texts, info

TEXTS: Texts = {
    "A000": info("{sentence}", sentence="A sentence that was stored before notes had codes."),
}
