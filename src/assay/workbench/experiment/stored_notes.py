"""Notes in the files of a run: code, level, subject and values, as model files store them."""

from __future__ import annotations

from typing import NoReturn, cast

from assay.notes import Note, as_note
from assay.storage.damaged_file import DamagedFileError
from assay.storage.decode import Decoder
from assay.storage.encode import Encoder
from assay.types import Json


def encode_note(note: str) -> Json:
    """A note as JSON; a sentence without a code is stored as it is."""
    return Encoder(_reject).encode(note if isinstance(note, Note) else str(note))


def decode_note(stored: Json, sentence: str) -> Note:
    """The note that `encode_note` stored beside its sentence.

    Versions before notes had codes stored the sentence alone, and a version that knows no codes may have replaced the
    sentence: it is then the note, without a code of its own.

    Examples
    --------
    >>> note = Note("C152", needed=90.0, left=12.0, budget=60.0)
    >>> decode_note(encode_note(note), note).code, decode_note(None, "It takes too long.").code
    ('C152', 'A000')
    """
    record = stored.get("note") if isinstance(stored, dict) else None
    if not isinstance(record, dict) or record.get("sentence") != sentence:
        return as_note(sentence)
    try:
        return as_note(cast(str, Decoder(_reject, _reject).decode(stored)))
    except DamagedFileError:
        return as_note(sentence)


def _reject(value: object) -> NoReturn:
    """Arrays and models: a note has none."""
    raise DamagedFileError("a note in it holds more than text and numbers")
