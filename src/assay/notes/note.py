"""A note: a code, a level, what it is about, and its values. As text it is its sentence in the words of Python."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.notes.texts import ERROR, INFO, TEXTS, WARNING
from assay.notes.voices import PYTHON, Voice

LEVELS = (INFO, WARNING, ERROR)
UNCODED = "A000"  # the code of sentences that were stored before notes had codes


class Note(str):
    """Something to say to a user.

    It is a text, so that it can be printed, searched and compared like its sentence. No code of ours reads the
    sentence: what it says is the code, and `render` words it for a shell or a page.

    Parameters
    ----------
    code : str
        What it says; `assay.notes.texts` has the sentence. A code never changes its meaning.
    subject : str
        What it is about: a model, a step, a column.
    values : mapping
        The numbers and names in it; keywords give the same.
    level : {"info", "warning", "error"}, optional
        That of the code, unless given.

    Examples
    --------
    >>> note = Note("S007", "LogisticRegression")
    >>> print(note)
    LogisticRegression starts from given weights (start): every split was refitted.
    >>> note.code, note.level, note.subject
    ('S007', 'info', 'LogisticRegression')
    """

    code: str
    level: str
    subject: str
    values: dict[str, object]

    def __new__(
        cls,
        code: str,
        subject: str = "",
        values: Mapping[str, object] | None = None,
        level: str | None = None,
        **named: object,
    ) -> Note:
        text = TEXTS[code]
        every = {**(values or {}), **named}
        note = super().__new__(cls, PYTHON.sentence(text, subject, every))
        note.code, note.subject, note.values = code, subject, every
        note.level = text.level if level is None else level
        return note

    def __getnewargs__(self) -> tuple[Any, ...]:
        return self.code, self.subject, self.values, self.level

    def with_subject(self, subject: str) -> Note:
        """The same about something else: a column by its name instead of its number."""
        return Note(self.code, subject, self.values, self.level)


def render(sentence: str, voice: Voice) -> str:
    """A sentence in the words of Python, a shell or a page; a plain text is left as it is.

    Examples
    --------
    >>> from assay.notes.voices import SHELL
    >>> render(Note("S007", "LogisticRegression"), SHELL)
    'LogisticRegression starts from given weights (start): every split was refitted.'
    """
    if not isinstance(sentence, Note):
        return sentence
    return voice.sentence(TEXTS[sentence.code], sentence.subject, sentence.values)


def as_note(sentence: str) -> Note:
    """A note of a sentence: itself, or one without a code of its own."""
    return sentence if isinstance(sentence, Note) else Note(UNCODED, values={"sentence": sentence})


def note_of(error: BaseException) -> Note | None:
    """The note that an error carries, if any.

    Examples
    --------
    >>> note_of(ValueError(Note("A000", sentence="No such file."))).code
    'A000'
    """
    first = error.args[0] if error.args else None
    return first if isinstance(first, Note) else None
